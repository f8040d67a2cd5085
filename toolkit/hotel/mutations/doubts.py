"""Changes to what can be told: results that are lost beside others, searches elsewhere, readings of no city."""

from __future__ import annotations

from functools import partial

from toolkit.hotel.mutations.attempts import REFUSED, book_too
from toolkit.hotel.mutations.calls import add_search, add_weather, other_weather
from toolkit.hotel.mutations.names import (
    BOOKING,
    FAIL,
    IDLE,
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

OTHER = "HT-004"


def _siblings_lost(run: Draft) -> None:
    """Search and booking in one turn, and the search's result is lost: it was not visible anyway."""
    search = run.done(SEARCH)
    run.join(run.calls(BOOKING)[0], search)
    search.answer()


def _siblings_without_weather(run: Draft) -> None:
    """Search and booking in one turn, and nobody knows whether the weather call before them succeeded."""
    run.join(run.calls(BOOKING)[0], run.done(SEARCH))
    run.done(WEATHER).answer()


def _refused_from_lost(run: Draft, *, first: bool) -> None:
    """One attempt took its id from a search that is lost, and was refused; the other is right."""
    _lost_elsewhere(run)
    book_too(run, end=REFUSED, first=first, arguments={"hotel_id": OTHER})


def _weather_of_nowhere(run: Draft, *, late: bool) -> None:
    """A second look at the weather names no city."""
    told = {**run.done(WEATHER).told(), "condition": other_weather(run)}
    date = told["date"]
    del told["city"]
    call = Exchange.of(WEATHER, {"date": date}, told)
    run.insert(call, **({"before": run.calls(BOOKING)[0]} if late else {"before": run.calls(WEATHER)[0]}))


def _lost_too_late(run: Draft, *, sibling: bool) -> None:
    """An id that nobody saw; a search that may have shown it is lost, but stands beside the booking or behind it."""
    call = run.done(BOOKING)
    call.argue(hotel_id=NEVER_SEEN)
    lost = Exchange("call_lost", SEARCH, run.done(SEARCH).arguments)
    if sibling:
        run.turn_of(call).exchanges.insert(0, lost)
    else:
        run.insert(lost, after=call)


def _lost_elsewhere(
    run: Draft, *, hotel: str = "", condition: str = "", late: bool = False, beside: bool = False
) -> None:
    """A search in another city is lost; the booked hotel may be from there."""
    add_search(run, "Shanghai", OTHER)
    lost = run.calls(SEARCH)[-1]
    lost.answer()
    if late:
        run.move(lost, after=run.calls(BOOKING)[-1])
    if beside:
        run.join(lost, run.calls(BOOKING)[0], first=True)
    if condition:
        same = run.done(WEATHER).told()["condition"]
        told = same if condition == "same" else other_weather(run)
        add_weather(run, before=BOOKING, city="Shanghai", condition=told)
    if hotel:
        run.done(BOOKING).argue(hotel_id=hotel)


def _nameless(run: Draft, tool: str) -> None:
    """Neither the call nor its result says about which city it is."""
    for call in run.calls(tool):
        if call.succeeded:
            call.argue(city=None)
            call.answer({key: value for key, value in call.told().items() if key != "city"})


def _only_asked(run: Draft, tool: str) -> None:
    """The result does not repeat what was asked."""
    for call in run.calls(tool):
        if call.succeeded:
            call.answer({key: value for key, value in call.told().items() if key not in ("city", "date", "check_in")})


def _weather_page(run: Draft, *, keep: bool) -> None:
    run.done(WEATHER).tell(truncated=True, **({} if keep else {"condition": None}))


def _orphan(run: Draft, hotel: str) -> None:
    """A result without its call stands before the booking, so messages are missing there."""
    orphan = {"role": "tool", "tool_call_id": "call_gone", "content": '{"status": "ok"}'}
    run.parts.insert(run.parts.index(run.turn_of(run.calls(BOOKING)[0])), orphan)
    if hotel:
        run.done(BOOKING).argue(hotel_id=hotel)


def _cut_head_and_tail(run: Draft) -> None:
    """Only the search is left."""
    turn = run.turn_of(run.calls(SEARCH)[0])
    run.parts = [run.parts[0], turn]


UNBOOKED = {STEPS: IDLE, SOURCE: IDLE, ROOM: IDLE}

DOUBT_OPERATORS = (
    Operator("siblings, and the search is lost", {STEPS: FAIL, SOURCE: FAIL}, [_siblings_lost]),
    Operator(
        "an unseen id, a search lost too late",
        {SOURCE: FAIL},
        [partial(_lost_too_late, sibling=sibling) for sibling in (True, False)],
    ),
    Operator(
        "lose a search elsewhere",
        {},
        [_lost_elsewhere, partial(_lost_elsewhere, condition="other"), partial(_lost_elsewhere, late=True)],
    ),
    Operator(
        "book from a lost search elsewhere",
        {SOURCE: UNJUDGED, ROOM: UNJUDGED},
        [partial(_lost_elsewhere, hotel=OTHER), partial(_lost_elsewhere, hotel=OTHER, condition="other")],
    ),
    Operator(
        "book from a lost search elsewhere, in the same weather",
        {SOURCE: UNJUDGED},
        [partial(_lost_elsewhere, hotel=OTHER, condition="same")],
    ),
    Operator(
        "book what a later search elsewhere may show",
        {SOURCE: FAIL},
        [partial(_lost_elsewhere, hotel=OTHER, late=True), partial(_lost_elsewhere, hotel=OTHER, beside=True)],
    ),
    Operator("a search of no city", {SOURCE: UNJUDGED}, [partial(_nameless, tool=SEARCH)]),
    Operator("a weather of no city", {ROOM: UNJUDGED}, [partial(_nameless, tool=WEATHER)]),
    Operator("results that repeat no question", {}, [partial(_only_asked, tool=tool) for tool in (WEATHER, SEARCH)]),
    Operator("keep part of the weather", {}, [partial(_weather_page, keep=True)]),
    Operator("keep another part of the weather", {ROOM: UNJUDGED}, [partial(_weather_page, keep=False)]),
    Operator("lose a call before the booking", {}, [partial(_orphan, hotel="")]),
    Operator("an unseen id, a call lost before", {SOURCE: UNJUDGED}, [partial(_orphan, hotel=NEVER_SEEN)]),
    Operator("keep only the search", {PLANNED: UNJUDGED, **UNBOOKED, STEPS: UNJUDGED}, [_cut_head_and_tail]),
    Operator(
        "siblings, and the weather is lost", {STEPS: FAIL, SOURCE: FAIL, ROOM: UNJUDGED}, [_siblings_without_weather]
    ),
    Operator(
        "be refused an id of a lost search",
        {SOURCE: UNJUDGED},
        [partial(_refused_from_lost, first=first) for first in (True, False)],
    ),
    Operator("then a weather of no city", {ROOM: UNJUDGED}, [partial(_weather_of_nowhere, late=True)]),
    Operator("first a weather of no city", {}, [partial(_weather_of_nowhere, late=False)]),
)
