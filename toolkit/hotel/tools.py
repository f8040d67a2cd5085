"""The five tools of the sample domain, declared once, on a world given from outside.

Two read and are plain functions; those that write are async, so siblings of one turn write in request order.
No example holds an id that exists, nor a value of the goal: a model must take ids from a search and the rest
from the user, not from a description.
"""

from __future__ import annotations

from datetime import date as Day
from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from toolkit.decorator import tool
from toolkit.hotel.catalogue import RoomType
from toolkit.hotel.world import Booking, HotelSearch, Plan, Weather, World
from toolkit.registry import Registry

City: TypeAlias = Annotated[
    str,
    Field(
        description="City, copied character by character from the user's message.",
        examples=["Lhasa", "拉萨"],
        min_length=1,
        max_length=80,
    ),
]
CheckIn: TypeAlias = Annotated[
    Day, Field(description="First night, as YYYY-MM-DD, the day the user gave.", examples=["2026-10-05"])
]


def hotel_registry(world: World) -> Registry:
    """Declare the five tools on a registry of their own, acting on this world.

    >>> list(hotel_registry(World()))
    ['set_plan', 'mark_step', 'get_weather', 'search_hotels', 'book_hotel']
    """
    registry = Registry()
    _declare_planning(registry, world)
    _declare_reading(registry, world)
    _declare_booking(registry, world)
    return registry


def _declare_planning(registry: Registry, world: World) -> None:
    @tool(
        registry,
        idempotent=True,
        descriptions={"zh": "制定计划：按顺序列出要做的步骤。请在其他工具之前调用；再次调用会替换旧计划。"},
        examples=[{"steps": ["Look up the weather in Lhasa", "Search hotels", "Book a room"]}],
    )
    async def set_plan(
        steps: Annotated[
            list[str],
            Field(description="One short text per step, in order.", min_length=1, max_length=20),
        ],
    ) -> Plan:
        """Set the plan: the steps you are going to take, in order. Call it before any other tool.

        Calling it again replaces the plan. Returns each step with its index, counted from 0.
        """
        return world.set_plan(steps)

    @tool(
        registry,
        idempotent=True,
        descriptions={"zh": "把计划中的一步标记为完成（done）或失败（failed）。请在该步骤的工具返回结果之后调用。"},
        examples=[{"index": 0, "status": "done"}],
    )
    async def mark_step(
        index: Annotated[int, Field(description="The step's index in the plan, counted from 0.", ge=0)],
        status: Annotated[Literal["done", "failed"], Field(description="How the step ended.")],
        note: Annotated[str, Field(description="A remark, such as why it failed.", max_length=200)] = "",
    ) -> Plan:
        """Mark one step of the plan as done or failed, after the tools of that step have answered."""
        return world.mark_step(index, status, note)


def _declare_reading(registry: Registry, world: World) -> None:
    @tool(
        registry,
        idempotent=True,
        descriptions={"zh": "查询某城市某一天的天气预报（最高气温单位：摄氏度）。如何选择取决于天气时，请先调用。"},
        examples=[{"city": "Lhasa", "date": "2026-10-05"}],
    )
    def get_weather(
        city: City,
        date: Annotated[Day, Field(description="The day, as YYYY-MM-DD.", examples=["2026-10-05"])],
    ) -> Weather:
        """Look up the forecast for one city and day; the high is in degrees Celsius.

        Call it before choosing anything that depends on the weather.
        """
        return world.weather(city, date)

    @tool(
        registry,
        idempotent=True,
        descriptions={"zh": "查询某城市可预订的酒店：id、房型和每晚价格（美元）。请在 book_hotel 之前调用。"},
        examples=[{"city": "Lhasa", "check_in": "2026-10-05"}],
    )
    def search_hotels(city: City, check_in: CheckIn) -> HotelSearch:
        """List the hotels of a city with their ids, room types and prices per night in US dollars.

        Call it before book_hotel: it is the only source of hotel ids. The list may be empty.
        """
        return world.search(city, check_in)


def _declare_booking(registry: Registry, world: World) -> None:
    @tool(
        registry,
        idempotent=False,
        timeout_s=5,
        descriptions={
            "zh": "预订房间。会产生费用，且重复调用会重复预订，因此每次住宿只调用一次。返回预订号和总价（美元）。"
        },
        examples=[{"hotel_id": "HT-104", "room_type": "standard", "check_in": "2026-10-05", "nights": 3}],
    )
    async def book_hotel(
        hotel_id: Annotated[
            str,
            Field(
                description="The hotel's id, exactly as in a result of search_hotels.",
                examples=["HT-104"],
                min_length=1,
                max_length=80,
            ),
        ],
        room_type: Annotated[
            RoomType, Field(description="A room type this hotel has, by the result of search_hotels.")
        ],
        check_in: CheckIn,
        nights: Annotated[int, Field(description="Number of nights, 1 to 14.", ge=1, le=14)],
    ) -> Booking:
        """Book a room. It costs money, and calling it twice books twice: call it once per stay.

        Returns the booking id and the total in US dollars.
        """
        return world.book(hotel_id, room_type, check_in, nights)
