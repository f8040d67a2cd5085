"""A recorded run as a table: what a reader sees of each call."""

from __future__ import annotations

import json

import pytest

from toolkit.hotel import HOTEL_POLICY
from toolkit.hotel.controls import CONTROLS, load_control
from toolkit.lab.run_view import brief, compare_runs, show_run
from toolkit.trajectory import evaluate, extract_calls

COLUMNS = ["call", "turn", "tool", "arguments", "what came back"]


def said(name, arguments="{}", *results, id="c"):
    """One call, and what came back."""
    call = {"id": id, "function": {"name": name, "arguments": arguments}}
    answers = [{"role": "tool", "tool_call_id": id, "content": result} for result in results]
    return [{"role": "assistant", "tool_calls": [call]}, *answers]


def rows_of(*messages):
    return show_run([{"role": "user", "content": "Please."}, *messages]).rows


@pytest.mark.row("J1")
def test_a_run_is_one_row_per_call():
    """Number, turn, tool, arguments and result of each call, and the last words in the sentence above."""
    picture = show_run(load_control("ok"))
    assert list(picture.columns) == COLUMNS
    assert picture.summary == (
        "7 calls in 5 of 6 turns. Its last words: Booked: a suite at the Sofitel at the Bell Tower in Xi'an, "
        "two nights from 1 October 2026, 800 USD."
    )
    weather = "city Xi'an, date 2026-10-01"
    assert picture.rows[1] == [1, 2, "get_weather", weather, f"{weather}, condition rain, high 17"]
    assert [row[1] for row in picture.rows] == [1, 2, 3, 4, 5, 5, 5]


@pytest.mark.parametrize("control", CONTROLS)
def test_with_a_report_the_row_names_what_fails_there(control):
    """The names stand at the call that each verdict points to, and nowhere else."""
    messages = load_control(control)
    report = evaluate(messages, policy=HOTEL_POLICY)
    failed = [result for result in report.results if result.verdict == "fail"]
    expected = {at: {result.name for result in failed if result.at == at} for at in {result.at for result in failed}}
    seen = {
        call.at: set(row[-1].split(", "))
        for row, call in zip(show_run(messages, report).rows, extract_calls(messages).calls, strict=True)
        if row[-1] != "-"
    }
    assert seen == expected


@pytest.mark.parametrize(
    ("messages", "arguments", "came_back"),
    [
        (said("f", '{"a": 1}', '{"error": "no such a"}'), "a 1", "ERROR: no such a"),
        (said("f", "{}", '{"error": "no", "status": "execution_error"}'), "nothing", "ERROR: no"),
        (said("f", "{}", '{"status": "refused"}'), "nothing", "ERROR: status refused"),
        (said("f", "{}", "It rains."), "nothing", "UNKNOWN: It rains."),
        (said("f", "{"), "cannot be read", "no result"),
        (said("f", "", "[]"), "nothing", "UNKNOWN: none"),
    ],
)
def test_an_odd_call_is_shown_as_it_is(messages, arguments, came_back):
    """An error, a plain text, unreadable arguments and a missing result each say so in words."""
    assert rows_of(*messages) == [[0, 1, "f", arguments, came_back]]


def test_a_long_value_is_cut_and_says_so():
    """A cell holds 160 characters at most; the recording is untouched."""
    assert brief({"text": "x" * 500}) == f"text {'x' * 152}..."
    assert brief({"text": "x" * 155}) == f"text {'x' * 155}"


def test_a_list_of_objects_shows_their_ids_or_their_number():
    """Ids are what later calls use; without ids only the number is told."""
    assert brief({"hotels": [{"id": "HT-001"}, {"id": "HT-002"}]}) == "hotels HT-001 / HT-002"
    assert brief({"plan": [{"index": 0}, {"index": 1}]}) == "plan (2 entries)"
    assert brief(json.loads('{"hotels": [], "deep": {"x": null}}')) == "hotels none, deep x None"


def test_side_by_side_a_tool_that_was_not_called_says_so():
    """Each tool that any run called has a row; the other runs say that they never called it."""
    picture = compare_runs({"first": load_control("ok"), "second": load_control("skip")})
    weather, search = picture.rows[1:3]
    assert picture.summary == "first: 7 calls in 5 of 6 turns. second: 5 calls in 3 of 4 turns."
    assert weather == ["get_weather", "call 1: city Xi'an, date 2026-10-01", "never called"]
    assert search[2] == "never called"
    assert picture.rows[3][1:] == [
        "call 3: hotel_id HT-002, room_type suite, check_in 2026-10-01, nights 2",
        "call 1: hotel_id HT-002, room_type suite, check_in 2026-10-01, nights 2",
    ]


def test_a_run_without_calls_and_without_an_answer():
    """No table, and a sentence that says what is not there."""
    assert repr(show_run([])) == "0 calls. It ends without an answer."
