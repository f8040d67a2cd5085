"""Worked examples: other stays, booked through the tools, as a model is shown them."""

from __future__ import annotations

import asyncio
from datetime import date

import pytest

from toolkit.hotel.catalogue import CITIES
from toolkit.hotel.goal import CHECK_IN, CITY, CITY_NAMES, GOAL, NIGHTS
from toolkit.hotel.worked_examples import CLEAR, RAIN, REFUSED, goal_text, worked_example
from toolkit.trajectory import Outcome, extract_calls


def calls_of(stay, **style):
    return extract_calls(asyncio.run(worked_example(stay, **style))).calls


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_goal_of_the_runs_is_the_goal_of_the_kit(language):
    """Word for word; only the date may be put otherwise."""
    assert goal_text(CITY, date.fromisoformat(CHECK_IN), NIGHTS, language) == GOAL[language]
    assert CHECK_IN in goal_text(CITY, date.fromisoformat(CHECK_IN), NIGHTS, language, iso=True)


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("stay", [RAIN, CLEAR, REFUSED])
def test_no_example_gives_the_goal_away(stay, language):
    """Another city, its hotels, another night."""
    text = str(asyncio.run(worked_example(stay, language)))
    assert not any(name in text for name in (*CITY_NAMES, "HT-001", "HT-002", "HT-003", CHECK_IN))
    assert stay.city is CITIES[1]


@pytest.mark.parametrize(("stay", "condition"), [(RAIN, "rain"), (CLEAR, "clear")])
def test_an_example_is_a_booking_done_right(stay, condition):
    """Plan, weather, search, booking: one call a turn, the room that goes with the weather, for the stay asked."""
    calls = calls_of(stay)
    assert [call.name for call in calls] == ["set_plan", "get_weather", "search_hotels", "book_hotel"]
    assert [call.turn for call in calls] == [0, 1, 2, 3]
    assert calls[1].result["condition"] == condition
    booked = calls[3].result
    assert (booked["room_type"], booked["check_in"], booked["nights"]) == (
        stay.room_type,
        stay.check_in.isoformat(),
        stay.nights,
    )


def test_one_example_is_refused_before_it_succeeds():
    """A hotel without the room, then one that has it."""
    *_, first, second = calls_of(REFUSED)
    assert (first.outcome, second.outcome) == (Outcome.ERROR, Outcome.SUCCESS)


def test_an_example_may_come_without_a_plan():
    """For the runs in which nothing speaks of one."""
    assert "set_plan" not in [call.name for call in calls_of(RAIN, planned=False)]
