"""The circuit breaker: a tool that keeps failing is left alone, and comes back by one probe."""

from __future__ import annotations

import asyncio
import random

import pytest

from toolkit import Status, ToolError, tool
from toolkit.gateway import Backoff, BreakerSettings, Settings
from toolkit.gateway.breaker import Breaker

LOW = BreakerSettings(minimum=5, rest_s=30.0)


def dead_tool(registry, **policy):
    reached = []

    @tool(registry, **policy)
    async def find_room() -> str:
        """Find a room."""
        reached.append(1)
        raise ConnectionResetError

    return reached


@pytest.mark.row("F18")
async def test_a_dead_tool_is_left_alone(registry, gateway_for, raw):
    """20 calls with one attempt each reach it 5 times: 5 `execution_error`, 15 `circuit_open` with retry_after."""
    reached = dead_tool(registry)
    gateway = gateway_for(registry, Settings(breaker=LOW, attempts=1))
    results = [await gateway.call(raw("find_room")) for _ in range(20)]
    assert [result.status for result in results] == [Status.EXECUTION_ERROR] * 5 + [Status.CIRCUIT_OPEN] * 15
    assert (len(reached), results[-1].attempts) == (5, 0)
    assert results[-1].to_content() == (
        '{"error": "find_room has been failing and is left alone for now.", "status": "circuit_open", '
        '"retryable": true, "retry_after_s": 30.0}'
    )


@pytest.mark.row("F18")
async def test_retries_do_not_reach_past_the_breaker(registry, gateway_for, raw):
    """With three attempts each it is reached 5 times, too, because the breaker stands inside the retry."""
    reached = dead_tool(registry, idempotent=True)
    gateway = gateway_for(registry, Settings(breaker=LOW, attempts=3, backoff=Backoff(base_s=0.01)))
    results = [await gateway.call(raw("find_room")) for _ in range(20)]
    assert len(reached) == 5
    assert [result.status for result in results] == [Status.EXECUTION_ERROR] * 2 + [Status.CIRCUIT_OPEN] * 18
    assert [result.attempts for result in results[:3]] == [3, 2, 0]


@pytest.mark.row("F19")
async def test_half_open_lets_one_probe_through(registry, gateway_for, raw, clock):
    """20 callers at once: one reaches the tool, 19 are refused; its success closes the circuit."""
    reached = dead_tool(registry)
    gateway = gateway_for(registry, Settings(breaker=LOW, attempts=1))
    for _ in range(5):
        await gateway.call(raw("find_room"))
    await asyncio.sleep(30)

    async def mended() -> str:
        reached.append(1)
        await asyncio.sleep(1)
        return "found"

    registry.replace(_with_function(registry["find_room"], mended))
    results = await asyncio.gather(*(gateway.call(raw("find_room")) for _ in range(20)))
    assert sorted(result.status for result in results) == ["circuit_open"] * 19 + ["success"]
    assert len(reached) == 6
    assert (await gateway.call(raw("find_room"))).status is Status.SUCCESS


@pytest.mark.row("F19")
async def test_a_cancelled_probe_does_not_block_the_next(registry, gateway_for, raw):
    """A caller that leaves in the middle of the probe gives its place to the next one."""
    dead_tool(registry)
    gateway = gateway_for(registry, Settings(breaker=LOW, attempts=1))
    for _ in range(5):
        await gateway.call(raw("find_room"))
    await asyncio.sleep(30)

    async def slow() -> str:
        await asyncio.sleep(5)
        return "found"

    registry.replace(_with_function(registry["find_room"], slow))
    probe = asyncio.create_task(gateway.call(raw("find_room")))
    await asyncio.sleep(1)
    assert (await gateway.call(raw("find_room"))).status is Status.CIRCUIT_OPEN
    probe.cancel()
    await asyncio.wait({probe})
    assert (await gateway.call(raw("find_room"))).status is Status.SUCCESS


def _with_function(record, func):
    import dataclasses

    return dataclasses.replace(record, func=func)


@pytest.mark.row("F19")
def test_late_results_change_nothing(clock):
    """An answer to a question asked before the last change of state says nothing about now."""
    breaker = Breaker(BreakerSettings(minimum=2, window=2, rest_s=10), clock.now)
    late = [breaker.admit() for _ in range(4)]
    for _ in range(2):
        breaker.report(breaker.admit(), failed=True)
    assert breaker.state == "open"
    for permit in late[:2]:
        breaker.report(permit, failed=False)
    assert breaker.state == "open"
    clock.move_to(10)
    assert breaker.state == "half_open"
    probe = breaker.admit()
    breaker.report(late[2], failed=False)
    assert (breaker.admit(), breaker.state) == (None, "half_open")
    breaker.report(probe, failed=False)
    for _ in range(2):
        breaker.report(late[3], failed=True)
    assert breaker.state == "closed"


@pytest.mark.row("F19")
def test_a_failed_probe_opens_for_another_rest(clock):
    """The rest begins again from the probe's failure."""
    breaker = Breaker(BreakerSettings(minimum=1, rest_s=10), clock.now)
    breaker.report(breaker.admit(), failed=True)
    clock.move_to(12)
    breaker.report(breaker.admit(), failed=True)
    assert (breaker.state, breaker.retry_after_s, breaker.admit()) == ("open", 10, None)


@pytest.mark.row("F8", "F9")
async def test_what_the_breaker_hears_of(registry, gateway_for, raw):
    """A business error leaves the breaker unchanged; a bug of the tool counts, because it fails every caller."""
    errors = []

    @tool(registry)
    async def find_room() -> str:
        """Find a room."""
        raise errors[0]

    gateway = gateway_for(registry, Settings(breaker=LOW, attempts=1))
    errors[:] = [ToolError("No room.")]
    assert {(await gateway.call(raw("find_room"))).status for _ in range(50)} == {Status.EXECUTION_ERROR}
    errors[:] = [KeyError("rooms")]
    statuses = [(await gateway.call(raw("find_room"))).status for _ in range(6)]
    assert statuses == [Status.EXECUTION_ERROR] * 5 + [Status.CIRCUIT_OPEN]


def test_a_tool_that_fails_every_fifth_call_is_not_cut_off(clock):
    """At a failure rate of 20 % the defaults trip in none of 200 runs of 500 calls."""
    tripped = 0
    for seed in range(200):
        breaker, rng = Breaker(BreakerSettings(), clock.now), random.Random(seed)
        for _ in range(500):
            breaker.report(breaker.admit(), failed=rng.random() < 0.2)
            if breaker.state != "closed":
                tripped += 1
                break
    assert tripped == 0


def test_the_window_forgets(clock):
    """Old failures leave the window: 24 of the last 50 keep it closed, the 25th opens it."""
    breaker = Breaker(BreakerSettings(), clock.now)
    for failed in [True] * 9 + [False] * 50 + [True] * 24:
        breaker.report(breaker.admit(), failed)
    assert breaker.state == "closed"
    breaker.report(breaker.admit(), failed=True)
    assert breaker.state == "open"
