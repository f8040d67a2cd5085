"""Tools over the Model Context Protocol, through the official SDK (the extra `mcp`): ours served, others' taken in.

A tool taken in from a server looks like a local one to the model and in a trajectory. What the server says about it,
such as `idempotentHint`, is not trusted: until it is declared here, a tool from outside is not idempotent and nothing
else is switched on for it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from toolkit.errors import ToolError
from toolkit.gateway import Gateway
from toolkit.records import CallPolicy, Context, Tool
from toolkit.registry import Registry
from toolkit.wire import visible_parameters

if TYPE_CHECKING:
    from mcp import Client
    from mcp.server.lowlevel import Server

MAX_ERROR_CHARACTERS = 500
_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9_-]")


def mcp_server(gateway: Gateway, name: str, context: Context | None = None) -> Server[Any]:
    """An MCP server whose tools are those of a gateway's registry; every call goes through the gateway.

    Args:
        gateway: Runs the calls.
        name: The server's name, as clients see it.
        context: The caller all calls of this server are made for: one server, one role.
    """
    from mcp import types
    from mcp.server.lowlevel import Server

    caller = context or Context()

    async def list_tools(*_: Any) -> types.ListToolsResult:
        tools = gateway.registry.visible(caller.role).values()
        return types.ListToolsResult(
            tools=[
                types.Tool(
                    name=tool.name,
                    description=tool.description,
                    input_schema=visible_parameters(tool, caller.role),
                    annotations=types.ToolAnnotations(idempotent_hint=tool.policy.idempotent),
                )
                for tool in tools
            ]
        )

    async def call_tool(_: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
        result = await gateway.call({"name": params.name, "arguments": params.arguments or {}}, caller)
        return types.CallToolResult(
            content=[types.TextContent(type="text", text=result.to_content())],
            structured_content=result.value if result.ok and isinstance(result.value, dict) else None,
            is_error=not result.ok,
        )

    return Server(name, on_list_tools=list_tools, on_call_tool=call_tool)


async def take_in(
    client: Client, registry: Registry, *, prefix: str = "", declared: Mapping[str, CallPolicy] | None = None
) -> list[Tool]:
    """Register the tools of a connected MCP server, in the order it lists them.

    Args:
        client: An open `mcp.Client`.
        registry: Where they go.
        prefix: Put before each name, such as `hotel_`, so that two servers cannot take each other's names.
        declared: Policies by the server's own tool names, decided here. Without one a tool gets the defaults.

    Raises:
        ToolDefinitionError: a name is taken, or a tool has no description; what came before it stays registered.
    """
    tools: list[Tool] = []
    cursor: str | None = None
    while True:
        page = await client.list_tools(cursor=cursor)
        tools += [_tool(client, outside, prefix, declared or {}) for outside in page.tools]
        cursor = page.next_cursor
        if cursor is None:
            break
    return [registry.add(tool) for tool in tools]


def _tool(client: Client, outside: Any, prefix: str, declared: Mapping[str, CallPolicy]) -> Tool:
    async def call(**arguments: Any) -> Any:
        return _value(await client.call_tool(outside.name, arguments))

    return Tool(
        name=prefix + _NOT_IN_NAMES.sub("_", outside.name),
        description=outside.description or outside.title or "",
        parameters=dict(outside.input_schema),
        func=call,
        policy=declared.get(outside.name, CallPolicy()),
    )


def _value(result: Any) -> Any:
    """The answer as our tools give it: a JSON object where there is one, else text; an error is raised.

    Raises:
        ToolError: the server says that the call failed; its text is cut, because it comes from outside.
    """
    text = "".join(part.text for part in result.content if part.type == "text")
    if result.is_error:
        raise ToolError(_reason(text)[:MAX_ERROR_CHARACTERS] or "The tool failed and gave no reason.")
    if result.structured_content is not None:
        return result.structured_content
    try:
        return json.loads(text)
    except ValueError:
        return text


def _reason(text: str) -> str:
    """The reason inside an error of our own form, or the text itself."""
    try:
        told = json.loads(text)
    except ValueError:
        return text
    return told["error"] if isinstance(told, dict) and isinstance(told.get("error"), str) else text
