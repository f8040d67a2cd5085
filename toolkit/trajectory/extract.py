"""From messages to a trace: what stands in which field, and nothing about what it means.

This module reads chat messages; Responses items and Anthropic blocks have their own in `formats`. Read are today's
`tool_calls`, the older `function_call` with role `function`, and messages given as objects of a vendor's client. A
call that is only described in the text is no call.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any, TypeAlias

from toolkit.trajectory.pairing import TraceBuilder
from toolkit.trajectory.reading import kind_of, read_content, read_json
from toolkit.trajectory.recognition import MessageFormat, format_of
from toolkit.trajectory.records import Trace

_ANSWER_ROLES = ("tool", "function")
SYSTEM_ROLES = ("system", "developer")
_CALL_KEYS = ("tool_calls", "function_call", "tool_call_id")
_MARKER_TYPES = ("compaction", "compacted", "compaction_summary")
_MARKER_WORDS = re.compile(r"\b(?:compact|truncat|trimm|omit)|压缩|截断|省略", re.IGNORECASE)
BEGINS_WITH_RESULT = "the history begins with a result"
BEGINS_WITH_CALLS = "the history begins with calls that nobody asked for"
COMPACTED = "a marker says that earlier messages were compacted"
_BRACKETS = ("[]", "<>", "{}")
_LONGEST_MARKER = 300  # characters; a longer text in brackets is a text

_Reading: TypeAlias = Callable[[dict[str, Any], Any, str], None]  # a message, its role, and where it stands


def extract_calls(
    messages: Sequence[Any],
    *,
    at: str | Sequence[str] = "",
    missing_before: Mapping[int, str] = MappingProxyType({}),
    format: MessageFormat | None = None,
) -> Trace:
    """Read the calls of one run, in request order, each paired with what came back.

    Whatever stands in the list, nothing is raised: what is odd becomes an anomaly with a code and a pointer.

    Args:
        messages: The messages of a run as its loop keeps them: chat messages, Responses items or Anthropic messages.
        at: Pointer to the list inside a larger document, or one pointer for each message.
        missing_before: Index of a message to what is known to be missing right before it.
        format: What the messages are, where it is not to be recognised.

    Raises:
        TypeError: `messages` is not a list.

    >>> trace = extract_calls([
    ...     {"role": "user", "content": "Weather in Xi'an?"},
    ...     {"role": "assistant", "tool_calls": [
    ...         {"id": "a", "function": {"name": "get_weather", "arguments": '{"city": "Xi\\'an"}'}}]},
    ...     {"role": "tool", "tool_call_id": "a", "content": '{"condition": "rain"}'},
    ... ])
    >>> [(call.name, call.outcome.value, call.at, call.result_at) for call in trace.calls]
    [('get_weather', 'success', '/1/tool_calls/0', '/2')]
    """
    if not isinstance(messages, (list, tuple)):
        raise TypeError(f"messages must be a list of chat messages, not {type(messages).__name__}")
    builder = TraceBuilder(at if isinstance(at, str) else "")
    places = [f"{at}/{index}" for index in range(len(messages))] if isinstance(at, str) else at
    begin, read = _reader(format or format_of(messages), builder)
    is_first = True
    for index, message in enumerate(messages):
        place = places[index]
        if index in missing_before:
            _lose(builder, index, place, missing_before[index])
        if not isinstance(message, dict):
            message = as_object(message)
            if message is None:
                builder.lose("message_invalid", place, f"a message is an object, not {kind_of(messages[index])}")
                continue
        role = message.get("role")
        if is_first and role not in SYSTEM_ROLES:
            is_first = False
            begin(message, role, place)
        read(message, role, place)
    return builder.build()


def _reader(format: MessageFormat, builder: TraceBuilder) -> tuple[_Reading, _Reading]:
    """What reads the first message, and what reads every message, of a format."""
    if format == "responses":
        from toolkit.trajectory.formats.responses import ItemReader  # not above: `formats` imports this module

        items = ItemReader(builder)
        return items.begin, items.read
    if format == "anthropic":
        from toolkit.trajectory.formats.anthropic import BlockReader

        blocks = BlockReader(builder)
        return blocks.begin, blocks.read
    return partial(_check_beginning, builder), partial(_read_message, builder)


def as_object(message: Any) -> dict[str, Any] | None:
    """A message of a vendor's client as the object it stands for; None where it is no object."""
    if isinstance(message, dict):
        return message
    dump = getattr(message, "model_dump", None)
    value = dump() if callable(dump) else None
    return value if isinstance(value, dict) else None


def _lose(builder: TraceBuilder, index: int, at: str, detail: str) -> None:
    if index == 0:
        builder.cut_head(at, detail)
    else:
        builder.lose("messages_missing", at, detail)


def _check_beginning(builder: TraceBuilder, message: dict[str, Any], role: Any, at: str) -> None:
    if role in _ANSWER_ROLES:
        builder.cut_head(at, BEGINS_WITH_RESULT)
    elif role == "assistant" and (message.get("tool_calls") or message.get("function_call")):
        builder.cut_head(at, BEGINS_WITH_CALLS)


def _read_message(builder: TraceBuilder, message: dict[str, Any], role: Any, at: str) -> None:
    if role == "assistant":
        _read_assistant(builder, message, at)
        return
    if role in _ANSWER_ROLES:
        _read_answer(builder, message, at)
        return
    text = read_content(message.get("content"))[0]
    if is_marker(message, text):
        builder.cut_head(at, COMPACTED)
    elif role == "user":
        builder.say(text, at)
    elif role not in SYSTEM_ROLES:
        lose_or_note = builder.lose if any(message.get(key) for key in _CALL_KEYS) else builder.note
        lose_or_note("message_invalid", at, f"no message has the role {role!r}")


def _read_assistant(builder: TraceBuilder, message: dict[str, Any], at: str) -> None:
    builder.begin_turn()
    if message.get("_compacted") or message.get("type") in _MARKER_TYPES:
        builder.cut_head(at, COMPACTED)
    raw_calls = message.get("tool_calls")
    if isinstance(raw_calls, list):
        for position, raw in enumerate(raw_calls):
            _read_call(builder, raw, f"{at}/tool_calls/{position}")
    elif raw_calls is not None:
        builder.lose("call_invalid", f"{at}/tool_calls", f"tool_calls is a list, not {kind_of(raw_calls)}")
    legacy = message.get("function_call")
    if isinstance(legacy, dict) and legacy.get("name"):
        builder.call(None, legacy["name"], legacy.get("arguments"), f"{at}/function_call")
    usage = message.get("usage")
    total = usage.get("total_tokens") if isinstance(usage, dict) else None
    if isinstance(total, int) and not isinstance(total, bool):
        builder.use_tokens(total)


def _read_call(builder: TraceBuilder, raw: Any, at: str) -> None:
    if not isinstance(raw, dict):
        builder.lose("call_invalid", at, f"a call is an object, not {kind_of(raw)}")
        return
    function = raw.get("function") or raw.get("custom")
    if not isinstance(function, dict):
        function = raw
    arguments = function.get("arguments")
    builder.call(raw.get("id"), function.get("name"), function.get("input") if arguments is None else arguments, at)


def _read_answer(builder: TraceBuilder, message: dict[str, Any], at: str) -> None:
    content = read_content(message.get("content"))
    failed = bool(message.get("is_error") or message.get("isError"))
    ids = message.get("tool_call_ids")
    if isinstance(ids, list) and ids and message.get("tool_call_id") is None:
        for id in ids:
            builder.answer(id, content, at, failed=failed)
    else:
        builder.answer(message.get("tool_call_id"), content, at, failed=failed)


def is_marker(message: dict[str, Any], text: str) -> bool:
    """True where the whole message says that what stood before it was taken out.

    That is a declared field, or a text that is nothing but such a remark in brackets; words in a longer text
    decide nothing.

    >>> is_marker({"role": "user"}, "[12 earlier messages were compacted]")
    True
    """
    if message.get("_compacted") or message.get("type") in _MARKER_TYPES:
        return True
    content = message.get("content")
    if isinstance(content, list):
        return any(isinstance(part, dict) and part.get("type") in _MARKER_TYPES for part in content)
    if len(text) > _LONGEST_MARKER or text.strip()[:1] + text.strip()[-1:] not in _BRACKETS:
        return False
    text = text.strip()
    return _declares_compaction(text) if text[0] == "{" else _MARKER_WORDS.search(text) is not None


def _declares_compaction(text: str) -> bool:
    try:
        value = read_json(text)
    except ValueError:
        return False
    return isinstance(value, dict) and bool(value.get("_compacted"))
