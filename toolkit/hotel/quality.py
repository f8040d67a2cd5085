"""What is asked before a call of the hotel's tools, and how its results are scored."""

from __future__ import annotations

from datetime import date, timedelta

from toolkit.gateway.policy import Hook
from toolkit.hotel.catalogue import CITIES, TODAY
from toolkit.hotel.policy import HOTEL_POLICY
from toolkit.quality import Scorecard, complete, echoes, in_conversation, mentioned, plausible, well_formed
from toolkit.quality.wording import fold
from toolkit.trajectory.hook import provenance_hook

_YEAR = timedelta(days=365)


def names_of(city: str) -> list[str]:
    """Every name of the city that is called so, in all languages; none for a city we do not know.

    >>> names_of("西安市")
    ["Xi'an", '西安']
    """
    return [name for place in CITIES if place.is_called(city) for name in place.names.values()]


def same(one: str, other: str) -> bool:
    """Whether two texts mean the same, such as 西安 and Xi'an.

    >>> same("西安", "Xi’an"), same("2026-10-01", "2026-10-02")
    (True, False)
    """
    return fold(one) == fold(other) or (bool(names_of(one)) and names_of(one) == names_of(other))


def hotel_hooks() -> list[Hook]:
    """The hooks of the hotel: days that can be meant, cities that were mentioned, hotels that were found."""
    days = "a day from 2026-09-15 to a year later"

    def ahead(day: date) -> bool:
        return TODAY <= day <= TODAY + _YEAR

    return [
        plausible("get_weather", "date", ahead, expected=days),
        plausible("search_hotels", "check_in", ahead, expected=days),
        plausible("book_hotel", "check_in", ahead, expected=days),
        in_conversation(mentioned(("get_weather", "search_hotels"), "city", names_of)),
        provenance_hook(HOTEL_POLICY),
    ]


HOTEL_SCORECARD = Scorecard(
    {
        "get_weather": [
            complete("condition", "high"),
            echoes("city", "date", same=same),
            well_formed("high", lambda high: -60 <= high <= 60, expected="degrees Celsius from -60 to 60"),
        ],
        "search_hotels": [
            complete("id", "name", "room_types", "price_per_night", each="hotels"),
            echoes("city", "check_in", same=same),
        ],
        "book_hotel": [
            complete("booking_id", "hotel_name", "total"),
            echoes("hotel_id", "room_type", "check_in", "nights"),
            well_formed("total", lambda total: total > 0, expected="a total above 0"),
        ],
    },
    threshold=0.6,
)
