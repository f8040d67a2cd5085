"""Callers and tools of the lessons on running."""

from __future__ import annotations

import asyncio

from toolkit.gateway import Gateway
from toolkit.lab.callers import dead_search, on_the_loop, together
from toolkit.lab.virtual_time import VirtualTime


def test_together_tells_value_or_exception_and_when():
    """One line for each call, counted from where they began."""
    clock = VirtualTime()
    clock.run(asyncio.sleep(7))
    ended = clock.run(together(clock, a=asyncio.sleep(0.5, "rain"), b=asyncio.wait_for(asyncio.sleep(9), 1)))
    assert ended == {"a": "rain after 0.5 s", "b": "TimeoutError after 1 s"}


def test_on_the_loop_blocks_the_loop():
    """A sync function called in a coroutine lets nothing else run."""
    clock = VirtualTime()

    async def both():
        return await asyncio.gather(asyncio.sleep(0.1), on_the_loop(lambda: clock.block(5)))

    clock.run(both())
    assert clock.now() == 5.0


def test_a_dead_search_notes_who_reached_it():
    """It hangs past its limit, each time."""
    clock, reached = VirtualTime(), []
    gateway = Gateway(dead_search(reached), clock=clock.now, log_sink=None)
    result = clock.run(gateway.call({"id": "c", "name": "search_hotels", "arguments": "{}"}))
    assert (result.status, len(reached)) == ("timeout", 3)
