"""argument_provenance: every hotel_id stands in a search result that was visible before."""

from __future__ import annotations

import pytest

from toolkit.trajectory.pointers import resolve

NAME = "argument_provenance"
REFUSED = {"error": "No hotel HT-009."}


def steps(make, *calls):
    """One turn to each call, after plan and weather."""
    return make.talk(*(make.turn(call) for call in (make.plan(), make.weather(), *calls)))


@pytest.mark.row("J2", "X2")
def test_an_id_from_a_search_passes_and_names_its_witness(make):
    """The witness points to the text in which the id stands."""
    messages = make.good()
    result = make.check(messages, NAME)
    assert (str(result.verdict), result.at, result.witness) == ("pass", "/8/tool_calls/0", "/7/content")
    assert "HT-002" in resolve(messages, result.witness)
    assert result.reason == "call 3: hotel_id 'HT-002' stands in the result of call 2 (search_hotels)"


@pytest.mark.row("X2")
def test_an_invented_id_fails_and_says_where_was_looked(make):
    """The reason gives the value, the rule, the places searched and the nearest value."""
    result = make.check(make.good(book=make.book("HT-022")), NAME)
    assert (str(result.verdict), result.code, result.at) == ("fail", "no_source", "/8/tool_calls/0")
    assert result.reason == (
        "call 3: hotel_id 'HT-022' stands in no result it could have seen. "
        "Searched: hotels[*].id of search_hotels (call 2). Nearest: 'HT-002'."
    )


def test_an_id_before_any_search_fails(make):
    """Where nothing was searched there is nothing near either."""
    result = make.check(make.good(search=None), NAME)
    assert result.reason == (
        "call 2: hotel_id 'HT-002' stands in no result it could have seen. "
        "Searched: hotels[*].id of search_hotels (no result)."
    )


@pytest.mark.parametrize(
    ("searches", "where"), [(2, "calls 2, 3"), (4, "calls 2, 3, 4, 5"), (6, "6 calls, the latest 4, 5, 6, 7")]
)
def test_the_reason_names_the_calls_searched(make, searches, where):
    """All of a few, the latest of many."""
    result = make.check(steps(make, *[make.search()] * searches, make.book("HT-009")), NAME)
    assert f"Searched: hotels[*].id of search_hotels ({where})." in result.reason


def test_the_nearest_value_is_one_that_could_have_been_copied(make):
    """Nothing that came later, and no value that is no id."""
    later = make.search(ids=("HT-008",))
    messages = steps(make, make.search(ids=("HT-100", {"n": 9})), make.book("HT-009"), later)
    assert make.check(messages, NAME).reason.endswith("Nearest: 'HT-100'.")


def test_failed_attempts_count_too(make):
    """An invented id stays invented when the tool refuses it and a right one follows."""
    messages = steps(make, make.search(), make.book("HT-009", result=REFUSED), make.book())
    result = make.check(messages, NAME)
    assert (str(result.verdict), result.code, result.at) == ("fail", "no_source", "/8/tool_calls/0")


@pytest.mark.row("P83")
@pytest.mark.parametrize(
    ("shown", "used", "expected"),
    [
        ("HT-002", "HT-002", "pass"),
        ("HT-002", "HT-00", "fail"),
        ("HT-002", "ht-002", "fail"),
        ("HT-002", "HT-002 ", "fail"),
        (1, 1.0, "pass"),
        (1, "1", "fail"),
        (1, True, "fail"),
        ("1", 1, "fail"),
        (False, 0, "fail"),
        ({"n": 1}, {"n": 1.0}, "pass"),
        ({"n": 1}, {"n": True}, "fail"),
        ({"n": 1}, {"n": "1"}, "fail"),
        ([], [], "pass"),
    ],
)
def test_the_whole_value_is_equal_with_the_same_json_type(make, shown, used, expected):
    """1 and 1.0 are one number; "1" and true are not, and no part of a value is the value."""
    messages = make.good(search=make.search(ids=(shown,)), book=make.book(used))
    assert make.verdict(messages, NAME)[0] == expected


def test_a_sibling_search_is_no_source(make):
    """The booking has not seen the result of a call in its own turn."""
    messages = make.talk(*map(make.turn, [make.plan(), make.weather()]), make.turn(make.search(), make.book()))
    assert make.verdict(messages, NAME) == ("fail", "no_source")


