"""Mistakes in limits: of time, of calls, of patience."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Awaitable, Callable
from typing import Any

from toolkit.lab.callers import leave_early
from toolkit.lab.mistakes.deadlines import CheckedAfterwards, keep_trying
from toolkit.lab.mistakes.pools import EverybodyProbes, FixedWindow
from toolkit.lab.virtual_time import VirtualTime
from toolkit.lessons.bug_hunt.card import Card, source_of
from toolkit.lessons.bug_hunt.probing import ASYNC_SETUP, CLOCK_SETUP, ended


def _limited(limit: Callable[..., Any]) -> str:
    clock = VirtualTime()

    async def search() -> str:
        async with limit(0.1, clock):
            return await asyncio.sleep(1.0, "3 hotels")

    return ended(clock, clock.outcome(search()))


def _left_and_slow(keep_trying: Callable[..., Awaitable[Any]]) -> list[str]:
    """The user leaves; and, for another, the first attempt is slow and the second is not."""
    left = VirtualTime().outcome(leave_early(keep_trying(functools.partial(asyncio.sleep, 1, "booked"), 2)))
    waits = iter((9.0, 0.1))
    slow = VirtualTime().outcome(keep_trying(lambda: asyncio.sleep(next(waits), "booked"), 2))  # type: ignore[arg-type]
    return [type(each).__name__ if isinstance(each, BaseException) else str(each) for each in (left, slow)]


def _computing(limited: Callable[..., Any]) -> str:
    clock = VirtualTime()

    def compute() -> str:
        clock.block(5)
        return "42"

    return ended(clock, clock.outcome(limited(compute, 0.1)))


class _Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def _crowd(breaker_class: Callable[..., Any]) -> int:
    clock = _Clock()
    breaker = breaker_class(clock)
    for _ in range(5):
        breaker.admit()
        breaker.report(failed=True)
    clock.now = 30.0
    return sum(bool(breaker.admit()) for _ in range(20))


def _at_the_edge(window_class: Callable[..., Any]) -> int:
    clock = _Clock()
    window = window_class(3, clock)
    taken = 0
    for clock.now in (0.9, 0.92, 0.95, 0.97, 1.0, 1.02, 1.05, 1.07):
        taken += bool(window.take())
    return taken


CARDS = (
    Card(
        id="B14",
        topic="running",
        title="A time limit for a block",
        name="CheckedAfterwards",
        setup=CLOCK_SETUP,
        broken=source_of(CheckedAfterwards),
        mended='''
class CheckedAfterwards:
    """A time limit for a block."""

    def __init__(self, limit_s, clock):
        self.timer = asyncio.timeout(limit_s)

    async def __aenter__(self):
        await self.timer.__aenter__()

    async def __aexit__(self, *raised):
        return await self.timer.__aexit__(*raised)
''',
        probe=_limited,
        fails="TimeoutError after 1 s",
        works="TimeoutError after 0.1 s",
        asks="A search of 1 s under a limit of 0.1 s. How does it end, and when?",
        predicted=("An error after 1 s", "No timer is set. The clock is looked at when all is over."),
        others=(
            ("An error after 0.1 s", "Who would wake it then?"),
            ("The hotels after 1 s", "It waits so long, but then it looks at the clock."),
            ("It never ends at all", "The search ends by itself."),
        ),
        cause="The elapsed time is compared after the work; nothing interrupts the work.",
    ),
    Card(
        id="B15",
        topic="running",
        title="Try twice if it is slow",
        name="keep_trying",
        setup=CLOCK_SETUP,
        broken=source_of(keep_trying),
        mended='''
async def keep_trying(work, limit_s):
    """Try twice, in case the first attempt is too slow."""
    for _ in range(2):
        try:
            return await asyncio.wait_for(work(), limit_s)
        except TimeoutError:
            continue
''',
        probe=_left_and_slow,
        fails=["booked", "booked"],
        works=["CancelledError", "booked"],
        asks="A booking takes 1 s. The user closes the window after half of it. What happens?",
        predicted=(
            "It is booked after all",
            "The cancellation is caught like a timeout, and attempt two books.",
        ),
        others=(
            ("It is cancelled", "Read what the except clause catches."),
            ("It times out after 2 s", "The booking takes one second."),
            ("It is cancelled, then booked by hand", "Nobody is there to do so."),
        ),
        cause="A cancellation by the caller is taken for a timeout and retried.",
    ),
    Card(
        id="B20",
        topic="running",
        title="A limit for a computation",
        name="limited",
        setup=ASYNC_SETUP,
        broken="""
