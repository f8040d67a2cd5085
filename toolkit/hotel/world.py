"""The world the hotel tools act on: a forecast to read, hotels to search, bookings and a plan to write.

It is real state, so a test, a check or a reader can ask the store what happened instead of believing an
answer. Every method checks everything first and writes last: a refused call leaves the world as it was.
"""

from __future__ import annotations

import threading
from datetime import date, timedelta
from typing import Literal, NotRequired

from typing_extensions import TypedDict  # the one pydantic reads before Python 3.12

from toolkit.hotel.catalogue import CITIES, CURRENCY, HOTELS, TODAY, City, Hotel, Language, RoomType
from toolkit.hotel.refusals import quoted, refusal

StepStatus = Literal["pending", "done", "failed"]


class Weather(TypedDict):
    """A day's forecast; `high` in degrees Celsius."""

    city: str
    date: str
    condition: str
    high: int


class HotelOffer(TypedDict):
    """A hotel as a search shows it; prices in US dollars."""

    id: str
    name: str
    city: str
    room_types: list[RoomType]
    price_per_night: dict[RoomType, int]


class HotelSearch(TypedDict):
    """The hotels of one city."""

    city: str
    check_in: str
    hotels: list[HotelOffer]


class Booking(TypedDict):
    """A booking that stands in the store."""

    status: Literal["ok"]
    booking_id: str
    hotel_id: str
    hotel_name: str
    room_type: RoomType
    check_in: str
    nights: int
    total: int
    currency: str


class PlanStep(TypedDict):
    """One step of the plan; `index` counts from 0, `note` is there once one was given."""

    index: int
    title: str
    status: StepStatus
    note: NotRequired[str]


class Plan(TypedDict):
    """The plan as it stands."""

    plan: list[PlanStep]


class World:
    """Cities, hotels and a forecast that stay, bookings and a plan that change. Safe to use from threads.

    The clock stands at 2026-09-15. Cities are understood in English and Chinese; names and refusals are
    given in `language`.

    >>> world = World()
    >>> world.weather("西安", date(2026, 10, 1))
    {'city': "Xi'an", 'date': '2026-10-01', 'condition': 'rain', 'high': 17}
    >>> world.book("HT-002", "suite", date(2026, 10, 1), 2)["total"]
    800
    >>> [booking["booking_id"] for booking in world.bookings]
    ['BK-0001']
    """

    first_day = TODAY
    last_day = TODAY + timedelta(days=365)
    most_nights = 14

    def __init__(self, language: Language = "en") -> None:
        self.language: Language = language
        self._lock = threading.Lock()
        self._bookings: list[Booking] = []
        self._plan: list[PlanStep] = []

    @property
    def bookings(self) -> list[Booking]:
        """Every booking, oldest first. A copy: changing it books nothing."""
        with self._lock:
            return [booking.copy() for booking in self._bookings]

    @property
    def plan(self) -> list[PlanStep]:
        """The steps of the plan. A copy."""
        with self._lock:
            return [step.copy() for step in self._plan]

    def reset(self) -> None:
        """Forget all bookings and the plan."""
        with self._lock:
            self._bookings.clear()
            self._plan.clear()

    def weather(self, city: str, day: date) -> Weather:
        """Give the forecast of a day.

        Raises:
            ToolError: the city is unknown, or the forecast does not reach that day.
        """
        place = self._city(city)
        name = place.names[self.language]
        offset = (day - TODAY).days
        if not 0 <= offset < len(place.forecast):
            raise refusal("no_forecast", self.language, city=name, day=day, first=TODAY, last=place.last_day)
        condition, high = place.forecast[offset]
        return {"city": name, "date": day.isoformat(), "condition": condition, "high": high}

    def search(self, city: str, check_in: date) -> HotelSearch:
        """List the hotels of a city, which may be none.

        Raises:
            ToolError: the city is unknown, or the day is past or too far ahead.
        """
        place = self._city(city)
        self._check_day(check_in)
        return {
            "city": place.names[self.language],
            "check_in": check_in.isoformat(),
            "hotels": [self._offer(hotel) for hotel in HOTELS if hotel.city is place],
        }

    def book(self, hotel_id: str, room_type: RoomType, check_in: date, nights: int) -> Booking:
        """Book a room and keep the booking.

        Raises:
            ToolError: no such hotel or room, a day that cannot be booked, or nights outside 1..14.
        """
        hotel = self._hotel(hotel_id)
        if room_type not in hotel.price_per_night:
            rooms = ", ".join(hotel.price_per_night)
            raise refusal("no_such_room", self.language, room=room_type, hotel=hotel.id, rooms=rooms)
        self._check_day(check_in)
        if not 1 <= nights <= self.most_nights:
            raise refusal("nights_out_of_range", self.language, nights=nights)
        with self._lock:
            booking: Booking = {
                "status": "ok",
                "booking_id": f"BK-{len(self._bookings) + 1:04d}",
                "hotel_id": hotel.id,
                "hotel_name": hotel.names[self.language],
                "room_type": room_type,
                "check_in": check_in.isoformat(),
                "nights": nights,
                "total": nights * hotel.price_per_night[room_type],
                "currency": CURRENCY,
            }
            self._bookings.append(booking)
            return booking.copy()

    def set_plan(self, steps: list[str]) -> Plan:
        """Set the plan, in place of any earlier one; every step starts as pending.

        Raises:
            ToolError: no step, or a step without text.
        """
        titles = [step.strip() for step in steps]
        if not titles:
            raise refusal("no_steps", self.language)
        if not all(titles):
            raise refusal("blank_step", self.language, index=titles.index(""))
        with self._lock:
            self._plan = [{"index": index, "title": title, "status": "pending"} for index, title in enumerate(titles)]
        return {"plan": self.plan}

    def mark_step(self, index: int, status: Literal["done", "failed"], note: str = "") -> Plan:
        """Mark a step of the plan as done or failed, with a remark if there is one.

        Raises:
            ToolError: no plan is set, or it has no step of that index.
        """
        with self._lock:
            if not self._plan:
                raise refusal("no_plan", self.language, index=index)
            if not 0 <= index < len(self._plan):
                last = len(self._plan) - 1
                raise refusal("no_such_step", self.language, index=index, first=0, last=last)
            self._plan[index]["status"] = status
            if note:
                self._plan[index]["note"] = note
        return {"plan": self.plan}

    def _city(self, name: str) -> City:
        for city in CITIES:
            if city.is_called(name):
                return city
        known = ", ".join(city.names[self.language] for city in CITIES)
        raise refusal("unknown_city", self.language, city=quoted(name), cities=known)

    def _hotel(self, hotel_id: str) -> Hotel:
        for hotel in HOTELS:
            if hotel.id == hotel_id:
                return hotel
        raise refusal("unknown_hotel", self.language, hotel=quoted(hotel_id))

    def _check_day(self, day: date) -> None:
        if not self.first_day <= day <= self.last_day:
            raise refusal("date_not_bookable", self.language, day=day, first=self.first_day, last=self.last_day)

    def _offer(self, hotel: Hotel) -> HotelOffer:
        return {
            "id": hotel.id,
            "name": hotel.names[self.language],
            "city": hotel.city.names[self.language],
            "room_types": list(hotel.price_per_night),
            "price_per_night": dict(hotel.price_per_night),
        }
