"""Where a value came from: every value a write is given must stand in a result it could have seen.

The values of all results are indexed once, so a look-up costs the same in a short run and in a long one.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Any, ClassVar, TypeAlias

from toolkit.trajectory.checks.evidence import (
    Names,
    as_names,
    calls_of,
    in_doubt,
    in_gap,
    not_called,
    plain_name,
    shown,
    worst,
)
from toolkit.trajectory.pointers import PathText, compile_path, values_at
from toolkit.trajectory.reading import same_key
from toolkit.trajectory.records import Call, CheckResult, Outcome, Trace, Verdict

Sources: TypeAlias = Mapping[str, PathText | Sequence[PathText]]
_WORD = re.compile(r"\w+(?:[-.@:]\w+)*", re.ASCII)
_MOST_COMPARED = 200  # values looked through for the nearest one
_MOST_PLACES = 4  # results named in a sentence


def as_paths(paths: PathText | Sequence[PathText]) -> Sequence[PathText]:
    """One path or many, as a sequence."""
    return (paths,) if isinstance(paths, str) else paths


@dataclass(frozen=True, slots=True)
class Entity:
    """What the run is about, such as a city: the field that tells it, and every name it goes by."""

    field: str
    names: tuple[str, ...]
    __pydantic_config__: ClassVar = {"extra": "forbid"}

    @property
    def goal(self) -> str:
        """The goal's entity: what `of` gives for each of its names."""
        return plain_name(self.names[0])

    def of(self, call: Call) -> str | None:
        """The entity of a call, from its result, else from its arguments, as a plain name; None: not said."""
        value = call.told(self.field)
        if not isinstance(value, str) and call.arguments is not None:
            value = call.arguments.get(self.field)
        return _one_name(value, self.names) if isinstance(value, str) else None


@lru_cache(maxsize=4096)
def _one_name(name: str, names: tuple[str, ...]) -> str:
    """The plain name, and the same one for all names of the goal's entity."""
    plain = plain_name(name)
    return plain_name(names[0]) if any(plain == plain_name(known) for known in names) else plain


class Seen:
    """Every value that the sources of a run have shown, with the first call that showed it."""

    def __init__(self, trace: Trace, sources: Sources, entity: Entity | None = None) -> None:
        self.sources, self.entity = sources, entity  # not the trace: it holds this index
        self.right: dict[Any, Call] = {}
        self.wrong: dict[Any, Call] = {}
        self.unplaced: dict[Any, Call] = {}
        self.answered: list[Call] = []
        self.doubtful: list[Call] = []
        for call in calls_of(trace, sources):
            if call.problem is not None:
                self.doubtful.append(call)
            if call.outcome is not Outcome.SUCCESS:
                continue
            table = self.right
            if entity is not None:
                place = entity.of(call)
                table = self.unplaced if place is None else self.right if place == entity.goal else self.wrong
            self.answered.append(call)
            for path in as_paths(sources[call.name]):
                for value in values_at(call.result, compile_path(path)):
                    table.setdefault(same_key(value), call)

    @classmethod
    def of(cls, trace: Trace, sources: Sources, entity: Entity | None = None) -> Seen:
        """The index of these sources, made once for a trace however many checks ask for it."""
        key = (id(sources), id(entity))  # both stay alive in the index, so an id stands for one thing
        if key not in trace.indexes:
            trace.indexes[key] = cls(trace, sources, entity)
        found: Seen = trace.indexes[key]
        return found

    def find(self, value: Any, turn: int) -> tuple[Call, str] | None:
        """The call that showed the value before this turn, and whether it is of the right entity."""
        key = same_key(value)
        for standing, table in (("right", self.right), ("unplaced", self.unplaced), ("wrong", self.wrong)):
            call = table.get(key)
            if call is not None and call.turn < turn:
                return call, standing
        return None

    def doubt_before(self, turn: int) -> Call | None:
        """A result that may have shown anything, before this turn."""
        return self.doubtful[0] if self.doubtful and self.doubtful[0].turn < turn else None

    def known(self, turn: int) -> list[str | int | float]:
        """Values of the right entity shown before this turn, for a message; not all of a very long run."""
        values = (key for key, call in self.right.items() if call.turn < turn and isinstance(key, str | int | float))
        return list(islice(values, _MOST_COMPARED))

    def searched(self, turn: int) -> str:
        """Where was looked, as it stands in a sentence: each path, and the results it was looked for in."""
        places = []
        for tool, paths in self.sources.items():
            answered = [call.index for call in self.answered if call.name == tool and call.turn < turn]
            latest = ", ".join(map(str, answered[-_MOST_PLACES:]))
            where = f"call {latest}" if len(answered) == 1 else f"calls {latest}" if answered else "no result"
            if len(answered) > _MOST_PLACES:
                where = f"{len(answered)} calls, the latest {latest}"
            places += [f"{path} of {tool} ({where})" for path in as_paths(paths)]
        return " and ".join(places)


class Said:
    """Every word the user said, with the first turn after which it was known."""

    def __init__(self, trace: Trace) -> None:
        self._said = trace.said
        self._words: dict[str, tuple[int, str]] = {}
        for turn, at, text in trace.said:
            for word in _WORD.findall(text):
                self._words.setdefault(word, (turn, at))

    def find(self, value: Any, turn: int) -> str | None:
        """Pointer to the message in which the user gave this value, as a whole word, before this turn."""
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            return None
        text = str(value)
        if _WORD.fullmatch(text):
            known = self._words.get(text)
            return known[1] if known is not None and known[0] < turn else None
        whole = re.compile(rf"(?<!\w){re.escape(text)}(?!\w)", re.ASCII)
        return next((at for said, at, words in self._said if said < turn and text and whole.search(words)), None)


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