async def limited(compute, limit_s):
    async def work():
        return compute()

    return await asyncio.wait_for(work(), limit_s)
""",
        mended="""
async def limited(compute, limit_s):
    # in a thread the caller is free; to end the computation itself takes a process
    return await asyncio.wait_for(asyncio.to_thread(compute), limit_s)
""",
        probe=_computing,
        fails="42 after 5 s",
        works="TimeoutError after 0.1 s",
        asks="compute needs 5 s of pure computing, the limit is 0.1 s. How does it end?",
        predicted=("42 after 5 s", "While it computes the loop stands still, and the timer with it."),
        others=(
            ("TimeoutError after 0.1 s", "Who looks at the timer while the loop is busy?"),
            ("TimeoutError after 5 s", "The task is done by the time the timer is seen."),
            ("42 after 0.1 s", "Nothing makes it faster."),
        ),
        cause="The limit is a timer of the loop that the computation keeps busy.",
    ),
    Card(
        id="B22",
        topic="running",
        title="Let it through again after 30 s",
        name="EverybodyProbes",
        setup=CLOCK_SETUP,
        broken=source_of(EverybodyProbes),
        mended='''
class EverybodyProbes:
    """A circuit breaker: opens after 5 failures, lets one call through after 30 s to see."""

    def __init__(self, clock):
        self.clock, self.failures, self.opened_at, self.probing = clock, 0, 0.0, False

    def admit(self):
        if self.failures < 5:
            return True
        if self.probing or self.clock() - self.opened_at < 30:
            return False
        self.probing = True
        return True

    def report(self, failed):
        self.failures = self.failures + 1 if failed else 0
        self.opened_at, self.probing = self.clock(), False
''',
        probe=_crowd,
        fails=20,
        works=1,
        asks="The breaker is open, 30 s have passed, and twenty callers come at once. How many are let through?",
        predicted=("All 20 of them", "Only time decides, and it has passed for all of them."),
        others=(
            ("1, to see", "Nothing counts who is under way."),
            ("5 of them", "Five is the number of failures that opens it."),
            ("None of them", "The 30 s are over."),
        ),
        cause="There is no half-open state: whoever comes after the rest goes through.",
    ),
    Card(
        id="B23",
        topic="running",
        title="At most three a second",
        name="FixedWindow",
        setup=CLOCK_SETUP,
        broken=source_of(FixedWindow),
        mended='''
class FixedWindow:
    """At most `calls` a second."""

    def __init__(self, calls, clock):
        self.calls, self.clock, self.made = calls, clock, deque()

    def take(self):
        now = self.clock()
        while self.made and self.made[0] <= now - 1:
            self.made.popleft()
        if len(self.made) == self.calls:
            return False
        self.made.append(now)
        return True
''',
        probe=_at_the_edge,
        fails=6,
        works=3,
        asks="Eight calls between 0.9 s and 1.07 s, under a limit of three a second. How many pass?",
        predicted=("6", "Three in the clock's first second and three in its next, 0.17 s in all."),
        others=(
            ("3", "The count begins anew when the clock's second changes."),
            ("4", "Three pass before 1 s, and then the count begins anew."),
            ("8", "There is a limit of three in each second of the clock."),
        ),
        cause="The window is the clock's own second, so twice the limit fits around its edge.",
    ),
)
