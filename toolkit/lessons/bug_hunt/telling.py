"""Mistakes in telling the model what came of its call."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from toolkit.lessons.bug_hunt.card import Card

_SETUP = "import json"
_TURN = {"role": "assistant", "tool_calls": [{"id": "call_1", "function": {"name": "get_weather", "arguments": "{}"}}]}


def _roles(step: Callable[..., Any]) -> list[str]:
    messages: list[dict[str, Any]] = [{"role": "user", "content": "Weather?"}]
    step(messages, _TURN, lambda call: "rain")
    return [message["role"] for message in messages]


def _read_back(message: Callable[..., Any]) -> object:
    value = {"city": "西安", "rain": True, "note": None}
    try:
        return json.loads(message("call_1", value)["content"]) == value
    except json.JSONDecodeError:
        return "no JSON"


def _both_ways(sentence: Callable[..., Any]) -> list[str]:
    said = []
    for result in ({"status": "success", "value": "rain"}, {"status": "error", "error": "No suite at HT-001."}):
        try:
            said.append(sentence(result))
        except KeyError as error:
            said.append(f"KeyError: {error}")
    return said


def _secret(told: Callable[..., Any]) -> dict[str, bool]:
    text = str(told(ConnectionError("postgres://admin:hunter2@10.0.0.7/rooms refused")))
    return {"holds the password": "hunter2" in text, "says something": bool(text.strip())}


CARDS = (
    Card(
        id="B39",
        topic="telling",
        title="One step of the loop",
        name="step",
        broken="""
def step(messages, turn, run):
    for call in turn["tool_calls"]:
        messages.append({"role": "tool", "tool_call_id": call["id"], "content": run(call)})
""",
        mended="""
def step(messages, turn, run):
    messages.append(turn)
    for call in turn["tool_calls"]:
        messages.append({"role": "tool", "tool_call_id": call["id"], "content": run(call)})
""",
        probe=_roles,
        fails=["user", "tool"],
        works=["user", "assistant", "tool"],
        asks="The user asks, the model calls a tool. Which roles does the history hold after the step?",
        predicted=(
            "user and tool, no more",
            "The model's own turn is missing: an answer that nobody asked for.",
        ),
        others=(
            ("user, assistant, tool, in this order", "Who appends the assistant's turn?"),
            ("user, assistant", "The tool's answer is appended."),
            ("user, tool, assistant", "Nothing appends the turn, before or after."),
        ),
        cause="The assistant's turn is not appended; the model does not know that it has asked, and asks again.",
    ),
    Card(
        id="B40",
        topic="telling",
        title="A value for the model",
        name="message",
        setup=_SETUP,
        broken="""
def message(call_id, value):
    return {"role": "tool", "tool_call_id": call_id, "content": str(value)}
""",
        mended="""
def message(call_id, value):
    return {"role": "tool", "tool_call_id": call_id, "content": json.dumps(value, ensure_ascii=False)}
""",
        probe=_read_back,
        fails="no JSON",
        works=True,
        asks="A check reads the content back with json.loads. The value is a dict. What does it get?",
        predicted=("An error", "Single quotes, True and None are Python, not JSON."),
        others=(
            ("The same dict", "Is str(dict) JSON?"),
            ("A text with the dict in it", "It would have to be quoted for that."),
            ("None", "json.loads returns a value or raises."),
        ),
        cause="A value is sent as Python writes it; a model may guess what it means, a program cannot.",
    ),
    Card(
        id="B41",
        topic="telling",
        title="What came of it, in a sentence",
        name="sentence",
        broken="""
def sentence(result):
    if result["status"] == "success":
        return f"It says {result['value']}."
    return f"It failed: {result['value']}"
""",
        mended="""
def sentence(result):
    if result["status"] == "success":
        return f"It says {result['value']}."
    return f"It failed: {result['error']}"
""",
        probe=_both_ways,
        fails=["It says rain.", "KeyError: 'value'"],
        works=["It says rain.", "It failed: No suite at HT-001."],
        asks='A refusal: {"status": "error", "error": "No suite at HT-001."}. What comes of it?',
        predicted=("A KeyError, on 'value'", "A failed result has no value, and the way of failure was never walked."),
        others=(
            ("It failed: No suite at HT-001.", "Read which key the last line looks up."),
            ("It failed: None", "Square brackets do not return None."),
            ("It failed, and nothing more", "The sentence is not finished before the key is looked up."),
        ),
        cause="The failure path looks up a key that only a success has; it had never been run.",
    ),
    Card(
        id="B42",
        topic="telling",
        title="Tell the model what went wrong",
        name="told",
        broken="""
def told(error):
    return f"Error: {error}"
""",
        mended="""
def told(error):
    return f"The tool failed ({type(error).__name__}). Do not repeat the call; tell the user."
""",
        probe=_secret,
        fails={"holds the password": True, "says something": True},
        works={"holds the password": False, "says something": True},
        asks="The database refuses the connection. What does the model read?",
        predicted=("Address and password", "The text of an exception was written for whoever runs the database."),
        others=(
            ("The word Error", "And then the whole text of the exception."),
            ("The exception's type", "That would be the wiser choice."),
            ("Nothing at all", "It returns a sentence."),
        ),
        cause="The text of an unknown exception goes to a stranger: the model, and whoever reads its history.",
    ),
)
