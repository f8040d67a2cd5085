"""What goes back to the model's server."""

from __future__ import annotations

import json

import pytest

from toolkit.agent.history import sendable, with_own_ids
from toolkit.records import ToolCall


def turn(arguments):
    call = {"id": "a", "type": "function", "function": {"name": "add", "arguments": arguments}}
    return {"role": "assistant", "content": None, "tool_calls": [call]}


@pytest.mark.parametrize(
    ("arguments", "sent"),
    [
        ('{"a": 1}', '{"a": 1}'),
        ('{"a":1}', '{"a":1}'),
        ("", "{}"),
        (None, "{}"),
        ({"a": 1}, '{"a": 1}'),
        ('```json\n{"a": 1}\n```', '{"a": 1}'),
        ('{"a": 1', "{}"),
        ("[1]", "{}"),
    ],
)
def test_arguments_are_sent_as_an_object(arguments, sent):
    """Readable ones as they are, wrapped ones unwrapped, unreadable ones as an empty object."""
    (message,) = sendable([turn(arguments)])
    assert message["tool_calls"][0]["function"]["arguments"] == sent


def test_the_history_itself_is_not_changed():
    """A request is a copy."""
    history = [turn('{"a": 1') | {"usage": {"total_tokens": 3}}]
    before = json.dumps(history)
    sendable(history)
    assert json.dumps(history) == before


def test_a_call_of_another_kind_passes_untouched():
    """A history from elsewhere may hold what this loop never writes."""
    odd = {"role": "assistant", "tool_calls": [{"id": "a", "type": "custom", "custom": {"input": "x"}}]}
    assert sendable([odd]) == [odd]


def test_ids_made_unique_do_not_collide_with_a_later_one():
    """An id that happens to look like a made one is kept apart too."""
    calls = [ToolCall(name, "f", "{}") for name in ("a", "a_2", "a", "a_2")]
    assert len({call.id for call in with_own_ids(calls)}) == 4
