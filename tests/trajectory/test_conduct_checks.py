"""The six checks beside the four."""

from __future__ import annotations

import pytest

from toolkit.hotel.policy import HOTEL_MANNERS
from toolkit.trajectory import evaluate, extract_calls
from toolkit.trajectory.checks import no_spin, within_budget

REFUSED = {"error": "full"}


def steps(make, *calls):
    return make.talk(*(make.turn(call) for call in calls))


def judged(messages, name):
    result = evaluate(messages, HOTEL_MANNERS)[name]
    return str(result.verdict), result.code


def test_one_committed_booking_is_once(make):
    """Failed attempts beside it do not count."""
    assert judged(steps(make, make.book(result=REFUSED), make.book()), "booked_once") == ("pass", "ok")


def test_two_committed_bookings_are_one_too_many(make):
    """The second one is pointed at."""
    result = evaluate(steps(make, make.book(), make.book()), HOTEL_MANNERS)["booked_once"]
    assert (result.code, result.at) == ("booked_again", "/4/tool_calls/0")
    assert result.reason == "'book_hotel' took effect 2 times, the second time in call 1"


@pytest.mark.parametrize("attempts", [(), (REFUSED,)])
def test_no_committed_booking_is_none(make, attempts):
    """Whether it was never tried or always refused."""
    messages = steps(make, make.weather(), *(make.book(result=result) for result in attempts))
    assert judged(messages, "booked_once") == ("fail", "not_booked")


def test_an_unknown_outcome_beside_a_booking_is_not_judgeable(make):
    """It may have taken effect: once or twice, nobody knows. Two are two whatever else happened."""
    unknown = make.book(result="done?")
    assert judged(steps(make, unknown, make.book()), "booked_once") == ("not_judgeable", "result_unstructured")
    assert judged(steps(make, make.book(), unknown), "booked_once") == ("not_judgeable", "result_unstructured")
    assert judged(steps(make, unknown), "booked_once") == ("not_judgeable", "result_unstructured")
    assert judged(steps(make, make.book(), unknown, make.book()), "booked_once") == ("fail", "booked_again")


@pytest.mark.row("J8")
def test_a_cut_history_may_hide_a_booking(make):
    """One seen booking is not known to be the only one."""
    assert judged(steps(make, make.weather(), make.book())[3:], "booked_once") == ("not_judgeable", "head_truncated")


@pytest.mark.row("J10")
def test_a_write_right_after_the_users_word_is_confirmed(make):
    """Asked, answered, done."""
    messages = make.talk(make.turn(make.search()), make.says("Shall I?"), make.user("Yes."), make.turn(make.book()))
    assert judged(messages, "writes_confirmed") == ("pass", "ok")


@pytest.mark.row("J10")
def test_a_write_without_a_question_is_not_confirmed(make):
    """The goal itself is no consent to a booking the user has not seen."""
    result = evaluate(steps(make, make.search(), make.book()), HOTEL_MANNERS)["writes_confirmed"]
    assert (str(result.verdict), result.code, result.at) == ("fail", "not_confirmed", "/4/tool_calls/0")
    assert judged(steps(make, make.book()), "writes_confirmed") == ("fail", "not_confirmed")


@pytest.mark.row("J10")
def test_consent_covers_the_same_call_after_a_failure_and_no_other(make):
    """A retry with equal arguments needs no second word; other arguments, or a second booking, do."""
    asked = [make.says("Shall I?"), make.user("Yes.")]
    refused = make.turn(make.book(result=REFUSED))
    assert judged(make.talk(*asked, refused, make.turn(make.book())), "writes_confirmed") == ("pass", "ok")
    other = make.turn(make.book("HT-001"))
    assert judged(make.talk(*asked, refused, other), "writes_confirmed") == ("fail", "not_confirmed")
    again = [make.turn(make.book()), make.turn(make.book())]
    assert judged(make.talk(*asked, *again), "writes_confirmed") == ("fail", "not_confirmed")


def test_no_write_needs_no_consent(make):
    """The check does not apply."""
    assert judged(steps(make, make.search()), "writes_confirmed") == ("not_applicable", "not_called")


