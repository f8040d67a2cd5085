"""A circuit breaker: a tool that keeps failing is left alone for a while.

closed -> open at a failure rate of `rate` over the last `window` calls, once there were `minimum`; open ->
half-open after `rest_s` seconds; half-open lets one probe through, and its outcome decides.
Source of the pattern: Michael Nygard, "Release It!", 2007.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from toolkit.gateway.outcome import Failure, stop
from toolkit.records import Status

if TYPE_CHECKING:
    from toolkit.gateway.policy import Services, Step
    from toolkit.gateway.trace import Trace
    from toolkit.records import Tool


def break_circuit(tool: Tool, services: Services, then: Step) -> Step:
    """Ask the breaker for leave before each attempt, and tell it how the attempt went."""
    settings = services.settings.breaker
    if settings is None:
        return then
    breaker = services.breakers.setdefault(tool.name, Breaker(settings, services.clock))

    async def run(trace: Trace) -> Any:
        permit = breaker.admit()
        if permit is None:
            message = f"{tool.name} has been failing and is left alone for now."
            wait_s = breaker.retry_after_s or None  # None: a probe is under way, nobody knows how long
            raise stop(Status.CIRCUIT_OPEN, "circuit_open", message, retryable=True, retry_after_s=wait_s)
        failed: bool | None = None  # cancelled, or no thread was free: neither says anything about the tool
        try:
            value = await then(trace)
            failed = False
        except Failure as failure:
            failed = failure.counts or None
            raise
        finally:
            breaker.report(permit, failed)
        return value

    return run


State = Literal["closed", "open", "half_open"]


@dataclass(frozen=True, slots=True)
class BreakerSettings:
    """When to open, and for how long (seconds)."""

    rate: float = 0.5
    window: int = 50
    minimum: int = 20
    rest_s: float = 30.0


class Permit(NamedTuple):
    """Leave to make one attempt. `era` tells a late answer from before the last change of state."""

    era: int
    probe: bool


class Breaker:
    """One per tool. `clock` returns monotonic seconds."""

    def __init__(self, settings: BreakerSettings, clock: Callable[[], float]) -> None:
        self._settings, self._clock = settings, clock
        self._recent: deque[bool] = deque(maxlen=settings.window)
        self._failures = 0
        self._era = 0
        self._opened_at: float | None = None
        self._probing = False

    @property
    def state(self) -> State:
        if self._opened_at is None:
            return "closed"
        return "open" if self.retry_after_s > 0 else "half_open"

    @property
    def retry_after_s(self) -> float:
        """Seconds until a probe is allowed; 0 where one is."""
        if self._opened_at is None:
            return 0.0
        return max(0.0, self._opened_at + self._settings.rest_s - self._clock())

    def admit(self) -> Permit | None:
        """A permit, or None where the tool is to be left alone."""
        if self._opened_at is None:
            return Permit(self._era, probe=False)
        if self._probing or self.retry_after_s > 0:
            return None
        self._probing = True
        return Permit(self._era, probe=True)

    def report(self, permit: Permit, failed: bool | None) -> None:
        """How the attempt went: True failed, False worked, None was not the tool's doing (cancelled, refused)."""
        if permit.era != self._era:
            return  # an answer from before the last change of state says nothing about now
        if permit.probe:
            self._probing = False
            if failed is not None:
                self._change(open_now=failed)
        elif failed is not None:
            self._count(failed)

    def _count(self, failed: bool) -> None:
        if len(self._recent) == self._recent.maxlen:
            self._failures -= self._recent[0]
        self._recent.append(failed)
        self._failures += failed
        settings = self._settings
        if len(self._recent) >= settings.minimum and self._failures >= settings.rate * len(self._recent):
            self._change(open_now=True)

    def _change(self, open_now: bool) -> None:
        self._era += 1
        self._probing = False
        self._recent.clear()
        self._failures = 0
        self._opened_at = self._clock() if open_now else None
