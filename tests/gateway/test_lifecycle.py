"""T4: tools that own a resource: opened once, shared, closed with the gateway."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Annotated, Any

import pytest

from toolkit import Context, Status, tool
from toolkit.gateway import BreakerSettings, Settings
from toolkit.schema import Resource


class Events(list):
    """What happened to the resources, in order; `opening_s` and `errors` say how opening goes."""

    opening_s = 0.0
    errors = ()


@pytest.fixture
def events():
    return Events()


@pytest.fixture
def opener(events):
    @contextlib.asynccontextmanager
    async def open_pool():
        task = asyncio.current_task()
        await asyncio.sleep(events.opening_s)
        if events.errors:
            raise events.errors.pop(0)
        events.append("open")
        yield {"pool": 1}
        assert asyncio.current_task() is task, "many context managers must be left in the task that entered them"
        events.append("close")

    return open_pool


@pytest.fixture
def query(registry, opener):
    @tool(registry, idempotent=True)
    async def query(text: str, pool: Annotated[Any, Resource(opener)]) -> str:
        """Query."""
        await asyncio.sleep(0.1)
        return f"{text} {id(pool)}"

    @tool(registry)
    def query_in_thread(pool: Annotated[Any, Resource(opener)]) -> str:
        """Query."""
        return f"sync {id(pool)}"


@pytest.mark.row("T4", "T14")
async def test_a_resource_is_opened_once_shared_and_closed(query, events, registry, gateway_for, raw):
    """Twenty calls of two tools at once: one pool, open from the first call to the end of the gateway."""
    async with gateway_for(registry) as gateway:
        assert events == []
        calls = [raw("query", text="x"), raw("query_in_thread")] * 10
        values = [result.value for result in await gateway.call_all(calls)]
        assert (len({value.split()[-1] for value in values}), events) == (1, ["open"])
    assert events == ["open", "close"]


@pytest.mark.row("T4")
async def test_the_model_never_sees_a_resource_and_cannot_send_one(query, registry, gateway_for, raw):
    """It stands in no schema; sent all the same, it is an unknown argument."""
    properties = registry.openai_tools()[0]["function"]["parameters"]["properties"]
    assert list(properties) == ["text"]
    refused = await gateway_for(registry).call(raw("query", text="x", pool=1))
    assert refused.error.message == "Invalid arguments for query. pool: unknown argument. Accepted: text."


@pytest.mark.row("T4")
async def test_the_arguments_of_a_result_are_the_models(query, registry, gateway_for, raw):
    """Neither resource nor context stands among them."""
    async with gateway_for(registry) as gateway:
        assert (await gateway.call(raw("query", text="x"))).arguments == {"text": "x"}


@pytest.mark.row("T4", "F25")
async def test_an_opening_that_fails_is_tried_again(query, events, registry, gateway_for, raw):
    """Nothing was sent yet, so even a write may be repeated: two attempts, one pool."""
    events.errors = [ConnectionResetError()]
    async with gateway_for(registry) as gateway:
        result = await gateway.call(raw("query_in_thread"))
    assert (result.status, result.attempts, events) == (Status.SUCCESS, 2, ["open", "close"])


@pytest.mark.row("T4")
async def test_a_server_that_is_down_is_left_alone(query, events, registry, gateway_for, raw):
    """Opening counts for the breaker, as the call does."""
    events.errors = [ConnectionResetError() for _ in range(99)]
    async with gateway_for(registry, Settings(breaker=BreakerSettings(minimum=3), attempts=1)) as gateway:
        statuses = [(await gateway.call(raw("query", text="x"))).status for _ in range(5)]
    assert statuses == [Status.EXECUTION_ERROR] * 3 + [Status.CIRCUIT_OPEN] * 2
    assert len(events.errors) == 96


@pytest.mark.row("T4")
async def test_an_opening_that_hangs_keeps_the_limit(query, events, registry, gateway_for, raw, clock):
    """The attempt ends at its limit, and because the tool was never reached even a write may be repeated."""
    events.opening_s = 1e6
    gateway = gateway_for(registry, Settings(timeout_s=2, attempts=1))
    result = await gateway.call(raw("query_in_thread"))
    assert (result.status, clock.now(), result.error.retryable) == (Status.TIMEOUT, 2.0, True)
    assert result.error.message == "query_in_thread could not start within 2 s."
    await gateway.close()
    assert (events, clock.now()) == ([], 2.0)


@pytest.mark.row("T4", "T14")
async def test_a_caller_that_leaves_does_not_take_the_opening_with_it(query, events, registry, gateway_for, raw):
    """The others get the pool that was being opened."""
    events.opening_s = 1.0
    async with gateway_for(registry) as gateway:
        tasks = [asyncio.create_task(gateway.call(raw("query", text="x"))) for _ in range(3)]
        await asyncio.sleep(0.5)
        tasks[0].cancel()
        await asyncio.wait(tasks)
        assert [tasks[1].result().ok, tasks[2].result().ok, events] == [True, True, ["open"]]


@pytest.mark.row("T4")
async def test_two_openers_close_in_reverse_and_one_error_keeps_nothing_open(registry, gateway_for, raw):
    """The last opened is closed first; an error on the way is raised after all are closed."""
    closed = []

    def opener(name, error=None):
        @contextlib.contextmanager
        def open_resource():
            yield name
            closed.append(name)
            if error:
                raise error

        return open_resource

    first, second, third = opener("first"), opener("second", OSError("x")), opener("third")

    @tool(registry)
    async def use(
        a: Annotated[Any, Resource(first)], b: Annotated[Any, Resource(second)], c: Annotated[Any, Resource(third)]
    ) -> str:
        """Use."""
        return a + b + c

    gateway = gateway_for(registry)
    assert (await gateway.call(raw("use"))).value == "firstsecondthird"
    with pytest.raises(ExceptionGroup) as raised:
        await gateway.close()
    assert (closed, [type(error) for error in raised.value.exceptions]) == (["third", "second", "first"], [OSError])
    await gateway.close()


@pytest.mark.row("T4")
async def test_an_opener_that_is_none_is_a_bug_of_the_tool(registry, gateway_for, raw):
    """What cannot be entered fails the call, not the gateway."""

    @tool(registry)
    async def use(pool: Annotated[Any, Resource(lambda: 7)]) -> str:
        """Use."""
        return "used"

    result = await gateway_for(registry).call(raw("use"))
    assert (result.status, result.error.kind) == (Status.EXECUTION_ERROR, "bug")


@pytest.mark.row("T4")
def test_a_resource_of_a_loop_that_ended_is_opened_again(query, events, registry, gateway_for, raw, clock):
    """`asyncio.run` twice with one gateway: the pool ends with its loop, and the next loop opens its own."""
    gateway = gateway_for(registry)
    for _ in range(2):
        assert clock.run(gateway.call(raw("query", text="x"))).ok
    assert events[:3] == ["open", "open"] or events[:3] == ["open", "close", "open"]


@pytest.mark.row("T2")
async def test_the_context_is_filled_in(registry, gateway_for, raw):
    """A parameter typed as the call's context gets it, and the model never sees it."""

    @tool(registry)
    async def who_am_i(context: Context) -> str:
        """Who."""
        return f"{context.role} in {context.session}"

    result = await gateway_for(registry).call(raw("who_am_i"), Context(role="guest", session="s1"))
    assert (result.value, result.arguments) == ("guest in s1", {})
    assert registry.openai_tools()[0]["function"]["parameters"]["properties"] == {}
