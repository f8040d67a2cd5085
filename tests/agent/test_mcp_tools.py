"""Tools over MCP, with the official SDK: in memory and over stdio."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from toolkit import CallPolicy, Gateway, Registry, Status, ToolError, tool
from toolkit.agent.mcp_tools import mcp_server, take_in
from toolkit.hotel import HOTEL_POLICY, World, hotel_registry
from toolkit.hotel.controls import load_control
from toolkit.trajectory import evaluate

mcp = pytest.importorskip("mcp", reason="the extra `mcp` is not installed")


def through_mcp(registry: Registry, work: Callable[[Gateway, Registry], Awaitable[Any]], **options: Any) -> Any:
    """Serve a registry in memory, take its tools into another one, and work with that."""

    async def run() -> Any:
        taken = Registry()
        async with Gateway(registry) as served, mcp.Client(mcp_server(served, "test")) as client:
            await take_in(client, taken, **options)
            async with Gateway(taken) as gateway:
                return await work(gateway, taken)

    return asyncio.run(run())


def sample() -> Registry:
    registry = Registry()

    @tool(registry, idempotent=True)
    def double(number: int) -> dict[str, int]:
        """Double a number."""
        return {"doubled": 2 * number}

    @tool(registry)
    def refuse() -> None:
        """Refuse."""
        raise ToolError("No suite at HT-001. It has: standard, deluxe.")

    return registry


@pytest.mark.row("E11", "J7")
def test_a_tool_over_mcp_answers_as_the_local_one() -> None:
    """The same call gives the same message to the model, local or over MCP."""

    async def work(gateway: Gateway, _: Registry) -> str:
        return (await gateway.call({"id": "a", "name": "double", "arguments": '{"number": "four"}'})).to_content()

    async def local() -> str:
        async with Gateway(sample()) as gateway:
            return (await gateway.call({"id": "a", "name": "double", "arguments": '{"number": 4}'})).to_content()

    async def typed(gateway: Gateway, _: Registry) -> str:
        return (await gateway.call({"id": "a", "name": "double", "arguments": '{"number": 4}'})).to_content()

    assert through_mcp(sample(), typed) == asyncio.run(local()) == '{"doubled": 8}'
    assert 'expected a valid integer, received \\"four\\"' in through_mcp(sample(), work)


@pytest.mark.row("E11", "P72")
def test_an_error_of_the_server_is_an_error_here() -> None:
    """`isError` becomes a failed call whose reason reaches the model."""

    async def work(gateway: Gateway, _: Registry) -> Any:
        return await gateway.call({"id": "a", "name": "refuse", "arguments": "{}"})

    result = through_mcp(sample(), work)
    assert result.status is Status.EXECUTION_ERROR
    assert result.error.message == "No suite at HT-001. It has: standard, deluxe."


@pytest.mark.row("S13")
def test_what_a_server_says_of_itself_is_not_trusted() -> None:
    """The server hints that its tool is idempotent; here it is only once it is declared here."""

    async def policies(_: Gateway, taken: Registry) -> list[bool]:
        return [taken[name].policy.idempotent for name in taken]

    assert through_mcp(sample(), policies) == [False, False]
    declared = {"double": CallPolicy(idempotent=True)}
    assert through_mcp(sample(), policies, declared=declared) == [True, False]


@pytest.mark.row("E11")
def test_a_prefix_keeps_servers_apart() -> None:
    """Two servers with the same tool names can be taken in side by side."""

    async def work(_: Gateway, taken: Registry) -> list[str]:
        return list(taken)

    assert through_mcp(sample(), work, prefix="x_") == ["x_double", "x_refuse"]


@pytest.mark.row("J7")
def test_a_trajectory_over_mcp_is_judged_like_a_local_one() -> None:
    """The calls of the `ok` control, run over MCP, give results with which the run passes all checks again."""
    messages = load_control("ok")

    async def work(gateway: Gateway, _: Registry) -> list[dict[str, Any]]:
        replayed = []
        for message in messages:
            if message["role"] != "tool":
                replayed.append(message)
            for call in message.get("tool_calls") or []:
                replayed.append((await gateway.call(call)).to_message())
        return replayed

    replayed = through_mcp(hotel_registry(World()), work)
    assert [str(result.verdict) for result in evaluate(replayed, policy=HOTEL_POLICY).results] == ["pass"] * 4


@pytest.mark.row("E11", "T13")
def test_a_server_of_its_own_process_over_stdio() -> None:
    """The hotel served by another process: a call reaches its store and comes back."""

    async def run() -> Any:
        parameters = mcp.StdioServerParameters(command=sys.executable, args=["-m", "toolkit.hotel.mcp_server"])
        registry = Registry()
        async with mcp.Client(mcp.stdio_client(parameters)) as client:
            await take_in(client, registry)
            async with Gateway(registry) as gateway:
                arguments = json.dumps({"city": "Xi'an", "date": "2026-10-01"})
                return await gateway.call({"id": "a", "name": "get_weather", "arguments": arguments})

    assert asyncio.run(run()).value["condition"] == "rain"
