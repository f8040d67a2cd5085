"""Changes with two attempts at a step: one of them decides, and which one is a rule of its own."""

from __future__ import annotations

import json
from functools import partial
from typing import Any

from toolkit.hotel.mutations.calls import add_search
from toolkit.hotel.mutations.names import (
    BOOKING,
    FAIL,
    IDLE,
    PLAN,
    PLANNED,
    ROOM,
    SEARCH,
    SOURCE,
    STEPS,
    UNJUDGED,
    WEATHER,
)
from toolkit.hotel.mutations.values import NEVER_SEEN
from toolkit.trajectory.draft import Draft, Exchange
from toolkit.trajectory.mutate import Operator

REFUSED: dict[str, Any] = {"error": "try again"}
LOST = None


def other_room(run: Draft) -> str:
    """The room for the other weather."""
    room = json.loads(run.done(BOOKING).arguments)["room_type"]
    return "standard" if room == "suite" else "suite"


def book_too(run: Draft, *, end: Any, first: bool, arguments: dict[str, Any] | str | None = None) -> None:
    """Another attempt beside the one that is there: refused, lost, or done."""
    call = run.done(BOOKING)
    again = Exchange(f"{call.id}_too", BOOKING, call.arguments)
    if isinstance(arguments, str):
        again.arguments = arguments
    else:
        again.argue(**(arguments if arguments is not None else {"room_type": other_room(run)}))
    if end is not LOST:
        again.answer(end)
    run.insert(again, **({"before": call} if first else {"after": call}))


def _lose_the_right_one(run: Draft) -> None:
    """The other room stands; a booking of the right one is lost."""
    call = run.done(BOOKING)
    book_too(run, end=LOST, first=True, arguments={})
    call.argue(room_type=other_room(run))


def _refuse_all(run: Draft, *, wrong_first: bool) -> None:
    call = run.done(BOOKING)
    book_too(run, end=REFUSED, first=wrong_first)
    call.answer(REFUSED)


def _lose_and_confirm(run: Draft) -> None:
    """The right booking is lost, and one for the other room was refused: the last attempt differs."""
    call = run.done(BOOKING)
    book_too(run, end=REFUSED, first=False)
    call.answer()


def _find_nothing(run: Draft, *, after: bool = False) -> None:
    if after:
        add_search(run, "Shanghai")
        run.calls(SEARCH)[-1].answer({"city": "Shanghai", "hotels": []})
    else:
        run.done(SEARCH).tell(hotels=[])
    run.remove(*run.calls(BOOKING))


def _lose_before_finding(run: Draft, *, lose: str) -> None:
    """The last search found nothing, or it is a page of more, or lost; and nothing was booked."""
    found = run.done(SEARCH)
    found.tell(hotels=[], **({"next_page": 2} if lose == "page" else {}))
    if lose == "result":
        found.answer()
    run.remove(*run.calls(BOOKING))


def _fail_after_finding(run: Draft) -> None:
    """Nothing was found, a last search failed, and nothing was booked."""
    run.done(SEARCH).tell(hotels=[])
    add_search(run, "Xi'an")
    run.calls(SEARCH)[-1].answer(REFUSED)
    run.remove(*run.calls(BOOKING))


def _search_without_weather(run: Draft) -> None:
    """The weather call failed, the search was made all the same, and the weather came only then."""
    for call in run.calls(WEATHER):
        call.answer(REFUSED) if call is not run.done(WEATHER) else None
    call = run.done(WEATHER)
    failed = Exchange(f"{call.id}_refused", WEATHER, call.arguments, [json.dumps(REFUSED)])
    run.insert(failed, before=call)
    run.move(call, before=run.calls(BOOKING)[0])


def _again_beside_booking(run: Draft, tool: str, *, lost: bool) -> None:
    """The call is made once more, in the turn of the booking; lost: no result of it is left at all."""
    call = run.done(tool)
    again = Exchange(f"{call.id}_again", tool, call.arguments, list(call.contents))
    run.turn_of(run.calls(BOOKING)[0]).exchanges.insert(0, again)
    if lost:
        call.answer()
        again.answer()


def _plan_by_another_tool(run: Draft) -> None:
    steps = run.done(PLAN).arguments
    run.insert(Exchange("call_other_plan", "write_plan", steps, ['{"status": "ok"}']), before=run.done(PLAN))
    run.remove(*run.calls(PLAN))


def _plan_twice(run: Draft, *, end: Any) -> None:
    """Before the plan there was one that failed, was lost, or said nothing."""
    call = run.done(PLAN)
    first = Exchange(f"{call.id}_first", PLAN, '{"steps": []}' if end == {} else call.arguments)
    first.answer(*([] if end is LOST else [end or {"status": "ok"}]))
    run.insert(first, before=call)


UNBOOKED = {STEPS: IDLE, SOURCE: IDLE, ROOM: IDLE}

ATTEMPT_OPERATORS = (
    Operator(
        "book another room as well",
        {ROOM: FAIL},
        [partial(book_too, end={"status": "ok"}, first=first) for first in (True, False)],
    ),
    Operator("be refused another room", {}, [partial(book_too, end=REFUSED, first=first) for first in (True, False)]),
    Operator(
        "lose a booking of another room",
        {ROOM: UNJUDGED},
        [partial(book_too, end=LOST, first=first) for first in (True, False)],
    ),
    Operator(
        "be refused an unseen id",
        {SOURCE: FAIL},
        [partial(book_too, end=REFUSED, first=first, arguments={"hotel_id": NEVER_SEEN}) for first in (True, False)],
    ),
    Operator(
        "be refused for spoiled arguments",
        {},
        [partial(book_too, end=REFUSED, first=True, arguments=text) for text in ("{", "[]")],
    ),
    Operator("be refused both rooms, the wrong one last", {ROOM: FAIL}, [partial(_refuse_all, wrong_first=False)]),
    Operator("be refused both rooms, the right one last", {}, [partial(_refuse_all, wrong_first=True)]),
    Operator("lose one booking, be refused another", {ROOM: UNJUDGED}, [_lose_and_confirm]),
    Operator(
        "find nothing and book nothing",
        UNBOOKED,
        [_find_nothing, partial(_find_nothing, after=True), _fail_after_finding],
    ),
    Operator(
        "lose what was found and book nothing",
        {**UNBOOKED, STEPS: UNJUDGED},
        [partial(_lose_before_finding, lose=lose) for lose in ("result", "page")],
    ),
    Operator("search after the weather had failed", {STEPS: FAIL}, [_search_without_weather]),
    Operator("plan twice", {}, [partial(_plan_twice, end=end) for end in (REFUSED, LOST, {})]),
    Operator("lose a booking of the right room", {ROOM: FAIL}, [_lose_the_right_one]),
    Operator(
        "book with spoiled arguments as well",
        {SOURCE: UNJUDGED, ROOM: UNJUDGED},
        [partial(book_too, end={"status": "ok"}, first=first, arguments="{") for first in (True, False)],
    ),
    Operator(
        "look again beside the booking",
        {},
        [partial(_again_beside_booking, tool=tool, lost=False) for tool in (WEATHER, SEARCH)],
    ),
    Operator(
        "lose the weather twice",
        {STEPS: UNJUDGED, ROOM: UNJUDGED},
        [partial(_again_beside_booking, tool=WEATHER, lost=True)],
    ),
    Operator("plan by another tool", {PLANNED: FAIL}, [_plan_by_another_tool]),
)