@pytest.mark.row("P88")
def test_a_result_after_the_attempt_is_no_source(make):
    """What was only found later cannot have been copied."""
    assert make.verdict(steps(make, make.book(), make.search()), NAME) == ("fail", "no_source")


@pytest.mark.parametrize("where", ["error", "prose", "plan", "system", "own result", "echo", "user"])
@pytest.mark.row("J1", "P87")
def test_text_is_no_source(make, where):
    """Errors, prose, the plan, the system prompt, the booking's result, echoes and the user's words are none."""
    messages = steps(
        make,
        make.search(result={"error": "Did you mean HT-009?"}) if where == "error" else make.search(),
        make.call("look_up", {"hotel_id": "HT-009"}, {"id": "HT-009", "hotels": [{"id": "HT-009"}]})
        if where == "echo"
        else make.weather(),
        make.book("HT-009", result={"status": "ok", "hotel_id": "HT-009", "hotels": [{"id": "HT-009"}]}),
    )
    if where == "prose":
        messages[-2:-2] = make.says("The best is HT-009.")
    if where == "plan":
        messages[2:4] = make.talk(
            make.turn(make.plan(["book HT-009"], result={"plan": [{"id": "HT-009"}]})), opening=False
        )
    if where == "system":
        messages[0]["content"] = "Always book HT-009."
    if where == "user":
        messages[1]["content"] = "Book HT-009 in Xi'an."
    if where == "own result":
        messages += make.talk(make.turn(make.book("HT-009")), opening=False)
    assert make.verdict(messages, NAME) == ("fail", "no_source")


def test_an_id_elsewhere_in_the_result_is_no_source(make):
    """Only `hotels[*].id` counts, not a name or a remark that holds the id."""
    told = {"city": "Xi'an", "note": "HT-009", "hotels": [{"id": "HT-001", "name": "HT-009"}], "id": "HT-009"}
    assert make.verdict(make.good(search=make.search(result=told), book=make.book("HT-009")), NAME)[0] == "fail"


@pytest.mark.parametrize("city", ["Xi'an", "xi'an", "XI’AN", "西安"])
def test_the_goals_city_goes_by_its_names(make, city):
    """Either language, any case."""
    assert make.verdict(make.good(search=make.search(city=city)), NAME) == ("pass", "ok")


def test_an_id_from_another_citys_search_fails(make):
    """The hotel exists, in the wrong city."""
    messages = steps(make, make.search("Shanghai", ids=("HT-004",)), make.search(), make.book("HT-004"))
    result = make.check(messages, NAME)
    assert (str(result.verdict), result.code, result.witness) == ("fail", "wrong_entity", "/7/content")
    assert result.reason == (
        "call 4: hotel_id 'HT-004' comes from call 2 (search_hotels) for city 'Shanghai', not for \"Xi'an\""
    )


def test_the_city_comes_from_the_result_else_from_the_arguments(make):
    """A result that names no city leaves it to the arguments."""
    told = {"hotels": [{"id": "HT-002"}]}
    assert make.verdict(make.good(search=make.search(result=told)), NAME) == ("pass", "ok")
    assert make.verdict(make.good(search=make.search("Shanghai", result=told)), NAME) == ("fail", "wrong_entity")
    right = {"city": "西安", **told}
    assert make.verdict(make.good(search=make.search("Shanghai", result=right)), NAME) == ("pass", "ok")


def test_the_reason_names_the_city_asked_for_where_the_result_names_none(make):
    """The place is taken from where it was found."""
    search = make.search("Shanghai", result={"hotels": [{"id": "HT-002"}]})
    assert "for city 'Shanghai', not for \"Xi'an\"" in make.check(make.good(search=search), NAME).reason


def test_a_search_that_names_no_city_is_not_judgeable(make):
    """Neither result nor arguments say which city the id belongs to."""
    search = make.call("search_hotels", {}, {"hotels": [{"id": "HT-002"}]})
    assert make.verdict(make.good(search=search), NAME) == ("not_judgeable", "entity_unknown")


def test_without_a_booking_it_does_not_apply(make):
    """There is no id to ask about."""
    assert make.verdict(make.good(book=None), NAME) == ("not_applicable", "not_called")


