"""Bookings of other stays, done right, as conversations to show a model before its own.

The calls are put together here; the results come from the tools, through a gateway, in a world of its own. The stays
lie in a city the goal does not name.
"""

from __future__ import annotations

import json
from datetime import date
from typing import Any, NamedTuple

from toolkit.agent.loop import Message
from toolkit.gateway import Gateway
from toolkit.hotel.catalogue import CITIES, City, Language, RoomType
from toolkit.hotel.phrases import phrase
from toolkit.hotel.tools import hotel_registry
from toolkit.hotel.world import World

_GOAL: dict[Language, str] = {
    "en": "Book a hotel in {city} for {nights} from {day}. "
    "If it rains that day book a suite, otherwise a standard room.",
    "zh": "请预订{city}的酒店，{day}入住，共{nights}。如果当天下雨就订套房，否则订标准间。",
}
_NIGHTS: dict[Language, dict[int, str]] = {
    "en": {1: "one night", 2: "two nights", 3: "three nights"},
    "zh": {1: "一晚", 2: "两晚", 3: "三晚"},
}


class Stay(NamedTuple):
    """A stay to book, 1 to 3 nights, and the hotels that are tried in turn, of which the last has the room."""

    city: City
    check_in: date
    nights: int
    room_type: RoomType
    hotel_ids: tuple[str, ...]


RAIN = Stay(CITIES[1], date(2026, 10, 3), 3, "suite", ("HT-004",))
CLEAR = Stay(CITIES[1], date(2026, 9, 24), 1, "standard", ("HT-005",))
REFUSED = RAIN._replace(hotel_ids=("HT-005", "HT-004"))  # the first has no suite


def goal_text(city: City, check_in: date, nights: int, language: Language, *, iso: bool = False) -> str:
    """The goal as the user says it for any stay of 1 to 3 nights.

    Args:
        iso: The date as YYYY-MM-DD, so that a model has only to copy it.

    >>> goal_text(CITIES[0], date(2026, 10, 1), 2, "zh")
    '请预订西安的酒店，2026年10月1日入住，共两晚。如果当天下雨就订套房，否则订标准间。'
    """
    words: dict[Language, str] = {
        "en": f"{check_in.day} {check_in:%B} {check_in.year}",
        "zh": f"{check_in.year}年{check_in.month}月{check_in.day}日",
    }
    day = check_in.isoformat() if iso else words[language]
    return _GOAL[language].format(city=city.names[language], nights=_NIGHTS[language][nights], day=day)


async def worked_example(
    stay: Stay, language: Language = "en", *, iso: bool = False, planned: bool = True
) -> list[Message]:
    """Book a stay, one call a turn, and return the conversation without a system message.

    Args:
        iso: The user gives the date as YYYY-MM-DD.
        planned: Begin with a plan.
    """
    about = {"city": stay.city.names[language], "check_in": stay.check_in.isoformat()}
    plan = [phrase(name, language, **about) for name in ("plan_weather", "plan_search", "plan_book")]
    calls: list[tuple[str, dict[str, Any]]] = [
        *([("set_plan", {"steps": plan})] if planned else []),
        ("get_weather", {"city": about["city"], "date": about["check_in"]}),
        ("search_hotels", about),
        *(("book_hotel", _booking(stay, hotel_id)) for hotel_id in stay.hotel_ids),
    ]
    world = World(language)
    goal = goal_text(stay.city, stay.check_in, stay.nights, language, iso=iso)
    messages: list[Message] = [{"role": "user", "content": goal}]
    async with Gateway(hotel_registry(world), log_sink=None) as gateway:
        for number, (name, arguments) in enumerate(calls):
            call = _call(f"call_{number}", name, arguments)
            messages.append({"role": "assistant", "content": None, "tool_calls": [call]})
            messages.append((await gateway.call(call)).to_message())
    (booking,) = world.bookings
    said = phrase("booked", language, **about, nights=stay.nights, room=stay.room_type, hotel=booking["hotel_name"])
    return [*messages, {"role": "assistant", "content": said}]


def _booking(stay: Stay, hotel_id: str) -> dict[str, Any]:
    room = {"hotel_id": hotel_id, "room_type": stay.room_type}
    return {**room, "check_in": stay.check_in.isoformat(), "nights": stay.nights}


def _call(id: str, name: str, arguments: dict[str, Any]) -> Message:
    text = json.dumps(arguments, ensure_ascii=False)
    return {"id": id, "type": "function", "function": {"name": name, "arguments": text}}
