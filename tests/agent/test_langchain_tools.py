"""LangChain tools, with the real package."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from toolkit import Gateway, Registry, Status, ToolDefinitionError, ToolError, tool
from toolkit.agent.langchain_tools import add_langchain_tool, langchain_tool

langchain_tools = pytest.importorskip("langchain_core.tools", reason="the extra `langchain` is not installed")


def sample() -> Registry:
    registry = Registry()

    @tool(registry)
    def double(number: int) -> dict[str, int]:
        """Double a number."""
        if number == 13:
            raise ToolError("13 is not for doubling. Use another number.")
        return {"doubled": 2 * number}

    return registry


def ask_ours(number: object) -> Any:
    """Our tool, called by LangChain as it calls tools: with a tool call, for a tool message."""

    async def run() -> Any:
        async with Gateway(sample()) as gateway:
            outside = langchain_tool(gateway, "double")
            call = {"type": "tool_call", "id": "a", "name": "double", "args": {"number": number}}
            return await outside.ainvoke(call)

    return asyncio.run(run())


@pytest.mark.row("E11")
def test_our_tool_answers_langchain_with_a_tool_message() -> None:
    """The content is what our model would read; the artifact is the whole result."""
    message = ask_ours(4)
    assert (message.content, message.status, message.tool_call_id) == ('{"doubled": 8}', "success", "a")
    assert message.artifact.status is Status.SUCCESS


@pytest.mark.row("E11")
@pytest.mark.parametrize(("number", "part"), [(13, "13 is not for doubling"), (True, "expected a valid integer")])
def test_our_refusal_is_an_error_message_there(number: object, part: str) -> None:
    """A business refusal and a validation error both reach LangChain as an error with our text."""
    message = ask_ours(number)
    assert message.status == "error"
    assert part in message.content


@pytest.mark.row("E11")
def test_their_tool_runs_behind_our_gateway() -> None:
    """A LangChain tool is validated by its own schema and run like any other."""

    @langchain_tools.tool
    def triple(number: int) -> int:
        """Triple a number."""
        return 3 * number

    async def run() -> list[Any]:
        registry = Registry()
        add_langchain_tool(registry, triple)
        async with Gateway(registry) as gateway:
            calls = [{"id": str(n), "name": "triple", "arguments": {"number": n}} for n in (4, "four")]
            return await gateway.call_all(calls)

    good, bad = asyncio.run(run())
    assert (good.status, good.value) == (Status.SUCCESS, 12)
    assert (bad.status, bad.attempts) == (Status.VALIDATION_ERROR, 0)


def test_an_unknown_name_is_refused_with_the_names_there_are() -> None:
    """A wrapper for a tool that does not exist is refused where it is made."""
    with pytest.raises(ToolDefinitionError, match=r"No tool is named 'triple'. Registered: double."):
        langchain_tool(Gateway(sample()), "triple")
