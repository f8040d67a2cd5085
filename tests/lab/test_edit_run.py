"""A recording with one thing changed: which check turns, and which does not."""

from __future__ import annotations

import pytest

from toolkit.hotel import HOTEL_POLICY
from toolkit.hotel.controls import load_control
from toolkit.lab.edit_run import TAKEN_OUT, edit_panel, edit_run
from toolkit.trajectory import evaluate

PLAN, STEPS, ID, ROOM = "plan_first", "no_skipped_step", "argument_provenance", "room_matches_weather"

TURNS = {  # what is taken out: the verdicts that are not pass
    "nothing": {},
    "the plan": {PLAN: "fail"},
    "the weather call": {STEPS: "fail", ROOM: "fail"},
    "the search": {STEPS: "fail", ID: "fail"},
    "the booking": {STEPS: "fail", ID: "not_applicable", ROOM: "not_applicable"},
    "the weather's result": {STEPS: "not_judgeable", ROOM: "not_judgeable"},
    "the search's result": {STEPS: "not_judgeable", ID: "not_judgeable"},
    "all before the search": dict.fromkeys((PLAN, STEPS, ID, ROOM), "not_judgeable"),
    "the final answer": {},
}


def verdicts(**edit):
    """The verdicts of the edited `ok` run that are not pass."""
    report = evaluate(edit_run(load_control("ok"), **edit), policy=HOTEL_POLICY)
    return {result.name: str(result.verdict) for result in report.results if result.verdict != "pass"}


@pytest.mark.row("J2", "J8", "X2")
@pytest.mark.parametrize("taken_out", TAKEN_OUT)
def test_what_is_taken_out_turns_its_own_checks(taken_out):
    """A step that was never made fails; a message that is only missing is not judgeable."""
    assert verdicts(taken_out=taken_out) == TURNS[taken_out]


@pytest.mark.parametrize(
    ("edit", "turned"),
    [
        ({"hotel_id": "HT-003"}, {}),  # found by the search as well, and it has a suite
        ({"hotel_id": "HT-004"}, {ID: "fail"}),  # exists, in another city
        ({"hotel_id": "HT-200"}, {ID: "fail"}),  # exists nowhere
        ({"room_type": "standard"}, {ROOM: "fail"}),
        ({"hotel_id": "HT-200", "room_type": "standard"}, {ID: "fail", ROOM: "fail"}),
    ],
)
def test_another_hotel_or_room_turns_its_own_check(edit, turned):
    """Any hotel the search has found will do; the checks freeze no hotel."""
    assert verdicts(**edit) == turned


def test_the_run_that_is_edited_stays_as_it_was():
    """An edit is made on a copy."""
    messages = load_control("ok")
    edit_run(messages, hotel_id="HT-200", taken_out="the plan")
    assert messages == load_control("ok")


@pytest.mark.row("K2")
def test_the_panel_says_which_check_turned():
    """The sentence names the checks that turned, the table gives the reason, the figure shows before and after."""
    panel = edit_panel()
    assert panel.picture.summary == "Overall: pass. No verdict turned."
    panel["hotel_id"].value = "HT-200"
    assert panel.picture.summary == "Overall: fail. Turned: argument_provenance."
    assert [row[:3] for row in panel.picture.rows][2] == [ID, "fail", "no_source"]
    assert panel.picture.chart.words == "as recorded: pass throughout; after the edit: fail at argument_provenance"
    panel["hotel_id"].value, panel["taken_out"].value = "HT-002", "all before the search"
    assert panel.picture.summary.startswith("Overall: not_judgeable. Turned: plan_first, ")
