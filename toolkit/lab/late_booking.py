"""A booking that takes effect at once and answers late, as a panel: what is told, and what stands in the store."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date as Day
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field

from toolkit.decorator import tool
from toolkit.gateway import Backoff, Gateway, Settings
from toolkit.hotel.world import Booking, World
from toolkit.lab.figure import draw
from toolkit.lab.panel import Picture
from toolkit.lab.virtual_time import VirtualTime
from toolkit.records import ToolResult
from toolkit.registry import Registry

if TYPE_CHECKING:
    from matplotlib.axes import Axes

STAY = {"hotel_id": "HT-002", "room_type": "suite", "check_in": "2026-10-01", "nights": 2}
THINKING_S = 1.0


@dataclass(slots=True)
class LateHotel:
    """A hotel whose booking is written the moment it is reached, while the answer takes `answer_after_s` seconds."""

    answer_after_s: float
    clock: VirtualTime
    world: World
    reached: list[float]

    def registry(self, **policy: Any) -> Registry:
        """`book_hotel` with this policy, as `@tool` takes it."""
        registry = Registry()

        @tool(registry, **policy)
        async def book_hotel(
            hotel_id: Annotated[str, Field(description="The hotel's id.")],
            room_type: Annotated[Literal["standard", "suite", "deluxe"], Field(description="The room's type.")],
            check_in: Annotated[Day, Field(description="First night.")],
            nights: Annotated[int, Field(description="Number of nights.", ge=1, le=14)],
        ) -> Booking:
            """Book a room."""
            self.reached.append(self.clock.now())
            booking = self.world.book(hotel_id, room_type, check_in, nights)
            await asyncio.sleep(self.answer_after_s)
            return booking

        return registry


def late_hotel(answer_after_s: float) -> LateHotel:
    """A new one, at 0 s, without bookings."""
    return LateHotel(answer_after_s, VirtualTime(), World(), [])


def show_late_booking(
    answer_after_s: float, limit_s: float, attempts: int, declared_idempotent: bool, key: bool
) -> Picture:
    """A model books, and books once more a second after it heard of a failure. In virtual time.

    Args:
        answer_after_s: How long the answer takes; the booking itself is written at once.
        limit_s: Limit for one attempt, in seconds.
        attempts: Attempts per call.
        declared_idempotent: Say that a repeat does no harm, which is not true.
        key: Declare an idempotency key: the arguments themselves.
    """
    hotel = late_hotel(answer_after_s)
    registry = hotel.registry(idempotent=declared_idempotent, idempotency_key=key)
    settings = Settings(
        timeout_s=limit_s, deadline_s=None, attempts=attempts, breaker=None, backoff=Backoff(base_s=0.5)
    )
    gateway = Gateway(registry, settings, log_sink=None, clock=hotel.clock.now, rng=random.Random(7))
    heard: list[tuple[float, ToolResult]] = []

    async def model() -> None:
        for call_id in ("call_1", "call_2"):
            if heard:
                await asyncio.sleep(THINKING_S)
            result = await gateway.call({"id": call_id, "name": "book_hotel", "arguments": STAY})
            heard.append((hotel.clock.now(), result))
            if result.ok:
                return

    hotel.clock.run(model())
    return _picture(hotel, heard, limit_s)


def _picture(hotel: LateHotel, heard: Sequence[tuple[float, ToolResult]], limit_s: float) -> Picture:
    told = ", then ".join(result.status.value for _, result in heard)
    count = len(hotel.world.bookings)
    stands = "1 booking stands" if count == 1 else f"{count} bookings stand"
    rows = [[result.call_id, f"{at:.2f}", result.attempts, result.status.value] for at, result in heard]
    held_s = min(limit_s, hotel.answer_after_s)
    moments = ", ".join(f"{at:.2f}" for at in hotel.reached)
    words = f"attempts at {moments} s, a booking written at the beginning of each"

    def paint(axes: Axes) -> None:
        for number, at in enumerate(hotel.reached):
            axes.barh(number, held_s, left=at, height=0.5, hatch="///", fill=False)
            axes.plot(at, number, marker="D", markersize=9, linestyle="none", color="C1")
        for at, result in heard:
            axes.axvline(at, linestyle=":", color="0.3")
            axes.text(at, -0.75, f" {result.status.value}", fontsize=8, va="center")
        axes.set_yticks(range(len(hotel.reached)), [f"attempt {number + 1}" for number in range(len(hotel.reached))])
        axes.set_ylim(len(hotel.reached) - 0.5, -1.1)
        axes.set_xlim(-0.2, heard[-1][0] * 1.3 + 0.5)
        axes.set_xlabel("seconds (diamond: a booking is written; dotted: what the model hears)")

    chart = draw(paint, words, width=7.5, height=1.4 + 0.35 * len(hotel.reached))
    return Picture(
        f"The model heard {told}. {stands} in the store.", ["call", "at s", "attempts", "status"], rows, chart
    )
