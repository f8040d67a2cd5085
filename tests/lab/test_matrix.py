"""The control matrix, produced by replaying every control through every protection."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from toolkit.hotel import World, hotel_registry
from toolkit.hotel.controls import CONTROLS, EXPECTED, load_control
from toolkit.lab import matrix, protections
from toolkit.lab.matrix import Cell, control_matrix
from toolkit.lab.protections import PROTECTIONS
from toolkit.lab.recorded_judge import cases_of
from toolkit.quality.case import prompt_for
from toolkit.records import Status

RAN, STOPPED, FOUND = "ran", "stopped before execution (context_error)", "found afterwards ({})"
SKIPPED = FOUND.format("no_skipped_step, argument_provenance, room_matches_weather")
EXPECTED_CELLS = {
    "ok": [RAN, RAN, RAN, RAN, RAN],
    "skip": [RAN, RAN, RAN, STOPPED, SKIPPED],
    "fabricated_id": [RAN, RAN, RAN, STOPPED, FOUND.format("argument_provenance")],
    "wrong_room": [RAN, RAN, RAN, RAN, FOUND.format("room_matches_weather")],
    "no_plan": [RAN, RAN, RAN, RAN, FOUND.format("plan_first")],
}


@pytest.mark.row("K1")
@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_cell(language):
    """Layers alone stop none; the hook stops what has no source; the checks find every bad run, in both languages."""
    produced = control_matrix(language=language)
    shown = {name: [str(produced[name, each]) for each in PROTECTIONS] for name in CONTROLS}
    assert shown == EXPECTED_CELLS


@pytest.mark.row("K1")
def test_found_afterwards_is_exactly_the_expected_set():
    """A replay under the checks fails what the recording fails, no more and no less."""
    produced = control_matrix("checks")
    assert {name: frozenset(produced[name, "checks"].by) for name in CONTROLS} == {
        name: EXPECTED[name].fails for name in CONTROLS
    }


@pytest.mark.row("E1")
def test_what_was_stopped_left_no_booking():
    """Stopped before execution is true of the store, not only of the status."""
    produced = control_matrix("gateway", "hook")
    bookings = {name: [produced[name, each].bookings for each in ("gateway", "hook")] for name in CONTROLS}
    assert bookings == {"ok": [1, 1], "skip": [1, 0], "fabricated_id": [0, 0], "wrong_room": [1, 1], "no_plan": [1, 1]}


@pytest.mark.parametrize("name", PROTECTIONS)
def test_a_replay_of_ok_gives_what_was_recorded(name):
    """The good run comes out message by message as it was recorded, through whatever it is sent."""
    replayed = asyncio.run(PROTECTIONS[name].replay(load_control("ok"), World()))
    assert replayed.messages == load_control("ok")
    assert len(replayed.reached) == len(replayed.results) == 7


def test_a_call_the_tools_never_saw_counts_as_stopped(monkeypatch):
    """A booking tool that is not there stops even the good run, with the gateway's own status."""

    def without_booking(world):
        registry = hotel_registry(world)
        registry.remove("book_hotel")
        return registry

    monkeypatch.setattr(protections, "hotel_registry", without_booking)
    cell = matrix.replay("ok", PROTECTIONS["gateway"])
    assert cell == Cell("stopped before execution", (Status.UNKNOWN_TOOL.value,), bookings=0)


def test_the_table_can_be_read_without_colour():
    """Text and HTML hold a sentence, the column titles and one row per control."""
    produced = control_matrix("registry", "schema")
    assert repr(produced) == (
        "Of 4 bad runs, caught: registry 0, schema 0.\n"
        "control | 1 registry | 2 schema\n"
        "ok | ran | ran\n"
        "skip | ran | ran\n"
        "fabricated_id | ran | ran\n"
        "wrong_room | ran | ran\n"
        "no_plan | ran | ran"
    )
    cells = '>skip</td><td style="text-align: left">ran</td><td style="text-align: left">ran</td>'
    assert cells in produced._repr_html_()


def test_an_unknown_protection_lists_those_there_are():
    """A mistyped name says what can be asked for."""
    there_are = "registry, schema, gateway, hook, checks, confirm, pipeline, model"
    with pytest.raises(LookupError, match=rf"^no protection 'schemas'; there are: {there_are}$"):
        control_matrix("schemas")


def test_a_protection_that_judges_can_be_any(monkeypatch):
    """Judging is a property of the column, not of the gateway: layer 1 with the checks finds the same."""
    judged = replace(PROTECTIONS["registry"], judges=True)
    assert str(matrix.replay("skip", judged)) == SKIPPED


@pytest.mark.row("K1", "S3")
def test_asking_the_user_stops_good_and_bad_alike():
    """A confirmation is no judge: all five bookings wait for a word, the right one too, and nothing stands."""
    produced = control_matrix("confirm")
    assert {str(produced[name, "confirm"]) for name in CONTROLS} == {"stopped before execution (needs_confirmation)"}
    assert {produced[name, "confirm"].bookings for name in CONTROLS} == {0}


@pytest.mark.row("K1", "E1")
@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_pipeline_stops_what_its_provenance_hook_stops(language):
    """Its other hooks and its rules stop no good run and find nothing more in these: each answer is a good answer."""
    produced = control_matrix("hook", "pipeline", language=language)
    assert [produced[name, "pipeline"] for name in CONTROLS] == [produced[name, "hook"] for name in CONTROLS]


@pytest.mark.row("K1", "V7")
@pytest.mark.parametrize(
    ("language", "found"),
    [
        (
            "en",
            {
                "ok": ("search_hotels", "book_hotel"),
                "skip": ("book_hotel",),
                "fabricated_id": ("search_hotels",),
                "wrong_room": ("search_hotels", "book_hotel"),
                "no_plan": ("search_hotels", "book_hotel"),
            },
        ),
        (
            "zh",
            {
                "ok": ("get_weather",),
                "skip": (),
                "fabricated_id": ("get_weather",),
                "wrong_room": ("get_weather", "book_hotel"),
                "no_plan": ("get_weather",),
            },
        ),
    ],
)
def test_the_recorded_model_objects_to_right_and_wrong_runs_alike(language, found):
    """It objects to the good run, and lets the booking of an invented hotel through, in both languages."""
    produced = control_matrix("model", language=language)
    assert {name: produced[name, "model"].by for name in CONTROLS} == found


@pytest.mark.row("V7")
@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_judge_of_calls_cannot_tell_a_right_run_from_a_wrong_one(language):
    """The bookings of `ok`, `skip` and `no_plan` make the same prompt, to the letter, so any judge says the same."""
    bookings = {prompt_for(cases_of(load_control(name, language))[-1]) for name in ("ok", "skip", "no_plan")}
    assert len(bookings) == 1
