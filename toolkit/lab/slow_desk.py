"""A desk whose every call takes a second, and one whose tool has changed since last week."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from toolkit.decorator import tool
from toolkit.quality import Change
from toolkit.registry import Registry

Begun = list[tuple[float, str]]
CHANGES = [Change(version="2", renamed={"hotel": "hotel_id"}, removed=["smoking"], added={"nights": 1})]


def slow_desk(clock: Callable[[], float]) -> tuple[Registry, Begun]:
    """A search that changes nothing and a booking that does; and a list of what began when, in seconds."""
    registry, begun = Registry(), Begun()

    @tool(registry, idempotent=True)
    async def search(what: str, limit: int = 3) -> str:
        """Search."""
        begun.append((clock(), what))
        return await asyncio.sleep(1, what)

    @tool(registry)
    async def book(what: str) -> str:
        """Book."""
        return await search(what)

    return registry, begun


def changed_desk() -> Registry:
    """A tool in its second version, which came about by `CHANGES`."""
    registry = Registry()

    @tool(registry, version="2")
    async def reserve(hotel_id: str, nights: int, note: str = "") -> str:
        """Reserve."""
        return f"{hotel_id}, nights: {nights}"

    return registry
