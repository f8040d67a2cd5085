"""Ten calls by way of running them: what each layer adds, and that the score cannot be bought."""

from __future__ import annotations

import json

import pytest

from toolkit.hotel import World, hotel_registry
from toolkit.lab.ten_calls import CALLS, WAYS, Sent, compare_ways, naive_registry, run_one, survival


def endings(way):
    return [ended.ending for ended in survival(WAYS[way])]


@pytest.mark.row("T1")
def test_the_bare_dict_survives_one_of_ten():
    """Seven calls end the run, two do something that was never meant."""
    assert endings("bare dict") == ["right", *["died"] * 6, "wrong", "wrong", "died"]


@pytest.mark.row("T1")
def test_telling_errors_keeps_the_run_alive_but_not_right():
    """No call ends the run; what was plainly meant is refused, and the two wrong ones still run."""
    assert endings("errors told") == ["right", *["told"] * 6, "wrong", "wrong", "told"]


@pytest.mark.row("T2")
def test_validated_arguments_survive_all_ten():
    """What was plainly meant runs, all else is refused in words for the model."""
    assert all(ended.as_it_should for ended in survival(WAYS["arguments validated"]))


def test_one_who_refuses_everything_is_not_right():
    """An error for every call earns the score of the calls that can only be refused."""
    ended = survival(lambda world: lambda name, arguments: {"error": "no"})
    assert sum(one.as_it_should for one in ended) == sum(sent.meant is None for sent in CALLS) == 7


def test_a_value_made_up_is_wrong():
    """Right is the value the tool gives, not any value."""
    sent = Sent("weather", "get_weather", "{}", {"city": "Xi'an", "date": "2026-10-01"})
    assert run_one(sent, lambda world: lambda name, arguments: {"condition": "clear"}).ending == "wrong"


def test_a_refused_call_books_nothing():
    """Whatever the way, a call that was told or died left the store empty."""
    ended = [one for way in WAYS.values() for one in survival(way)]
    assert all(one.bookings == 0 for one in ended if one.ending in ("told", "died"))
    assert any(one.bookings for one in ended)


def test_what_the_error_of_a_bug_says_is_kept_from_the_model():
    """A model reads the text of a ToolError, of another exception only the type."""
    no_room = run_one(CALLS[9], WAYS["errors told"])
    assert no_room.detail == (
        "No suite at HT-001. It has: standard, deluxe. Book one of these, or choose another hotel."
    )
    text_for_a_number = run_one(CALLS[5], WAYS["errors told"])
    assert text_for_a_number.detail == "book_hotel failed because of an error in the tool (TypeError)."


def test_the_naive_tools_show_the_model_the_same_contracts():
    """Layer 1 and layer 2 export the same three declarations; they differ in who reads them."""
    by_name = {each["function"]["name"]: each for each in hotel_registry(World()).openai_tools()}
    shown = naive_registry(World()).openai_tools()
    assert shown == [by_name[each["function"]["name"]] for each in shown]
    assert len(shown) == 3


def test_the_comparison_is_a_table_and_a_figure():
    """Scores in the sentence, a row per call, the same words under the figure."""
    picture = compare_ways()
    assert picture.summary == (
        "Of 10 calls, this many end as they should: bare dict 1, errors told 6, arguments validated 10"
    )
    assert picture.rows[7] == ["true for a number", "told", "wrong", "wrong", "told"]
    assert [row[0] for row in picture.rows if row[1] == "right"] == [
        "nothing is wrong",
        "a number as text",
        "another spelling",
    ]
    assert picture.chart.words == picture.summary.replace("Of", "of")


def test_the_comparison_takes_ways_of_ones_own():
    """A keyword names the column."""
    picture = compare_ways(my_dict=WAYS["bare dict"])
    assert picture.columns == ["call", "should end", "my dict"]
    assert [row[0] for row in picture.rows] == [sent.what for sent in CALLS]


def test_each_call_but_the_broken_one_is_json():
    """The ten differ from good calls in what their name says, and only there."""
    unreadable = []
    for sent in CALLS:
        try:
            json.loads(sent.arguments)
        except json.JSONDecodeError:
            unreadable.append(sent.what)
    assert unreadable == ["cut off in the middle"]
