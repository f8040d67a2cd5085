"""F20: a second way to an answer, marked as such; never a second way to an effect."""

from __future__ import annotations

import asyncio

import pytest

from toolkit import Context, Status, ToolError, tool
from toolkit.gateway import BreakerSettings, Settings


def broken_tool(registry, fallback, error=None, **policy):
    reached = []

    @tool(registry, fallback=fallback, **policy)
    async def get_weather(city: str) -> str:
        """Weather."""
        reached.append(city)
        raise error or KeyError("rain")

    return reached


@pytest.mark.row("F20", "T7")
async def test_a_fallback_answers_and_the_answer_is_marked(registry, gateway_for, raw, records):
    """`degraded`: the value counts, the model is told, the error it covers up is kept."""

    @tool(registry, fallback=lambda city: {"city": city, "condition": "rain yesterday"})
    async def get_weather(city: str) -> dict[str, str]:
        """Weather."""
        raise ConnectionResetError

    result = await gateway_for(registry).call(raw("get_weather", city="Xi'an"))
    assert (result.status, result.ok, result.attempts) == (Status.DEGRADED, True, 1)
    assert result.to_content() == '{"city": "Xi\'an", "condition": "rain yesterday", "degraded": true}'
    assert (result.error.kind, records[0]["status"], records[0]["error_type"]) == (
        "unavailable",
        "degraded",
        "ConnectionResetError",
    )


@pytest.mark.row("F20")
async def test_a_fallback_that_fails_too_tells_both_errors(registry, gateway_for, raw):
    """`execution_error`, both causes in one message."""

    def cache(city):
        raise ToolError("Nothing is cached for this city.")

    broken_tool(registry, cache, idempotent=True)
    result = await gateway_for(registry).call(raw("get_weather", city="Xi'an"))
    assert (result.status, result.error.kind) == (Status.EXECUTION_ERROR, "bug")
    assert result.error.message == (
        "get_weather failed because of an error in the tool (KeyError). "
        "The fallback failed too: Nothing is cached for this city."
    )


@pytest.mark.row("F20")
@pytest.mark.parametrize("answer", [None, 7, float("nan"), object()])
async def test_a_fallback_keeps_the_tools_promise(registry, gateway_for, raw, answer):
    """What the tool may not return, its fallback may not either."""
    broken_tool(registry, lambda city: answer)
    result = await gateway_for(registry).call(raw("get_weather", city="Xi'an"))
    assert (result.status, result.value) == (Status.EXECUTION_ERROR, None)


@pytest.mark.row("F20")
async def test_a_fallback_has_a_limit_too(registry, gateway_for, raw, clock):
    """It hangs: the caller is answered after the limit of one attempt."""

    async def hang(city):
        await asyncio.sleep(1e6)

    broken_tool(registry, hang, timeout_s=2, idempotent=True)
    result = await gateway_for(registry).call(raw("get_weather", city="Xi'an"))
    assert (result.status, clock.now()) == (Status.EXECUTION_ERROR, 2.0)
    assert result.error.message.endswith("The fallback failed too: get_weather gave no answer within 2 s.")


@pytest.mark.row("F20")
@pytest.mark.parametrize("error", [SystemExit(1), StopIteration(), asyncio.CancelledError(), RecursionError()])
@pytest.mark.parametrize("sync", [False, True])
async def test_whatever_leaves_a_fallback_is_told(registry, gateway_for, raw, error, sync):
    """As with a tool: nothing it raises gets past the gateway."""

    def sync_way(city):
        raise error

    async def async_way(city):
        raise error

    broken_tool(registry, sync_way if sync else async_way)
    result = await gateway_for(registry).call(raw("get_weather", city="Xi'an"))
    assert result.status is Status.EXECUTION_ERROR
    assert "The fallback failed too: get_weather " in result.error.message


@pytest.mark.row("F20")
async def test_a_fallback_stands_in_for_a_tool_that_is_left_alone(registry, gateway_for, raw):
    """While the circuit is open the fallback answers."""
    reached = broken_tool(registry, lambda city: "cached", ConnectionResetError())
    gateway = gateway_for(registry, Settings(breaker=BreakerSettings(minimum=2)))
    results = [await gateway.call(raw("get_weather", city="Xi'an")) for _ in range(4)]
    assert [result.value for result in results] == ["cached"] * 4
    assert (len(reached), results[3].error.kind, results[3].attempts) == (2, "circuit_open", 0)


@pytest.mark.row("F20")
@pytest.mark.parametrize("error", [ToolError("No such city.")])
async def test_a_refusal_is_not_covered(registry, gateway_for, raw, error):
    """The tool works and says no; another way around that would be wrong."""
    broken_tool(registry, lambda city: "cached", error)
    result = await gateway_for(registry).call(raw("get_weather", city="Xi'an"))
    assert (result.status, result.error.message) == (Status.EXECUTION_ERROR, "No such city.")


@pytest.mark.row("F20", "F6")
async def test_an_unknown_outcome_is_not_covered(registry, gateway_for, raw):
    """A booking that may have happened is not made a second way."""
    second_way = []

    @tool(registry, timeout_s=1, fallback=lambda: second_way.append(1) or "booked by fax")
    async def book_room() -> str:
        """Book a room."""
        await asyncio.sleep(60)
        return "booked"

    assert (await gateway_for(registry).call(raw("book_room"))).status is Status.OUTCOME_UNKNOWN
    assert second_way == []


async def test_a_fallback_gets_the_context_where_it_asks_for_it(registry, gateway_for, raw):
    """By the name it has in the tool; one that does not ask is called with the model's arguments only."""

    def with_context(city, context):
        return f"{city} for {context.role}"

    @tool(registry, fallback=with_context)
    async def get_weather(city: str, context: Context) -> str:
        """Weather."""
        raise KeyError

    @tool(registry, fallback=lambda city: city)
    async def get_news(city: str, context: Context) -> str:
        """News."""
        raise KeyError

    gateway = gateway_for(registry)
    guest = Context(role="guest")
    assert (await gateway.call(raw("get_weather", city="Xi'an"), guest)).value == "Xi'an for guest"
    assert (await gateway.call(raw("get_news", city="Xi'an"), guest)).value == "Xi'an"


@pytest.mark.row("E6")
async def test_an_order_whose_fallback_failed_too_stays_unknown(registry, gateway_for, raw):
    """The first way may have taken effect, so the same key is not run again."""

    def fax(city):
        raise ToolError("The fax is out of paper.")

    reached = broken_tool(registry, fax, ConnectionResetError(), idempotency_key="city")
    gateway = gateway_for(registry)
    first, second = [await gateway.call(raw("get_weather", city="Xi'an")) for _ in range(2)]
    assert (first.status, second.status, len(reached)) == (Status.EXECUTION_ERROR, Status.OUTCOME_UNKNOWN, 1)
