"""LangChain tools made from ours, and ours from theirs (the extra `langchain`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from toolkit.errors import ToolDefinitionError
from toolkit.gateway import Gateway
from toolkit.records import CallPolicy, Context, Tool, ToolResult
from toolkit.registry import Registry
from toolkit.wire import visible_parameters

if TYPE_CHECKING:
    from langchain_core.tools import BaseTool


def langchain_tool(gateway: Gateway, name: str, context: Context | None = None) -> BaseTool:
    """A LangChain tool that calls a tool of ours through the gateway.

    Given a tool call, it answers with a `ToolMessage` whose content is what our model would read, whose `artifact`
    is the whole `ToolResult`, and whose status is `error` where the call has no value.

    Raises:
        ToolDefinitionError: the gateway's registry has no such tool.
    """
    from langchain_core.tools import StructuredTool, ToolException

    if name not in gateway.registry:
        raise ToolDefinitionError(f"No tool is named {name!r}. Registered: {', '.join(gateway.registry) or 'none'}.")
    tool, caller = gateway.registry[name], context or Context()

    async def call(**arguments: Any) -> tuple[str, ToolResult]:
        result = await gateway.call({"name": name, "arguments": arguments}, caller)
        if not result.ok:
            raise ToolException(result.to_content())
        return result.to_content(), result

    return StructuredTool(
        name=name,
        description=tool.description,
        args_schema=visible_parameters(tool, caller.role),
        coroutine=call,
        response_format="content_and_artifact",
        handle_tool_error=True,  # the text of a ToolException, which is ours, goes to the model
    )


def add_langchain_tool(registry: Registry, outside: BaseTool, policy: CallPolicy | None = None) -> Tool:
    """Register a LangChain tool. What it may do is declared here, by `policy`; without one it is not idempotent.

    Raises:
        ToolDefinitionError: the name is taken or illegal, or there is no description.
    """

    async def call(**arguments: Any) -> Any:
        return await outside.ainvoke(arguments)

    schema = outside.get_input_jsonschema() if not isinstance(outside.args_schema, dict) else outside.args_schema
    return registry.add(
        Tool(
            name=outside.name,
            description=outside.description,
            parameters={"properties": {}, **schema, "type": "object"},
            func=call,
            policy=policy or CallPolicy(),
        )
    )
