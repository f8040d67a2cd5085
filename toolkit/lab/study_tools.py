"""The tools of the study of examples. They do nothing: what is studied is how they are called.

Five are asked for. Of these, the first two say in their descriptions how a value is written; the other three leave it
to their example, as many published tools do. Four more stand in the prompt with a worked call each. All values are
made up.
"""

from __future__ import annotations

from datetime import date as Day
from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from toolkit.decorator import tool
from toolkit.hotel.catalogue import RoomType
from toolkit.registry import Registry

Group: TypeAlias = Literal["described", "undescribed"]
GROUPS: dict[str, Group] = {
    "get_weather": "described",
    "book_room": "described",
    "convert_money": "undescribed",
    "set_alarm": "undescribed",
    "start_timer": "undescribed",
}
"""Whether the description of a tool's arguments says how they are written."""

FORMS = {
    "date": r"\d{4}-\d\d-\d\d",
    "check_in": r"\d{4}-\d\d-\d\d",
    "hotel_id": r"HT-\d{3}",
    "source": r"[A-Z]{3}",
    "target": r"[A-Z]{3}",
    "time": r"\d\d:\d\d",
    "duration": r"PT\d+M",
}
"""How the tools need a value to be written, where it is not just any text."""


def study_registry() -> Registry:
    """Declare all nine tools."""
    registry = Registry()
    _declare_worked(registry)
    _declare_described(registry)
    _declare_undescribed(registry)
    return registry


def _declare_worked(registry: Registry) -> None:
    @tool(registry, examples=[{"a": 2.5, "b": 4}])
    def multiply(
        a: Annotated[float, Field(description="One factor.")],
        b: Annotated[float, Field(description="The other factor.")],
    ) -> None:
        """Multiply two numbers."""

    @tool(registry, examples=[{"word": "lantern"}])
    def look_up(word: Annotated[str, Field(description="The word, as the user wrote it.")]) -> None:
        """Look up a word in the dictionary."""

    @tool(registry, examples=[{"origin": "Delhi", "destination": "Agra", "day": "2026-12-09"}])
    def find_train(
        origin: Annotated[str, Field(description="Where the journey begins.")],
        destination: Annotated[str, Field(description="Where it ends.")],
        day: Annotated[Day, Field(description="The day, as YYYY-MM-DD.")],
    ) -> None:
        """Find a train between two cities."""

    @tool(registry, examples=[{"text": "good evening", "language": "Finnish"}])
    def translate(
        text: Annotated[str, Field(description="The text, as the user wrote it.")],
        language: Annotated[str, Field(description="The language to translate into.")],
    ) -> None:
        """Translate a text."""


def _declare_described(registry: Registry) -> None:
    @tool(registry, examples=[{"city": "Lhasa", "date": "2026-10-05"}])
    def get_weather(
        city: Annotated[str, Field(description="City, copied character by character from the user's message.")],
        date: Annotated[Day, Field(description="The day, as YYYY-MM-DD.")],
    ) -> None:
        """Look up the forecast for one city and day."""

    @tool(
        registry,
        examples=[{"hotel_id": "HT-104", "room_type": "standard", "check_in": "2026-10-05", "nights": 3}],
    )
    def book_room(
        hotel_id: Annotated[str, Field(description="The hotel's id, HT- and three digits.")],
        room_type: Annotated[RoomType, Field(description="One of the three room types.")],
        check_in: Annotated[Day, Field(description="First night, as YYYY-MM-DD.")],
        nights: Annotated[int, Field(description="Number of nights, 1 to 14.", ge=1, le=14)],
    ) -> None:
        """Book a room in a hotel."""


def _declare_undescribed(registry: Registry) -> None:
    @tool(registry, examples=[{"amount": 20, "source": "CHF", "target": "AUD"}])
    def convert_money(
        amount: Annotated[float, Field(description="The amount.")],
        source: Annotated[str, Field(description="Currency to convert from.")],
        target: Annotated[str, Field(description="Currency to convert to.")],
    ) -> None:
        """Convert an amount of money into another currency."""

    @tool(registry, examples=[{"time": "18:45"}])
    def set_alarm(time: Annotated[str, Field(description="When it rings.")]) -> None:
        """Set an alarm for today."""

    @tool(registry, examples=[{"name": "dough", "duration": "PT45M"}])
    def start_timer(
        name: Annotated[str, Field(description="What the timer is called.")],
        duration: Annotated[str, Field(description="How long it runs.")],
    ) -> None:
        """Start a timer."""
