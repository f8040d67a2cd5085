"""Time limits: the caller gets its answer at the limit, whatever the tool does."""

from __future__ import annotations

import asyncio
import sys

import pytest

from toolkit import Status, tool
from toolkit.gateway import Backoff, Settings

QUICK = Settings(timeout_s=1.0, deadline_s=10.0, attempts=3, backoff=Backoff(base_s=0.1))


def slow_tool(registry, seconds, **policy):
    reached = []

    @tool(registry, **policy)
    async def find_room(city: str) -> str:
        """Find a room."""
        reached.append(city)
        await asyncio.sleep(seconds)
        return "found"

    return reached


@pytest.mark.row("F5")
async def test_an_idempotent_tool_is_tried_as_often_as_configured(registry, gateway_for, raw, clock):
    """Slower than the limit on every attempt: `timeout` after three attempts, safe to repeat."""
    reached = slow_tool(registry, 5, idempotent=True)
    result = await gateway_for(registry, QUICK).call(raw("find_room", city="Xi'an"))
    assert (result.status, result.attempts, len(reached)) == (Status.TIMEOUT, 3, 3)
    assert 3.0 <= clock.now() <= 3.3
    assert result.to_content() == (
        '{"error": "find_room gave no answer within 1 s.", "status": "timeout", "retryable": true}'
    )


@pytest.mark.row("F5")
async def test_all_attempts_together_keep_the_total_deadline(registry, gateway_for, raw, clock):
    """The last attempt gets only what is left of the call's time."""
    slow_tool(registry, 5, idempotent=True)
    settings = Settings(timeout_s=1.0, deadline_s=2.5, attempts=9, backoff=Backoff(base_s=0.01))
    result = await gateway_for(registry, settings).call(raw("find_room", city="Xi'an"))
    assert (result.status, result.attempts) == (Status.TIMEOUT, 3)
    assert clock.now() == pytest.approx(2.5, abs=0.05)
    assert result.duration_ms == pytest.approx(2500, abs=50)


@pytest.mark.row("F6", "P53")
async def test_a_tool_that_may_have_taken_effect_is_not_tried_again(registry, gateway_for, raw, clock):
    """Slower than the limit and not idempotent: `outcome_unknown`, one attempt, and the text says why."""
    reached = slow_tool(registry, 5)
    result = await gateway_for(registry, QUICK).call(raw("find_room", city="Xi'an"))
    assert (result.status, result.attempts, len(reached), clock.now()) == (Status.OUTCOME_UNKNOWN, 1, 1, 1.0)
    assert result.error.message == (
        "find_room gave no answer within 1 s; it may still have taken effect, so check before you repeat it."
    )
    assert (result.error.retryable, result.error.next_step) == (False, "check whether it took effect")


@pytest.mark.row("F6")
async def test_the_same_order_after_a_timeout_is_not_run_again(registry, gateway_for, raw):
    """The same key again gives the same answer, and the tool is reached once."""
    reached = slow_tool(registry, 5, idempotency_key="city")
    gateway = gateway_for(registry, QUICK)
    results = [await gateway.call(raw("find_room", city="Xi'an")) for _ in range(3)]
    assert [result.status for result in results] == [Status.OUTCOME_UNKNOWN] * 3
    assert reached == ["Xi'an"]
    assert results[1].error.message == (
        "find_room was started under this key before and nobody knows whether it took effect."
    )


@pytest.mark.row("P53")
async def test_what_a_thread_does_after_its_limit_changes_no_result(registry, gateway_for, raw, clock):
    """A thread cannot be killed: its effect comes late, and the result that was given stays as it was."""
    written = []

    @tool(registry, timeout_s=0.1)
    def book_room(city: str) -> str:
        """Book a room."""
        clock.block(0.6)
        written.append(city)
        return "booked"

    result = await gateway_for(registry).call(raw("book_room", city="Xi'an"))
    before = result, list(written), clock.now()
    await asyncio.sleep(1)
    assert before == (result, [], 0.1)
    assert (result.status, result.attempts, written) == (Status.OUTCOME_UNKNOWN, 1, ["Xi'an"])


@pytest.mark.row("F16")
async def test_a_tool_that_swallows_its_cancellation_keeps_nobody_waiting(registry, gateway_for, raw, clock):
    """`timeout` at the limit; the task that goes on is counted until it ends by itself."""

    @tool(registry, idempotent=True, attempts=1, timeout_s=0.5)
    async def stubborn() -> str:
        """Never give up."""
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            await asyncio.sleep(4)
        return "done after all"

    gateway = gateway_for(registry)
    result = await gateway.call(raw("stubborn"))
    assert (result.status, result.value, clock.now()) == (Status.TIMEOUT, None, 0.5)
    assert len(gateway.services.orphans) == 1
    await asyncio.sleep(5)
    assert len(gateway.services.orphans) == 0


