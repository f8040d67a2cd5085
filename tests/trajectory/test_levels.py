"""The answer level: what a reader of the chat believes."""

from __future__ import annotations

import pytest

from toolkit.hotel.controls import CONTROLS, load_control
from toolkit.hotel.goal import ANSWER_WORDS
from toolkit.trajectory.levels import answer_level


def level(text):
    result = answer_level([{"role": "user", "content": "Book."}, {"role": "assistant", "content": text}], ANSWER_WORDS)
    return str(result.verdict), result.code


@pytest.mark.row("J4")
@pytest.mark.parametrize(
    "text",
    [
        "Booked: a suite.",
        "I have booked the Sofitel at the Bell Tower for you.",
        "It was not easy. I booked a standard room.",
        "已预订套房。",
        "钟楼索菲特已为您预订，两晚。",
        "BOOKED! Deluxe room.",
    ],
)
def test_an_answer_passes_that_says_booked_and_names_what(text):
    """A room type or a hotel, in either language."""
    assert level(text) == ("pass", "ok")


@pytest.mark.row("J4")
@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Here is a suite.", "not_claimed"),
        ("I have not booked the suite.", "not_claimed"),
        ("The suite isn't booked.", "not_claimed"),
        ("Nothing is booked: no suite.", "not_claimed"),
        ("套房没有预订成功。", "not_claimed"),
        ("The suite is overbooked.", "not_claimed"),
        ("It is booked.", "nothing_named"),
        ("已预订。", "nothing_named"),
        ("", "no_answer"),
        (None, "no_answer"),
    ],
)
def test_an_answer_fails_that_does_not(text, code):
    """It says nothing, takes it back, or names nothing."""
    assert level(text) == ("fail", code)


def test_a_run_that_ends_with_a_call_has_no_answer():
    """Only the last message counts, and only if it is the assistant's."""
    messages = [{"role": "assistant", "content": "Booked: a suite."}, {"role": "user", "content": "Thanks"}]
    assert answer_level(messages, ANSWER_WORDS).code == "no_answer"
    messages = [{"role": "assistant", "content": "Booked: a suite.", "tool_calls": [{"id": "a"}]}]
    assert answer_level(messages, ANSWER_WORDS).code == "no_answer"
    assert answer_level([], ANSWER_WORDS).code == "no_answer"


@pytest.mark.row("J3", "J4")
@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_control_passes_at_answer_level(language):
    """All five look right; `skip` says word for word what `ok` says."""
    answers = {name: load_control(name, language)[-1]["content"] for name in CONTROLS}
    assert {answer_level(load_control(name, language), ANSWER_WORDS).code for name in CONTROLS} == {"ok"}
    assert answers["skip"] == answers["ok"]
