"""The checks of the sample domain: the general ones with the hotel's names and paths filled in."""

from __future__ import annotations

from toolkit.hotel.goal import CHECK_IN, CITY_NAMES
from toolkit.trajectory import (
    Check,
    Entity,
    Link,
    Policy,
    called_before,
    steps_in_order,
    value_from_result,
    values_agree,
)
from toolkit.trajectory.checks import (
    booked_once,
    dates_agree,
    known_tools,
    no_spin,
    within_budget,
    writes_confirmed,
)

BUSINESS_TOOLS = ("get_weather", "search_hotels", "book_hotel")
PLAN_TOOLS = ("set_plan", "mark_step")
ROOM_FOR_WEATHER = {
    "rain": "suite",
    "clear": "standard",
    "cloudy": "standard",
    "snow": "standard",
    "fog": "standard",
}

_CITY = Entity("city", CITY_NAMES)
_FOUND_HOTELS = {"search_hotels": "hotels[*].id"}

HOTEL_POLICY = Policy(
    "hotel",
    (
        Check("plan_first", called_before, first="set_plan", then=BUSINESS_TOOLS, nonempty="steps"),
        Check("no_skipped_step", steps_in_order, steps=BUSINESS_TOOLS, nothing_found=("search_hotels", "hotels")),
        Check(
            "argument_provenance",
            value_from_result,
            tool="book_hotel",
            argument="hotel_id",
            sources=_FOUND_HOTELS,
            entity=_CITY,
        ),
        Check(
            "room_matches_weather",
            values_agree,
            tool="book_hotel",
            argument="room_type",
            source="get_weather",
            path="condition",
            expected=ROOM_FOR_WEATHER,
            match={"date": "check_in"},
            entity=_CITY,
            link=Link("hotel_id", _FOUND_HOTELS),
        ),
    ),
)

# What the run achieved, a question of its own: a run may go about it rightly and be refused by the hotel.
HOTEL_OUTCOME = Policy("hotel-outcome", (Check("booked_once", booked_once, tool="book_hotel"),))

HOTEL_MANNERS = Policy(
    "hotel-manners",
    (
        Check("booked_once", booked_once, tool="book_hotel"),
        Check("writes_confirmed", writes_confirmed, tool="book_hotel"),
        Check("no_spin", no_spin),
        Check("within_budget", within_budget, turns=12),
        Check("known_tools", known_tools, tools=(*PLAN_TOOLS, *BUSINESS_TOOLS)),
        Check(
            "dates_agree",
            dates_agree,
            tool="book_hotel",
            argument="check_in",
            others={"get_weather": "date", "search_hotels": "check_in"},
            equals=CHECK_IN,
        ),
    ),
)
