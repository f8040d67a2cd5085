"""Recordings as the world makes them, each with the verdict that is right: a judge is tried on all of them.

Each is the run `ok` with one thing changed that recorded runs really have. Half of the changes do not matter
to what the agent did, so the run still passes; the others make it a run that must not pass.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from copy import deepcopy
from typing import Any, NamedTuple, TypeAlias

from toolkit.hotel.controls import load_control
from toolkit.lab.edit_run import calls_named, edit_run
from toolkit.lab.panel import Picture

Message: TypeAlias = dict[str, Any]
Judge: TypeAlias = Callable[[Sequence[Message]], object]


class OddRun(NamedTuple):
    """A recording, what is odd about it, and the verdict it should get."""

    what: str
    should_be: str
    messages: list[Message]


def odd_runs() -> list[OddRun]:
    """Every odd recording, those that should pass first."""
    ok = load_control("ok")
    return [
        OddRun("call ids begin again in each turn", "pass", renumber(ok)),
        OddRun("a result is plain text", "pass", _with_result(ok, "mark_step", "Done.")),
        OddRun("a call has no arguments", "pass", _with_idle_call(ok)),
        OddRun("the last result is missing", "pass", ok[:-2] + ok[-1:]),
        OddRun("results say: error null", "pass", _with_null_errors(ok)),
        OddRun("the weather call failed", "fail", _with_result(ok, "get_weather", '{"error": "no connection"}')),
        OddRun("search and booking in one turn", "fail", merge_turns(ok, "search_hotels", "book_hotel")),
        OddRun("the hotel is of another city", "fail", _in_another_city(ok)),
        OddRun("nothing was called", "fail", [*ok[:2], ok[-1]]),
    ]


def try_judge(judge: Judge) -> Picture:
    """Let a judge loose on every odd recording: what it says beside what would be right.

    A judge may return a verdict, or True and False for pass and fail. What it raises is shown.

    >>> print(try_judge(lambda messages: True).summary)
    Right on 5 of 9.
    """
    rows = [[what, should_be, _said(judge, messages)] for what, should_be, messages in odd_runs()]
    right = sum(said == should_be for _, should_be, said in rows)
    return Picture(f"Right on {right} of {len(rows)}.", ["recording", "should be", "the judge says"], rows)


def _said(judge: Judge, messages: Sequence[Message]) -> str:
    try:
        said = judge(messages)
    except Exception as error:  # noqa: BLE001 - a judge that raises is what the table shows
        return f"raises {type(error).__name__}"
    if isinstance(said, bool):
        return "pass" if said else "fail"
    return str(said)


def renumber(messages: Sequence[Message]) -> list[Message]:
    """Give the calls of each turn the ids call_0, call_1, ..., as some servers do."""
    text = json.dumps(messages)
    run: list[Message] = json.loads(re.sub(r'"call_\d+_(\d+)"', r'"call_\1"', text))
    return run


def merge_turns(messages: Sequence[Message], first: str, second: str) -> list[Message]:
    """Make the call of `second` in the same turn as that of `first`: it has not seen its result."""
    run = deepcopy(list(messages))
    (early, _), *_ = calls_named(run, first)
    (late, call), *_ = calls_named(run, second)
    run[early]["tool_calls"].append(call)
    del run[late]
    return run


def _with_result(messages: Sequence[Message], tool: str, content: str) -> list[Message]:
    run = deepcopy(list(messages))
    ids = {call["id"] for _, call in calls_named(run, tool)}
    for message in run:
        if message.get("tool_call_id") in ids:
            message["content"] = content
    return run


def _with_idle_call(messages: Sequence[Message]) -> list[Message]:
    call = {"id": "call_idle", "type": "function", "function": {"name": "list_cities", "arguments": ""}}
    asks = {"role": "assistant", "content": None, "tool_calls": [call]}
    answer = {"role": "tool", "tool_call_id": "call_idle", "content": '{"cities": ["Xi\'an", "Shanghai"]}'}
    return [*messages[:-1], asks, answer, messages[-1]]


def _with_null_errors(messages: Sequence[Message]) -> list[Message]:
    run = deepcopy(list(messages))
    for message in run:
        if message["role"] == "tool":
            message["content"] = json.dumps({**json.loads(message["content"]), "error": None})
    return run


def _in_another_city(messages: Sequence[Message]) -> list[Message]:
    """The agent also searched Shanghai, and booked a hotel from there."""
    run = edit_run(messages, hotel_id="HT-004")
    at = calls_named(run, "book_hotel")[0][0]
    found = {"city": "Shanghai", "check_in": "2026-10-01", "hotels": [{"id": "HT-004"}, {"id": "HT-005"}]}
    where = json.dumps({"city": "Shanghai", "check_in": "2026-10-01"})
    call = {"id": "call_other", "type": "function", "function": {"name": "search_hotels", "arguments": where}}
    asks = {"role": "assistant", "content": None, "tool_calls": [call]}
    answer = {"role": "tool", "tool_call_id": "call_other", "content": json.dumps(found)}
    return [*run[:at], asks, answer, *run[at:]]
