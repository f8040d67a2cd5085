"""The hotel's front desk: who may call what, what a user has to agree to, and a panel to try it."""

from __future__ import annotations

import json
from datetime import date as Day
from typing import Annotated, Any

from pydantic import Field

from toolkit.decorator import tool
from toolkit.gateway import Gateway
from toolkit.hotel.catalogue import RoomType
from toolkit.hotel.world import Booking, HotelSearch, World
from toolkit.lab.panel import Picture
from toolkit.lab.waiting import finish
from toolkit.records import Context, ToolResult
from toolkit.registry import Registry
from toolkit.schema import OnlyFor

STAY: dict[str, Any] = {"hotel_id": "HT-002", "room_type": "suite", "check_in": "2026-10-01", "nights": 2}
ROLES = ("guest", "clerk", "nobody")


def front_desk(world: World) -> Registry:
    """Three tools with roles: guests and clerks search and book, only clerks give a discount or cancel everything."""
    registry = Registry()

    @tool(
        registry,
        idempotent=True,
        roles={"guest", "clerk"},
        description="List the hotels of a city. This desk serves {{ region }}.",
        descriptions={"zh": "查询某城市的酒店。本前台服务 {{ region }}。"},
    )
    def search_hotels(
        city: Annotated[str, Field(description="City.")], check_in: Annotated[Day, Field(description="First night.")]
    ) -> HotelSearch:
        return world.search(city, check_in)

    @tool(registry, roles={"guest", "clerk"}, confirm=True)
    async def book_hotel(
        hotel_id: Annotated[str, Field(description="The hotel's id.")],
        room_type: Annotated[RoomType, Field(description="The room's type.")],
        check_in: Annotated[Day, Field(description="First night.")],
        nights: Annotated[int, Field(description="Number of nights.", ge=1, le=14)],
        discount: Annotated[int, Field(description="Per cent off.", ge=0, le=50), OnlyFor("clerk")] = 0,
    ) -> Booking:
        """Book a room."""
        booking = world.book(hotel_id, room_type, check_in, nights)
        return {**booking, "total": booking["total"] * (100 - discount) // 100}

    @tool(registry, roles={"clerk"}, confirm=True)
    async def cancel_all(reason: Annotated[str, Field(description="Why.")]) -> str:
        """Cancel every booking of the hotel."""
        world.reset()
        return "All bookings are cancelled."

    return registry


def call_of(name: str, **arguments: Any) -> dict[str, Any]:
    """A call as a model sends it."""
    return {"id": "call_1", "name": name, "arguments": json.dumps(arguments)}


def show_desk(role: str, agreed_nights: int, sent_nights: int, uses: int) -> Picture:
    """A user agrees to one booking; then the model sends one, as often as `uses` says.

    Args:
        role: Who calls.
        agreed_nights: What the user was asked and agreed to.
        sent_nights: What the model sends afterwards, with the user's word.
        uses: How often it sends that.
    """
    world = World()
    gateway = Gateway(front_desk(world), log_sink=None)

    def ask(nights: int, word: str | None) -> ToolResult:
        context = Context(role=role, confirmed={word} if word else set())
        return finish(gateway.call(call_of("book_hotel", **{**STAY, "nights": nights}), context))

    asked = ask(agreed_nights, None)
    word = asked.error.confirmation if asked.error else None
    steps = [("the model asks to book", agreed_nights, asked)]
    steps += [("it books with the user's word", sent_nights, ask(sent_nights, word)) for _ in range(uses)]
    rows = [[what, nights, result.status.value] for what, nights, result in steps]
    nights = [booking["nights"] for booking in world.bookings]
    stands = f"{len(nights)} booked, for {' and '.join(map(str, nights))} nights." if nights else "Nothing is booked."
    return Picture(f"As {role}: {stands}", ["step", "nights", "status"], rows)
