"""A small builder for message lists, handed to tests as the fixture `make`."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import pytest

from toolkit.hotel import HOTEL_POLICY
from toolkit.trajectory import CheckResult, Report, evaluate

XIAN = "Xi'an"
DAY = "2026-10-01"
NO_RESULT = object()  # the call is made and never answered


def call(name: str, arguments: Any, result: Any = NO_RESULT, *, id: str | None = None) -> dict[str, Any]:
    """A call and what comes back. Objects become JSON text; a string is sent as it is."""
    return {"id": id, "name": name, "arguments": _text(arguments), "result": result}


def _text(value: Any) -> Any:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, dict | list) else value


def plan(steps: Any = ("weather", "search", "book"), result: Any = None) -> dict[str, Any]:
    return call("set_plan", {"steps": list(steps)}, {"plan": []} if result is None else result)


def weather(city: str = XIAN, date: str = DAY, condition: str = "rain", result: Any = None) -> dict[str, Any]:
    told = {"city": city, "date": date, "condition": condition, "high": 17} if result is None else result
    return call("get_weather", {"city": city, "date": date}, told)


def search(city: str = XIAN, ids: Any = ("HT-001", "HT-002"), result: Any = None) -> dict[str, Any]:
    told = {"city": city, "check_in": DAY, "hotels": [{"id": id} for id in ids]} if result is None else result
    return call("search_hotels", {"city": city, "check_in": DAY}, told)


def book(hotel_id: Any = "HT-002", room_type: str = "suite", check_in: str = DAY, result: Any = None) -> dict[str, Any]:
    arguments = {"hotel_id": hotel_id, "room_type": room_type, "check_in": check_in, "nights": 2}
    told = {"status": "ok", "booking_id": "BK-0001", **arguments} if result is None else result
    return call("book_hotel", arguments, told)


def turn(*calls: dict[str, Any]) -> list[dict[str, Any]]:
    """One assistant message with these calls, and their results."""
    return [{"calls": list(calls)}]


def user(text: str) -> list[dict[str, Any]]:
    return [{"role": "user", "content": text}]


def says(text: str) -> list[dict[str, Any]]:
    return [{"role": "assistant", "content": text}]


def talk(*parts: list[dict[str, Any]], opening: bool = True) -> list[dict[str, Any]]:
    """The messages of a run: the user's goal, then these parts. Calls get ids where they have none."""
    messages: list[dict[str, Any]] = []
    if opening:
        messages += [{"role": "system", "content": "You book hotels."}, *user("Book a hotel in Xi'an.")]
    for part in (each for piece in parts for each in piece):
        if "calls" not in part:
            messages.append(part)
            continue
        start = len(messages)
        calls = [{**each, "id": each["id"] or f"c{start}_{place}"} for place, each in enumerate(part["calls"])]
        functions = [
            {"id": each["id"], "function": {"name": each["name"], "arguments": each["arguments"]}} for each in calls
        ]
        messages.append({"role": "assistant", "content": None, "tool_calls": functions})
        messages += [
            {"role": "tool", "tool_call_id": each["id"], "content": _text(each["result"])}
            for each in calls
            if each["result"] is not NO_RESULT
        ]
    return messages


def good(**changes: Any) -> list[dict[str, Any]]:
    """A run that passes all four checks; each step can be replaced by a call, or left out with None."""
    steps = {"plan": plan(), "weather": weather(), "search": search(), "book": book()} | changes
    return talk(*(turn(step) for step in steps.values() if step is not None), says("Booked: a suite."))


def judge(messages: list[Any]) -> Report:
    return evaluate(messages, HOTEL_POLICY)


def check(messages: list[Any], name: str) -> CheckResult:
    return judge(messages)[name]


def verdict(messages: list[Any], name: str) -> tuple[str, str]:
    """Verdict and code of one check."""
    result = check(messages, name)
    return str(result.verdict), result.code


@pytest.fixture(scope="session")
def make() -> SimpleNamespace:
    """The builder: `make.talk(make.turn(make.weather()), ...)`."""
    names = (call, plan, weather, search, book, turn, user, says, talk, good, judge, check, verdict)
    return SimpleNamespace(**{each.__name__: each for each in names}, missing=NO_RESULT, XIAN=XIAN, DAY=DAY)
