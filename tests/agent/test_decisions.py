"""Decisions: their schema, the text a model continues, and how they are told as tool calls."""

from __future__ import annotations

import json

import jsonschema
import pytest

from toolkit.agent.decisions import DecisionForm, decision_message, decision_prompt, decision_schema, transcript

PING = {"function": {"name": "ping", "description": "Ask\n\n  a host.", "parameters": {"type": "object"}}}
TREE = {
    "function": {
        "name": "plant",
        "description": "Plant a tree.",
        "parameters": {
            "type": "object",
            "properties": {"tree": {"$ref": "#/$defs/Tree"}},
            "required": ["tree"],
            "$defs": {
                "Tree": {
                    "type": "object",
                    "properties": {"kinds": {"type": "array", "items": {"$ref": "#/$defs/Tree"}}},
                    "additionalProperties": False,
                }
            },
        },
    }
}


def allows(schema, value):
    return jsonschema.Draft202012Validator(schema).is_valid(value)


@pytest.mark.row("X7")
@pytest.mark.parametrize(
    ("decision", "valid"),
    [
        ({"tool": "ping", "arguments": {}}, True),
        ({"tool": "finish", "arguments": {"answer": "Done."}}, True),
        ({"tool": "finish", "arguments": {}}, False),
        ({"tool": "ping"}, False),
        ({"tool": "pong", "arguments": {}}, False),
        ({"tool": "plant", "arguments": {"tree": {"kinds": [{"kinds": []}]}}}, True),
        ({"tool": "plant", "arguments": {"tree": {"kinds": [{"colour": "red"}]}}}, False),
    ],
)
def test_a_decision_is_one_tool_with_its_own_arguments_or_an_answer(decision, valid):
    """The union of the tools' schemas and of finish, references inside a tool's schema included."""
    assert allows(decision_schema([PING, TREE]), decision) is valid


def test_only_what_is_allowed_can_be_decided():
    """The order of tools can be forced, one step at a time."""
    schema = decision_schema([PING, TREE], ["ping"])
    assert allows(schema, {"tool": "ping", "arguments": {}})
    assert not allows(schema, {"tool": "finish", "arguments": {"answer": "Done."}})


def test_building_the_schema_leaves_the_tools_as_they_were():
    """The registry's schema is shared, so its references must not move."""
    before = json.dumps(TREE)
    decision_schema([TREE])
    assert json.dumps(TREE) == before


def test_a_tool_called_finish_is_refused():
    """The word ends a run."""
    tool = {"function": {**PING["function"], "name": "finish"}}
    with pytest.raises(ValueError) as caught:
        decision_schema([tool])
    assert str(caught.value) == (
        "A tool is called 'finish', the word by which the model ends a run. Give it another name."
    )


def test_when_nothing_can_be_decided_it_says_so():
    """A name that no tool has leaves an empty choice."""
    with pytest.raises(ValueError) as caught:
        decision_schema([PING], ["pong"])
    assert str(caught.value) == "None of ['pong'] can be decided. Known: ping, finish."


@pytest.mark.row("X7")
def test_the_prompt_holds_everything_in_order():
    """System, rule, tools, examples, the conversation, and the place where the decision goes."""
    call = {"id": "a", "function": {"name": "ping", "arguments": '{"host": "here"}'}}
    example = [
        {"role": "user", "content": "Is it up?"},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "a", "content": '{"up": true}'},
        {"role": "assistant", "content": "Yes."},
    ]
    messages = [{"role": "system", "content": "You watch hosts."}, {"role": "user", "content": "And there?"}]
    prompt = decision_prompt(messages, [PING], DecisionForm([example], remind=lambda seen: f"Seen: {len(seen)}."))
    assert prompt == (
        "You watch hosts.\n\n"
        'Each decision is one JSON object: {"tool": "ping" or "finish", "arguments": {...}}.\n\n'
        'Tool ping: Ask a host.\nArguments of ping: {"type": "object"}\n\n'
        "User: Is it up?\nSeen: 1.\n"
        'Decision:\n{"tool": "ping", "arguments": {"host": "here"}}\n'
        'Result: {"up": true}\nSeen: 3.\n'
        'Decision:\n{"tool": "finish", "arguments": {"answer": "Yes."}}\n\n'
        "User: And there?\nSeen: 1.\n"
        "Decision:\n"
    )


def test_a_reminder_stands_behind_the_last_result_of_a_turn_only():
    """Results of one turn are read together."""
    calls = [{"id": name, "function": {"name": "ping", "arguments": "{}"}} for name in "ab"]
    results = [{"role": "tool", "tool_call_id": name, "content": name} for name in "ab"]
    text = transcript([{"role": "assistant", "content": None, "tool_calls": calls}, *results], lambda seen: "Go on.")
    assert text.splitlines()[-3:] == ["Result: a", "Result: b", "Go on."]


@pytest.mark.parametrize("text", ['{"tool": "ping", "argum', "[]", '{"tool": "ping"}', '"ping"', ""])
def test_a_decision_that_was_cut_off_calls_nothing(text):
    """Half a decision is a text that hit its limit, never a call."""
    assert decision_message(text) == {"role": "assistant", "content": text, "finish_reason": "length"}
