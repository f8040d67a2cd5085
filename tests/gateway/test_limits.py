"""How often and how much: rate limits, calls at once, calls per session."""

from __future__ import annotations

import asyncio
import time

import pytest

from toolkit import Context, RateLimit, Status, tool
from toolkit.gateway.limits import WindowLimiter
from toolkit.gateway.window_storage import SteadyStorage


def quick_tool(registry, seconds=0.0, name="find_room", **policy):
    reached = []

    @tool(registry, name=name, **policy)
    async def find_room() -> str:
        """Find a room."""
        reached.append(1)
        await asyncio.sleep(seconds)
        return "found"

    return reached


@pytest.mark.row("F21", "T14")
async def test_three_calls_in_three_tenths_of_a_second(registry, gateway_for, raw, clock):
    """Five calls: three succeed, two are refused with the seconds to wait, and after these the next one runs."""
    reached = quick_tool(registry, rate_limit=RateLimit(3, 0.3))
    gateway = gateway_for(registry)
    results = await gateway.call_all([raw("find_room")] * 5)
    assert [result.status for result in results] == [Status.SUCCESS] * 3 + [Status.RATE_LIMITED] * 2
    assert (len(reached), results[4].attempts, results[4].error.retry_after_s) == (3, 0, pytest.approx(0.3))
    assert results[4].to_content() == (
        '{"error": "find_room may be called 3 times in 0.3 s.", "status": "rate_limited", "retryable": true, '
        '"retry_after_s": 0.3}'
    )
    await asyncio.sleep(0.29)
    assert (await gateway.call(raw("find_room"))).status is Status.RATE_LIMITED
    await asyncio.sleep(0.01)
    assert (await gateway.call(raw("find_room"))).status is Status.SUCCESS


@pytest.mark.row("F21")
async def test_the_window_moves(registry, gateway_for, raw, clock):
    """No stretch of 10 s sees more than two calls, also across the edge of a fixed window; the wait is exact."""
    quick_tool(registry, rate_limit=RateLimit(2, 10))
    gateway = gateway_for(registry)
    ran = []
    for _ in range(50):
        result = await gateway.call(raw("find_room"))
        if result.ok:
            ran.append(clock.now())
            await asyncio.sleep(3)
        else:
            await asyncio.sleep(result.error.retry_after_s)
            assert (await gateway.call(raw("find_room"))).ok
            ran.append(clock.now())
    assert all(later - earlier >= 10 - 1e-6 for earlier, later in zip(ran, ran[2:], strict=False))
    assert len(ran) == 50


@pytest.mark.row("F21")
async def test_two_at_once(registry, gateway_for, raw, clock):
    """Concurrency 2 and five calls: two succeed, three are `busy` at once, and the places come free again."""
    reached = quick_tool(registry, seconds=1, concurrency=2)
    gateway = gateway_for(registry)
    results = await gateway.call_all([raw("find_room")] * 5)
    assert [result.status for result in results] == [Status.SUCCESS] * 2 + [Status.BUSY] * 3
    assert (len(reached), [result.duration_ms for result in results[2:]]) == (2, [0.0] * 3)
    assert results[2].error.message == "find_room already runs 2 times at once."
    task = asyncio.create_task(gateway.call(raw("find_room")))
    await asyncio.sleep(0.1)
    task.cancel()
    await asyncio.wait({task})
    assert [result.ok for result in await gateway.call_all([raw("find_room")] * 2)] == [True, True]


@pytest.mark.row("S12")
async def test_an_endless_loop_ends_at_the_cap(registry, gateway_for, raw):
    """A model that calls for ever runs the tool 20 times in its session, and is told why it stops."""
    reached = quick_tool(registry, max_calls=20)
    gateway = gateway_for(registry)
    results = [await gateway.call(raw("find_room"), Context(session="a")) for _ in range(100)]
    assert (len(reached), results[19].status, results[20].status) == (20, Status.SUCCESS, Status.RATE_LIMITED)
    assert results[99].to_content() == (
        '{"error": "find_room may be called 20 times in one session, and it was.", "status": "rate_limited", '
        '"next_step": "stop calling it; answer the user"}'
    )
    assert (await gateway.call(raw("find_room"), Context(session="b"))).ok


@pytest.mark.row("S12")
async def test_a_refused_call_uses_nothing_up(registry, gateway_for, raw):
    """What the rate limit refused does not count for the session's cap, nor the other way round."""
    quick_tool(registry, max_calls=3, rate_limit=RateLimit(2, 10))
    gateway = gateway_for(registry)
    kinds = []
    for _ in range(4):
        kinds += [(result := await gateway.call(raw("find_room"))).error and result.error.kind for _ in range(2)]
        kinds += [(await gateway.call(raw("find_room"))).error.kind]
        await asyncio.sleep(10)
    assert kinds == [None, None, "rate_limited", None] + ["session_cap"] * 8


@pytest.mark.row("S12")
async def test_the_cap_holds_for_calls_at_once(registry, gateway_for, raw):
    """A limiter that has to ask elsewhere lets other calls in between; the cap is not passed by them."""

    class Elsewhere:
        async def take(self, limit, *key):
            await asyncio.sleep(1)

    reached = quick_tool(registry, max_calls=3, rate_limit=RateLimit(100, 1))
    results = await gateway_for(registry, limiter=Elsewhere()).call_all([raw("find_room")] * 10)
    assert (len(reached), sorted(result.ok for result in results)) == (3, [False] * 7 + [True] * 3)


@pytest.mark.row("S12")
async def test_limits_are_counted_per_tool_role_and_session(registry, gateway_for, raw):
    """Each combination has a count of its own, also where the names could be glued together in two ways."""
    for name in ("find_room", "find_flat"):
        quick_tool(registry, name=name, rate_limit=RateLimit(1, 10), roles={"a", "a/b"})
    gateway = gateway_for(registry)
    callers = [Context(role=role, session=session) for role in ("a", "a/b") for session in ("c", "b/c")]
    for context in callers:
        for name in ("find_room", "find_flat"):
            assert [(await gateway.call(raw(name), context)).ok for _ in range(2)] == [True, False]


@pytest.mark.row("F28")
def test_a_clock_set_back_does_not_close_a_window(monkeypatch, clock):
    """Counted on the monotonic clock: an hour back on the wall changes nothing."""
    limiter = WindowLimiter(clock.now)
    assert limiter.take(RateLimit(1, 5), "a") is None
    monkeypatch.setattr(time, "time", lambda: 0.0)
    clock.move_to(5.0)
    assert limiter.take(RateLimit(1, 5), "a") is None


def test_windows_of_sessions_that_ended_are_forgotten(clock):
    """Ten thousand sessions leave no ten thousand windows behind."""
    storage = SteadyStorage(clock.now)
    for session in range(10_000):
        clock.move_to(session * 0.01)
        storage.acquire_entry(f"session {session}", 3, 1.0)
    assert len(storage._taken) < 1200
    assert len(storage.locks) < 1200


def test_the_librarys_own_memory_storage_stays_its_own():
    """Ours does not register itself under `memory://`."""
    from limits.storage import MemoryStorage, storage_from_string

    assert type(storage_from_string("memory://")) is MemoryStorage