@pytest.mark.row("F17", "P61")
async def test_a_cancellation_of_the_tools_own_is_a_failure_of_the_tool(registry, gateway_for, raw):
    """A tool that raises `CancelledError` fails; its caller is not cancelled and goes on."""

    @tool(registry)
    async def find_room() -> str:
        """Find a room."""
        raise asyncio.CancelledError

    @tool(registry)
    def find_room_in_thread() -> str:
        """Find a room."""
        raise asyncio.CancelledError

    for settings in (QUICK, Settings(timeout_s=None, deadline_s=None)):
        gateway = gateway_for(registry, settings)
        for name in ("find_room", "find_room_in_thread"):
            result = await gateway.call(raw(name))
            assert (result.status, result.error.kind) == (Status.EXECUTION_ERROR, "cancelled_by_tool")
            assert result.error.message == (
                f"{name} was cancelled inside the tool; it may still have taken effect, so check before you repeat it."
            )
    assert asyncio.current_task().cancelling() == 0


@pytest.mark.row("F17")
async def test_a_timeout_of_the_tools_own_is_marked_as_such(registry, gateway_for, raw, clock):
    """`timeout` with its own kind, told apart from the gateway's limit."""

    @tool(registry, idempotent=True, attempts=1)
    async def find_room() -> str:
        """Find a room."""
        raise TimeoutError("connecting to db-7.internal")

    result = await gateway_for(registry, QUICK).call(raw("find_room"))
    assert (result.status, result.error.kind, clock.now()) == (Status.TIMEOUT, "tool_timeout", 0.0)
    assert result.error.message == "find_room gave up waiting for something it needs."


@pytest.mark.row("P60", "P61")
@pytest.mark.parametrize("sync", [False, True])
async def test_the_callers_cancellation_reaches_the_caller(registry, gateway_for, raw, clock, records, sync):
    """An outer limit stops the call at once: no second attempt, no result, the cancellation goes through."""
    reached = []
    if sync:

        @tool(registry, idempotent=True)
        def find_room() -> str:
            """Find a room."""
            reached.append(1)
            clock.block(3)
            return "found"
    else:

        @tool(registry, idempotent=True)
        async def find_room() -> str:
            """Find a room."""
            reached.append(1)
            await asyncio.sleep(3)
            return "found"

    with pytest.raises(TimeoutError):
        await asyncio.wait_for(gateway_for(registry).call(raw("find_room")), 0.1)
    assert (reached, clock.now(), records) == ([1], 0.1, [])


async def test_a_cancelled_call_cancels_its_tool(registry, gateway_for, raw, clock):
    """The tool hears of the cancellation, too, and can put things in order."""
    heard = []

    @tool(registry)
    async def find_room() -> str:
        """Find a room."""
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            heard.append(clock.now())
            raise
        return "found"

    task = asyncio.create_task(gateway_for(registry).call(raw("find_room")))
    await asyncio.sleep(0.2)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await asyncio.sleep(0)
    assert heard == [0.2]


async def test_a_tool_has_put_things_in_order_when_the_answer_comes(registry, gateway_for, raw):
    """What its `finally` does at once is done before the caller goes on."""
    places = ["taken"]

    @tool(registry, timeout_s=1)
    async def find_room() -> str:
        """Find a room."""
        try:
            await asyncio.sleep(60)
        finally:
            places[0] = "free"
        return "found"

    assert (await gateway_for(registry).call(raw("find_room"))).status is Status.OUTCOME_UNKNOWN
    assert places == ["free"]


async def test_a_call_cancelled_before_it_began_reaches_nothing(registry, gateway_for, raw):
    """Nothing runs, nothing is left over: no coroutine that was never awaited, no orphan."""
    reached = slow_tool(registry, 1)
    gateway = gateway_for(registry)
    task = asyncio.create_task(gateway.call(raw("find_room", city="Xi'an")))
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert (reached, len(gateway.services.orphans)) == ([], 0)


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="an attempt begins at once there")
async def test_a_shutdown_as_the_attempt_begins_reaches_nothing(registry, gateway_for, raw):
    """All tasks are cancelled, the attempt's before its first step; no coroutine is left that was never awaited."""
    reached = slow_tool(registry, 1)
    gateway = gateway_for(registry)
    task = asyncio.create_task(gateway.call(raw("find_room", city="Xi'an")))
    here = asyncio.current_task()
    loop = asyncio.get_running_loop()
    loop.call_soon(lambda: [each.cancel() for each in asyncio.all_tasks() if each is not here])
    with pytest.raises(asyncio.CancelledError):
        await task
    await asyncio.sleep(0)
    assert (reached, len(gateway.services.orphans)) == ([], 0)
