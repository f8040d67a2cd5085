"""Decisions: how a model that knows no tool calls calls tools all the same.

Each turn the model fills in `{"tool": ..., "arguments": {...}}` under a JSON Schema that its server holds it to. The
schema is the union of the tools' own and of `finish`, which ends the run with an answer. What it filled in is then
told as a tool call, so that the agent loop and everything behind it is the same as for any other model.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from toolkit.agent.models import asks_for, says
from toolkit.json_schema import walk

Message: TypeAlias = Mapping[str, Any]
ToolEntry: TypeAlias = Mapping[str, Any]  # as `Registry.openai_tools` gives it

FINISH = "finish"
_ANSWER = {
    "type": "object",
    "properties": {"answer": {"type": "string", "minLength": 1}},
    "required": ["answer"],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True)
class DecisionForm:
    """How the model is asked for a decision; everything of a domain in it is given from outside.

    Args:
        examples: Conversations shown before the real one.
        remind: A line put behind the latest results, made from the messages so far; empty: none.
        allow: Names that may be decided now, `finish` among them, made from the messages so far; None: all.
    """

    examples: Sequence[Sequence[Message]] = ()
    remind: Callable[[Sequence[Message]], str] = lambda messages: ""
    allow: Callable[[Sequence[Message]], Collection[str] | None] = lambda messages: None


def decision_schema(tools: Sequence[ToolEntry], allowed: Collection[str] | None = None) -> dict[str, Any]:
    """The JSON Schema of one decision between these tools and `finish`.

    Raises:
        ValueError: a tool is called `finish`, or nothing is allowed.

    >>> add = {"function": {"name": "add", "parameters": {"type": "object", "properties": {"a": {"type": "number"}}}}}
    >>> [choice["properties"]["tool"] for choice in decision_schema([add])["anyOf"]]
    [{'const': 'add'}, {'const': 'finish'}]
    """
    parameters = {tool["function"]["name"]: tool["function"]["parameters"] for tool in tools}
    if FINISH in parameters:
        raise ValueError(f"A tool is called {FINISH!r}, the word by which the model ends a run. Give it another name.")
    parameters[FINISH] = _ANSWER
    chosen = {name: each for name, each in parameters.items() if allowed is None or name in allowed}
    if not chosen:
        raise ValueError(f"None of {sorted(allowed or ())} can be decided. Known: {', '.join(parameters)}.")
    return {
        "anyOf": [_choice(name) for name in chosen],
        "$defs": {name: _moved(each, f"#/$defs/{name}") for name, each in chosen.items()},
    }


def _choice(name: str) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {"tool": {"const": name}, "arguments": {"$ref": f"#/$defs/{name}"}},
        "required": ["tool", "arguments"],
        "additionalProperties": False,
    }


def _moved(schema: dict[str, Any], to: str) -> dict[str, Any]:
    """A schema that stands at another place now: what it refers to inside itself moves with it."""
    moved = copy.deepcopy(schema)
    for _, node in walk(moved):
        if isinstance(node, dict) and isinstance(node.get("$ref"), str):
            node["$ref"] = to + node["$ref"].removeprefix("#")
    return moved


def decision_prompt(messages: Sequence[Message], tools: Sequence[ToolEntry], form: DecisionForm) -> str:
    """The text a model continues with its decision: what the system says, the tools, the examples, the conversation."""
    system = "\n".join(message["content"] for message in messages if message["role"] == "system")
    names = " or ".join(json.dumps(name) for name in (*(tool["function"]["name"] for tool in tools), FINISH))
    rule = f'Each decision is one JSON object: {{"tool": {names}, "arguments": {{...}}}}.'
    conversations = [*form.examples, [message for message in messages if message["role"] != "system"]]
    parts = [system, rule, tool_lines(tools), *(transcript(each, form.remind) for each in conversations)]
    return "\n\n".join(parts) + "\nDecision:\n"


def tool_lines(tools: Sequence[ToolEntry]) -> str:
    """Tools as text: name and description, and below them the schema of the arguments, all as exported.

    >>> print(tool_lines([{"function": {"name": "ping", "description": "Ask.", "parameters": {"type": "object"}}}]))
    Tool ping: Ask.
    Arguments of ping: {"type": "object"}
    """
    return "\n".join(
        f"Tool {each['name']}: {' '.join(each['description'].split())}\n"
        f"Arguments of {each['name']}: {json.dumps(each['parameters'], ensure_ascii=False)}"
        for each in (tool["function"] for tool in tools)
    )


def transcript(messages: Sequence[Message], remind: Callable[[Sequence[Message]], str]) -> str:
    """A conversation as text: what the user says, each decision on a line of its own, each result.

    >>> print(transcript([{"role": "user", "content": "Hello"}, {"role": "assistant", "content": "Hi"}], lambda m: ""))
    User: Hello
    Decision:
    {"tool": "finish", "arguments": {"answer": "Hi"}}
    """
    lines: list[str] = []
    for index, message in enumerate(messages):
        match message["role"]:
            case "assistant":
                lines += map(_decision_line, _decisions(message))
            case "tool":
                lines.append(f"Result: {message['content']}")
            case "user":
                lines.append(f"User: {message['content']}")
        follows = messages[index + 1]["role"] if index + 1 < len(messages) else None
        if message["role"] in ("tool", "user") and follows != "tool" and (line := remind(messages[: index + 1])):
            lines.append(line)
    return "\n".join(lines)


def _decisions(message: Message) -> list[tuple[str, str]]:
    """What a turn of the assistant decided, as tool names and arguments as text."""
    calls = [(call["function"]["name"], call["function"]["arguments"]) for call in message.get("tool_calls") or ()]
    return calls or [(FINISH, json.dumps({"answer": message["content"]}, ensure_ascii=False))]


def _decision_line(decision: tuple[str, str]) -> str:
    name, arguments = decision
    return f'Decision:\n{{"tool": {json.dumps(name)}, "arguments": {arguments}}}'


def decision_message(text: str) -> dict[str, Any]:
    """A decision as the assistant message it stands for. One that was cut off is told as a text that was.

    >>> decision_message('{"tool": "ping", "arguments": {}}')["tool_calls"]
    [{'type': 'function', 'function': {'name': 'ping', 'arguments': '{}'}}]
    >>> decision_message('{"tool": "finish", "arguments": {"answer": "Done."}}')
    {'role': 'assistant', 'content': 'Done.'}
    """
    try:
        decision = json.loads(text)
        name, arguments = decision["tool"], decision["arguments"]
    except (ValueError, KeyError, TypeError):
        return says(text, finish_reason="length")
    return says(arguments["answer"]) if name == FINISH else asks_for((name, arguments))