@pytest.mark.parametrize(
    ("result", "code"),
    [
        (None, "result_missing"),
        ("HT-002 is free.", "result_unstructured"),
        ('[{"id": "HT-002"}]', "outcome_undeclared"),
        ({"hotels": [{"id": "HT-001"}], "next_page": "2"}, "result_truncated"),
        ({"_compacted": True, "hotels": [{"id": "HT-002"}]}, "result_compacted"),
    ],
)
@pytest.mark.row("J8", "R13", "R19")
def test_a_source_that_cannot_be_read_is_not_judgeable(make, result, code):
    """The id may have stood in what is missing, unreadable, unstructured or cut."""
    search = make.search(result=make.missing if result is None else result)
    assert make.verdict(make.good(search=search), NAME) == ("not_judgeable", code)


@pytest.mark.row("R12")
def test_a_source_with_a_picture_in_it_is_not_judgeable(make):
    """Parts that are no text may have held the id."""
    messages = make.good()
    messages[7]["content"] = [{"type": "text", "text": messages[7]["content"]}, {"type": "image_url"}]
    assert make.verdict(messages, NAME) == ("not_judgeable", "result_unreadable")


@pytest.mark.row("R19")
def test_what_stands_in_a_part_counts(make):
    """An id on the first page is a source."""
    told = {"city": "Xi'an", "hotels": [{"id": "HT-002"}], "truncated": True}
    assert make.verdict(make.good(search=make.search(result=told)), NAME) == ("pass", "ok")


@pytest.mark.row("R8")
def test_two_different_results_are_no_source(make):
    """Which of them was real is unknown."""
    messages = make.good()
    messages.insert(8, messages[7] | {"content": '{"city": "Xi\'an", "hotels": []}'})
    assert make.verdict(messages, NAME) == ("not_judgeable", "conflicting_results")


def test_an_unreadable_search_after_the_attempt_excuses_nothing(make):
    """Only what could have been seen may have held the id."""
    messages = steps(make, make.book(), make.search(result="HT-002"))
    assert make.verdict(messages, NAME) == ("fail", "no_source")


def test_an_unreadable_sibling_search_excuses_nothing(make):
    """It could not have been seen, whatever it said."""
    turns = [make.turn(call) for call in (make.plan(), make.weather())]
    messages = make.talk(*turns, make.turn(make.search(result="HT-002"), make.book()))
    assert make.verdict(messages, NAME) == ("fail", "no_source")


def test_a_missing_argument_fails(make):
    """An attempt without the id has no source for it."""
    result = make.check(make.good(book=make.call("book_hotel", {"room_type": "suite"}, REFUSED)), NAME)
    assert (str(result.verdict), result.code) == ("fail", "args_missing")
    assert result.reason == "call 3 is 'book_hotel' without hotel_id"


@pytest.mark.row("R10")
def test_unreadable_arguments_that_failed_leave_the_retry_to_judge(make):
    """The broken attempt failed, as it should; the next one is judged."""
    broken = make.call("book_hotel", '{"hotel_id": "HT-0', {"error": "not JSON"})
    assert make.verdict(steps(make, make.search(), broken, make.book()), NAME) == ("pass", "ok")
    assert make.verdict(steps(make, make.search(), broken), NAME) == ("not_judgeable", "args_invalid")


@pytest.mark.row("R11")
def test_unreadable_arguments_that_succeeded_are_not_judgeable(make):
    """Something was booked, and nobody knows what."""
    broken = make.call("book_hotel", '{"hotel_id": "HT-0', {"status": "ok"})
    assert make.verdict(steps(make, make.search(), broken, make.book()), NAME) == ("not_judgeable", "args_invalid")


@pytest.mark.row("J8")
def test_a_cut_head_may_have_held_the_source(make):
    """An id without a source is not judgeable, and one with a source cannot pass."""
    assert make.verdict(make.good()[8:], NAME) == ("not_judgeable", "head_truncated")
    assert make.verdict(make.good()[6:], NAME) == ("not_judgeable", "head_truncated")


@pytest.mark.row("J8")
def test_a_wrong_city_stands_though_the_head_is_cut(make):
    """Two recorded facts contradict, whatever else is missing."""
    messages = steps(make, make.search("Shanghai", ids=("HT-004",)), make.book("HT-004"))
    assert make.verdict(messages[4:], NAME) == ("fail", "wrong_entity")
