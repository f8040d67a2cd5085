"""K2, X8: the panel calls the function that the tests call, shows its events, and resets in one press."""

from __future__ import annotations

import json

import pytest

from toolkit.lab.failure_course import LAYER_TITLES, run_fault
from toolkit.lab.failure_ending import ending_of
from toolkit.lab.failure_panel import NO_PREDICTION, FailurePanel, Prediction, show_courses, timeline
from toolkit.lab.faults import FAULTS

ONE, TWO, THREE = LAYER_TITLES


def injected(prediction="done", **values):
    """A panel after these were chosen and Inject was pressed."""
    panel = FailurePanel()
    for name, value in {**values, "prediction": prediction}.items():
        panel[name].value = value
    panel.run.click()
    assert panel.error is None
    return panel


@pytest.mark.row("K2", "X8")
@pytest.mark.parametrize("fault", FAULTS)
def test_the_panel_and_its_headless_twin_log_the_same_events(fault):
    """Whatever is chosen: courses, events included, are those of `run_fault` with the same arguments."""
    panel = injected(layer=THREE, fault=fault, probability=0.5, count=3, seed=3, runs=4)
    seconds = {"seconds": 1.0} if fault in ("latency", "rate_limit") else {}
    alone = run_fault(THREE, fault, probability=0.5, count=3, seed=3, runs=4, **seconds)
    assert [course.events for course in panel.courses] == [course.events for course in alone]
    assert panel.courses == alone


@pytest.mark.row("K2")
def test_nothing_is_injected_before_a_prediction():
    """The reader is asked first, with the words and what they mean."""
    panel = FailurePanel()
    panel.run.click()
    assert panel["prediction"].value == NO_PREDICTION
    assert panel.picture.summary == "Predict how it will end, then press Inject."
    assert (panel.courses, panel.history) == ([], [])


@pytest.mark.row("K2", "X8")
def test_a_prediction_is_compared_with_what_came():
    """Wrong and right, each in words; the score counts both."""
    panel = injected("refused", layer=ONE, fault="result_lost")
    assert panel.picture.summary == (
        "You predicted 'refused', which is wrong. It ended as 'hidden': done, and the model was told that it failed."
    )
    panel["layer"].value, panel["prediction"].value = THREE, "unsure"
    panel.run.click()
    assert panel.picture.summary == (
        "You predicted 'unsure', which is right. It ended as 'unsure': the model was told that nobody knows."
    )
    assert panel.history[0] == Prediction(ONE, "result_lost", "book_hotel", "refused", "hidden")
    assert panel.score.value == "<p>Predicted right: 1 of 2.</p>"


@pytest.mark.row("K2", "X8")
def test_the_picture_tells_life_log_line_answer_store_and_checks():
    """A numbered row per event, then the four things a reader compares."""
    panel = injected(layer=THREE, fault="hang")
    rows = [list(map(str, row)) for row in panel.picture.rows]
    assert rows[0] == ["1", "0.60", "model", "calls book_hotel"]
    assert rows[2][:3] == ["3", "5.60", "model"]
    told, line, store, control = (row[3] for row in rows[-4:])
    assert json.loads(told)["status"] == json.loads(line)["status"] == "outcome_unknown"
    assert (store, control) == ("0 bookings", "answer pass, outcome fail, checks: pass")
    assert json.loads(line)["injected"] == "hang"


@pytest.mark.row("X8")
def test_on_layer_1_there_is_no_log_line_and_a_hang_has_no_answer():
    """What is missing is said, not left out."""
    rows = injected(layer=ONE, fault="hang").picture.rows
    assert [row[3] for row in rows if row[2] == "log line"] == ["none"]
    assert [row[3] for row in rows if row[2] == "told"] == ["nothing"]


@pytest.mark.row("X8")
def test_of_several_runs_the_first_that_was_struck_is_shown():
    """How many were struck, how they ended, and which one is seen."""
    panel = injected(
        "refused", layer=ONE, fault="flaky", tool="search_hotels", probability=0.3, seed=1, runs=6, count=6
    )
    struck = [number for number, course in enumerate(panel.courses, 1) if course.struck]
    ending = f"Struck: {len(struck)} of 6 runs ({len(struck)} refused). Shown: run {struck[0]}."
    assert 1 <= len(struck) < 6
    assert panel.picture.summary.endswith(ending)


@pytest.mark.row("K2", "X8", "F30")
def test_one_reset_brings_everything_back():
    """Controls, courses, history, score and picture are those of a new panel."""
    panel = injected(layer=THREE, fault="hang", runs=3, seed=5, key=False)
    panel.reset_all.click()
    new = FailurePanel()
    assert panel.values == new.values
    assert (panel.courses, panel.history, panel.score.value) == ([], [], "")
    assert repr(panel) == repr(new)


@pytest.mark.row("K2", "X8")
def test_the_static_twin_shows_the_same_without_a_kernel():
    """Text and HTML hold the table and the figure in words; every control has a label in words."""
    panel = injected(layer=TWO, fault="duplicate_delivery")
    bundle = panel._repr_mimebundle_()
    assert "It ended as &#x27;twice&#x27;" in bundle["text/html"]
    assert "a booking is written" in bundle["text/plain"]
    assert repr(panel.picture.chart) == f"Figure: {panel.picture.chart.words}"
    assert [control.description for control in panel.controls.values() if not control.description] == []
    assert panel.reset_all.tooltip == "Reset: no fault, no prediction, no history"


def test_the_timeline_says_every_event_in_words():
    """Who cannot see the marks reads them."""
    (course,) = run_fault(THREE, "rate_limit")
    words = timeline(course).words
    assert words.count(";") == len(course.events) - 1
    assert "0.60 s layer begins an attempt, struck by rate_limit; 1.60 s layer begins an attempt; " in words
    assert show_courses([course]).summary == "It ended as 'done': done once, and the model was told so."
    assert ending_of(course) == "done"
