"""What the rubric of 12.BookingDesk asks: a hotel that books, refuses, dawdles, and loses answers, in virtual time."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Literal, TypeAlias

from toolkit.errors import ToolError
from toolkit.lab.virtual_time import Hang, VirtualTime
from toolkit.lessons.expect import Wrong, expect, expect_equal
from toolkit.lessons.rubric import Criterion

Order: TypeAlias = dict[str, Any]
Script: TypeAlias = Callable[["_Front"], Coroutine[Any, Any, None]]
Mishap: TypeAlias = Literal["refuse", "lose the request", "lose the answer"]
KEEP_S = 1000.0


class Hotel:
    """The hotel's store. It books after half of `seconds`, answers after all; `mishaps` befall its next calls."""

    def __init__(self, seconds: float = 1.0) -> None:
        self.seconds = seconds
        self.mishaps: list[Mishap] = []
        self.bookings: list[Order] = []

    async def book(self, reference: str, order: Order) -> Order:
        """Make a booking. Raises `ToolError`: refused, and nothing booked; `TimeoutError`: nobody knows."""
        mishap = self.mishaps.pop(0) if self.mishaps else None
        await asyncio.sleep(self.seconds / 2)
        if mishap == "refuse":
            raise ToolError("No room is left.")
        booked = {"booking_id": f"BK-{len(self.bookings) + 1:04}", "reference": reference, **order}
        if mishap != "lose the request":
            self.bookings.append(booked)
        await asyncio.sleep(self.seconds / 2)
        if mishap is not None:
            raise TimeoutError(mishap)
        return dict(booked)

    async def find(self, reference: str) -> Order | None:
        """The booking made under this reference, or None."""
        return next((dict(each) for each in self.bookings if each["reference"] == reference), None)


class _Front:
    """A desk, the hotel behind it, and the clock of both."""

    def __init__(self, desk_class: Any, clock: VirtualTime) -> None:
        self.clock, self.hotel = clock, Hotel()
        self.desk = desk_class(self.hotel, now=clock.now, keep_s=KEEP_S)

    def book(self, key: str = "k1", guest: str = "guest 7", **details: Any) -> Awaitable[Any]:
        order = {"hotel_id": "HT-001", "nights": 2, **details}
        return self.desk.book(guest, key, order)  # type: ignore[no-any-return]

    async def outcome(self, key: str = "k1", guest: str = "guest 7", **details: Any) -> Any:
        """What the guest gets: a booking, or the hotel's own error; a bug of the desk goes through."""
        return await _ended(self.book(key, guest, **details))

    async def next_outcome(self, key: str = "k1") -> Any:
        """What the next delivery gets after one that came to nothing."""
        try:
            return await asyncio.wait_for(self.outcome(key), 60)
        except TimeoutError:
            raise Wrong("the next delivery of the order got no answer: what does it wait for?") from None

    def expect_bookings(self, wanted: int, case: str) -> None:
        found = len(self.hotel.bookings)
        noun = "booking" if found == 1 else "bookings"
        expect(found == wanted, f"{case}: the hotel holds {found} {noun}, not {wanted}")


async def _ended(work: Awaitable[Any]) -> Any:
    try:
        return await work
    except (ToolError, TimeoutError) as error:
        return error


def _asks(*scripts: Script) -> Callable[[Any], None]:
    """A checker that runs each script at a new desk."""

    def checker(desk_class: Any) -> None:
        for script in scripts:
            clock = VirtualTime()
            try:
                clock.run(script(_Front(desk_class, clock)))
            except Hang as hang:
                raise Wrong(f"a guest got no answer, ever: {hang}") from None

    return checker


def _number(booked: Any, case: str) -> Any:
    expect(isinstance(booked, dict) and "booking_id" in booked, f"{case}: expected the hotel's booking, got {booked!r}")
    return booked["booking_id"]


async def _books_once(front: _Front) -> None:
    case = "one key, one order, sent twice"
    first = _number(await front.outcome(), "an order")
    expect_equal(front.hotel.bookings[0]["nights"], 2, "the nights that the hotel got")
    again = await _ended(front.desk.book("guest 7", "k1", {"nights": 2, "hotel_id": "HT-001"}))
    front.expect_bookings(1, case)
    expect_equal(_number(again, case), first, f"{case}: the booking of the second answer")
    expect(
        _number(await front.outcome("k2"), "a new key") != first, "a new key is a new order, and got the old booking"
    )


async def _refuses_another_order(front: _Front) -> None:
    await front.outcome()
    told = await front.outcome(nights=5)
    front.expect_bookings(1, "one key, and then an order of 5 nights instead of 2")
    got = told.get("booking_id") if isinstance(told, dict) else repr(told)
    expect(isinstance(told, ToolError), f"one key, and then 5 nights instead of 2: expected a ToolError, got {got}")


async def _keeps_guests_apart(front: _Front) -> None:
    pairs = [
        ("guest 7", "1"),
        ("guest 8", "1"),
        ("a", "b:c"),
        ("a:b", "c"),
        ("x", "yz"),
        ("xy", "z"),
        ("p/q", "r"),
        ("p", "q/r"),
    ]
    numbers = [_number(await front.outcome(key, guest), f"{guest!r} and the key {key!r}") for guest, key in pairs]
    for (guest, key), number in zip(pairs, numbers, strict=True):
        others = f"{guest!r} with the key {key!r} was given another guest's booking"
        expect(numbers.count(number) == 1, others)


