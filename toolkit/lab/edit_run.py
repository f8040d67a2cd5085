"""A recorded booking with one thing changed, and what the checks then say. Nothing is run: a recording is edited.

So a reader can ask of each check what it looks at: change the hotel, the room, or take something out, and see
which verdict turns and which does not.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from copy import deepcopy
from typing import Any, Literal, TypeAlias, get_args

from toolkit.hotel import HOTEL_POLICY
from toolkit.hotel.controls import load_control
from toolkit.lab.panel import Panel, Picture
from toolkit.lab.verdict_chart import chart_of
from toolkit.trajectory import Report, evaluate

Message: TypeAlias = dict[str, Any]
TakenOut: TypeAlias = Literal[
    "nothing",
    "the plan",
    "the weather call",
    "the search",
    "the booking",
    "the weather's result",
    "the search's result",
    "all before the search",
    "the final answer",
]
TAKEN_OUT: tuple[TakenOut, ...] = get_args(TakenOut)
HOTEL_IDS = ("HT-002", "HT-003", "HT-004", "HT-200")  # booked, found as well, of another city, of none
_CALLS: dict[TakenOut, str] = {
    "the plan": "set_plan",
    "the weather call": "get_weather",
    "the search": "search_hotels",
    "the booking": "book_hotel",
}
_RESULTS: dict[TakenOut, str] = {"the weather's result": "get_weather", "the search's result": "search_hotels"}


def edit_panel() -> Panel:
    """The panel: a hotel and a room for the booking, and what to take out."""
    from ipywidgets import Dropdown

    controls = {
        "hotel_id": Dropdown(options=HOTEL_IDS),
        "room_type": Dropdown(options=["suite", "standard"]),
        "taken_out": Dropdown(options=TAKEN_OUT),
    }
    return Panel("The run ok, edited", show_edited, controls)


def show_edited(hotel_id: str, room_type: str, taken_out: TakenOut) -> Picture:
    """Judge the `ok` run after an edit, check by check, beside the verdicts of the run as it was.

    >>> print(show_edited("HT-002", "suite", "nothing").summary)
    Overall: pass. No verdict turned.
    """
    untouched = load_control("ok")
    messages = edit_run(untouched, hotel_id=hotel_id, room_type=room_type, taken_out=taken_out)
    before, after = (evaluate(run, policy=HOTEL_POLICY) for run in (untouched, messages))
    rows = [[result.name, result.verdict, result.code, result.reason] for result in after.results]
    verdicts = {result.name: [str(before[result.name].verdict), str(result.verdict)] for result in after.results}
    chart = chart_of(["as recorded", "after the edit"], verdicts)
    return Picture(_summary(before, after), ["check", "verdict", "code", "reason"], rows, chart)


def _summary(before: Report, after: Report) -> str:
    turned = [result.name for result in after.results if result.verdict is not before[result.name].verdict]
    said = f"Turned: {', '.join(turned)}." if turned else "No verdict turned."
    return f"Overall: {after.verdict}. {said}"


def edit_run(
    messages: Sequence[Message], *, hotel_id: str = "", room_type: str = "", taken_out: TakenOut = "nothing"
) -> list[Message]:
    """Copy a run with another hotel or room in its booking, and without what is taken out.

    >>> run = edit_run(load_control("ok"), hotel_id="HT-200")
    >>> [json.loads(call["function"]["arguments"])["hotel_id"] for _, call in calls_named(run, "book_hotel")]
    ['HT-200']
    """
    run = deepcopy(list(messages))
    chosen = {"hotel_id": hotel_id, "room_type": room_type}
    for _, call in calls_named(run, "book_hotel"):
        function = call["function"]
        changed = {**json.loads(function["arguments"]), **{key: value for key, value in chosen.items() if value}}
        function["arguments"] = json.dumps(changed, ensure_ascii=False)
    if taken_out in _CALLS:
        return _without_calls(run, _CALLS[taken_out])
    if taken_out in _RESULTS:
        return _without_results(run, _RESULTS[taken_out])
    if taken_out == "all before the search":
        return _without_head(run, "search_hotels")
    return run[:-1] if taken_out == "the final answer" else run


def calls_named(messages: Sequence[Message], tool: str) -> list[tuple[int, Message]]:
    """The raw calls of a tool, each with the index of the message that makes it."""
    return [
        (index, call)
        for index, message in enumerate(messages)
        for call in message.get("tool_calls") or ()
        if call["function"]["name"] == tool
    ]


def _without_results(messages: list[Message], tool: str) -> list[Message]:
    ids = {call["id"] for _, call in calls_named(messages, tool)}
    return [message for message in messages if message.get("tool_call_id") not in ids]


def _without_calls(messages: list[Message], tool: str) -> list[Message]:
    kept = _without_results(messages, tool)
    for index, call in calls_named(kept, tool):
        kept[index]["tool_calls"].remove(call)
    return [message for message in kept if message.get("tool_calls") != []]


def _without_head(messages: list[Message], tool: str) -> list[Message]:
    system = [message for message in messages if message["role"] == "system"]
    first = calls_named(messages, tool)[0][0]
    return [*system, *messages[first:]]
