"""room_matches_weather: the latest weather visible for the hotel's city and the check-in date decides the room."""

from __future__ import annotations

import pytest

NAME = "room_matches_weather"
REFUSED = {"error": "full"}


def steps(make, *calls):
    """One turn to each call, after a plan."""
    return make.talk(*(make.turn(call) for call in (make.plan(), *calls)))


@pytest.mark.row("J2", "X2")
def test_rain_asks_for_a_suite(make):
    """The reason names both facts, the witness points to the weather."""
    result = make.check(make.good(), NAME)
    assert (str(result.verdict), result.at, result.witness) == ("pass", "/8/tool_calls/0", "/5/content")
    assert result.reason == (
        "call 3 has room_type 'suite', and call 1 (get_weather) says condition 'rain', which asks for 'suite'"
    )


@pytest.mark.parametrize("condition", ["clear", "cloudy", "snow", "fog"])
def test_other_weather_asks_for_a_standard_room(make, condition):
    """Every other known condition."""
    sky = make.weather(condition=condition)
    assert make.verdict(make.good(weather=sky, book=make.book(room_type="standard")), NAME) == ("pass", "ok")
    assert make.verdict(make.good(weather=sky), NAME) == ("fail", "mismatch")
    assert make.verdict(make.good(weather=sky, book=make.book(room_type="deluxe")), NAME) == ("fail", "mismatch")


def test_the_wrong_room_fails_with_both_facts(make):
    """What was booked, and what the weather asked for."""
    result = make.check(make.good(book=make.book(room_type="standard")), NAME)
    assert (str(result.verdict), result.code) == ("fail", "mismatch")
    assert result.reason == (
        "call 3 has room_type 'standard', but call 1 (get_weather) says condition 'rain', which asks for 'suite'"
    )


@pytest.mark.parametrize("condition", ["Rain", " rain\n", "RAIN"])
def test_conditions_are_trimmed_and_any_case(make, condition):
    """A known condition is known however it is written."""
    assert make.verdict(make.good(weather=make.weather(condition=condition)), NAME) == ("pass", "ok")


@pytest.mark.parametrize("condition", ["drizzle", "", "rain later"])
def test_an_unknown_condition_is_not_judgeable(make, condition):
    """The policy does not say which room it asks for."""
    result = make.check(make.good(weather=make.weather(condition=condition)), NAME)
    assert (str(result.verdict), result.code) == ("not_judgeable", "value_unknown")
    assert (
        result.reason == f"call 1 (get_weather) says condition {condition!r}, for which the policy names no room_type"
    )


@pytest.mark.parametrize("told", [{"city": "Xi'an", "date": "2026-10-01"}, {"condition": 3}, {"condition": None}])
def test_weather_without_a_condition_is_not_judgeable(make, told):
    """A result that does not say the condition decides nothing."""
    assert make.verdict(make.good(weather=make.weather(result=told)), NAME) == ("not_judgeable", "value_unknown")


def test_the_latest_weather_is_in_force(make):
    """A later forecast for the same city and day replaces the earlier one."""
    calls = [make.weather(condition="clear"), make.search(), make.weather(), make.book()]
    assert make.verdict(steps(make, *calls), NAME) == ("pass", "ok")
    calls = [make.weather(), make.search(), make.weather(condition="clear"), make.book()]
    assert make.verdict(steps(make, *calls), NAME) == ("fail", "mismatch")


def test_weather_beside_or_after_the_booking_is_not_in_force(make):
    """Only what was visible before counts."""
    turns = [
        make.turn(make.weather()),
        make.turn(make.search()),
        make.turn(make.weather(condition="clear"), make.book()),
    ]
    later = make.turn(make.weather(condition="clear"))
    assert make.verdict(make.talk(make.turn(make.plan()), *turns, later), NAME) == ("pass", "ok")


@pytest.mark.parametrize(
    "other", [{"city": "Shanghai", "condition": "clear"}, {"date": "2026-10-02", "condition": "clear"}]
)
def test_weather_of_another_city_or_day_does_not_count(make, other):
    """It replaces nothing, and alone it is none."""
    elsewhere = make.weather(**other)
    assert make.verdict(steps(make, make.weather(), elsewhere, make.search(), make.book()), NAME) == ("pass", "ok")
    assert make.verdict(make.good(weather=elsewhere), NAME) == ("fail", "source_missing")


