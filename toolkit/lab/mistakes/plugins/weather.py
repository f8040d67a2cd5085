"""A tool that registers itself on import."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from toolkit.decorator import tool
from toolkit.lab.mistakes.plugins import REGISTRY


@tool(REGISTRY, idempotent=True)
def get_weather(city: Annotated[str, Field(description="City.")]) -> str:
    """Look up the weather."""
    return f"rain in {city}"
