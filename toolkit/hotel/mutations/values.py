"""Changes to what calls ask for and what tools answer: values that were invented, mixed up or turned."""

from __future__ import annotations

import json
from functools import partial
from typing import Any

from toolkit.hotel.mutations.calls import other_weather
from toolkit.hotel.mutations.names import (
    BOOKING,
    FAIL,
    PLAN,
    PLANNED,
    ROOM,
    SEARCH,
    SOURCE,
    STEPS,
    UNJUDGED,
    WEATHER,
)
from toolkit.trajectory.draft import Draft, Exchange, Message
from toolkit.trajectory.mutate import Edit, Operator

NEVER_SEEN = "HT-900"
FAILURES: tuple[dict[str, Any], ...] = (
    {"error": "no connection"},
    {"error": {"code": 503}, "status": "ok"},
    {"status": "execution_error"},
    {"isError": True},
)


def _book(run: Draft, **changes: Any) -> None:
    for call in run.calls(BOOKING):
        call.argue(**changes)


def _book_mangled(run: Draft, prefix: str = "", suffix: str = "", *, lower: bool = False) -> None:
    hotel = run.done(BOOKING).told().get("hotel_id", "HT-002")
    _book(run, hotel_id=prefix + (hotel.lower() if lower else hotel) + suffix)


def _told_in_error(run: Draft, tool: str) -> None:
    """The id stands in an error text of the last call before the booking, and nowhere else."""
    error = {"error": f"Try {NEVER_SEEN}.", "hotels": [{"id": NEVER_SEEN}]}
    run.insert(Exchange.of(tool, {"city": "Xi'an", "check_in": "2026-10-01"}, error), before=run.calls(BOOKING)[0])
    _book(run, hotel_id=NEVER_SEEN)


def _told_in_words(run: Draft, message: Message) -> None:
    run.parts.insert(run.parts.index(run.turn_of(run.calls(BOOKING)[0])), message)
    _book(run, hotel_id=NEVER_SEEN)


def _told_in_plan(run: Draft) -> None:
    run.done(PLAN).argue(steps=[f"Book {NEVER_SEEN}"])
    run.done(PLAN).tell(hotels=[{"id": NEVER_SEEN}])
    _book(run, hotel_id=NEVER_SEEN)


def _told_elsewhere_in_result(run: Draft) -> None:
    """The id is in the search's result, but not at the place where hotels stand."""
    run.done(SEARCH).tell(sold_out=[{"id": NEVER_SEEN}])
    _book(run, hotel_id=NEVER_SEEN)


def _found_later(run: Draft) -> None:
    """A second search, after the booking, returns the id that was booked."""
    found = {**run.done(SEARCH).told(), "hotels": [{"id": NEVER_SEEN}]}
    run.insert(Exchange.of(SEARCH, {"city": found["city"]}, found), after=run.calls(BOOKING)[-1])
    _book(run, hotel_id=NEVER_SEEN)


def _change_room(run: Draft, *, confirmed: bool) -> None:
    call = run.done(BOOKING)
    rooms = {"suite": "standard"}
    asked = rooms.get(_arguments_of(call)["room_type"], "suite")
    _book(run, room_type=asked)
    if confirmed and call.succeeded:
        call.tell(room_type=asked)


def _capitalise_room(run: Draft) -> None:
    room = _arguments_of(run.done(BOOKING))["room_type"]
    _book(run, room_type=f" {room.title()}")


def _arguments_of(call: Exchange) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(call.arguments)
    return found


def _move_to(run: Draft, tool: str, **place: str) -> None:
    """The call asks about another place or day, and is told about it."""
    for call in run.calls(tool):
        if call.succeeded:
            call.argue(**place)
            call.tell(**place)


def _tell(run: Draft, tool: str, **changes: Any) -> None:
    run.done(tool).tell(**changes)


def _flip(run: Draft, condition: str = "") -> None:
    run.done(WEATHER).tell(condition=condition or other_weather(run))


def _plan(run: Draft, steps: Any) -> None:
    run.done(PLAN).argue(steps=steps)


def _fail(run: Draft, tool: str, failure: dict[str, Any]) -> None:
    run.done(tool).tell(**failure)


def _failing(tool: str) -> list[Edit]:
    return [partial(_fail, tool=tool, failure=failure) for failure in FAILURES]


