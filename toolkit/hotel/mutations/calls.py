"""Changes to which calls are made, and when: what the agent did or left out."""

from __future__ import annotations

from functools import partial
from typing import Any

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
    WEATHER,
)
from toolkit.trajectory.draft import Draft, Exchange, Message
from toolkit.trajectory.mutate import Operator


def _drop(run: Draft, tool: str) -> None:
    run.remove(*run.calls(tool))


def _after(run: Draft, tool: str, other: str) -> None:
    """Make every call of a tool after the last call of another, in the order they had."""
    for call in run.calls(tool):
        run.move(call, after=run.calls(other)[-1])


def _swap_plan(run: Draft, other: str) -> None:
    run.move(run.done(PLAN), after=run.calls(other)[0])


def _sibling(run: Draft, tool: str, of: str, *, first: bool = False) -> None:
    """Every call of a tool in one turn with the last call of another."""
    for call in run.calls(tool):
        run.join(call, run.done(of), first=first)


def _repeat(run: Draft, tool: str) -> None:
    call = run.done(tool)
    run.insert(Exchange(f"{call.id}_again", call.name, call.arguments, list(call.contents)), after=call)


def add_search(run: Draft, city: str, *ids: str) -> None:
    """A search elsewhere, right before the booking."""
    asked = {"city": city, "check_in": run.done(SEARCH).told()["check_in"]}
    found = Exchange.of(SEARCH, asked, {**asked, "hotels": [{"id": id} for id in ids]})
    run.insert(found, before=run.calls(BOOKING)[0])


def add_weather(run: Draft, *, before: str = "", after: str = "", **told: Any) -> None:
    """A second look at the weather; it says what the first said, and `told`."""
    says = {**run.done(WEATHER).told(), **told}
    call = Exchange.of(WEATHER, {"city": says["city"], "date": says["date"]}, says)
    run.insert(call, **({"before": run.calls(before)[0]} if before else {"after": run.calls(after)[-1]}))


def other_weather(run: Draft) -> str:
    """A condition that asks for the other room."""
    return "clear" if run.done(WEATHER).told()["condition"] == "rain" else "rain"


def _book_from_elsewhere(run: Draft, city: str, hotel: str) -> None:
    add_search(run, city, hotel)
    run.done(BOOKING).argue(hotel_id=hotel)


def _look_up_nothing(run: Draft, name: str, arguments: dict[str, Any]) -> None:
    run.insert(Exchange.of(name, arguments, {"status": "ok"}), before=run.calls(BOOKING)[0])


def _user_says(run: Draft, message: Message) -> None:
    run.parts.insert(run.parts.index(run.turn_of(run.calls(BOOKING)[0])), message)


CALL_OPERATORS = (
    Operator("drop the plan", {PLANNED: FAIL}, [partial(_drop, tool=PLAN)]),
    Operator("drop the weather call", {STEPS: FAIL, ROOM: FAIL}, [partial(_drop, tool=WEATHER)]),
    Operator("drop the search", {STEPS: FAIL, SOURCE: FAIL}, [partial(_drop, tool=SEARCH)]),
    Operator("drop the booking", {STEPS: FAIL, SOURCE: IDLE, ROOM: IDLE}, [partial(_drop, tool=BOOKING)]),
    Operator("drop the marks", {}, [partial(_drop, tool="mark_step")]),
    Operator(
        "move the plan later",
        {PLANNED: FAIL},
        [partial(_swap_plan, other=other) for other in (WEATHER, SEARCH, BOOKING)],
    ),
    Operator("swap weather and search", {STEPS: FAIL}, [partial(_after, tool=WEATHER, other=SEARCH)]),
    Operator("swap search and booking", {STEPS: FAIL, SOURCE: FAIL}, [partial(_after, tool=SEARCH, other=BOOKING)]),
    Operator(
        "look at the weather after booking",
        {STEPS: FAIL, ROOM: FAIL},
        [partial(_after, tool=WEATHER, other=BOOKING)],
    ),
    Operator("repeat a call", {}, [partial(_repeat, tool=tool) for tool in (PLAN, WEATHER, SEARCH, BOOKING)]),
    Operator(
        "search and booking as siblings", {STEPS: FAIL, SOURCE: FAIL}, [partial(_sibling, tool=BOOKING, of=SEARCH)]
    ),
    Operator(
        "weather and booking as siblings",
        {STEPS: FAIL, ROOM: FAIL},
        [partial(_sibling, tool=WEATHER, of=BOOKING, first=True)],
    ),
    Operator(
        "weather and search as siblings",
        {},
        [lambda run: run.join(run.done(WEATHER), run.calls(SEARCH)[0], first=True)],
    ),
    Operator(
        "plan and weather as siblings",
        {},
        [lambda run: run.join(run.done(PLAN), run.calls(WEATHER)[0], first=True)],
    ),
    Operator("plan behind its sibling", {PLANNED: FAIL}, [lambda run: run.join(run.done(PLAN), run.calls(WEATHER)[0])]),
    Operator(
        "book from another city's search",
        {SOURCE: FAIL, ROOM: FAIL},
        [partial(_book_from_elsewhere, city=city, hotel="HT-004") for city in ("Shanghai", "上海")],
    ),
    Operator("search another city as well", {}, [partial(add_search, city=city) for city in ("Shanghai", "敦煌")]),
    Operator(
        "look at the weather elsewhere as well",
        {},
        [
            partial(add_weather, before=BOOKING, condition="clear", city="Shanghai"),
            partial(add_weather, before=BOOKING, condition="clear", date="2026-10-02"),
            partial(add_weather, after=BOOKING, condition="clear"),
        ],
    ),
    Operator(
        "the weather turns before booking",
        {ROOM: FAIL},
        [lambda run: add_weather(run, before=BOOKING, condition=other_weather(run))],
    ),
    Operator(
        "call an unknown tool",
        {},
        [
            partial(_look_up_nothing, name="list_cities", arguments={}),
            partial(_look_up_nothing, name="get_wheather", arguments={"city": "Xi'an"}),
        ],
    ),
    Operator(
        "speak before booking",
        {},
        [
            partial(_user_says, message={"role": "user", "content": "Yes, please."}),
            partial(_user_says, message={"role": "assistant", "content": "I will call get_weather."}),
        ],
    ),
)
