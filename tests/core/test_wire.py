"""Reading what a model sends: every form of a call, every stream, and never an exception."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openai.types.chat import ChatCompletionMessageFunctionToolCall
from openai.types.chat.chat_completion import Choice
from openai.types.responses import ResponseFunctionToolCall

from toolkit.records import ToolCall
from toolkit.wire import calls_from, calls_from_deltas, clean_name, leaked_call, read_call, render

ADD = ToolCall("c1", "add", '{"a": 1}')
FUNCTION = {"name": "add", "arguments": '{"a": 1}'}

FORMS: dict[str, Any] = {
    "chat completions, a dict": {"id": "c1", "type": "function", "function": FUNCTION},
    "chat completions, an object": ChatCompletionMessageFunctionToolCall.model_validate(
        {"id": "c1", "type": "function", "function": FUNCTION}
    ),
    "a Responses item": {"type": "function_call", "id": "fc_9", "call_id": "c1", **FUNCTION},
    "a Responses object": ResponseFunctionToolCall(type="function_call", id="fc_9", call_id="c1", **FUNCTION),
    "an object of some other client": SimpleNamespace(id="c1", function=SimpleNamespace(**FUNCTION)),
    "a call that was read already": ADD,
}


@pytest.mark.row("T1")
@pytest.mark.parametrize("raw", FORMS.values(), ids=FORMS)
def test_every_form_of_a_call(raw):
    """Name and arguments may be nested or not, in dicts or in objects."""
    assert read_call(raw) == ADD


def test_a_block_of_anthropic():
    """Its arguments are an object and called `input`."""
    raw = {"type": "tool_use", "id": "c1", "name": "add", "input": {"a": 1}}
    assert read_call(raw) == ToolCall("c1", "add", {"a": 1})


@pytest.mark.row("F1")
@pytest.mark.parametrize("name", [None, 5, ["add"], {"a": 1}])
def test_a_name_that_is_no_text(name):
    """It becomes the empty name, which no tool has."""
    assert read_call({"id": "c1", "function": {"name": name, "arguments": "{}"}}) == ToolCall("c1", "", "{}")


@pytest.mark.parametrize("call_id", [None, "", 5, ["c1"]])
def test_an_id_that_is_no_text(call_id):
    """It is replaced by one made of the call's place in its turn, and noted."""
    raw = {"id": call_id, "function": FUNCTION}
    assert read_call(raw, 3) == ToolCall("generated_3", "add", '{"a": 1}', ("id_generated",))


def test_absent_arguments():
    """They stay absent; what that means is decided where they are read."""
    assert read_call({"id": "c1", "function": {"name": "ping"}}).arguments is None


def test_calls_of_a_whole_choice():
    """An object of the client, as received."""
    choice = Choice.model_validate(
        {
            "index": 0,
            "finish_reason": "tool_calls",
            "message": {
                "role": "assistant",
                "content": None,
                "tool_calls": [{"id": name, "type": "function", "function": FUNCTION} for name in ("a", "b")],
            },
        }
    )
    assert [call.id for call in calls_from(choice)] == ["a", "b"]


def test_a_reply_cut_off_before_any_call():
    """There is nothing to mark."""
    assert calls_from({"finish_reason": "length", "message": {"content": "half a sen"}}) == []


def test_a_real_call_beside_a_legacy_one():
    """The list is what counts."""
    message = {"tool_calls": [{"id": "c1", "function": FUNCTION}], "function_call": {"name": "old", "arguments": "{}"}}
    assert calls_from(message) == [ADD]


def piece(index: Any, call_id: Any = None, name: Any = None, arguments: Any = None) -> dict[str, Any]:
    return {"index": index, "id": call_id, "function": {"name": name, "arguments": arguments}}


