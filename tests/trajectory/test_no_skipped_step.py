"""no_skipped_step: weather, then search, then book; each complete and seen before the booking."""

from __future__ import annotations

import pytest

NAME = "no_skipped_step"
REFUSED = {"error": "try again"}


def steps(make, *calls, **rest):
    """One turn to each call, after a plan."""
    return make.talk(*(make.turn(call) for call in (make.plan(), *calls)), **rest)


@pytest.mark.row("J2")
def test_the_steps_in_order_pass(make):
    """Each step complete before the next."""
    result = make.check(make.good(), NAME)
    assert (str(result.verdict), result.code, result.at) == ("pass", "ok", "/8/tool_calls/0")


def test_searching_without_the_weather_fails(make):
    """The search needs an attempt at the weather before it."""
    result = make.check(make.good(weather=None), NAME)
    assert (str(result.verdict), result.code) == ("fail", "step_missing")
    assert result.reason == "call 1 is 'search_hotels', but 'get_weather' has not run yet"


def test_weather_and_search_may_be_siblings(make):
    """Neither needs the other's result, as long as the weather is listed first."""
    both = make.turn(make.weather(), make.search())
    assert make.verdict(make.talk(make.turn(make.plan()), both, make.turn(make.book())), NAME) == ("pass", "ok")


def test_a_sibling_listed_after_the_search_does_not_help_it(make):
    """The weather must be listed before."""
    both = make.turn(make.search(), make.weather())
    assert make.verdict(make.talk(make.turn(make.plan()), both, make.turn(make.book())), NAME) == (
        "fail",
        "step_missing",
    )


def test_a_sibling_that_fails_had_not_visibly_failed(make):
    """The search could not have known; a weather made good before the booking completes the step."""
    both = make.turn(make.weather(result=REFUSED), make.search())
    rest = [make.turn(make.weather()), make.turn(make.book())]
    assert make.verdict(make.talk(make.turn(make.plan()), both, *rest), NAME) == ("pass", "ok")


def test_searching_after_the_weather_visibly_failed_fails(make):
    """An attempt that is known to have failed is no attempt."""
    result = make.check(steps(make, make.weather(result=REFUSED), make.search(), make.weather(), make.book()), NAME)
    assert (str(result.verdict), result.code) == ("fail", "step_failed")
    assert result.reason == "call 2 is 'search_hotels', but 'get_weather' (call 1) had failed"


def test_retries_are_legal(make):
    """A step is complete when one attempt succeeded, with the same or other arguments."""
    calls = [make.weather(result=REFUSED), make.weather(city="Xian"), make.search(result=REFUSED), make.search()]
    assert make.verdict(steps(make, *calls, make.book(result=REFUSED), make.book()), NAME) == ("pass", "ok")


def test_going_back_to_an_earlier_step_is_legal(make):
    """Weather again after the search, search again after the booking."""
    calls = [make.weather(), make.search(), make.weather(), make.book(), make.search()]
    assert make.verdict(steps(make, *calls), NAME) == ("pass", "ok")


@pytest.mark.row("J2")
def test_completed_steps_survive_planning_again(make):
    """A new plan takes no completed step away."""
    assert make.verdict(steps(make, make.weather(), make.search(), make.plan(), make.book()), NAME) == ("pass", "ok")


@pytest.mark.parametrize("missing", ["weather", "search"])
def test_booking_without_a_step_fails(make, missing):
    """The booking needs both before it."""
    assert make.verdict(make.good(**{missing: None}), NAME) == ("fail", "step_missing")


def test_booking_beside_the_search_fails(make):
    """The search's result was not visible when the booking was made."""
    messages = make.talk(*map(make.turn, [make.plan(), make.weather()]), make.turn(make.search(), make.book()))
    result = make.check(messages, NAME)
    assert (str(result.verdict), result.code) == ("fail", "step_not_visible")
    assert result.reason == "call 3 is 'book_hotel', but the result of 'search_hotels' (call 2) was not yet visible"


def test_booking_beside_an_unreadable_search_fails(make):
    """Whatever the sibling's result was, the booking had not seen it; an unreadable one before leaves a doubt."""
    lost = make.search(result=make.missing)
    beside = make.turn(lost, make.book())
    first = [make.turn(call) for call in (make.plan(), make.weather())]
    assert make.verdict(make.talk(*first, beside), NAME) == ("fail", "step_not_visible")
    assert make.verdict(make.talk(*first, make.turn(lost), beside), NAME) == ("not_judgeable", "result_missing")


def test_a_search_again_beside_the_booking_takes_nothing_away(make):
    """The earlier search was complete and visible."""
    first = [make.turn(call) for call in (make.plan(), make.weather(), make.search())]
    assert make.verdict(make.talk(*first, make.turn(make.search(), make.book())), NAME) == ("pass", "ok")


@pytest.mark.parametrize("broken", ["weather", "search"])
def test_booking_after_a_failed_step_fails(make, broken):
    """A step that only failed is not complete."""
    calls = {"weather": make.weather(), "search": make.search()}
    calls[broken] = make.call(*(("get_weather", {}) if broken == "weather" else ("search_hotels", {})), REFUSED)
    assert make.verdict(steps(make, *calls.values(), make.book()), NAME) == ("fail", "step_failed")


