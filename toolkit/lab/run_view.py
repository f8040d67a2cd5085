"""A recorded run made readable: one row per call, what went in, what came back, and what a check says there.

A rendering shortens, the recording does not: every row carries the numbers that the checks use in their
reasons, so that a sentence such as "call 1 is 'book_hotel'" can be looked up by eye. A turn is one message of the
model, counted from 1; the one that answers makes no call and has no row.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from toolkit.lab.panel import Picture
from toolkit.trajectory import Call, Outcome, Report, Trace, Verdict, extract_calls
from toolkit.trajectory.levels import final_answer

_LONGEST = 160  # characters of arguments or of a result in one cell
_NOTHING = "-"


def show_run(messages: Sequence[Any], report: Report | None = None) -> Picture:
    """Show the calls of a run, one row each, and its last words; with a report, the checks that fail there.

    >>> print(show_run([{"role": "assistant", "content": "Booked."}]))
    0 calls. Its last words: Booked.
    """
    trace = extract_calls(messages)
    rows = [_row(call) for call in trace.calls]
    columns = ["call", "turn", "tool", "arguments", "what came back"]
    if report is not None:
        columns.append("fails here")
        rows = [[*row, failing_at(report, call)] for row, call in zip(rows, trace.calls, strict=True)]
    return Picture(summary_of(messages, trace), columns if rows else (), rows)


def compare_runs(runs: Mapping[str, Sequence[Any]]) -> Picture:
    """Put runs side by side: a row per tool, a column per run, in each cell what the run asked for.

    >>> call = {"function": {"name": "get_weather", "arguments": '{"city": "Xi\\'an"}'}}
    >>> print(compare_runs({"looks": [{"role": "assistant", "tool_calls": [call]}], "does not": []}))
    looks: 1 call in 1 turn. does not: 0 calls.
    tool | looks | does not
    get_weather | call 0: city Xi'an | never called
    """
    traces = {name: extract_calls(messages) for name, messages in runs.items()}
    tools = dict.fromkeys(call.name for trace in traces.values() for call in trace.calls)
    rows = [[tool, *(_calls_of(trace, tool) for trace in traces.values())] for tool in tools]
    summary = " ".join(f"{name}: {count_of(trace)}." for name, trace in traces.items())
    return Picture(summary, ["tool", *traces], rows)


def summary_of(messages: Sequence[Any], trace: Trace) -> str:
    """How long the run is, and how it ends."""
    answer = final_answer(messages)[0]
    ending = f"Its last words: {answer}" if answer else "It ends without an answer."
    return f"{count_of(trace)}. {ending}"


def count_of(trace: Trace) -> str:
    """The number of calls, in how many turns they were made, and of how many turns in all."""
    number, making = len(trace.calls), len({call.turn for call in trace.calls})
    calls = f"{number} call{'' if number == 1 else 's'}"
    if not number:
        return calls
    of_all = f"{making} of {trace.turns}" if making < trace.turns else f"{making}"
    return f"{calls} in {of_all} turn{'' if trace.turns == 1 else 's'}"


def failing_at(report: Report, call: Call) -> str:
    """The names of the checks that fail at this call."""
    names = [result.name for result in report.results if result.verdict is Verdict.FAIL and result.at == call.at]
    return ", ".join(names) or _NOTHING


def brief(value: Any) -> str:
    """A JSON value in a few words: keys and values, and for the objects of a list only their ids or number.

    >>> brief({"city": "Xi'an", "hotels": [{"id": "HT-001", "name": "Inn"}, {"id": "HT-002", "name": "Tower"}]})
    "city Xi'an, hotels HT-001 / HT-002"
    """
    text = _words(value)
    return text if len(text) <= _LONGEST else text[: _LONGEST - 3].rstrip() + "..."


def _words(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} {_words(inner)}" for key, inner in value.items()) or "nothing"
    if isinstance(value, list):
        if any(isinstance(item, dict) and "id" not in item for item in value):
            return f"({len(value)} entries)"
        return " / ".join(_words(item["id"] if isinstance(item, dict) else item) for item in value) or "none"
    return str(value)


def _row(call: Call) -> list[object]:
    return [call.index, call.turn + 1, call.name, _arguments(call), _came_back(call)]


def _arguments(call: Call) -> str:
    return brief(call.arguments) if call.arguments is not None else "cannot be read"


def _came_back(call: Call) -> str:
    if call.outcome is Outcome.MISSING:
        return "no result"
    if call.outcome is Outcome.SUCCESS:
        return brief(call.result)
    told = call.result.get("error") if isinstance(call.result, dict) else None
    return f"{call.outcome.value.upper()}: {brief(told or call.result)}"


def _calls_of(trace: Trace, tool: str) -> str:
    calls = [call for call in trace.calls if call.name == tool]
    return "; ".join(f"call {call.index}: {_arguments(call)}" for call in calls) or "never called"
