"""What lesson 04 builds is what the package holds: the notebook's own definitions, on the same cases."""

from __future__ import annotations

import asyncio
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolkit.gateway.breaker import Breaker, BreakerSettings
from toolkit.gateway.deadline import Orphans, within
from toolkit.gateway.execute import is_async
from toolkit.gateway.limits import WindowLimiter
from toolkit.gateway.workers import Workers
from toolkit.lab.callers import together
from toolkit.lab.virtual_time import VirtualTime
from toolkit.lessons.exercise_04_is_async import IS_ASYNC, cases
from toolkit.lessons.exercise_04_wait_s import WAIT_S
from toolkit.records import RateLimit
from tools.environment import ROOT
from tools.notebook_definitions import load_definitions

LESSON = load_definitions(ROOT / "notebooks" / "source" / "04_pools_breakers_limits.py")


class Hand:
    """A clock moved by hand, in seconds."""

    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


REPORTS = [("report", place, failed) for place in (0, -1) for failed in (True, True, False, None)]
STEPS = st.lists(
    st.sampled_from(["admit"] * 6 + REPORTS + [("wait", 0, 31.0), ("wait", 0, 7.5)]), min_size=10, max_size=80
)


@pytest.mark.row("F18", "F19")
@settings(max_examples=300)
@given(STEPS, st.integers(1, 4), st.integers(4, 8))
def test_breaker_is_the_packages(steps, minimum, window):
    """Permits, states and late reports in any order: both breakers agree at every step."""
    clock = Hand()
    ours = LESSON.Breaker(clock, window=window, minimum=minimum, rest_s=30.0)
    theirs = Breaker(BreakerSettings(window=window, minimum=minimum, rest_s=30.0), clock)
    permits = []
    for step in steps:
        if step == "admit":
            pair = ours.admit(), theirs.admit()
            assert (pair[0] is None) == (pair[1] is None)
            if pair[0] is not None:
                permits.append(pair)
        elif step[0] == "wait":
            clock.now += step[2]
        elif permits:
            mine, other = permits.pop(step[1])
            ours.report(mine, step[2])
            theirs.report(other, step[2])
        assert ours.state == theirs.state


@pytest.mark.row("F14", "F15")
@pytest.mark.parametrize(("size", "per_tool"), [(6, 6), (6, 3), (4, 4), (2, 1)])
def test_pool_is_the_packages(size, per_tool):
    """The same calls are run, refused at once, and given up, while some hang and some come later."""

    def ended(make):
        clock = VirtualTime(threads=size)
        run = make(clock)

        async def late(name, at_s, seconds):
            await asyncio.sleep(at_s)
            return await within(1.0, run(name, partial(clock.block, seconds)), Orphans())

        calls = {f"weather_{n}": late("weather", 0.0, 3.5) for n in range(5)}
        calls |= {f"price_{n}": late("price", n / 2 + 0.1, 0.2) for n in range(12)}
        return clock.run(together(clock, **calls))

    def package(clock):
        workers = Workers(size, per_tool, 0)
        clock.watch(workers)
        return workers.run

    assert ended(lambda clock: LESSON.Pool(size, per_tool).run) == ended(package)


@pytest.mark.row("T8")
def test_the_exercises_is_async_is_the_packages():
    """Function, method, partial, object: the same answer."""
    answer = IS_ASYNC.answer(IS_ASYNC.solution)
    for func, wanted, case in cases():
        assert is_async(func) is wanted, case
        assert answer(func) is wanted, case


@pytest.mark.row("F21")
@given(st.lists(st.floats(0.01, 0.9), max_size=40), st.integers(1, 4))
def test_the_exercises_window_is_the_packages(gaps, calls):
    """Allowed or refused, and told the same wait, at any spacing of calls."""
    clock, made, wait_s = Hand(), [], WAIT_S.answer(WAIT_S.solution)
    limiter = WindowLimiter(clock=clock)
    for gap in gaps:
        clock.now += gap
        told = limiter.take(RateLimit(calls, 1.0), "search")
        wanted = wait_s(made, clock.now, calls, 1.0)
        assert (told or 0.0) == pytest.approx(wanted, abs=0.0011)
        if told is None:
            made.append(clock.now)