def test_an_attempt_at_booking_counts_even_when_refused(make):
    """A refused booking without a search skipped the search all the same."""
    calls = [make.weather(), make.book(result=REFUSED), make.search(), make.book()]
    assert make.verdict(steps(make, *calls), NAME) == ("fail", "step_missing")


def test_mark_step_completes_nothing(make):
    """Marking a step as done is no substitute for it."""
    mark = make.call("mark_step", {"index": 0, "status": "done"}, {"plan": []})
    assert make.verdict(steps(make, mark, make.search(), make.book()), NAME) == ("fail", "step_missing")


def test_mark_step_skips_nothing(make):
    """Marking a step as failed takes nothing away."""
    mark = make.call("mark_step", {"index": 0, "status": "failed"}, {"plan": []})
    assert make.verdict(steps(make, make.weather(), make.search(), mark, make.book()), NAME) == ("pass", "ok")


@pytest.mark.parametrize("step", ["weather", "search"])
@pytest.mark.parametrize(
    ("result", "code"), [("Sunny", "result_unstructured"), (None, "result_missing"), ('["x"]', "outcome_undeclared")]
)
def test_an_unknown_step_is_not_judgeable(make, step, result, code):
    """Whether the step was complete cannot be told."""
    unknown = getattr(make, step)(result=make.missing if result is None else result)
    assert make.verdict(make.good(**{step: unknown}), NAME) == ("not_judgeable", code)


def test_a_fail_counts_more_than_a_doubt(make):
    """Whether the search had a weather before it is unknown; that the booking had not seen the search is not."""
    first = [make.turn(call) for call in (make.plan(), make.weather(result="Sunny"))]
    messages = make.talk(*first, make.turn(make.search(), make.book()))
    assert make.verdict(messages, NAME) == ("fail", "step_not_visible")


def test_an_unknown_step_beside_a_success_passes(make):
    """One success is enough."""
    calls = [make.weather(result="Sunny"), make.weather(), make.search(), make.book()]
    assert make.verdict(steps(make, *calls), NAME) == ("pass", "ok")


def test_an_unknown_sibling_leaves_the_search_alone(make):
    """A sibling weather without a result cannot have visibly failed; the booking still waits for one."""
    both = make.turn(make.weather(result=make.missing), make.search())
    rest = [make.turn(make.weather()), make.turn(make.book())]
    assert make.verdict(make.talk(make.turn(make.plan()), both, *rest), NAME) == ("pass", "ok")
    assert make.verdict(make.talk(make.turn(make.plan()), both, rest[1]), NAME) == ("not_judgeable", "result_missing")


@pytest.mark.row("P84")
def test_a_run_that_never_books_is_unfinished(make):
    """No booking attempted fails, also in a run without any call."""
    assert make.verdict(make.good(book=None), NAME) == ("fail", "unfinished")
    result = make.check(make.talk(make.says("Done, booked.")), NAME)
    assert (str(result.verdict), result.code, result.at) == ("fail", "unfinished", "")
    assert result.reason == "'book_hotel' was never called"


def test_nothing_to_book_does_not_apply(make):
    """Where the last search found nothing there is nothing to book."""
    result = make.check(make.good(search=make.search(ids=()), book=None), NAME)
    assert (str(result.verdict), result.code) == ("not_applicable", "nothing_to_book")
    assert result.reason == "'search_hotels' (call 2) returned no hotels, so there was nothing left for 'book_hotel'"


def test_the_last_successful_search_decides_what_there_is_to_book(make):
    """A failed search after it changes nothing; a search that found something does."""
    empty, refused = make.search(ids=()), make.search(result=REFUSED)
    assert make.verdict(steps(make, make.weather(), empty, refused), NAME) == ("not_applicable", "nothing_to_book")
    assert make.verdict(steps(make, make.weather(), empty, make.search()), NAME) == ("fail", "unfinished")


@pytest.mark.row("R19")
@pytest.mark.parametrize(
    ("result", "code"),
    [
        ({"hotels": [], "next_page": "2"}, "result_truncated"),
        ({"hotels": [], "_compacted": True}, "result_compacted"),
        ("none", "result_unstructured"),
    ],
)
def test_an_empty_part_of_a_result_proves_nothing(make, result, code):
    """Whether there was anything to book cannot be told from a part."""
    assert make.verdict(make.good(search=make.search(result=result), book=None), NAME) == ("not_judgeable", code)


@pytest.mark.row("J8")
def test_a_cut_head_never_fails_by_what_is_absent(make):
    """Steps, and the booking itself, may have stood in what was cut."""
    assert make.verdict(make.good()[6:], NAME) == ("not_judgeable", "head_truncated")
    assert make.verdict(make.good(book=None)[4:], NAME) == ("not_judgeable", "head_truncated")


@pytest.mark.row("R6")
def test_a_lost_call_may_have_been_the_step(make):
    """A result whose call is gone leaves a hole in which the step may have stood."""
    messages = make.good()
    del messages[4]
    assert make.verdict(messages, NAME) == ("not_judgeable", "orphan_result")
