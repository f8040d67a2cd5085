"""Where a value came from: every value a write is given must stand in a result it could have seen."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import Any

from toolkit.trajectory.checks.evidence import (
    Names,
    as_names,
    calls_of,
    in_doubt,
    in_gap,
    not_called,
    shown,
    worst,
)
from toolkit.trajectory.checks.sources import Entity, Said, Seen, Sources
from toolkit.trajectory.pointers import PathText, compile_path, values_at
from toolkit.trajectory.records import Call, CheckResult, Outcome, Trace, Verdict


def value_from_result(
    calls: Trace | Iterable[Call],
    tool: Names,
    argument: PathText,
    sources: Sources,
    *,
    entity: Entity | None = None,
    user_text: bool = False,
    name: str = "value_from_result",
) -> CheckResult:
    """Check that an argument of every attempt at `tool` stands in a result visible before it.

    The whole value must be equal, with the same JSON type. Text in errors, prose or the agent's own arguments
    is no source.

    Args:
        argument: Path in the arguments; a path with `[*]` names many values, each of which is judged.
        sources: Tool name to the path, or paths, in its result where such values stand.
        entity: The source must be of this entity, such as a search in the goal's city.
        user_text: What the user said is a source too, word by word.

    >>> calls = [Call("search", {}, result={"ids": ["a", "b"]}), Call("book", {"id": "c"})]
    >>> print(value_from_result(calls, "book", "id", {"search": "ids[*]"}).reason)
    call 1: id 'c' stands in no result it could have seen. Searched: ids[*] of search (call 0). Nearest: 'a'.
    """
    trace = Trace.of(calls)
    attempts = calls_of(trace, as_names(tool))
    if not attempts:
        return not_called(name, trace, tool)
    seen = Seen.of(trace, sources, entity)
    said = Said(trace) if user_text else None
    # Arguments that nobody could read and that failed, as they should, leave nothing to judge beside others.
    judged = [c for c in attempts if c.arguments is not None or c.outcome is not Outcome.ERROR] or attempts
    return worst(source_of(trace, call, argument, seen, said, name=name) for call in judged)


def source_of(
    trace: Trace, call: Call, argument: str, seen: Seen, said: Said | None = None, *, name: str = "value_from_result"
) -> CheckResult:
    """Judge one attempt: the values of its argument against all that was visible before it."""
    if call.arguments is None:
        return in_doubt(name, call, f"the value of {argument}", "args_invalid")
    steps = compile_path(argument)
    values = [value for value in values_at(call.arguments, steps) if value is not None]
    if values:
        return worst(judge_value(trace, call, argument, value, seen, said, name) for value in values)
    if "[*]" in steps or "*" in steps:
        reason = f"call {call.index}: {argument} names no value"
        return CheckResult(name, Verdict.NOT_APPLICABLE, "no_value", reason, call.at)
    return _missing(name, call, argument)


def _missing(name: str, call: Call, argument: str) -> CheckResult:
    reason = f"call {call.index} is {call.name!r} without {argument}"
    return CheckResult(name, Verdict.FAIL, "args_missing", reason, call.at)


def judge_value(
    trace: Trace,
    call: Call,
    argument: str,
    value: Any,
    seen: Seen,
    said: Said | None = None,
    name: str = "value_from_result",
) -> CheckResult:
    """Judge one value of one attempt. A hook before the call and the check after the run both ask here."""
    what = f"call {call.index}: {argument} {shown(value)}"
    found = seen.find(value, call.turn)
    if found is not None and found[1] == "right":
        source = found[0]
        reason = f"{what} stands in the result of call {source.index} ({source.name})"
        return CheckResult(name, Verdict.PASS, "ok", reason, call.at, source.content_at)
    spoken = said.find(value, call.turn) if said is not None else None
    if spoken is not None:
        return CheckResult(name, Verdict.PASS, "ok", f"{what} was given by the user", call.at, spoken)
    if found is not None:
        return _of_another(call, what, found[0], found[1], seen, name)
    doubt = seen.doubt_before(call.turn)
    if doubt is not None:
        return in_doubt(name, doubt, f"{what}: its source")
    gap = trace.gap_before(call)
    if gap is not None:
        return in_gap(name, gap, f"{what} stands in no result that is left")
    near = _nearest(str(value), [str(known) for known in seen.known(call.turn)])
    searched = f"Searched: {seen.searched(call.turn)}{' and what the user said' if said is not None else ''}."
    nearest = f" Nearest: {near!r}." if near else ""
    reason = f"{what} stands in no result it could have seen. {searched}{nearest}"
    return CheckResult(name, Verdict.FAIL, "no_source", reason, call.at)


def _nearest(value: str, known: list[str]) -> str | None:
    matcher = difflib.SequenceMatcher(b=value)

    def likeness(candidate: str) -> float:
        matcher.set_seq1(candidate)
        return matcher.ratio()

    return max(known, key=likeness, default=None)


def _of_another(call: Call, what: str, source: Call, standing: str, seen: Seen, name: str) -> CheckResult:
    entity = seen.entity
    assert entity is not None  # only an entity divides the values
    if standing == "unplaced":
        reason = f"{what} stands in the result of call {source.index} ({source.name}), which names no {entity.field}"
        return CheckResult(name, Verdict.NOT_JUDGEABLE, "entity_unknown", reason, call.at)
    place = source.told(entity.field) or (source.arguments or {}).get(entity.field)
    reason = (
        f"{what} comes from call {source.index} ({source.name}) for {entity.field} {shown(place)}, "
        f"not for {entity.names[0]!r}"
    )
    return CheckResult(name, Verdict.FAIL, "wrong_entity", reason, call.at, source.content_at)
