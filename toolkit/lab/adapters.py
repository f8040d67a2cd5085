"""The same tools behind three doors: our own loop, an MCP client, LangChain. One gateway, so one log.

MCP and LangChain are extras; where one is not installed its door is told to be closed.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

from toolkit.agent import asks_for, run_agent, says, scripted_client
from toolkit.gateway import Gateway
from toolkit.lab.example_tools import add_calculator, add_web_search
from toolkit.lab.panel import Picture
from toolkit.lab.search_server import SearchServer
from toolkit.lab.waiting import finish
from toolkit.observe.lines import read_log
from toolkit.observe.sinks import json_logger, structlog_sink
from toolkit.records import Context
from toolkit.registry import Registry

SUM: dict[str, Any] = {"expression": "2 * 400"}
QUESTION: dict[str, Any] = {"query": "cancel a suite", "site": "hotels.example", "max_characters": 150}


async def through_the_loop(gateway: Gateway) -> str:
    """A model asks for two tools in one turn and answers."""
    client = scripted_client([asks_for(("calculate", SUM), ("web_search", QUESTION)), says("800 USD.")])
    messages = [{"role": "user", "content": "What do two nights cost, and can I cancel?"}]
    run = await run_agent(client, gateway, messages, model="scripted", context=Context(session="loop"))
    return run.detail


async def through_mcp(gateway: Gateway) -> str:
    """Somebody else's agent, connected to our tools as an MCP server."""
    import mcp

    from toolkit.agent.mcp_tools import mcp_server

    async with mcp.Client(mcp_server(gateway, "desk", Context(session="mcp"))) as client:
        told = await client.call_tool("calculate", {"expression": "2 × 400"})
    return "".join(part.text for part in told.content if part.type == "text")


async def through_langchain(gateway: Gateway) -> str:
    """A LangChain agent, which calls a tool with a tool call."""
    from toolkit.agent.langchain_tools import langchain_tool

    tool = langchain_tool(gateway, "web_search", Context(session="langchain"))
    message = await tool.ainvoke({"type": "tool_call", "id": "call_1", "name": "web_search", "args": QUESTION})
    return str(message.content)


DOORS: dict[str, tuple[Callable[[Gateway], Any], str]] = {
    "loop": (through_the_loop, "openai"),
    "mcp": (through_mcp, "mcp"),
    "langchain": (through_langchain, "langchain_core"),
}


def three_doors() -> Picture:
    """Call the example tools through each door and show what stands in the one log."""
    file = io.StringIO()
    with SearchServer() as server:
        registry = Registry()
        add_calculator(registry)
        add_web_search(registry, server.url)
        closed = finish(_all_doors(registry, file))
    lines = read_log(file.getvalue().splitlines())
    rows: list[list[object]] = [[line.session, line.tool, line.status, line.error_kind or "-"] for line in lines]
    rows += [[name, "-", "not installed", f"pip install '.[{name}]'"] for name in closed]
    rows.sort(key=lambda row: list(DOORS).index(str(row[0])))
    return Picture(f"{len(lines)} calls through {len(DOORS) - len(closed)} doors, one log.", COLUMNS, rows)


COLUMNS = ("session", "tool", "status", "error")


async def _all_doors(registry: Registry, file: io.StringIO) -> list[str]:
    """Walk through every door that is open; the names of the others."""
    closed = [name for name, (_, package) in DOORS.items() if find_spec(package) is None]
    async with Gateway(registry, log_sink=structlog_sink(json_logger(file))) as gateway:
        for name, (walk, _) in DOORS.items():
            if name not in closed:
                await walk(gateway)
    return closed
