"""Each published mistake fails as the lesson says."""

from __future__ import annotations

import asyncio

import pytest

from toolkit.lab.mistakes.pools import EverybodyProbes, FixedWindow, run_batch
from toolkit.lab.virtual_time import VirtualTime


@pytest.mark.row("X12")
def test_a_batch_that_awaits_in_a_list_is_no_batch():
    """Three calls of a second take three seconds."""
    clock = VirtualTime()
    assert clock.run(run_batch(asyncio.sleep(1, number) for number in range(3))) == [0, 1, 2]
    assert clock.now() == 3.0


@pytest.mark.row("X12", "F19")
def test_a_breaker_without_a_probe_lets_everybody_in():
    """After the rest, twenty of twenty callers reach the tool."""
    now = [0.0]
    breaker = EverybodyProbes(lambda: now[0])
    for _ in range(5):
        breaker.report(failed=True)
    assert not breaker.admit()
    now[0] = 30.0
    assert sum(breaker.admit() for _ in range(20)) == 20


@pytest.mark.row("X12", "F21")
def test_a_fixed_window_lets_twice_as_many_through_at_its_edge():
    """Six calls within 0.2 s under a limit of three a second."""
    now = [0.9]
    window = FixedWindow(3, lambda: now[0])
    taken = [window.take() for _ in range(4)]
    now[0] = 1.1
    assert (taken, [window.take() for _ in range(4)]) == ([True] * 3 + [False], [True] * 3 + [False])
