"""A turn of several calls: run together, answered one by one, in request order, whatever happens to siblings."""

from __future__ import annotations

import asyncio

import pytest

from toolkit import Status, ToolCall, tool


@pytest.mark.row("P69", "T3")
async def test_a_failing_sibling_loses_nothing(registry, gateway_for, raw, clock):
    """Three calls at once, the middle one fails: three results, as called, in the time of the slowest."""

    @tool(registry)
    async def find(seconds: float) -> str:
        """Find."""
        await asyncio.sleep(seconds)
        return f"after {seconds} s"

    @tool(registry)
    async def fx_rate() -> float:
        """Rate."""
        raise ConnectionError

    gateway = gateway_for(registry)
    calls = [raw("find", "1", seconds=3), raw("fx_rate", "2"), raw("find", "3", seconds=1)]
    results = await gateway.call_all(calls)
    assert [result.status for result in results] == [Status.SUCCESS, Status.EXECUTION_ERROR, Status.SUCCESS]
    assert [result.call_id for result in results] == ["1", "2", "3"]
    assert clock.now() == 3.0


@pytest.mark.row("P70")
async def test_an_unknown_name_does_not_end_the_turn(registry, gateway_for, raw):
    """The other call runs, and the model is told which tools there are."""

    @tool(registry)
    async def get_date() -> str:
        """Date."""
        return "2026-09-15"

    results = await gateway_for(registry).call_all([raw("get_dat", "1"), raw("get_date", "2")])
    assert results[0].error.message == "There is no tool 'get_dat'. Did you mean get_date? Available: get_date."
    assert (results[1].status, results[1].value) == (Status.SUCCESS, "2026-09-15")


async def test_no_calls_are_no_results(registry, gateway_for):
    """A message without calls has None there."""
    gateway = gateway_for(registry)
    assert await gateway.call_all(None) == await gateway.call_all([]) == []


async def test_calls_without_an_id_are_told_apart(registry, gateway_for):
    """A missing id is made from the position, so two of them differ."""
    function = {"name": "nothing", "arguments": "{}"}
    calls = [{"id": "", "function": function}, {"id": None, "function": function}]
    first, second = [result.call_id for result in await gateway_for(registry).call_all(calls)]
    assert first
    assert second
    assert first != second


async def test_a_cancelled_turn_cancels_all_its_calls(registry, gateway_for, raw):
    """The cancellation reaches every tool, and then the caller."""
    ended = []

    @tool(registry)
    async def find(number: int) -> str:
        """Find."""
        try:
            await asyncio.sleep(60)
        finally:
            ended.append(number)
        return "found"

    gateway = gateway_for(registry)
    task = asyncio.create_task(gateway.call_all([raw("find", number=number) for number in range(3)]))
    await asyncio.sleep(1)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await asyncio.sleep(0)
    assert sorted(ended) == [0, 1, 2]


async def test_a_call_may_be_a_record_already(registry, gateway_for):
    """What `calls_from` gave is taken as it is."""

    @tool(registry)
    async def get_date() -> str:
        """Date."""
        return "2026-09-15"

    assert (await gateway_for(registry).call(ToolCall("c", "get_date", "{}"))).value == "2026-09-15"


async def test_a_tool_that_changes_its_list_changes_nothing_else(registry, gateway_for, raw):
    """Neither the next attempt nor the arguments of the result; the log's hash is that of what was sent."""
    seen = []

    @tool(registry, idempotent=True)
    async def plan(steps: list[str]) -> int:
        """Plan."""
        seen.append(list(steps))
        steps.clear()
        if len(seen) == 1:
            raise ConnectionError
        return len(seen[-1])

    gateway = gateway_for(registry)
    result = await gateway.call(raw("plan", steps=["a", "b"]))
    assert (seen, result.value, result.arguments) == ([["a", "b"], ["a", "b"]], 2, {"steps": ["a", "b"]})
    again = await gateway.call(raw("plan", steps=["a", "b"]))
    assert again.input_hash == result.input_hash


@pytest.mark.row("T5")
async def test_a_running_call_finishes_on_the_old_tool(registry, gateway_for, raw):
    """Replaced, disabled, removed in the middle of a call: it ends as it began; the next one sees the change."""
    import dataclasses

    @tool(registry)
    async def version() -> str:
        """Version."""
        await asyncio.sleep(1)
        return "old"

    async def new() -> str:
        return "new"

    gateway = gateway_for(registry)
    running = asyncio.create_task(gateway.call(raw("version")))
    await asyncio.sleep(0.5)
    registry.replace(dataclasses.replace(registry["version"], func=new, version="2"))
    assert ((await gateway.call(raw("version"))).value, (await running).value) == ("new", "old")
    running = asyncio.create_task(gateway.call(raw("version")))
    await asyncio.sleep(0)
    registry.remove("version")
    assert ((await gateway.call(raw("version"))).status, (await running).value) == (Status.UNKNOWN_TOOL, "new")
