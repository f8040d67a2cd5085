"""The errors of the study of examples, counted: of whole calls, and of arguments by kind.

    python -m toolkit.lab.example_table

prints the tables of `data/examples/README.md`.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections import Counter
from collections.abc import Sequence
from typing import Any, Literal, NamedTuple, TypeAlias

from toolkit.gateway import Gateway
from toolkit.lab.example_study import StudyCall, read_study
from toolkit.lab.study_requests import Request
from toolkit.lab.study_tools import FORMS, GROUPS, Group, study_registry
from toolkit.trajectory.statistics import Interval, wilson_interval

Kind: TypeAlias = Literal["right", "copied", "malformed", "wrong", "rejected"]
"""An argument is as the request asks; is the value of the tool's example instead; is not written as the tool needs
it; is another value; or stands in a call that the contract refuses."""


class Cell(NamedTuple):
    """The calls of one group of tools under one condition: errors, their rate's 95 % interval, arguments by kind."""

    group: Group
    worked_call: bool
    examples: bool
    calls: int
    errors: int
    interval: Interval
    arguments: Counter[Kind]


class Change(NamedTuple):
    """What examples changed on the same requests: calls they mended, and calls they broke."""

    group: Group
    worked_call: bool
    mended: int
    broken: int


async def kinds_of(calls: Sequence[StudyCall]) -> list[dict[str, Kind]]:
    """For each call the kind of every argument; the gateway says whether the contract accepts the call."""
    registry = study_registry()
    kinds: list[dict[str, Kind]] = []
    async with Gateway(registry, log_sink=None) as gateway:
        for call in calls:
            name = call.request.tool
            result = await gateway.call({"function": {"name": name, "arguments": call.text}})
            if result.error is not None:
                kinds.append(dict.fromkeys(call.request.expected, "rejected"))
                continue
            given = json.loads(json.dumps(result.arguments, default=str))  # dates as text
            (example,) = registry[name].parameters["examples"]
            kinds.append(
                {argument: _kind(argument, call.request, given, example) for argument in call.request.expected}
            )
    return kinds


def _kind(argument: str, request: Request, given: dict[str, Any], example: dict[str, Any]) -> Kind:
    value = given.get(argument)
    if value == request.expected[argument]:
        return "right"
    if value == example[argument]:
        return "copied"
    form = FORMS.get(argument)
    return "wrong" if form is None or re.fullmatch(form, str(value)) else "malformed"


def study_cells(calls: Sequence[StudyCall]) -> list[Cell]:
    """Count errors for each group of tools under each condition, in the order of the calls."""
    found: dict[tuple[Group, bool, bool], list[dict[str, Kind]]] = {}
    for call, kinds in zip(calls, asyncio.run(kinds_of(calls)), strict=True):
        key = GROUPS[call.request.tool], call.condition.worked_call, call.condition.examples
        found.setdefault(key, []).append(kinds)
    cells = []
    for key, all_kinds in found.items():
        errors = sum(set(kinds.values()) != {"right"} for kinds in all_kinds)
        counted = Counter(kind for kinds in all_kinds for kind in kinds.values())
        cells.append(Cell(*key, len(all_kinds), errors, wilson_interval(errors, len(all_kinds)), counted))
    return cells


def study_changes(calls: Sequence[StudyCall]) -> list[Change]:
    """Compare the same request without and with examples."""
    right = {
        (call.request.text, call.condition): set(kinds.values()) == {"right"}
        for call, kinds in zip(calls, asyncio.run(kinds_of(calls)), strict=True)
    }
    changes: dict[tuple[Group, bool], list[tuple[bool, bool]]] = {}
    for call in calls:
        if not call.condition.examples:
            key = GROUPS[call.request.tool], call.condition.worked_call
            shown = call.condition._replace(examples=True)
            pair = right[call.request.text, call.condition], right[call.request.text, shown]
            changes.setdefault(key, []).append(pair)
    return [Change(*key, pairs.count((False, True)), pairs.count((True, False))) for key, pairs in changes.items()]


def table_lines(calls: Sequence[StudyCall]) -> list[str]:
    """The table as lines of Markdown."""
    lines = [
        "| how values are written | worked call | examples | calls with an error | 95 % | right | copied | malformed "
        "| wrong | rejected |",
        "| --- " * 10 + "|",
    ]
    for cell in study_cells(calls):
        low, high = (f"{100 * end:.0f}" for end in cell.interval)
        words = [cell.group, *("yes" if shown else "no" for shown in (cell.worked_call, cell.examples))]
        counts = [str(cell.arguments[kind]) for kind in ("right", "copied", "malformed", "wrong", "rejected")]
        lines.append(f"| {' | '.join([*words, f'{cell.errors} of {cell.calls}', f'{low} to {high} %', *counts])} |")
    return lines


def changes_lines(calls: Sequence[StudyCall]) -> list[str]:
    """What examples changed, as lines of Markdown."""
    lines = [
        "| how values are written | worked call | mended by examples | broken by them |",
        "| --- | --- | --- | --- |",
    ]
    for change in study_changes(calls):
        worked_call = "yes" if change.worked_call else "no"
        lines.append(f"| {change.group} | {worked_call} | {change.mended} | {change.broken} |")
    return lines


if __name__ == "__main__":
    recorded = read_study()
    print("\n".join([*table_lines(recorded), "", *changes_lines(recorded)]))
