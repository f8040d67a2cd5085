"""Whether two recorded values go together: what a write was given, and what a reading before it said."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from toolkit.trajectory.checks.evidence import calls_of, in_doubt, in_gap, not_called, plain_name, shown, worst
from toolkit.trajectory.checks.sources import Entity, Seen, Sources
from toolkit.trajectory.pointers import PathText, compile_path, values_at
from toolkit.trajectory.reading import same_key
from toolkit.trajectory.records import Anomaly, Call, CheckResult, Outcome, Trace, Verdict


@dataclass(frozen=True, slots=True)
class Link:
    """How a write finds its entity: the argument that names a thing, and the results that showed the thing."""

    argument: str
    sources: Sources
    __pydantic_config__: ClassVar = {"extra": "forbid"}


def values_agree(
    calls: Trace | Iterable[Call],
    tool: str,
    argument: str,
    source: str,
    path: PathText,
    *,
    expected: Mapping[str, Any] | None = None,
    match: Mapping[str, str] | None = None,
    entity: Entity | None = None,
    link: Link | None = None,
    name: str = "values_agree",
) -> CheckResult:
    """Check that an argument of `tool` goes with what the latest `source` visible before it said.

    Every attempt that took effect is judged; where none did, the last one.

    Args:
        path: Where in the result of `source` the value stands.
        expected: The argument that each value asks for; a value that is not listed is not judgeable. None: the
            argument equals the value.
        match: Field of the source to the argument of the write that must be the same, such as a date.
        entity: The field of the source that tells its entity, and the goal's names for it.
        link: How the write's own entity is found; without a trace of it, it is the goal's.

    >>> calls = [Call("get_price", {}, result={"price": 5}), Call("order", {"price": 4})]
    >>> print(values_agree(calls, "order", "price", "get_price", "price").reason)
    call 1 has price 4, but call 0 (get_price) says price 5
    """
    trace = Trace.of(calls)
    attempts = calls_of(trace, tool)
    if not attempts:
        return not_called(name, trace, tool)
    readings = Readings(trace, source, tuple(match or ()), entity)
    about = About(trace, entity, link)
    judge = _Judge(name, argument, path, expected, match or {}, readings, about)
    result = _decide(attempts, judge)
    notes = tuple(_mismatches(attempts, argument))
    return result._replace(notes=notes) if notes else result


def _decide(attempts: list[Call], judge: _Judge) -> CheckResult:
    """Judge what took effect. An attempt of unknown outcome may have: then both readings must agree."""
    committed = [call for call in attempts if call.outcome is Outcome.SUCCESS]
    unsettled = [call for call in attempts if not call.is_settled]
    if committed:
        result = worst(map(judge.attempt, committed))
        if result.verdict is Verdict.FAIL or not unsettled:
            return result
        others = [result, *map(judge.attempt, unsettled)]
    else:
        last = attempts[-1]
        others = [judge.attempt(call) for call in (*(c for c in unsettled if c is not last), last)]
    if all(other.verdict is others[0].verdict for other in others):
        return others[-1]
    return in_doubt(judge.name, unsettled[0], f"whether its {judge.argument} counts")


def _mismatches(attempts: list[Call], argument: str) -> Iterator[Anomaly]:
    """Where the environment did something else than it was asked: not the agent's fault."""
    for call in attempts:
        if call.outcome is not Outcome.SUCCESS or not call.arguments or argument not in call.arguments:
            continue
        asked, done = call.arguments[argument], call.told(argument)
        if done is not None and not _equal(asked, done):
            detail = f"call {call.index} asked for {argument} {shown(asked)}, its result says {shown(done)}"
            yield Anomaly("environment_mismatch", call.result_at or call.at, detail)


class Readings:
    """What the readings of a run said, by what they are about; indexed once.

    A reading that leaves open what it is about may be about anything that fits the rest: it is filed under None
    in the open places, and looked up with the same places left out.
    """

    def __init__(self, trace: Trace, source: str, fields: tuple[str, ...], entity: Entity | None) -> None:
        self.source = source
        self._calls: dict[tuple[Any, ...], list[Call]] = {}
        for call in calls_of(trace, source):
            if call.outcome is not Outcome.ERROR:
                place = (entity.of(call),) if entity is not None else ()
                key = (*place, *[_field(call, field) for field in fields])
                self._calls.setdefault(key, []).append(call)
        self._open_places = {tuple([part is None for part in key]) for key in self._calls if None in key}

    def in_force(self, key: tuple[Any, ...], turn: int) -> tuple[Call | None, bool]:
        """The latest reading before this turn that may be about this key, and whether it says that it is."""
        latest, is_sure = _latest(self._calls.get(key), turn), True
        for places in self._open_places:
            asked = tuple(None if is_open else part for part, is_open in zip(key, places, strict=True))
            call = _latest(self._calls.get(asked), turn)
            if call is not None and (latest is None or call.index > latest.index):
                latest, is_sure = call, False
        return latest, is_sure