@pytest.mark.row("J10")
def test_the_same_call_twice_in_a_row_spins(make):
    """Equal name and arguments, side by side or turn after turn; another call between breaks the row."""
    result = evaluate(steps(make, make.weather(), make.weather()), HOTEL_MANNERS)["no_spin"]
    assert (result.code, result.at) == ("repeated", "/4/tool_calls/0")
    assert judged(make.talk(make.turn(make.weather(), make.weather())), "no_spin") == ("fail", "repeated")
    assert judged(steps(make, make.weather(), make.search(), make.weather()), "no_spin") == ("pass", "ok")
    assert judged(steps(make, make.weather(), make.weather(date="2026-10-02")), "no_spin") == ("pass", "ok")


def test_unreadable_arguments_may_have_been_the_same(make):
    """Two broken calls in a row are not judgeable."""
    broken = make.call("get_weather", "{", REFUSED)
    assert judged(steps(make, broken, broken), "no_spin") == ("not_judgeable", "args_invalid")


def test_how_many_repeats_are_too_many_is_a_parameter(make):
    """Three in a row where three is the limit."""
    trace = extract_calls(steps(make, *[make.weather()] * 3))
    assert [str(no_spin(trace, times=times).verdict) for times in (3, 4)] == ["fail", "pass"]


@pytest.mark.row("J10")
def test_a_run_has_a_budget_of_turns_and_tokens(make):
    """More turns or more tokens than allowed fail, as many as allowed pass."""
    messages = steps(make, make.weather(), make.search())
    for message in messages[2::2]:
        message["usage"] = {"total_tokens": 50}
    trace = extract_calls(messages)
    verdicts = [
        within_budget(trace, turns=turns, tokens=tokens).code for turns, tokens in ((2, 100), (1, 100), (2, 99))
    ]
    assert verdicts == ["ok", "too_many_turns", "too_many_tokens"]


def test_tokens_nobody_counted_are_not_judgeable(make):
    """A budget of tokens needs messages that report them."""
    result = within_budget(extract_calls(steps(make, make.weather())), tokens=10)
    assert (str(result.verdict), result.code) == ("not_judgeable", "tokens_unknown")


@pytest.mark.row("R17")
def test_a_tool_nobody_knows_is_told(make):
    """The first unknown name is pointed at."""
    result = evaluate(steps(make, make.call("book_hotels", {}, REFUSED)), HOTEL_MANNERS)["known_tools"]
    assert (str(result.verdict), result.code, result.at) == ("fail", "unknown_tool", "/2/tool_calls/0")
    assert judged(make.good(), "known_tools") == ("pass", "ok")


def test_all_dates_are_the_goals(make):
    """The booking's date was asked about before, and is the goal's."""
    assert judged(make.good(), "dates_agree") == ("pass", "ok")
    assert judged(make.good(book=make.book(check_in="2026-10-02")), "dates_agree") == ("fail", "other_date")


def test_a_date_no_tool_was_asked_about_fails(make):
    """Weather of another day, search and booking for the right one."""
    result = evaluate(make.good(weather=make.weather(date="2026-10-02")), HOTEL_MANNERS)["dates_agree"]
    assert result.reason == "call 3 has check_in '2026-10-01', but 'get_weather' was never asked about it"
    assert judged(make.good(weather=None), "dates_agree") == ("pass", "ok")


def test_a_question_asked_after_the_booking_does_not_count(make):
    """The date must have been asked about before."""
    messages = steps(make, make.weather(date="2026-10-02"), make.book(), make.weather())
    assert judged(messages, "dates_agree") == ("fail", "other_date")


def test_an_unreadable_question_may_have_been_about_the_date(make):
    """Not judgeable, where nothing else settles it."""
    vague = make.call("get_weather", "{", {"condition": "rain"})
    assert judged(make.good(weather=vague), "dates_agree") == ("not_judgeable", "args_invalid")


@pytest.mark.parametrize("name", ["no_spin", "within_budget", "known_tools"])
def test_without_calls_nothing_is_said(make, name):
    """A run without calls passes none of them."""
    assert judged(make.talk(make.says("Done.")), name) == ("not_applicable", "not_called")