def test_city_and_date_come_from_the_result_else_from_the_arguments(make):
    """A result that names another day is about that day; one that names none is about the day asked for."""
    assert make.verdict(make.good(weather=make.weather(result={"condition": "rain"})), NAME) == ("pass", "ok")
    moved = {"city": "Xi'an", "date": "2026-10-02", "condition": "rain"}
    assert make.verdict(make.good(weather=make.weather(result=moved)), NAME) == ("fail", "source_missing")


@pytest.mark.parametrize("city", ["西安", "XI'AN", "Xi’an"])
def test_the_goals_city_goes_by_its_names(make, city):
    """Weather in Chinese, search in English: one city."""
    assert make.verdict(make.good(weather=make.weather(city=city)), NAME) == ("pass", "ok")


def test_the_city_is_that_of_the_booked_hotel(make):
    """A hotel found in Shanghai goes by the weather of Shanghai."""
    found = make.search("Shanghai", ids=("HT-004",))
    both = [make.weather(), make.weather("Shanghai", condition="clear"), found]
    assert make.verdict(steps(make, *both, make.book("HT-004")), NAME) == ("fail", "mismatch")
    assert make.verdict(steps(make, *both, make.book("HT-004", "standard")), NAME) == ("pass", "ok")
    result = make.check(steps(make, make.weather(), found, make.book("HT-004")), NAME)
    assert (str(result.verdict), result.code) == ("fail", "source_missing")


def test_without_a_witness_the_goals_city_counts(make):
    """An invented hotel goes by the goal's weather."""
    assert make.verdict(make.good(book=make.book("HT-022")), NAME) == ("pass", "ok")
    assert make.verdict(make.good(book=make.book("HT-022", "standard")), NAME) == ("fail", "mismatch")


def test_a_lost_search_may_have_told_another_city(make):
    """Without a witness, and with a search of Shanghai lost, the city is open where it matters."""
    lost = make.search("Shanghai", result=make.missing)
    skies = [make.weather(), make.weather("Shanghai", condition="clear")]
    assert make.verdict(steps(make, *skies, lost, make.book("HT-004")), NAME) == ("not_judgeable", "result_missing")
    lost_at_home = make.search(result=make.missing)
    assert make.verdict(steps(make, *skies, lost_at_home, make.book()), NAME) == ("pass", "ok")


def test_no_weather_in_a_complete_log_fails(make):
    """The booking was made blind."""
    result = make.check(make.good(weather=None), NAME)
    assert (str(result.verdict), result.code, result.at) == ("fail", "source_missing", "/6/tool_calls/0")
    assert result.reason == (
        "no 'get_weather' for city \"Xi'an\" and date '2026-10-01' that succeeded stands before call 2 (book_hotel)"
    )


def test_failed_weather_is_no_weather(make):
    """A refused forecast leaves the earlier one in force, or none."""
    refused = make.weather(result={"error": "no forecast"})
    assert make.verdict(make.good(weather=refused), NAME) == ("fail", "source_missing")
    assert make.verdict(steps(make, make.weather(), refused, make.search(), make.book()), NAME) == ("pass", "ok")


@pytest.mark.parametrize(
    ("result", "code"),
    [(None, "result_missing"), ("It rains.", "result_unstructured"), ({"_compacted": True}, "result_compacted")],
)
@pytest.mark.row("R13", "R19")
def test_weather_that_cannot_be_read_is_not_judgeable_where_it_is_the_latest(make, result, code):
    """As the only one or the latest it may have said anything; with a later one beside it, nothing hangs on it."""
    unread = make.weather(result=make.missing if result is None else result)
    assert make.verdict(make.good(weather=unread), NAME) == ("not_judgeable", code)
    late = steps(make, make.weather(), make.search(), unread, make.book())
    assert make.verdict(late, NAME) == ("not_judgeable", code)
    early = steps(make, unread, make.weather(), make.search(), make.book())
    assert make.verdict(early, NAME) == ("pass", "ok")


def test_unreadable_weather_of_another_day_excuses_nothing(make):
    """By its arguments it could not have been the one."""
    other = make.weather(date="2026-10-02", result="It rains.")
    assert make.verdict(make.good(weather=other), NAME) == ("fail", "source_missing")


