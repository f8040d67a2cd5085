"""The memory storage of `limits` with a clock that nobody can set back. Imported when a rate limit is first used."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from limits.storage import MemoryStorage

_SWEEP = 1024  # keys of sessions that ended are forgotten after this many calls


class SteadyStorage(MemoryStorage):
    """Moving windows in this process, in seconds of a monotonic clock, fractions included.

    `MemoryStorage` reads `time.time()`: a clock set back by an hour would refuse every call for an hour.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        super().__init__()
        self.clock = clock
        self._taken: dict[str, tuple[float, deque[float]]] = {}
        self._since_sweep = 0

    def acquire_entry(self, key: str, limit: int, expiry: float, amount: int = 1) -> bool:
        """Enter `amount` calls where fewer than `limit` were made in the last `expiry` seconds."""
        self._sweep()
        with self.locks[key]:
            times = self._within(key, expiry)
            if len(times) + amount > limit:
                return False
            times.extend([self.clock()] * amount)
            return True

    def get_moving_window(self, key: str, limit: int, expiry: float) -> tuple[float, int]:
        """When the oldest call of the window was made, and how many there are."""
        with self.locks[key]:
            times = self._within(key, expiry)
            return (times[0] if times else self.clock()), len(times)

    def _within(self, key: str, expiry: float) -> deque[float]:
        _, times = self._taken.setdefault(key, (expiry, deque()))
        while times and times[0] <= self.clock() - expiry:
            times.popleft()
        return times

    def _sweep(self) -> None:
        self._since_sweep += 1
        if self._since_sweep < _SWEEP:
            return
        self._since_sweep = 0
        for key in list(self._taken):
            with self.locks[key]:
                if not self._within(key, self._taken[key][0]):
                    del self._taken[key]
                    self.locks.pop(key, None)
