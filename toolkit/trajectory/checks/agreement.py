"""Whether two recorded values go together: what a write was given, and what a reading before it said."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from toolkit.trajectory.checks.evidence import calls_of, in_doubt, in_gap, not_called, plain_name, shown, worst
from toolkit.trajectory.checks.provenance import Entity, Seen, Sources
from toolkit.trajectory.pointers import compile_path, values_at
from toolkit.trajectory.reading import same_key
from toolkit.trajectory.records import Anomaly, Call, CheckResult, Outcome, Trace, Verdict


@dataclass(frozen=True, slots=True)
class Link:
    """How a write finds its entity: the argument that names a thing, and the results that showed the thing."""

    argument: str
    sources: Sources


@dataclass(frozen=True, slots=True)
class Rule:
    """What `values_agree` compares, and the name under which it reports."""

    name: str
    argument: str
    source: str
    path: str
    expected: Mapping[str, Any] | None
    match: Mapping[str, str]
    entity: Entity | None
    link: Link | None


def values_agree(
    calls: Trace | Iterable[Call],
    tool: str,
    argument: str,
    source: str,
    path: str,
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
    rule = Rule(name, argument, source, path, expected, match or {}, entity, link)
    judge = _Judge(trace, rule)
    result = _decide(attempts, judge)
    notes = tuple(_mismatches(attempts, argument))
    return replace(result, notes=notes) if notes else result


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
    doubtful = unsettled[0]
    return in_doubt(judge.rule.name, doubtful, f"whether {judge.rule.argument} matters")


def _mismatches(attempts: list[Call], argument: str) -> Iterator[Anomaly]:
    """Where the environment did something else than it was asked: not the agent's fault."""
    for call in attempts:
        if call.outcome is not Outcome.SUCCESS or not call.arguments or argument not in call.arguments:
            continue
        asked, done = call.arguments[argument], call.told(argument)
        if done is not None and not _equal(asked, done):
            detail = f"call {call.index} asked for {argument} {shown(asked)}, its result says {shown(done)}"
            yield Anomaly("environment_mismatch", call.result_at or call.at, detail)


