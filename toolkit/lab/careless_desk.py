"""Tools that always find something: a weather service that guesses the place, and a calculator.

Services that look places up by name do that: asked for Mars, they find Mars in Pennsylvania. And a forecast beyond ten
days has no temperature. Every call succeeds, so what is wrong with one has to be seen before it or after it.
"""

from __future__ import annotations

from datetime import date, timedelta
from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict  # the one pydantic reads before Python 3.12

from toolkit.decorator import tool
from toolkit.errors import ToolError
from toolkit.hotel.catalogue import TODAY
from toolkit.hotel.world import World
from toolkit.quality.wording import nearest
from toolkit.registry import Registry
from toolkit.sandbox.arithmetic import calculate as value_of

_WITH_TEMPERATURE = timedelta(days=10)
_ELSEWHERE = "Mars, Pennsylvania"
_KNOWN = ("Xi'an", "Shanghai", "Dunhuang", "西安", "上海", "敦煌")


class Forecast(TypedDict):
    """A day's forecast; `high` in degrees Celsius, null where the service does not say."""

    city: str
    date: str
    condition: str
    high: int | None


def careless_desk() -> Registry:
    """The two tools on a registry of their own."""
    registry, world = Registry(), World()

    @tool(registry, idempotent=True)
    async def get_weather(
        city: Annotated[str, Field(description="City.", min_length=1, max_length=80)],
        date: Annotated[date, Field(description="The day, as YYYY-MM-DD.")],
    ) -> Forecast:
        """Look up the forecast for a city and a day."""
        try:
            found = world.weather(_guessed(city), date)
        except ToolError:
            return {"city": _ELSEWHERE, "date": date.isoformat(), "condition": "clear", "high": 12}
        high = found["high"] if date <= TODAY + _WITH_TEMPERATURE else None
        return {"city": found["city"], "date": found["date"], "condition": found["condition"], "high": high}

    @tool(registry, idempotent=True)
    async def calculate(
        expression: Annotated[str, Field(description="Digits, operators and brackets.", max_length=200)],
    ) -> float:
        """Calculate an arithmetic expression."""
        return float(value_of(expression))

    return registry


def _guessed(city: str) -> str:
    """The city of ours that is written almost like this one, or the name as it came."""
    close = (nearest(city, known) for known in _KNOWN)
    return next((found for found in close if found is not None), city)