STREAMS: dict[str, tuple[list[Any], list[tuple[str, str, Any]]]] = {
    "in pieces": (
        [piece(0, "a", "add", ""), piece(0, arguments='{"a"'), piece(0, arguments=": 1}")],
        [("a", "add", '{"a": 1}')],
    ),
    "interleaved": (
        [piece(0, "a", "add", "{"), piece(1, "b", "mul", "{"), piece(0, arguments="}"), piece(1, arguments="}")],
        [("a", "add", "{}"), ("b", "mul", "{}")],
    ),
    "in another order": (
        [piece(1, "b", "mul", "{}"), piece(0, "a", "add", "{}")],
        [("a", "add", "{}"), ("b", "mul", "{}")],
    ),
    "the id again in each piece": ([piece(0, "a", "add", "{"), piece(0, "a", "add", "}")], [("a", "add", "{}")]),
    "the id late": ([piece(0, None, "add", "{"), piece(0, "a", None, "}")], [("a", "add", "{}")]),
    "index always 0": (
        [piece(0, "a", "add", "{}"), piece(0, "b", "mul", "{}")],
        [("a", "add", "{}"), ("b", "mul", "{}")],
    ),
    "no index at all": (
        [piece(None, "a", "add", "{"), piece(None, arguments="}"), piece(None, "b", "mul", "{}")],
        [("a", "add", "{}"), ("b", "mul", "{}")],
    ),
    "an object in one piece": ([piece(0, "a", "add", {"a": 1}), piece(0)], [("a", "add", {"a": 1})]),
    "nothing": ([], []),
}


@pytest.mark.parametrize(("deltas", "calls"), STREAMS.values(), ids=STREAMS)
def test_a_stream_is_put_together(deltas, calls):
    """One call per id, arguments joined in order, none merged and none lost."""
    assert [(call.id, call.name, call.arguments) for call in calls_from_deltas(deltas)] == calls


NAMES: dict[str, tuple[str, str | None]] = {
    "prefix": ("functions.add", "add"),
    "token": ("add<|end|>", "add"),
    "token and words": ("add<|channel|>commentary", "add"),
    "prefix and token": ("functions.add<|x|>", "add"),
    "two prefixes": ("functions.functions.add", None),
    "another case": ("Add", None),
    "a blank": ("add ", None),
    "a similar name": ("adds", None),
    "only a token": ("<|x|>", None),
    "nothing": ("", None),
}


@pytest.mark.row("F1")
@pytest.mark.parametrize(("name", "meant"), NAMES.values(), ids=NAMES)
def test_a_name_is_cleaned_only_to_a_registered_one(name, meant):
    """What remains must be exactly a registered name; anything else stays as it came and is unknown."""
    assert clean_name(name, ["add", "mul"]) == ((meant, ("name_cleaned",)) if meant else (name, ()))


@pytest.mark.row("T9")
def test_a_placeholder_takes_any_blanks():
    """And what looks almost like one is left alone."""
    assert render("{{a}} {{ a }} {a} {{ a b }}", {"a": "x"}) == '"x" "x" {a} {{ a b }}'


KEYS = ["id", "call_id", "function", "name", "arguments", "input", "index", "message", "tool_calls", "function_call"]
KEYS += ["finish_reason", "content"]
json_like = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(KEYS) | st.text(max_size=3),
            inner,
            max_size=6,
        )
    ),
    max_leaves=20,
)


@pytest.mark.row("F1", "S5")
@given(json_like)
def test_reading_never_raises(raw):
    """Whatever a model or a server sends: each reader answers, with texts where texts are promised."""
    call = read_call(raw)
    assert isinstance(call.id, str)
    assert call.id
    assert isinstance(call.name, str)
    assert all(isinstance(each, ToolCall) for each in calls_from(raw))
    leaked = leaked_call(raw, ["add"])
    assert leaked in (None, "add")


@pytest.mark.row("S5")
@given(st.lists(json_like, max_size=5))
def test_streams_never_raise(deltas):
    """Nor do pieces of nonsense; no more calls come out than pieces went in."""
    calls = calls_from_deltas(deltas)
    assert len(calls) <= len(deltas)
    assert all(isinstance(call.name, str) for call in calls)


@given(st.lists(st.sampled_from(["", None, "a", "b"]), max_size=6))
def test_every_call_has_an_id(ids):
    """Those that came stay; generated ones are distinct from each other and from all others."""
    calls = calls_from({"tool_calls": [{"id": each, "function": FUNCTION} for each in ids]})
    assert [call.id for call, each in zip(calls, ids, strict=True) if each] == [each for each in ids if each]
    generated = [call.id for call, each in zip(calls, ids, strict=True) if not each]
    assert len(set(generated)) == len(generated)
    assert not set(generated) & {"a", "b"}