class About:
    """Which entity a write is about: the one of the result that showed the thing it names, else the goal's."""

    def __init__(self, trace: Trace, entity: Entity | None, link: Link | None) -> None:
        self.trace, self.entity, self.link = trace, entity, link
        self._seen = Seen.of(trace, link.sources, entity) if entity is not None and link is not None else None
        self.doubted: dict[str | None, Call] = {}
        if self._seen is not None and entity is not None:
            for call in self._seen.doubtful:
                self.doubted.setdefault(entity.of(call), call)

    def places(self, call: Call) -> list[tuple[str | None, ...]]:
        """The entities it may be: one, unless a result is missing that may have told otherwise."""
        if self.entity is None:
            return [()]
        goal = self.entity.goal
        if self._seen is None or self.link is None:
            return [(goal,)]
        found = self._seen.find((call.arguments or {}).get(self.link.argument), call.turn)
        if found is not None and found[1] == "right":
            return [(goal,)]
        home = self.entity.of(found[0]) if found is not None and found[1] == "wrong" else goal
        doubted = [place for place, doubt in self.doubted.items() if doubt.turn < call.turn and place != home]
        return [(home,), *((place,) for place in doubted)]


class _Judge:
    """One rule, held against one write after another."""

    def __init__(
        self,
        name: str,
        argument: str,
        path: str,
        expected: Mapping[str, Any] | None,
        match: Mapping[str, str],
        readings: Readings,
        about: About,
    ) -> None:
        self.name, self.argument, self.path, self.expected = name, argument, path, expected
        self.match, self.readings, self.about = match, readings, about

    def attempt(self, call: Call) -> CheckResult:
        """Judge one write."""
        if call.arguments is None:
            return in_doubt(self.name, call, self.argument, "args_invalid")
        for needed in (self.argument, *self.match.values()):
            if call.arguments.get(needed) is None:
                reason = f"call {call.index} is {call.name!r} without {needed}"
                return CheckResult(self.name, Verdict.FAIL, "args_missing", reason, call.at)
        place, *others = self.about.places(call)
        result = self._against(call, call.arguments, place)
        for other in others:
            if self._against(call, call.arguments, other).verdict is not result.verdict:
                doubt = next(iter(self.about.doubted.values()))
                return in_doubt(self.name, doubt, f"what call {call.index} ({call.name}) is about")
        return result

    def _against(self, call: Call, arguments: dict[str, Any], place: tuple[str | None, ...]) -> CheckResult:
        key = (*place, *[_trimmed(arguments[argument]) for argument in self.match.values()])
        reading, is_sure = self.readings.in_force(key, call.turn)
        if reading is None:
            return self._without_reading(call, key)
        what = f"the {self.argument} that call {call.index} ({call.name}) should have"
        if reading.outcome is not Outcome.SUCCESS:
            return in_doubt(self.name, reading, what)
        if not is_sure:
            return in_doubt(self.name, reading, what, reading.problem or "entity_unknown")
        value = next(iter(values_at(reading.result, compile_path(self.path))), None)
        if value is None and reading.problem is not None:
            return in_doubt(self.name, reading, what)
        return self._compare(call, arguments[self.argument], reading, value)

    def _without_reading(self, call: Call, key: tuple[Any, ...]) -> CheckResult:
        entity = self.about.entity
        about = [
            f"{field} {shown(value)}"
            for field, value in zip(self.match, key[len(key) - len(self.match) :], strict=True)
        ]
        if entity is not None:
            about.insert(0, f"{entity.field} {shown(entity.names[0] if key[0] == entity.goal else key[0])}")
        what = (
            f"no {self.readings.source!r}{' for ' if about else ''}{' and '.join(about)} that succeeded stands before"
        )
        what += f" call {call.index} ({call.name})"
        gap = self.about.trace.gap_before(call)
        if gap is not None:
            return in_gap(self.name, gap, what)
        return CheckResult(self.name, Verdict.FAIL, "source_missing", what, call.at)

    def _compare(self, call: Call, chosen: Any, reading: Call, value: Any) -> CheckResult:
        asked = self._asked(value)
        says = f"call {reading.index} ({reading.name}) says {self.path} {shown(value)}"
        if asked is None:
            reason = f"{says}, for which the policy names no {self.argument}"
            return CheckResult(self.name, Verdict.NOT_JUDGEABLE, "value_unknown", reason, call.at)
        has = f"call {call.index} has {self.argument} {shown(chosen)}"
        asks = f", which asks for {shown(asked)}" if self.expected is not None else ""
        if _equal(chosen, asked):
            reason = f"{has}, and {says}{asks}"
            return CheckResult(self.name, Verdict.PASS, "ok", reason, call.at, reading.content_at)
        reason = f"{has}, but {says}{asks}"
        return CheckResult(self.name, Verdict.FAIL, "mismatch", reason, call.at, reading.content_at)

    def _asked(self, value: Any) -> Any:
        if self.expected is None:
            return value
        return self.expected.get(value.strip().lower()) if isinstance(value, str) else None


def _field(call: Call, field: str) -> Any:
    value = call.told(field)
    if value is None and call.arguments is not None:
        value = call.arguments.get(field)
    return _trimmed(value)


def _trimmed(value: Any) -> Any:
    return value.strip() if isinstance(value, str) else same_key(value)


def _equal(one: Any, other: Any) -> bool:
    if isinstance(one, str) and isinstance(other, str):
        return one == other or plain_name(one) == plain_name(other)
    return bool(same_key(one) == same_key(other))


def _latest(calls: list[Call] | None, turn: int) -> Call | None:
    """The last of these calls, in order, that stands in an earlier turn."""
    position = bisect_left(calls, turn, key=_turn) if calls else 0
    return calls[position - 1] if calls and position else None


def _turn(call: Call) -> int:
    return call.turn
