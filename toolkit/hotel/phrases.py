"""What the simulated agent understands and says, in English and Chinese.

It reads a goal with patterns, not with understanding: a city it knows, a date, a number of nights.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Any, NamedTuple

from toolkit.hotel.catalogue import CITIES, Language

_ISO_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_ENGLISH_DATE = re.compile(
    r"\d{1,2} (?:January|February|March|April|May|June|July|August|September"
    r"|October|November|December) \d{4}"
)
_CHINESE_DATE = re.compile(r"(\d{4})\s*年\s*(\d{1,2})\s*月\s*(\d{1,2})\s*日")
_NIGHTS = re.compile(r"(\w+)(?:-| )nights?\b|([一两二三四五六七八九十]|\d+)\s*[晚夜]", re.IGNORECASE)
_ENGLISH_NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_NUMBERS = (
    {word: number for number, word in enumerate(_ENGLISH_NUMBERS, start=1)}
    | {word: number for number, word in enumerate("一二三四五六七八九十", start=1)}
    | {"a": 1, "两": 2}
)


class Goal(NamedTuple):
    """What the user wants, as far as the agent could read it."""

    city: str
    check_in: str
    nights: int
    language: Language


def read_goal(messages: Sequence[Mapping[str, Any]]) -> Goal | None:
    """Read the goal out of what the user said, or None where city, date or nights are missing.

    >>> read_goal([{"role": "user", "content": "A room in Shanghai, two nights from 3 October 2026."}])
    Goal(city='Shanghai', check_in='2026-10-03', nights=2, language='en')
    """
    said = " ".join(
        message["content"]
        for message in messages
        if message.get("role") == "user" and isinstance(message.get("content"), str)
    )
    language, city = _city_in(said)
    check_in, nights = _date_in(said), _nights_in(said)
    if not city or not check_in or not nights:
        return None
    return Goal(city, check_in.isoformat(), nights, language)


def _city_in(text: str) -> tuple[Language, str | None]:
    for city in CITIES:
        for language, name in city.names.items():
            if name.casefold() in text.casefold().replace("’", "'"):
                return language, name
    return "en", None


def _date_in(text: str) -> date | None:
    try:
        if found := _CHINESE_DATE.search(text):
            return date(*map(int, found.groups()))
        if found := _ENGLISH_DATE.search(text):
            return datetime.strptime(found[0], "%d %B %Y").date()
        return date.fromisoformat(found[0]) if (found := _ISO_DATE.search(text)) else None
    except ValueError:  # such as 31 September
        return None


def _nights_in(text: str) -> int | None:
    for found in _NIGHTS.finditer(text):
        word = (found[1] or found[2]).casefold()
        if number := int(word) if word.isdecimal() else _NUMBERS.get(word):
            return number
    return None


_PHRASES: dict[str, dict[Language, str]] = {
    "unclear": {
        "en": "Which city, from which date, and for how many nights?",
        "zh": "请问是哪个城市、哪天入住、住几晚？",
    },
    "plan_weather": {
        "en": "Check the weather in {city} on {check_in}",
        "zh": "查询{city} {check_in} 的天气",
    },
    "plan_search": {
        "en": "Search hotels in {city} from {check_in}",
        "zh": "搜索{city} {check_in} 起可入住的酒店",
    },
    "plan_book": {
        "en": "Book a suite if it rains, otherwise a standard room",
        "zh": "下雨则预订套房，否则预订标准间",
    },
    "confirm": {
        "en": "Shall I book {room} at {hotel} from {check_in} for {stay}?",
        "zh": "是否预订{hotel}的{room}，{check_in} 入住，共 {nights} 晚？",
    },
    "booked": {
        "en": "Booked: {room} at {hotel} from {check_in} for {stay}.",
        "zh": "已预订：{hotel}，{room}，{check_in} 入住，共 {nights} 晚。",
    },
    "no_room": {
        "en": "Nothing is booked: no hotel in {city} offers {room} from {check_in}.",
        "zh": "没有预订：{city}没有酒店提供 {check_in} 入住的{room}。",
    },
    "gave_up": {
        "en": "Nothing is confirmed: {tool} failed. {error}",
        "zh": "未能确认预订：{tool} 失败。{error}",
    },
}
_ROOMS: dict[str, dict[Language, str]] = {
    "standard": {"en": "a standard room", "zh": "标准间"},
    "suite": {"en": "a suite", "zh": "套房"},
}


def phrase(name: str, language: Language, **values: object) -> str:
    """Say something, its values filled in; a `room` is given by its type.

    >>> phrase("no_room", "en", city="Dunhuang", room="suite", check_in="2026-10-01")
    'Nothing is booked: no hotel in Dunhuang offers a suite from 2026-10-01.'
    """
    room = _ROOMS.get(str(values.get("room")), {}).get(language, "")
    nights = values.get("nights")
    stay = "1 night" if nights == 1 else f"{nights} nights"
    return _PHRASES[name][language].format_map({**values, "room": room, "stay": stay})
