"""A reply that was recorded in chunks, put together again: chat chunks, Responses events or Anthropic events.

A stream that broke off gives what came until then; arguments of which the end is missing stay as they are, so they
are unreadable later and not guessed here.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

_ANTHROPIC = ("message_start", "content_block_start", "content_block_delta", "message_delta")
_ITEM_DELTAS = {
    "response.function_call_arguments.delta": "arguments",
    "response.mcp_call_arguments.delta": "arguments",
    "response.custom_tool_call_input.delta": "input",
}


def events_in(text: str) -> list[Any]:
    """The JSON events of a text in the form of server-sent events; what is no JSON, such as `[DONE]`, is left out.

    >>> events_in('event: x\\ndata: {"a": 1}\\n\\ndata: [DONE]\\n\\n')
    [{'a': 1}]
    """
    events = []
    for block in text.replace("\r\n", "\n").replace("\r", "\n").split("\n\n"):
        lines = [line[5:].removeprefix(" ") for line in block.split("\n") if line.startswith("data:")]
        try:
            event = json.loads("\n".join(lines))
        except (ValueError, RecursionError):
            continue
        if isinstance(event, dict):
            events.append(event)
    return events


def is_stream(value: Any) -> bool:
    """True for a list of chunks.

    >>> is_stream([{"object": "chat.completion.chunk", "choices": []}])
    True
    """
    return isinstance(value, list) and any(map(_is_chunk, value)) and not any(map(_has_role, value))


def assemble(events: Iterable[Any]) -> dict[str, Any] | None:
    """The chat message, the Responses response or the Anthropic message these chunks give; None where none is one.

    >>> chunk = {"object": "chat.completion.chunk", "choices": [{"delta": {"content": "Hi"}}]}
    >>> assemble([chunk, chunk])["content"]
    'HiHi'
    """
    chunks = [event for event in events if _is_chunk(event)]
    if not chunks:
        return None
    kind = chunks[0].get("type")
    if not isinstance(kind, str) or "choices" in chunks[0]:
        return _chat_message(chunks)
    return _response(chunks) if kind.startswith("response.") else _anthropic_message(chunks)


def _is_chunk(event: Any) -> bool:
    if not isinstance(event, dict):
        return False
    kind = event.get("type")
    if isinstance(kind, str) and (kind.startswith("response.") or kind in _ANTHROPIC):
        return True
    return event.get("object") == "chat.completion.chunk"


def _has_role(value: Any) -> bool:
    return isinstance(value, dict) and isinstance(value.get("role"), str)


def _objects(value: Any) -> list[dict[str, Any]]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def _object(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _add_text(target: dict[str, Any], key: str, more: Any) -> None:
    if isinstance(more, str):
        known = target.get(key)
        target[key] = (known if isinstance(known, str) else "") + more


# -- chat ----------------------------------------------------------------------------------------------------


def _chat_message(chunks: list[dict[str, Any]]) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": None}
    calls: list[dict[str, Any]] = []
    by_index: dict[Any, dict[str, Any]] = {}
    for chunk in chunks:
        if isinstance(chunk.get("usage"), dict):
            message["usage"] = chunk["usage"]
        for choice in _objects(chunk.get("choices")):
            delta = _object(choice.get("delta"))
            if choice.get("index", 0) != 0:
                continue
            _add_text(message, "content", delta.get("content"))
            if isinstance(delta.get("function_call"), dict):
                _add_function(message.setdefault("function_call", {}), delta["function_call"])
            for part in _objects(delta.get("tool_calls")):
                _add_call(calls, by_index, part)
    return message | {"tool_calls": calls} if calls else message


def _add_call(calls: list[dict[str, Any]], by_index: dict[Any, dict[str, Any]], part: dict[str, Any]) -> None:
    """A part belongs to the latest call of its index; one with another id begins a call, whatever its index."""
    index, id = str(part.get("index", 0)), part.get("id") or None
    call = by_index.get(index)
    if call is None or (id is not None and call["id"] not in (None, id)):
        call = by_index[index] = {"id": None, "type": "function", "function": {}}
        calls.append(call)
    if id is not None:
        call["id"] = id
    _add_function(call["function"], _object(part.get("function") or part.get("custom")))


def _add_function(function: dict[str, Any], part: dict[str, Any]) -> None:
    if isinstance(part.get("name"), str) and part["name"] and not function.get("name"):
        function["name"] = part["name"]
    for key in ("arguments", "input"):
        _add_text(function, key, part.get(key))


# -- Responses -----------------------------------------------------------------------------------------------


def _response(chunks: list[dict[str, Any]]) -> dict[str, Any]:
    """The response a stream ends with; where it broke off, the items as far as they came."""
    items: dict[Any, dict[str, Any]] = {}
    last: dict[str, Any] = {}
    for chunk in chunks:
        kind, index = chunk["type"], str(chunk.get("output_index"))
        if isinstance(chunk.get("response"), dict):
            last = chunk["response"]
        if kind == "response.output_item.added" or kind == "response.output_item.done":
            items[index] = dict(_object(chunk.get("item")))
        elif kind in _ITEM_DELTAS and index in items:
            _add_text(items[index], _ITEM_DELTAS[kind], chunk.get("delta"))
    output = last.get("output")
    complete = isinstance(output, list) and len(output) >= len(items)
    return {**last, "object": "response", "output": output if complete else list(items.values())}


# -- Anthropic -----------------------------------------------------------------------------------------------


def _anthropic_message(chunks: list[dict[str, Any]]) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant"}
    blocks: dict[str, dict[str, Any]] = {}
    texts: dict[str, dict[str, Any]] = {}  # the arguments so far, as text
    usage: dict[str, Any] = {}
    for chunk in chunks:
        index, delta = str(chunk.get("index")), _object(chunk.get("delta"))
        if chunk["type"] == "message_start":
            message |= _object(chunk.get("message"))
            usage |= _object(message.get("usage"))
        elif chunk["type"] == "content_block_start":
            blocks[index] = dict(_object(chunk.get("content_block")))
        elif chunk["type"] == "message_delta":
            usage |= {key: count for key, count in _object(chunk.get("usage")).items() if count is not None}
        elif index in blocks and delta.get("type") == "input_json_delta":
            _add_text(texts.setdefault(index, {}), "input", delta.get("partial_json"))
        elif index in blocks:
            _add_text(blocks[index], "text", delta.get("text"))
    for index, block in blocks.items():
        if texts.get(index, {}).get("input"):
            block["input"] = texts[index]["input"]
    return {**message, "content": list(blocks.values()), "usage": usage}
