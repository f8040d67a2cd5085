"""Changes to the recording alone: results lost, damaged or cut, ids used again, other last words.

The agent did the same as before. So nothing here may make a check fail, except where the run simply ends early.
"""

from __future__ import annotations

from collections.abc import Callable
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
    UNJUDGED,
    WEATHER,
)
from toolkit.trajectory.draft import Draft, Message
from toolkit.trajectory.mutate import Edit, Operator
from toolkit.trajectory.records import Verdict

NOTHING_PASSES = dict.fromkeys((PLANNED, STEPS, SOURCE, ROOM), UNJUDGED)
LOST: dict[str, dict[str, Verdict]] = {  # tool: what cannot be told without its result
    PLAN: {PLANNED: UNJUDGED},
    WEATHER: {STEPS: UNJUDGED, ROOM: UNJUDGED},
    SEARCH: {STEPS: UNJUDGED, SOURCE: UNJUDGED},
    BOOKING: {},
}
_TITLES = {PLAN: "the plan's", WEATHER: "the weather's", SEARCH: "the search's", BOOKING: "the booking's"}


def _answer(run: Draft, tool: str, results: tuple[Any, ...] = ()) -> None:
    run.done(tool).answer(*results)


def _answer_twice(run: Draft, tool: str, **changes: Any) -> None:
    call = run.done(tool)
    call.answer(*call.contents, {**call.told(), **changes})


def _per_tool(title: str, *edits: Callable[..., None]) -> list[Operator]:
    """An operator for each tool: what came back for it cannot be used."""
    return [
        Operator(f"{title} {_TITLES[tool]} result", turned, [partial(edit, tool=tool) for edit in edits])
        for tool, turned in LOST.items()
    ]


def _compact(run: Draft, tool: str) -> None:
    run.done(tool).answer({"_compacted": True})


def _page(run: Draft, *, keep: bool) -> None:
    """The search's result is one page of more, with the booked hotel on it, or without."""
    found = run.done(SEARCH)
    found.tell(next_page="2", **({} if keep else {"hotels": []}))


def _cut_arguments(run: Draft, tool: str, text: str = "") -> None:
    for call in run.calls(tool):
        call.arguments = text or call.arguments[:-3]


def _spoil(*tools: str) -> list[Edit]:
    texts = ("", "[1]", '{"city": NaN}', '{"city": "a", "city": "b"}')
    return [partial(_cut_arguments, tool=tool, text=text) for tool in tools for text in texts]


def _cut_head(run: Draft, tool: str) -> None:
    """The history begins, behind the system's message, with the turn that first calls the tool."""
    start = run.parts.index(run.turn_of(run.calls(tool)[0]))
    run.parts = [*run.parts[:1], *run.parts[start:]]


def _mark_compaction(run: Draft, message: Message) -> None:
    run.parts.insert(2, message)


def _cut_tail(run: Draft, tool: str, *, before: bool, answered: bool = True) -> None:
    """The run ends with the turn that last calls the tool, or right before the turn that first does."""
    call = run.calls(tool)[0 if before else -1]
    run.parts = run.parts[: run.parts.index(run.turn_of(call)) + (not before)]
    if not answered:
        call.answer()


def _reuse_ids(run: Draft, first: str) -> None:
    for turn in run.turns():
        for place, call in enumerate(turn.exchanges):
            call.id = f"{first}{place}"


def _end(run: Draft, messages: tuple[Message, ...]) -> None:
    run.parts[-1:] = messages


_TEXT, _PARTS = "It went well.", [{"type": "image_url", "image_url": {"url": "data:,"}}]
_HIDDEN = "[Earlier messages were compacted.]"

RECORDING_OPERATORS = (
    *_per_tool("lose", _answer),
    *_per_tool("garble", *[partial(_answer, results=(each,)) for each in (_TEXT, _PARTS, None, "[1]")]),
    *_per_tool("contradict", partial(_answer_twice, condition="fog", hotels=[], plan=[], room_type="deluxe")),
    *_per_tool("compact", _compact),
    Operator("repeat a result", {}, [partial(_answer_twice, tool=tool) for tool in (PLAN, WEATHER, SEARCH, BOOKING)]),
    Operator("keep one page of the search", {}, [partial(_page, keep=True)]),
    Operator("keep another page of the search", {SOURCE: UNJUDGED}, [partial(_page, keep=False)]),
    Operator("spoil the plan's arguments", {PLANNED: UNJUDGED}, _spoil(PLAN)),
    Operator("spoil arguments that the result repeats", {}, _spoil(WEATHER, SEARCH)),
    Operator("spoil the booking's arguments", {SOURCE: UNJUDGED, ROOM: UNJUDGED}, _spoil(BOOKING)),
    Operator(
        "cut the head",
        NOTHING_PASSES,
        [partial(_cut_head, tool=tool) for tool in (WEATHER, SEARCH, BOOKING)],
    ),
    Operator(
        "a mark says that the head was cut",
        NOTHING_PASSES,
        [
            partial(_mark_compaction, message={"role": role, "content": content, **fields})
            for role, content, fields in (
                ("user", _HIDDEN, {}),
                ("system", "<12 messages omitted>", {}),
                ("assistant", "Summary: all looked up.", {"_compacted": True}),
                ("tool", '{"status": "ok"}', {"tool_call_id": "call_lost"}),
            )
        ],
    ),
    Operator(
        "cut the tail before the booking",
        {STEPS: FAIL, SOURCE: IDLE, ROOM: IDLE},
        [partial(_cut_tail, tool=BOOKING, before=True)],
    ),
    Operator(
        "cut the tail in the search",
        {STEPS: UNJUDGED, SOURCE: IDLE, ROOM: IDLE},
        [partial(_cut_tail, tool=SEARCH, before=False, answered=False)],
    ),
    Operator(
        "cut the tail after the booking",
        {},
        [partial(_cut_tail, tool=BOOKING, before=False, answered=answered) for answered in (True, False)],
    ),
    Operator("use ids again", {}, [partial(_reuse_ids, first=first) for first in ("call_", "")]),
    Operator(
        "rewrite the final answer",
        {},
        [
            partial(_end, messages=messages)
            for messages in (
                (),
                ({"role": "assistant", "content": "Sorry, nothing is booked."},),
                ({"role": "assistant", "content": "Booked: HT-900. error"}, {"role": "user", "content": "Thanks!"}),
            )
        ],
    ),
)
