"""A tool that is down for a while, behind a breaker or none."""

from __future__ import annotations

from functools import partial

import pytest

from toolkit.gateway.breaker import Breaker, BreakerSettings
from toolkit.lab.breaker_run import DOWN, draw_breaker, run_breaker, share_that_opens


def small(clock):
    return Breaker(BreakerSettings(window=10, minimum=5, rest_s=8), clock)


@pytest.mark.row("F18")
def test_a_breaker_leaves_a_dead_tool_alone():
    """Sixty calls fall into the time it is down: sixty reach it without a breaker, ten with one."""
    down = [sum(DOWN[0] <= at < DOWN[1] for at in run_breaker(make).reached) for make in (None, small)]
    assert down == [60, 10]


def test_the_states_follow_each_other():
    """Open, a probe after the rest, open again, and closed when the tool is back."""
    states = [state for _, state in run_breaker(small).states]
    assert states == ["closed", *["open", "half_open"] * 4, "closed"]


def test_every_call_is_reached_or_refused():
    """None is lost."""
    run = run_breaker(small)
    assert len(run.reached) + len(run.refused) == 120


def test_the_chart_tells_states_and_attempts():
    """The words hold what the picture shows."""
    words = draw_breaker(run_breaker(small)).words
    assert words.startswith(
        "the tool is down from 10 to 40 s and is reached 10 times meanwhile; states: closed from 0 s"
    )


def test_a_small_minimum_opens_by_chance():
    """A tool failing one call in five: often with 5 of 20, hardly ever with 20 of 50."""

    def make(clock, minimum, window):
        return Breaker(BreakerSettings(minimum=minimum, window=window), clock)

    assert 0.17 < share_that_opens(partial(make, minimum=5, window=20), 0.2, runs=500) < 0.27
    assert share_that_opens(partial(make, minimum=20, window=50), 0.2, runs=500) < 0.02