class _Judge:
    """The readings of one run, indexed once, and the rule to hold writes against them."""

    def __init__(self, trace: Trace, rule: Rule) -> None:
        self.trace, self.rule = trace, rule
        self._seen = Seen(trace, rule.link.sources, rule.entity) if rule.link is not None else None
        self._steps = compile_path(rule.path)
        names = rule.entity.plain_names if rule.entity is not None else frozenset()
        self._goal = next(iter(names), None)
        self._names = names
        self._readings: dict[tuple[Any, ...], list[Call]] = {}
        self._anywhere: list[Call] = []  # readings that do not say what they are about
        for call in calls_of(trace, rule.source):
            if call.outcome is not Outcome.ERROR:
                key = self._key_of(call)
                (self._anywhere if None in key else self._readings.setdefault(key, [])).append(call)
        self._doubted: dict[str | None, Call] = {}
        for call in self._seen.doubtful if self._seen is not None else ():
            self._doubted.setdefault(self._place(rule.entity.of(call)) if rule.entity else None, call)

    def _place(self, name: str | None) -> str | None:
        return self._goal if name in self._names else name

    def _key_of(self, call: Call) -> tuple[Any, ...]:
        place = (self._place(self.rule.entity.of(call)),) if self.rule.entity is not None else ()
        return (*place, *(_field(call, field) for field in self.rule.match))

    def attempt(self, call: Call) -> CheckResult:
        """Judge one write."""
        rule = self.rule
        if call.arguments is None:
            return in_doubt(rule.name, call, rule.argument, "args_invalid")
        for needed in (rule.argument, *rule.match.values()):
            if call.arguments.get(needed) is None:
                reason = f"call {call.index} is {call.name!r} without {needed}"
                return CheckResult(rule.name, Verdict.FAIL, "args_missing", reason, call.at)
        places = self._places(call) if rule.entity is not None else [()]
        results = [self._against(call, place) for place in places]
        if all(result.verdict is results[0].verdict for result in results):
            return results[0]
        doubt = next(iter(self._doubted.values()))
        return in_doubt(rule.name, doubt, f"the {rule.entity.field if rule.entity else 'entity'} of call {call.index}")

    def _places(self, call: Call) -> list[tuple[str | None]]:
        """The entities the write may be about: one, unless a result is missing that may have told."""
        link, entity = self.rule.link, self.rule.entity
        if self._seen is None or link is None or entity is None:
            return [(self._goal,)]
        found = self._seen.find((call.arguments or {}).get(link.argument), call.turn)
        if found is not None and found[1] == "right":
            return [(self._goal,)]
        home = entity.of(found[0]) if found is not None and found[1] == "wrong" else self._goal
        doubted = [place for place, doubt in self._doubted.items() if doubt.turn < call.turn and place != home]
        return [(home,), *((place,) for place in doubted)]

    def _against(self, call: Call, place: tuple[str | None, ...]) -> CheckResult:
        rule, arguments = self.rule, call.arguments or {}
        wanted = tuple(_trimmed(arguments[argument]) for argument in rule.match.values())
        reading = self._in_force((*place, *wanted), call.turn)
        about = " and ".join(f"{field} {shown(value)}" for field, value in zip(rule.match, wanted, strict=True))
        if reading is None:
            what = (
                f"no {rule.source!r}{' for ' if about else ''}{about} that succeeded is seen before call {call.index}"
            )
            gap = self.trace.gap_before(call)
            if gap is not None:
                return in_gap(rule.name, gap, what)
            return CheckResult(rule.name, Verdict.FAIL, "source_missing", f"{what} ({call.name})", call.at)
        return self._compare(call, arguments[rule.argument], reading)

    def _in_force(self, key: tuple[Any, ...], turn: int) -> Call | None:
        """The latest reading of this key before this turn, or a later one that may be of it."""
        known = _latest(self._readings.get(key, []), turn)
        vague = _latest(self._anywhere, turn)
        return max((call for call in (known, vague) if call is not None), key=lambda call: call.index, default=None)

    def _compare(self, call: Call, chosen: Any, reading: Call) -> CheckResult:
        rule = self.rule
        what = f"what {rule.argument} call {call.index} should have had"
        if reading.outcome is not Outcome.SUCCESS:
            return in_doubt(rule.name, reading, what)
        if None in self._key_of(reading):
            reason = f"{what} cannot be told: call {reading.index} ({reading.name}) does not say what it is about"
            return CheckResult(rule.name, Verdict.NOT_JUDGEABLE, "entity_unknown", reason, reading.at)
        value = next(values_at(reading.result, self._steps), None)
        if value is None and reading.problem is not None:
            return in_doubt(rule.name, reading, what)
        asked = self._asked(value)
        says = f"call {reading.index} ({reading.name}) says {rule.path} {shown(value)}"
        if asked is None:
            reason = f"{what} cannot be told: {says}, which the policy does not know"
            return CheckResult(rule.name, Verdict.NOT_JUDGEABLE, "value_unknown", reason, call.at)
        has = f"call {call.index} has {rule.argument} {shown(chosen)}"
        asks = f", which asks for {shown(asked)}" if rule.expected is not None else ""
        if not _equal(chosen, asked):
            return CheckResult(
                rule.name, Verdict.FAIL, "mismatch", f"{has}, but {says}{asks}", call.at, reading.content_at
            )
        return CheckResult(rule.name, Verdict.PASS, "ok", f"{has}, and {says}{asks}", call.at, reading.content_at)

    def _asked(self, value: Any) -> Any:
        if self.rule.expected is None:
            return value
        return self.rule.expected.get(value.strip().lower()) if isinstance(value, str) else None


def _field(call: Call, field: str) -> Any:
    value = call.told(field)
    if value is None and call.arguments is not None:
        value = call.arguments.get(field)
    return _trimmed(value)


def _trimmed(value: Any) -> Any:
    return value.strip() if isinstance(value, str) else same_key(value)


def _equal(one: Any, other: Any) -> bool:
    if isinstance(one, str) and isinstance(other, str):
        return plain_name(one) == plain_name(other)
    return bool(same_key(one) == same_key(other))


def _latest(calls: list[Call], turn: int) -> Call | None:
    """The last of these calls, in order, that stands in an earlier turn."""
    position = bisect_left(calls, turn, key=lambda call: call.turn)
    return calls[position - 1] if position else None
