"""What the study of examples asks for: a hundred requests, each with the arguments it calls for, and worked calls."""

from __future__ import annotations

from datetime import date as Day
from datetime import timedelta
from typing import Any, NamedTuple

_PLACES = ("Oslo", "Lima", "Kyoto", "Porto", "Quito", "Hanoi", "Dakar", "Bergen", "Lyon", "Turin")
_CURRENCIES = {
    "euros": "EUR",
    "yen": "JPY",
    "pounds": "GBP",
    "Swedish kronor": "SEK",
    "rupees": "INR",
    "US dollars": "USD",
    "Polish zloty": "PLN",
}
_LABELS = ("tea", "rice", "pasta", "laundry", "nap", "yoga", "bread", "eggs", "stretching", "soup")
_EACH = 20  # requests for each tool


class Request(NamedTuple):
    """A request, the tool it is for, and the arguments that tool needs to do as asked."""

    tool: str
    text: str
    expected: dict[str, Any]


OTHER_CALLS = (
    Request("multiply", "How much is 12 times 9?", {"a": 12, "b": 9}),
    Request("look_up", "What does harbour mean?", {"word": "harbour"}),
    Request(
        "find_train",
        "Is there a train from Graz to Vienna on 4 March 2027?",
        {"origin": "Graz", "destination": "Vienna", "day": "2027-03-04"},
    ),
    Request("translate", "How do you say thank you in Korean?", {"text": "thank you", "language": "Korean"}),
)
"""Worked calls of other tools, which every prompt begins with."""

_OWN_CALLS = (
    Request(
        "get_weather", "What will the weather be in Cairo on 9 March 2027?", {"city": "Cairo", "date": "2027-03-09"}
    ),
    Request(
        "book_room",
        "Book a standard room at hotel HT-158 for 8 nights from 9 March 2027.",
        {"hotel_id": "HT-158", "room_type": "standard", "check_in": "2027-03-09", "nights": 8},
    ),
    Request(
        "convert_money",
        "How much is 75 Norwegian kroner in Turkish lira?",
        {"amount": 75, "source": "NOK", "target": "TRY"},
    ),
    Request("set_alarm", "Wake me at 3:20 pm.", {"time": "15:20"}),
    Request("start_timer", "Start a timer called coffee for 55 minutes.", {"name": "coffee", "duration": "PT55M"}),
)
OWN_CALLS = {request.tool: request for request in _OWN_CALLS}
"""A worked call of each tool that is asked for, for the conditions in which the model has seen one."""


def study_requests() -> list[Request]:
    """The hundred requests, twenty for each tool, no two alike.

    >>> study_requests()[1].text, study_requests()[1].expected
    ('What will the weather be in Lima on 8 November 2026?', {'city': 'Lima', 'date': '2026-11-08'})
    """
    makers = (_weather, _booking, _conversion, _alarm, _timer)
    return [maker(number) for maker in makers for number in range(_EACH)]


def _day(number: int) -> tuple[str, str]:
    """A day as the user says it, every other time as a date that has only to be copied, and as a date."""
    day = Day(2026, 11, 3) + timedelta(days=5 * number)
    date = day.isoformat()
    return (date if number % 2 == 0 else f"{day.day} {day:%B} {day.year}"), date


def _weather(number: int) -> Request:
    city, (said, date) = _PLACES[number % len(_PLACES)], _day(number)
    return Request("get_weather", f"What will the weather be in {city} on {said}?", {"city": city, "date": date})


def _booking(number: int) -> Request:
    hotel_id, nights, (said, date) = f"HT-{211 + 37 * number}", 2 + number % 6, _day(number)
    room_type = ("standard", "suite", "deluxe")[number % 3]
    room = "suite" if room_type == "suite" else f"{room_type} room"
    text = f"Book a {room} at hotel {hotel_id} for {nights} nights from {said}."
    return Request(
        "book_room", text, {"hotel_id": hotel_id, "room_type": room_type, "check_in": date, "nights": nights}
    )


def _conversion(number: int) -> Request:
    names = list(_CURRENCIES)
    source, target = names[number % 7], names[(number + 1 + number // 7) % 7]
    amount = 15 + 35 * number
    money = {"amount": amount, "source": _CURRENCIES[source], "target": _CURRENCIES[target]}
    return Request("convert_money", f"How much is {amount} {source} in {target}?", money)


def _alarm(number: int) -> Request:
    hour, minute = (5 + 7 * number) % 24, (10 * number + 5) % 60
    half = "am" if hour < 12 else "pm"
    text = f"Wake me at {(hour - 1) % 12 + 1}:{minute:02} {half}."
    return Request("set_alarm", text, {"time": f"{hour:02}:{minute:02}"})


def _timer(number: int) -> Request:
    name, minutes = _LABELS[number % len(_LABELS)], 4 + 2 * number
    text = f"Start a timer called {name} for {minutes} minutes."
    return Request("start_timer", text, {"name": name, "duration": f"PT{minutes}M"})
