"""Batches, breakers and limits that do not do what they say."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from typing import Any

Clock = Callable[[], float]


async def run_batch(calls: Iterable[Awaitable[Any]]) -> list[Any]:
    """Gather the calls of one turn."""
    return [await call for call in calls]


class EverybodyProbes:
    """A circuit breaker: opens after 5 failures, lets calls through again after 30 s."""

    def __init__(self, clock: Clock) -> None:
        self.clock, self.failures, self.opened_at = clock, 0, 0.0

    def admit(self) -> bool:
        return self.failures < 5 or self.clock() - self.opened_at >= 30

    def report(self, failed: bool) -> None:
        self.failures = self.failures + 1 if failed else 0
        self.opened_at = self.clock()


class FixedWindow:
    """At most `calls` a second."""

    def __init__(self, calls: int, clock: Clock) -> None:
        self.calls, self.clock, self.second, self.made = calls, clock, 0, 0

    def take(self) -> bool:
        if int(self.clock()) != self.second:
            self.second, self.made = int(self.clock()), 0
        self.made += 1
        return self.made <= self.calls
