"""Lesson 01's panel as a pure function."""

from __future__ import annotations

import pytest

from toolkit.lab.call_panel import show_call

STAY = '{"hotel_id": "HT-002", "room_type": "suite", "check_in": "2026-10-01", "nights": %s}'


@pytest.mark.row("K2")
def test_a_call_that_kills_the_bare_dict_is_told_by_the_other():
    """The exception stands where the model reads nothing."""
    picture = show_call("get_wether", "{}")
    assert picture.rows == [
        ["bare dict", "nothing (KeyError: 'get_wether')", 0],
        [
            "errors told",
            "There is no tool 'get_wether'. Available: get_weather, search_hotels, book_hotel.",
            0,
        ],
    ]


@pytest.mark.row("K2")
def test_true_for_a_number_books_one_night_in_both():
    """Telling errors does not help where nothing raises."""
    picture = show_call("book_hotel", STAY % "true")
    assert picture.summary == (
        "bare dict: the run goes on, the call has run. errors told: the run goes on, the call has run."
    )
    assert [row[2] for row in picture.rows] == [1, 1]
    assert '"nights": true' in picture.rows[0][1]


@pytest.mark.parametrize("arguments", ["", "nonsense", "[]", "null", "{}", '{"city": 1}', "1e999", '"\ud800"'])
def test_whatever_is_typed_is_shown(arguments):
    """No text that a reader types makes the panel raise."""
    picture = show_call("get_weather", arguments)
    assert picture.rows[0][1].startswith("nothing (")
    assert picture.rows[0][2] == 0
