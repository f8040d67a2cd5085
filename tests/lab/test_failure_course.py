"""K2, X8: a fault on a layer, from the model's call to what the checks say; the same arguments, the same events."""

from __future__ import annotations

import json
import re

import pytest

from toolkit.lab.failure_course import LAYER_TITLES, TARGETS, Event, run_fault
from toolkit.lab.failure_ending import SECRET, ending_of, judged
from toolkit.lab.faults import FAULTS

ONE, TWO, THREE = LAYER_TITLES


@pytest.mark.row("K2", "X8")
def test_the_life_of_a_lost_answer():
    """Asked, reached, booked, answered, and then the answer is gone: event by event, second by second."""
    (course,) = run_fault(THREE, "result_lost")
    told = "is told book_hotel cannot reach something it needs (ConnectionRes..."
    assert course.events == [
        Event(0.6, "model", "calls book_hotel"),
        Event(0.6, "layer", "begins an attempt, struck by result_lost"),
        Event(0.6, "tool", "is reached"),
        Event(0.7, "store", "a booking is written"),
        Event(0.8, "tool", "answers"),
        Event(0.8, "model", told),
    ]
    assert course.bookings == 1
    assert judged(course) == "answer pass, outcome fail, checks: pass"


@pytest.mark.row("X8", "F30")
@pytest.mark.parametrize("layer", LAYER_TITLES)
@pytest.mark.parametrize("fault", FAULTS)
def test_the_same_experiment_gives_the_same_course(layer, fault):
    """Events, answers, log lines, history and bookings are equal; only what depends on a new key is not shown."""
    first, second = (run_fault(layer, fault)[0] for _ in range(2))
    assert first == second
    assert first.struck == 1
    assert first.messages


@pytest.mark.row("X8")
def test_probability_seed_and_count_choose_the_same_runs():
    """Three of ten at most, the same ones for the same seed, others for another; the rest are undisturbed."""

    def struck(seed):
        courses = run_fault(ONE, "flaky", tool="search_hotels", probability=0.3, count=3, seed=seed, runs=10)
        assert {ending_of(course) for course in courses if not course.struck} == {"done"}
        return [number for number, course in enumerate(courses) if course.struck]

    assert struck(4) == struck(4) != struck(5)
    assert len(struck(4)) <= 3
    assert struck(4)


@pytest.mark.row("X8")
def test_a_count_strikes_attempts_one_after_another():
    """Two failures, then success: on layer 3 the third attempt answers, on layer 1 there is no second."""
    third = run_fault(THREE, "flaky", tool="search_hotels", count=2)[0]
    first = run_fault(ONE, "flaky", tool="search_hotels", count=2)[0]
    assert [ending_of(course) for course in (third, first)] == ["done", "refused"]
    assert [event.what for event in third.events if event.where == "layer"] == [
        "begins an attempt, struck by flaky",
        "begins an attempt, struck by flaky",
        "begins an attempt",
    ]


@pytest.mark.row("X8")
def test_without_a_fault_the_run_is_that_of_the_control():
    """A fault that never strikes leaves answer, outcome and all checks at pass, on every layer and for every tool."""
    for layer in LAYER_TITLES:
        for tool in TARGETS:
            (course,) = run_fault(layer, "exception", tool=tool, probability=0.0)
            assert (ending_of(course), course.struck, course.bookings) == ("done", 0, 1)
            assert judged(course) == "answer pass, outcome pass, checks: pass"


@pytest.mark.row("X8")
def test_only_layer_3_writes_a_log_line_and_it_is_marked():
    """What was put in is named in the line; the line holds no secret and no text of an exception."""
    (course,) = run_fault(THREE, "secret_in_error")
    assert [(record["injected"], record["error_type"]) for record in course.log] == [("secret_in_error", "ValueError")]
    assert SECRET not in json.dumps([course.log, course.messages])
    assert [run_fault(layer, "secret_in_error")[0].log for layer in (ONE, TWO)] == [[], []]


@pytest.mark.row("X8")
def test_a_spoiled_call_stands_in_the_history_as_it_was_sent():
    """The checks judge what the model sent: a name that no tool has, an argument that is not there."""
    (course,) = run_fault(TWO, "unknown_tool")
    names = [call["function"]["name"] for message in course.messages for call in message.get("tool_calls") or []]
    assert "book_hotels" in names
    assert judged(course) == "answer pass, outcome fail, checks: no_skipped_step fail"


@pytest.mark.row("X8")
def test_a_second_delivery_is_not_in_the_history():
    """Two bookings stand in the store, the model's history holds one, and so the checks have nothing to say."""
    (course,) = run_fault(TWO, "duplicate_delivery")
    assert (course.bookings, len(course.told)) == (2, 2)
    assert sum("BK-" in str(message.get("content")) for message in course.messages if message["role"] == "tool") == 1
    assert judged(course) == "answer pass, outcome pass, checks: pass"


@pytest.mark.row("X8")
@pytest.mark.parametrize(
    ("fault", "layer", "stopped"),
    [("hang", ONE, "no answer comes, ever"), ("cancellation", TWO, "the run ends in CancelledError")],
)
def test_a_run_that_does_not_come_to_its_end_says_why(fault, layer, stopped):
    """The last event says it, and the history holds a call without an answer."""
    (course,) = run_fault(layer, fault)
    assert (course.stopped, course.events[-1].what) == (stopped, stopped)
    assert course.messages[-1]["tool_calls"][0]["function"]["name"] == "book_hotel"


@pytest.mark.row("X8")
def test_without_a_key_a_second_delivery_books_twice_on_layer_3_too():
    """The gateway knows one order from two by its key alone."""
    with_key, without = (run_fault(THREE, "duplicate_delivery", key=key)[0] for key in (True, False))
    assert [ending_of(course) for course in (with_key, without)] == ["done", "twice"]


@pytest.mark.row("X8")
def test_a_late_answer_within_the_limit_is_an_answer():
    """Two seconds late is late; after five the gateway stops waiting, and layer 1 never does."""
    within, beyond = (run_fault(THREE, "latency", seconds=seconds)[0] for seconds in (2.0, 9.0))
    patient = run_fault(ONE, "latency", seconds=9.0)[0]
    assert [ending_of(course) for course in (within, beyond, patient)] == ["done", "unsure", "done"]
    assert [course.events[-1].at_s for course in (within, beyond, patient)] == [2.8, 5.6, 9.8]


@pytest.mark.row("X8")
def test_an_exception_told_word_for_word_would_be_seen_as_a_leak():
    """The ending looks for the secret itself in what the model was told."""
    (course,) = run_fault(ONE, "secret_in_error")
    course.told = [json.dumps({"error": f"GET https://api.invalid/rooms?key={SECRET} 401"})]
    assert ending_of(course) == "leaked"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("4 cloud", "hang"), f"There is no layer '4 cloud'. Layers: {', '.join(LAYER_TITLES)}."),
        ((ONE, "earthquake"), f"There is no fault 'earthquake'. Faults: {', '.join(FAULTS)}."),
    ],
)
def test_an_experiment_that_cannot_be_made_is_refused(arguments, message):
    """With the names there are."""
    with pytest.raises(ValueError, match=re.escape(message)):
        run_fault(*arguments)
