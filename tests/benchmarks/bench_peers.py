"""The same call through other libraries, where they are installed: `python tests/benchmarks/bench_peers.py`.

Install them with the extra `peers`. Each runs the same function on the same arguments, in the way its documentation
shows for one call; ratios are to the floor of `bench_gateway.py`, medians of interleaved rounds in one run. The
second table sends four faulty calls through each. None of these libraries was made for speed of a bare call, and
several do much more around it; the table says what a call costs, not which library is better.
"""

from __future__ import annotations

import asyncio
import importlib
import json
import platform
import statistics
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))
from bench_gateway import BARE, GOOD, Arguments, book_hotel, gateway, ratio, timed

Call = Callable[[str], Awaitable[object]]
RAW = GOOD["function"]["arguments"]
FAULTY = {
    "an unknown argument": {"floor": 3},
    "true for a number": {"nights": True},
    "a number for a date": {"check_in": 0},
    "a date from the text 0": {"check_in": "0"},
}


class Refused(Exception):
    """The library did not run the function."""


@asynccontextmanager
async def toolkit_gateway() -> AsyncIterator[Call]:
    bare = gateway(BARE)

    async def call(raw: str) -> object:
        result = await bare.call({"id": "call_1", "function": {"name": "book_hotel", "arguments": raw}})
        if not result.ok:
            raise Refused(result.error)
        return result.value

    yield call


@asynccontextmanager
async def pydantic_ai() -> AsyncIterator[Call]:
    from pydantic_ai import Tool

    schema = Tool(book_hotel).function_schema

    async def call(raw: str) -> object:
        return await schema.call(schema.validator.validate_json(raw), None)

    yield call


@asynccontextmanager
async def openai_agents() -> AsyncIterator[Call]:
    from agents import function_tool
    from agents.tool_context import ToolContext

    tool = function_tool(book_hotel, failure_error_function=None)

    async def call(raw: str) -> object:
        context = ToolContext(context=None, tool_name="book_hotel", tool_call_id="call_1", tool_arguments=raw)
        return await tool.on_invoke_tool(context, raw)

    yield call


@asynccontextmanager
async def langchain_core() -> AsyncIterator[Call]:
    from langchain_core.tools import StructuredTool

    tool = StructuredTool.from_function(coroutine=book_hotel, name="book_hotel", description="Book a room.")

    async def call(raw: str) -> object:
        return await tool.ainvoke(json.loads(raw))

    yield call


@asynccontextmanager
async def langgraph() -> AsyncIterator[Call]:
    from langchain_core.messages import AIMessage
    from langchain_core.tools import StructuredTool
    from langgraph.graph import START, MessagesState, StateGraph
    from langgraph.prebuilt import ToolNode

    tool = StructuredTool.from_function(coroutine=book_hotel, name="book_hotel", description="Book a room.")
    graph = StateGraph(MessagesState)
    graph.add_node("tools", ToolNode([tool]))
    graph.add_edge(START, "tools")
    app = graph.compile()

    async def call(raw: str) -> object:
        asked = {"name": "book_hotel", "args": json.loads(raw), "id": "call_1", "type": "tool_call"}
        answer = (await app.ainvoke({"messages": [AIMessage("", tool_calls=[asked])]}))["messages"][-1]
        if answer.status == "error":
            raise Refused(answer.content)
        return answer

    yield call


@asynccontextmanager
async def fastmcp() -> AsyncIterator[Call]:
    from fastmcp import Client, FastMCP

    server = FastMCP("hotel")
    server.tool(book_hotel)
    async with Client(server) as client:

        async def call(raw: str) -> object:
            return await client.call_tool("book_hotel", json.loads(raw))

        yield call


PEERS: dict[str, tuple[str, Callable[[], Any]]] = {
    "toolkit": ("toolkit-lessons", toolkit_gateway),
    "pydantic-ai": ("pydantic-ai-slim", pydantic_ai),
    "openai-agents": ("openai-agents", openai_agents),
    "langchain-core": ("langchain-core", langchain_core),
    "langgraph": ("langgraph", langgraph),
    "fastmcp client": ("fastmcp", fastmcp),
}


def installed(peer: str) -> bool:
    module = {"toolkit": "toolkit", "openai-agents": "agents", "fastmcp client": "fastmcp"}.get(
        peer, peer.replace("-", "_")
    )
    try:
        importlib.import_module(module)
    except ImportError:
        return False
    return True


async def measure(calls: dict[str, Call], rounds: int = 15) -> dict[str, float]:
    """Ratio to the floor, by peer."""

    async def floor() -> object:
        return await book_hotel(**Arguments.model_validate_json(RAW).__dict__)

    ratios: dict[str, list[float]] = {peer: [] for peer in calls}
    for _ in range(rounds):
        under = await timed(floor, 300)
        for peer, call in calls.items():
            over = await timed(lambda call=call: call(RAW), 300 if peer == "toolkit" else 30)  # type: ignore[misc]
            ratios[peer].append(ratio([over], [under]))
    return {peer: statistics.median(found) for peer, found in ratios.items()}


async def let_through(call: Call) -> list[str]:
    """For each faulty call: `runs` where the function was reached, `refused` where it was not."""
    found = []
    for change in FAULTY.values():
        try:
            await call(json.dumps({**json.loads(RAW), **change}))
        except Exception:  # noqa: BLE001 - each library has its own way to refuse
            found.append("refused")
        else:
            found.append("runs")
    return found


async def main() -> None:
    async with AsyncExitStack() as stack:
        calls = {
            peer: await stack.enter_async_context(open_peer())
            for peer, (_, open_peer) in PEERS.items()
            if installed(peer)
        }
        ratios = await measure(calls)
        faults = {peer: await let_through(call) for peer, call in calls.items()}
    print(f"Python {platform.python_version()}; not installed: {', '.join(set(PEERS) - set(calls)) or 'none'}")
    print(f"{'library':16} {'version':>10} {'times the floor':>16}   " + "   ".join(FAULTY))
    for peer, value in sorted(ratios.items(), key=lambda item: item[1]):
        cells = "   ".join(f"{word:{len(fault)}}" for word, fault in zip(faults[peer], FAULTY, strict=True))
        print(f"{peer:16} {version(PEERS[peer][0]):>10} {value:>15.1f}x   {cells}")


if __name__ == "__main__":
    asyncio.run(main())
