"""E1: the conversation is read once per turn, and what is found in it is right."""

from __future__ import annotations

import pytest

from toolkit import Context
from toolkit.quality.features import Features, features_of, in_conversation


def asked(*names, first=0):
    calls = [
        {"id": f"c{first + place}", "function": {"name": name, "arguments": "{}"}} for place, name in enumerate(names)
    ]
    return {"role": "assistant", "content": None, "tool_calls": calls}


def answered(call_id):
    return {"role": "tool", "tool_call_id": call_id, "content": "{}"}


TALK = [
    {"role": "system", "content": "You know Lhasa."},
    {"role": "user", "content": "I live in Shanghai."},
    {"role": "assistant", "content": "And Paris?"},
    {"role": "user", "content": [{"type": "text", "text": "Rain in "}, {"type": "text", "text": "Xi'an?"}]},
    asked("get_weather", "search_hotels"),
    answered("c0"),
]


@pytest.mark.row("E1")
def test_what_the_user_said_and_which_tools_answered():
    """Only the user's words count as said; only a tool whose result came back has answered."""
    assert features_of(TALK) == Features("I live in Shanghai.\nRain in Xi'an?", "Rain in Xi'an?", ("get_weather",))


def test_a_new_question_begins_anew():
    """What answered an earlier question does not answer this one."""
    assert features_of([*TALK, {"role": "user", "content": "And tomorrow?"}]).answered == ()


@pytest.mark.parametrize("content", [None, 7, [], [{"type": "image_url"}, "text", {"text": 3}], {"text": "Hello"}])
def test_an_unreadable_message_is_left_out(content):
    """A content that is no text, a result nobody asked for, a role nobody knows: nothing is raised."""
    strange = [{"role": "user", "content": content}, {"role": "tool"}, {"role": 5}, {}, {"role": "assistant"}]
    assert features_of(strange) == Features()


@pytest.mark.row("E1")
def test_ten_calls_and_three_checks_read_a_turn_once():
    """The next turn is read again, once; another conversation of the same length too."""
    read = []

    def reading(messages):
        read.append(len(messages))
        return features_of(messages)

    seen = []
    hook = in_conversation(*[lambda tool, arguments, found: seen.append(found.question)] * 3, read=reading)
    talk = list(TALK)
    for _ in range(10):
        hook("get_weather", {}, Context(messages=talk))
    talk.append(answered("c1"))
    hook("get_weather", {}, Context(messages=talk))
    hook("get_weather", {}, Context(messages=list(talk)))
    assert read == [6, 7, 7]
    assert seen == ["Rain in Xi'an?"] * 36


def test_what_is_remembered_is_bounded():
    """A thousand conversations leave 32 behind; one in between is read again when it comes back."""
    read = []
    hook = in_conversation(read=lambda messages: read.append(1) or Features())
    talks = [[{"role": "user", "content": str(number)}] for number in range(1000)]
    for talk in talks:
        hook("f", {}, Context(messages=talk))
    for talk in talks[-32:]:
        hook("f", {}, Context(messages=talk))
    assert len(read) == 1000
    hook("f", {}, Context(messages=talks[-33]))
    assert len(read) == 1001
