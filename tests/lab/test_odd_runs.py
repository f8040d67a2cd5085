"""Odd recordings: each has what it says, and a judge that raises ends no table."""

from __future__ import annotations

import json

import pytest

from toolkit.hotel.controls import load_control
from toolkit.lab.odd_runs import merge_turns, odd_runs, renumber, try_judge
from toolkit.trajectory import extract_calls

OK = load_control("ok")


@pytest.mark.row("R3")
def test_renumbered_ids_repeat_over_turns_and_never_within_one():
    """Seven calls share three ids, and what was called is the same."""
    before, after = extract_calls(OK).calls, extract_calls(renumber(OK)).calls
    assert {call.id for call in after} == {"call_0", "call_1", "call_2"}
    assert len({(call.turn, call.id) for call in after}) == 7
    assert [(call.name, call.result) for call in after] == [(call.name, call.result) for call in before]


def test_merged_turns_are_siblings():
    """Both calls stand in one turn, each with its own result, and the recording stays readable."""
    trace = extract_calls(merge_turns(OK, "search_hotels", "book_hotel"))
    search, book = (next(call for call in trace.calls if call.name == name) for name in ("search_hotels", "book_hotel"))
    assert search.turn == book.turn
    assert (search.result["hotels"][0]["id"], book.result["status"]) == ("HT-001", "ok")
    assert trace.anomalies == ()


def test_a_judge_that_raises_is_told_by_name():
    """The table shows the exception's type, and the other rows are judged."""

    def judge(messages):
        return json.loads(messages[-2]["content"])["plan"] != []

    picture = try_judge(judge)
    said = {what: says for what, _, says in picture.rows}
    assert said["a result is plain text"] == "raises JSONDecodeError"
    assert said["call ids begin again in each turn"] == "pass"
    assert picture.summary == "Right on 3 of 9."


def test_odd_recordings_differ_from_ok_and_from_each_other():
    """Nine recordings, none of them the plain one."""
    texts = {json.dumps(odd.messages) for odd in odd_runs()} | {json.dumps(OK)}
    assert len(texts) == 10