def _fail_first(run: Draft, tool: str) -> None:
    """The call failed once, and was made again."""
    call = run.calls(tool)[0]
    failed = Exchange(f"{call.id}_failed", call.name, call.arguments, ['{"error": "no connection"}'])
    run.insert(failed, before=call)


VALUE_OPERATORS = (
    Operator(
        "book an unseen id",
        {SOURCE: FAIL},
        [
            partial(_book, hotel_id=NEVER_SEEN),
            partial(_book, hotel_id=2),
            partial(_book, hotel_id=True),
            partial(_book_mangled, suffix=" "),
            partial(_book_mangled, prefix="hotel "),
            partial(_book_mangled, lower=True),
        ],
    ),
    Operator(
        "book an id from an error text",
        {SOURCE: FAIL},
        [partial(_told_in_error, tool=tool) for tool in (SEARCH, "list_hotels")],
    ),
    Operator(
        "book an id that was only talked about",
        {SOURCE: FAIL},
        [
            partial(_told_in_words, message={"role": "user", "content": f"Take {NEVER_SEEN}."}),
            partial(_told_in_words, message={"role": "assistant", "content": f"I found {NEVER_SEEN}."}),
            _told_in_plan,
            _told_elsewhere_in_result,
        ],
    ),
    Operator("book an id that is found later", {SOURCE: FAIL}, [_found_later]),
    Operator("book no id", {SOURCE: FAIL}, [partial(_book, hotel_id=None)]),
    Operator("book without room or day", {ROOM: FAIL}, [partial(_book, room_type=None), partial(_book, check_in=None)]),
    Operator(
        "change the room",
        {ROOM: FAIL},
        [partial(_change_room, confirmed=told) for told in (True, False)]
        + [partial(_book, room_type=room) for room in ("deluxe", 2)],
    ),
    Operator("write the room otherwise", {}, [_capitalise_room]),
    Operator("the hotel gives another room", {}, [partial(_tell, tool=BOOKING, room_type="deluxe")]),
    Operator(
        "search in another city",
        {SOURCE: FAIL, ROOM: FAIL},
        [partial(_move_to, tool=SEARCH, city=city) for city in ("Shanghai", "敦煌")],
    ),
    Operator(
        "name the city otherwise",
        {},
        [partial(_move_to, tool=tool, city=city) for tool in (WEATHER, SEARCH) for city in ("XI’AN ", "西安市")],
    ),
    Operator(
        "weather of another city",
        {ROOM: FAIL},
        [partial(_move_to, tool=WEATHER, city=city) for city in ("Shanghai", "敦煌")],
    ),
    Operator("weather of another day", {ROOM: FAIL}, [partial(_move_to, tool=WEATHER, date="2026-10-02")]),
    Operator("book another day", {ROOM: FAIL}, [partial(_book, check_in=day) for day in ("2026-10-02", "2027-10-01")]),
    Operator("search for another day", {}, [partial(_move_to, tool=SEARCH, check_in="2026-10-02")]),
    Operator("book other nights", {}, [partial(_book, nights=3)]),
    Operator("flip the weather", {ROOM: FAIL}, [_flip]),
    Operator(
        "write the weather otherwise",
        {},
        [lambda run: _flip(run, f" {run.done(WEATHER).told()['condition']} ".upper())],
    ),
    Operator(
        "an unknown weather",
        {ROOM: UNJUDGED},
        [partial(_flip, condition="hail"), partial(_tell, tool=WEATHER, condition=None)],
    ),
    Operator("the plan fails", {PLANNED: FAIL}, _failing(PLAN)),
    Operator(
        "the plan is empty", {PLANNED: FAIL}, [partial(_plan, steps=steps) for steps in ([], ["", " "], "all", None)]
    ),
    Operator("the weather call fails", {STEPS: FAIL, ROOM: FAIL}, _failing(WEATHER)),
    Operator("the search fails", {STEPS: FAIL, SOURCE: FAIL}, _failing(SEARCH)),
    Operator("the booking fails", {}, _failing(BOOKING)),
    Operator("a call fails once", {}, [partial(_fail_first, tool=tool) for tool in (PLAN, WEATHER, SEARCH, BOOKING)]),
)
