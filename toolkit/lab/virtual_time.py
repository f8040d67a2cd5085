"""An event loop whose time is a number: it stands still while anything can run, and then jumps to the next timer.

An hour of waiting costs nothing and takes exactly an hour, so a lesson can show a timeout without a stopwatch. The
code under test is the real one: `asyncio.sleep`, `call_later`, `asyncio.timeout` and threads all work. What can never
end is noticed: nothing runs, nothing is due, and `Hang` is raised.
"""

from __future__ import annotations

import ctypes
import heapq
import inspect
import itertools
import threading
import time
from collections.abc import Coroutine
from typing import Any, Protocol, TypeVar

from toolkit.lab.virtual_loop import DefaultPool, VirtualLoop, cancel_what_is_left

Value = TypeVar("Value")
FOREVER = float("inf")


class Hang(Exception):
    """This would never end: nothing can run and no timer is due, or something runs and never waits."""


class _Over(BaseException):
    """Ends a thread that still sleeps when its simulation has ended."""


def _stop(thread: threading.Thread) -> None:
    """Raise `_Over` in a thread, at whatever it computes."""
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident or 0), ctypes.py_object(_Over))


class CountsBusy(Protocol):
    """A pool of threads that can say how many are at work, such as the gateway's `Workers`."""

    @property
    def busy(self) -> int: ...


class VirtualTime:
    """A clock in seconds that starts at 0, and the loop that moves it.

    Args:
        end_s: Ends what goes on for ever, such as a retry without a limit.
        threads: Size of the loop's default pool, behind `asyncio.to_thread`. Six is what asyncio takes on two cores.

    >>> import asyncio
    >>> clock = VirtualTime()
    >>> clock.run(asyncio.sleep(3600, "an hour later"))
    'an hour later'
    >>> clock.now()
    3600.0
    """

    def __init__(self, end_s: float = 1_000_000.0, threads: int = 6) -> None:
        self._end_s, self._size = end_s, threads
        self.moment = 0.0
        self._lock = threading.Lock()
        self._sleeping: list[tuple[float, int, threading.Event]] = []
        self._order = itertools.count()
        self._pools: list[CountsBusy] = []
        self._loop_thread: int | None = None
        self._over = False

    def now(self) -> float:
        """Seconds since this clock was made, to the microsecond; pass it on as `clock=`."""
        return round(self.moment, 6)

    def watch(self, pool: CountsBusy) -> None:
        """Let no time pass while a thread of `pool` computes. One that sleeps in `block` does not compute."""
        self._pools.append(pool)

    def run(self, coroutine: Coroutine[Any, Any, Value]) -> Value:
        """Run `coroutine` to its end and return its value or raise its exception. Tasks it left behind are cancelled.

        Threads of a pool that is not watched are not waited for: every limit passes before they answer.

        Raises:
            Hang: it would never end.
            TypeError: not a coroutine; a task or a `gather` belongs to the loop it was made in.
        """
        if not inspect.iscoroutine(coroutine):
            raise TypeError(
                f"run takes a coroutine, made by calling an async function, not a {type(coroutine).__name__}"
            )
        outcome: list[Value] = []
        raised: list[BaseException] = []
        done = threading.Event()

        def work() -> None:
            try:
                outcome.append(self._run(coroutine))
            except BaseException as error:  # noqa: BLE001 - handed on to the caller just below
                raised.append(error)
            finally:
                done.set()

        # In a notebook this thread has a loop already.
        thread = threading.Thread(target=work, name="virtual time", daemon=True)
        thread.start()
        try:
            done.wait()  # not `join`: interrupted, it takes the thread for ended
        except BaseException as stopped:  # noqa: BLE001 - an interrupt or an alarm, of which the other thread hears none
            _stop(thread)
            done.wait(1.0)
            raise stopped.with_traceback(raised[0].__traceback__ if raised else stopped.__traceback__) from None
        thread.join()
        if raised:
            raise raised[0]
        return outcome[0]

    def outcome(self, coroutine: Coroutine[Any, Any, Value]) -> Value | BaseException:
        """Run `coroutine` to its end and return its value, or the exception it raised.

        >>> import asyncio
        >>> VirtualTime().outcome(asyncio.wait_for(asyncio.sleep(9), timeout=1))
        TimeoutError()
        """
        try:
            return self.run(coroutine)
        except BaseException as error:  # noqa: BLE001 - it is what the caller asked for
            return error

    def block(self, seconds: float = FOREVER) -> None:
        """Sleep as `time.sleep` does: on the loop it stops everything, in a thread only that thread."""
        if threading.get_ident() == self._loop_thread:
            self.move_to(self.moment + seconds)
            return
        if self._over:
            raise _Over
        awake = threading.Event()
        with self._lock:
            heapq.heappush(self._sleeping, (self.moment + seconds, next(self._order), awake))
        awake.wait()
        if self._over:
            raise _Over

    def move_to(self, moment: float) -> None:
        """Let time pass, and wake the threads whose time has come.

        Raises:
            Hang: that moment never comes, or lies behind `end_s`.
        """
        if moment == FOREVER:
            raise Hang(f"at {self.now():g} s nothing can run and nothing is due: this waits for ever")
        if moment > self._end_s:
            raise Hang(f"not done after {self._end_s:g} s")
        with self._lock:
            self.moment = max(self.moment, moment)
            while self._sleeping and self._sleeping[0][0] <= self.moment:
                heapq.heappop(self._sleeping)[2].set()

    def stand_still(self) -> None:
        """Say that something always runs, so that time cannot pass, as in `while not done: await asyncio.sleep(0)`.

        Raises:
            Hang: always.
        """
        raise Hang(f"at {self.now():g} s something runs again and again and never waits, so no time passes")

    def settle(self) -> float:
        """Wait, really, until every thread sleeps or is done; the moment the first one wakes."""
        while True:
            with self._lock:
                if sum(pool.busy for pool in self._pools) <= len(self._sleeping):
                    return self._sleeping[0][0] if self._sleeping else FOREVER
            time.sleep(0.0002)

    def _run(self, coroutine: Coroutine[Any, Any, Value]) -> Value:
        pool = DefaultPool(self._size)
        loop = VirtualLoop(self, pool)
        self._pools.append(pool)
        self._over, self._loop_thread = False, threading.get_ident()
        try:
            return loop.run_until_complete(coroutine)
        finally:
            ended = self.moment
            cancel_what_is_left(loop)
            self.moment, self._loop_thread = ended, None
            self._end_threads()
            self._pools.remove(pool)
            pool.close()
            loop.close()

    def _end_threads(self) -> None:
        self._over = True
        while self._sleeping or any(pool.busy for pool in self._pools):
            with self._lock:
                while self._sleeping:
                    heapq.heappop(self._sleeping)[2].set()
            time.sleep(0.0002)
