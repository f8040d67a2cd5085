"""A desk whose calls all succeed, whatever they ask."""

from __future__ import annotations

import asyncio

import pytest

from toolkit import Gateway
from toolkit.lab.careless_desk import careless_desk


@pytest.mark.parametrize(
    ("city", "date", "found"),
    [
        ("Xi'an", "2026-09-16", {"city": "Xi'an", "date": "2026-09-16", "condition": "clear", "high": 28}),
        ("西安", "2026-10-01", {"city": "Xi'an", "date": "2026-10-01", "condition": "rain", "high": None}),
        ("上晦", "2026-09-16", {"city": "Shanghai", "date": "2026-09-16", "condition": "cloudy", "high": 27}),
        ("Mars", "1926-01-01", {"city": "Mars, Pennsylvania", "date": "1926-01-01", "condition": "clear", "high": 12}),
    ],
)
def test_the_weather_service_always_finds_something(city, date, found):
    """It takes the nearest name, gives no temperature beyond ten days, and knows a Mars."""
    call = {"id": "c", "name": "get_weather", "arguments": {"city": city, "date": date}}
    result = asyncio.run(Gateway(careless_desk(), log_sink=None).call(call))
    assert (result.ok, result.value) == (True, found)


def test_the_calculator_calculates():
    """By the allow-list of lesson 05."""
    call = {"id": "c", "name": "calculate", "arguments": {"expression": "2 * (3 + 4)"}}
    assert asyncio.run(Gateway(careless_desk(), log_sink=None).call(call)).value == 14
