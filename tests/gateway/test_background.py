"""F29: evaluation in the background never touches an answer, never grows without end, never keeps the program."""

from __future__ import annotations

import asyncio

import pytest

from toolkit import Status, tool
from toolkit.gateway.background import Background


@pytest.fixture
def echo(registry):
    @tool(registry)
    async def echo(words: list[str]) -> list[str]:
        """Echo."""
        return words


@pytest.mark.row("F29", "E5")
async def test_the_answer_does_not_wait(echo, registry, gateway_for, raw, clock):
    """An evaluation of a minute: the answer comes at once, the evaluation later."""
    seen = []

    async def evaluate(result):
        await asyncio.sleep(60)
        seen.append(result.value)

    background = Background(evaluate)
    gateway = gateway_for(registry, background=background)
    result = await gateway.call(raw("echo", words=["a"]))
    assert (result.status, clock.now(), seen) == (Status.SUCCESS, 0.0, [])
    await asyncio.sleep(61)
    assert (seen, background.evaluated) == ([["a"]], 1)


@pytest.mark.row("F29")
@pytest.mark.parametrize("error", [KeyError("x"), SystemExit(1), asyncio.CancelledError()])
async def test_an_evaluation_that_fails_is_counted_and_nothing_else(echo, registry, gateway_for, raw, error):
    """The result is untouched, and the next one is evaluated."""
    turns = [error, None]

    def evaluate(result):
        if (failure := turns.pop(0)) is not None:
            raise failure

    background = Background(evaluate)
    gateway = gateway_for(registry, background=background)
    results = [await gateway.call(raw("echo", words=["a"])) for _ in range(2)]
    await asyncio.sleep(1)
    assert [result.status for result in results] == [Status.SUCCESS] * 2
    assert (background.failed, background.evaluated) == (1, 1)


@pytest.mark.row("F29")
async def test_an_evaluation_cannot_change_a_result(echo, registry, gateway_for, raw):
    """It gets a copy, made before the caller can change the value in turn."""
    seen = []

    def evaluate(result):
        seen.append(list(result.value))
        result.value.append("changed")

    gateway = gateway_for(registry, background=Background(evaluate))
    result = await gateway.call(raw("echo", words=["a"]))
    result.value.append("the caller's own")
    await asyncio.sleep(0.1)
    assert (result.value, seen) == (["a", "the caller's own"], [["a"]])


@pytest.mark.row("F29")
async def test_what_waits_is_bounded(echo, registry, gateway_for, raw):
    """A slow evaluation and a hundred calls: ten wait, the rest are dropped and counted."""
    background = Background(lambda result: asyncio.sleep(10), size=10)
    gateway = gateway_for(registry, background=background)
    await gateway.call(raw("echo", words=["a"]))
    await asyncio.sleep(1)
    results = await gateway.call_all([raw("echo", words=["a"])] * 99)
    assert {result.status for result in results} == {Status.SUCCESS}
    assert background.dropped == 89
    await asyncio.sleep(200)
    assert (background.evaluated, background.dropped) == (11, 89)


@pytest.mark.row("F29")
@pytest.mark.parametrize("stubborn", [False, True])
async def test_shutdown_with_work_pending(echo, registry, gateway_for, raw, clock, stubborn):
    """Close takes a second at most, also where an evaluation swallows its cancellation; the rest is counted."""

    async def evaluate(result):
        while True:
            try:
                await asyncio.sleep(1000)
            except asyncio.CancelledError:
                if not stubborn:
                    raise

    background = Background(evaluate, close_within_s=1.0)
    async with gateway_for(registry, background=background) as gateway:
        await gateway.call_all([raw("echo", words=["a"])] * 5)
    assert clock.now() == 1.0
    await asyncio.sleep(0)
    assert (background.evaluated, background.dropped) == (0, 4 if stubborn else 5)


@pytest.mark.row("F29")
async def test_shutdown_waits_no_longer_than_the_work(echo, registry, gateway_for, raw, clock):
    """What can be finished in time is."""
    background = Background(lambda result: asyncio.sleep(0.1), close_within_s=1.0)
    async with gateway_for(registry, background=background) as gateway:
        await gateway.call_all([raw("echo", words=["a"])] * 5)
    assert clock.now() == pytest.approx(0.5)
    assert (background.evaluated, background.dropped) == (5, 0)