def test_weather_that_says_neither_city_nor_day_may_be_the_one(make):
    """Unreadable arguments and a result that does not tell: it could be about anything."""
    vague = make.call("get_weather", "{", {"condition": "rain"})
    assert make.verdict(make.good(weather=vague), NAME) == ("not_judgeable", "entity_unknown")
    told = make.call("get_weather", "{", {"city": "Xi'an", "date": "2026-10-01", "condition": "rain"})
    assert make.verdict(make.good(weather=told), NAME) == ("pass", "ok")


def test_weather_that_leaves_the_city_open_is_about_its_day_all_the_same(make):
    """Without a city it may be the one for its own day, and for no other."""
    for date, expected in ((make.DAY, "not_judgeable"), ("2026-10-02", "pass")):
        vague = make.call("get_weather", {"date": date}, {"condition": "clear"})
        assert make.verdict(steps(make, make.weather(), vague, make.search(), make.book()), NAME)[0] == expected


def test_every_committed_booking_is_judged(make):
    """One right and one wrong booking fail, in either order."""
    right, wrong = make.book(), make.book(room_type="standard")
    for pair in ((right, wrong), (wrong, right)):
        assert make.verdict(steps(make, make.weather(), make.search(), *pair), NAME) == ("fail", "mismatch")


def test_a_refused_attempt_does_not_count_beside_a_booking(make):
    """What was not booked is no wrong room."""
    wrong = make.book(room_type="standard", result=REFUSED)
    assert make.verdict(steps(make, make.weather(), make.search(), wrong, make.book()), NAME) == ("pass", "ok")


def test_the_last_attempt_counts_where_none_took_effect(make):
    """Without a booking the last try shows what was meant."""
    right, wrong = make.book(result=REFUSED), make.book(room_type="standard", result=REFUSED)
    assert make.verdict(steps(make, make.weather(), make.search(), wrong, right), NAME) == ("pass", "ok")
    assert make.verdict(steps(make, make.weather(), make.search(), right, wrong), NAME) == ("fail", "mismatch")


def test_an_attempt_of_unknown_outcome_may_have_taken_effect(make):
    """A wrong room that may be booked is not judgeable beside a right one, and plainly wrong alone."""
    lost = make.book(room_type="standard", result=make.missing)
    assert make.verdict(steps(make, make.weather(), make.search(), lost, make.book()), NAME)[0] == "not_judgeable"
    assert make.verdict(steps(make, make.weather(), make.search(), lost), NAME) == ("fail", "mismatch")


def test_without_a_booking_it_does_not_apply(make):
    """There is no room to compare."""
    assert make.verdict(make.good(book=None), NAME) == ("not_applicable", "not_called")


def test_another_room_than_asked_is_the_environments_doing(make):
    """Judged by the arguments; the difference is noted, and is not the agent's fault."""
    given = make.book(result={"status": "ok", "hotel_id": "HT-002", "room_type": "standard"})
    report = make.judge(make.good(book=given))
    assert str(report[NAME].verdict) == "pass"
    note = report[NAME].notes[0]
    assert (note.code, note.at) == ("environment_mismatch", "/9")
    assert note.detail == "call 3 asked for room_type 'suite', its result says 'standard'"
    assert note in report.anomalies


@pytest.mark.parametrize("missing", ["room_type", "check_in"])
def test_a_booking_without_what_is_compared_fails(make, missing):
    """Room and date are what the check is about."""
    arguments = {"hotel_id": "HT-002", "room_type": "suite", "check_in": "2026-10-01"}
    del arguments[missing]
    result = make.check(make.good(book=make.call("book_hotel", arguments, REFUSED)), NAME)
    assert (str(result.verdict), result.reason) == ("fail", f"call 3 is 'book_hotel' without {missing}")


@pytest.mark.row("R11")
def test_an_unreadable_booking_that_succeeded_is_not_judgeable(make):
    """Nobody knows which room it was."""
    broken = make.call("book_hotel", "{", {"status": "ok"})
    assert make.verdict(make.good(book=broken), NAME) == ("not_judgeable", "args_invalid")


@pytest.mark.row("J8")
def test_with_a_cut_head_a_contradiction_stands_and_an_absence_does_not(make):
    """The wrong room for a weather that is there fails; weather that is not there may have been cut."""
    wrong = make.good(book=make.book(room_type="standard"))
    assert make.verdict(wrong[4:], NAME) == ("fail", "mismatch")
    assert make.verdict(wrong[6:], NAME) == ("not_judgeable", "head_truncated")
    assert make.verdict(make.good()[4:], NAME) == ("not_judgeable", "head_truncated")