async def _lets_a_refused_order_try_again(front: _Front) -> None:
    front.hotel.mishaps = ["refuse"]
    told = await front.outcome()
    expect(isinstance(told, ToolError), f"the hotel refuses: the guest should read why, and got {told!r}")
    again = await front.next_outcome()
    expect(not isinstance(again, Exception), f"a room is free again, and the guest is told the old refusal: {again!r}")
    front.expect_bookings(1, "refused, and then made")


async def _books_once_for_two_at_once(front: _Front) -> None:
    answers = await asyncio.gather(*(front.outcome() for _ in range(5)))
    front.expect_bookings(1, "five deliveries of one order at once")
    numbers = [_number(answer, "five deliveries at once") for answer in answers]
    expect_equal(numbers, numbers[:1] * 5, "five deliveries at once: the bookings they were given")


async def _serves_others_meanwhile(front: _Front) -> None:
    await asyncio.gather(*(front.outcome(f"k{number}", f"guest {number}") for number in range(4)))
    took = front.clock.now()
    expect(took < 2, f"four guests at once, and the hotel takes 1 s for each: the last was served after {took:g} s")


async def _asks_before_it_books_again(front: _Front) -> None:
    front.hotel.mishaps = ["lose the request"]
    first = await front.outcome()
    second = first if isinstance(first, dict) else await front.next_outcome()
    _number(second, "the request was lost, and then sent again")
    front.expect_bookings(1, "the request was lost, and then sent again")
    front.hotel.mishaps = ["lose the answer"]
    first = await front.outcome("k2")
    second = first if isinstance(first, dict) else await front.next_outcome("k2")
    front.expect_bookings(2, "an earlier booking, and one whose answer was lost and which was then sent again")
    number = _number(second, "the answer was lost, and the order sent again")
    expect_equal(number, "BK-0002", "the answer was lost, and the order sent again: its booking")


async def _outlives_a_caller(front: _Front) -> None:
    gone = asyncio.ensure_future(front.outcome())
    await asyncio.sleep(0.75)
    gone.cancel()
    ended = (await asyncio.gather(gone, return_exceptions=True))[0]
    if isinstance(ended, Exception):
        raise ended
    left = isinstance(ended, asyncio.CancelledError)
    expect(left, f"a guest leaves while the hotel works: its cancellation was swallowed, and became {ended!r}")
    booked = await front.next_outcome()
    front.expect_bookings(1, "a guest left while the hotel worked, and the order came again")
    _number(booked, "a guest left while the hotel worked, and the order came again")


async def _survives_changes(front: _Front) -> None:
    order = {"hotel_id": "HT-001", "nights": 2}
    answer = await front.desk.book("guest 7", "k1", order)
    number = _number(answer, "an order")
    answer["booking_id"] = "mine"
    case = "a caller changed the answer it had, and the order came again"
    expect_equal(_number(await front.outcome(), case), number, f"{case}: its booking")
    order["nights"] = 5
    told = await _ended(front.desk.book("guest 7", "k1", order))
    refused = isinstance(told, ToolError)
    expect(refused, f"a caller changed the nights in its dict to 5 and sent it again under the old key: got {told!r}")


async def _forgets_in_time(front: _Front) -> None:
    await front.outcome()
    await asyncio.sleep(KEEP_S * 0.6)
    await front.outcome()
    front.expect_bookings(1, f"keep_s={KEEP_S:g}, and the order came again after {KEEP_S * 0.6:g} s")
    await asyncio.sleep(KEEP_S * 2)
    later = await front.outcome(nights=3)
    expect(isinstance(later, dict), f"keep_s={KEEP_S:g}, and the key was kept for ever: a new order got {later!r}")
    front.expect_bookings(2, f"keep_s={KEEP_S:g}, and long after it a new order under the key of an old one")
    front.hotel.seconds = KEEP_S * 3
    slow = asyncio.ensure_future(front.outcome("slow"))
    await asyncio.sleep(KEEP_S * 2)
    await front.outcome("slow")
    await slow
    front.expect_bookings(3, "an order that is still under way after keep_s, and came again, and two others before it")


RUBRIC = (
    Criterion("the same key and order again: the same booking, and only one", 3, "junior", _asks(_books_once)),
    Criterion("a key that is used for another order is refused", 2, "senior", _asks(_refuses_another_order)),
    Criterion("one guest's keys are not another's", 2, "senior", _asks(_keeps_guests_apart)),
    Criterion("an order that was refused may be sent again", 2, "senior", _asks(_lets_a_refused_order_try_again)),
    Criterion("several deliveries at once are one booking", 3, "senior", _asks(_books_once_for_two_at_once)),
    Criterion("nobody waits for another guest's order", 1, "senior", _asks(_serves_others_meanwhile)),
    Criterion("after a lost answer it looks before it books", 3, "staff", _asks(_asks_before_it_books_again)),
    Criterion(
        "a caller who leaves, or changes its dicts, breaks nothing for the next",
        *(2, "staff", _asks(_outlives_a_caller, _survives_changes)),
    ),
    Criterion("keys are forgotten in time, and not while an order is under way", 2, "staff", _asks(_forgets_in_time)),
)
