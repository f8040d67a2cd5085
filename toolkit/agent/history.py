"""The history a run keeps, and what of it goes back to the model's server.

The history is the record: a turn stands in it as the model sent it, broken arguments and all. The request is
for a server, and some answer 500 when they are sent back what their own model got wrong.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from toolkit.agent.replies import Reply
from toolkit.arguments import MalformedArguments, parse_arguments
from toolkit.records import ToolCall

_OURS = ("usage", "_compacted")  # keys that a server does not know


def with_own_ids(calls: Sequence[ToolCall]) -> list[ToolCall]:
    """Give each call of a turn an id of its own, so that each can be answered exactly once.

    >>> same = ToolCall("a", "get_weather", "{}")
    >>> [call.id for call in with_own_ids([same, same, same])]
    ['a', 'a_1', 'a_2']
    """
    taken: set[str] = set()
    own: list[ToolCall] = []
    for index, call in enumerate(calls):
        call_id = call.id
        while call_id in taken:
            call_id = f"{call_id}_{index}"
        taken.add(call_id)
        own.append(call if call_id == call.id else call._replace(id=call_id, notes=(*call.notes, "id_changed")))
    return own


def assistant_message(reply: Reply, calls: Sequence[ToolCall]) -> dict[str, Any]:
    """Build the history's entry of a turn: its text, its calls as sent, and the tokens it took."""
    message: dict[str, Any] = {"role": "assistant", "content": reply.text}
    if calls:
        message["tool_calls"] = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for call in calls
        ]
    if reply.usage:
        message["usage"] = reply.usage
    return message


def sendable(messages: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Copy a history for a request: without our own keys, each call's arguments a JSON object as text.

    Arguments that cannot be read are sent as `{}`; the tool message that follows tells what was wrong.

    >>> sendable([{"role": "assistant", "content": None, "usage": {"total_tokens": 9}, "tool_calls": [
    ...     {"id": "a", "type": "function", "function": {"name": "add", "arguments": '{"a": 1'}}]}])
    ... # doctest: +NORMALIZE_WHITESPACE
    [{'role': 'assistant', 'content': None, 'tool_calls':
      [{'id': 'a', 'type': 'function', 'function': {'name': 'add', 'arguments': '{}'}}]}]
    """
    copies = [{key: value for key, value in message.items() if key not in _OURS} for message in messages]
    for copy in copies:
        if calls := copy.get("tool_calls"):
            copy["tool_calls"] = [_sendable_call(call) for call in calls]
    return copies


def shortened(messages: Sequence[Mapping[str, Any]], keep_turns: int) -> list[dict[str, Any]]:
    """Copy a history with only the last turns of the assistant, and a mark where earlier ones stood.

    What the system and the user said stays, for that is the task. The mark tells the model, and whoever judges the
    run, that something is missing: a run read from such a copy is not judged as if it were whole.

    >>> turn = [{"role": "assistant", "content": "Looking."}, {"role": "user", "content": "And?"}]
    >>> [message["content"] for message in shortened([{"role": "user", "content": "Hi"}, *turn, *turn], keep_turns=1)]
    ['Hi', '[1 earlier message was compacted]', 'And?', 'Looking.', 'And?']

    Raises:
        ValueError: fewer than one turn.
    """
    if keep_turns < 1:
        raise ValueError(f"keep_turns is {keep_turns}, but the last turn has to stay.")
    turns = [place for place, message in enumerate(messages) if message.get("role") == "assistant"]
    first_kept = turns[-keep_turns] if len(turns) > keep_turns else 0
    dropped = [place for place in range(first_kept) if messages[place].get("role") in ("assistant", "tool", "function")]
    if not dropped:
        return [dict(message) for message in messages]
    counted = "1 earlier message was" if len(dropped) == 1 else f"{len(dropped)} earlier messages were"
    mark = {"role": "user", "content": f"[{counted} compacted]", "_compacted": len(dropped)}
    kept = [dict(message) for place, message in enumerate(messages) if place not in set(dropped)]
    kept.insert(dropped[0], mark)
    return kept


def _sendable_call(call: Mapping[str, Any]) -> Mapping[str, Any]:
    function = call.get("function")
    if not isinstance(function, Mapping):
        return call
    return {**call, "function": {**function, "arguments": _readable(function.get("arguments"))}}


def _readable(arguments: object) -> str:
    try:
        parsed, notes = parse_arguments(arguments)
    except MalformedArguments:
        return "{}"
    if isinstance(arguments, str) and arguments.strip() and not notes:
        return arguments
    return json.dumps(parsed, ensure_ascii=False)
