"""Checks on the order of calls: what had to happen first, and which steps had to be complete."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from toolkit.trajectory.checks.evidence import Names, as_names, calls_of, in_doubt, in_gap, not_called
from toolkit.trajectory.records import Call, CheckResult, Outcome, Trace, Verdict


def called_before(
    calls: Trace | Iterable[Call],
    first: str,
    then: Names,
    *,
    nonempty: str | None = None,
    name: str = "called_before",
) -> CheckResult:
    """Check that `then` never runs until `first` has run.

    A call of `first` counts when it succeeded and is listed before, in an earlier turn or earlier in the same.

    Args:
        nonempty: An argument of `first` that must be a list with at least one entry.

    >>> called_before([Call("book_hotel", {})], "search_hotels", "book_hotel").reason
    "call 0 is 'book_hotel', but 'search_hotels' has not run yet"
    """
    trace = Trace.of(calls)
    later = as_names(then)
    start = next((call for call in trace.calls if call.name in later), None)
    if start is None:
        return not_called(name, trace, then)
    code, why, doubt = "step_missing", f"{first!r} has not run yet", None
    for call in trace.calls[: start.index]:
        if call.name != first:
            continue
        if call.outcome is Outcome.ERROR:
            code, why = "step_failed", f"{first!r} (call {call.index}) had failed"
        elif nonempty and call.arguments is not None and not _has_entries(call.arguments.get(nonempty)):
            code, why = "step_empty", f"{first!r} (call {call.index}) had no {nonempty}"
        elif not call.is_settled or (nonempty and call.arguments is None):
            doubt = call
        else:
            reason = f"{first!r} (call {call.index}) ran before call {start.index} ({start.name})"
            return CheckResult(name, Verdict.PASS, "ok", reason, start.at)
    if doubt is not None:
        return in_doubt(name, doubt, f"whether {first!r} had run", None if doubt.problem else "args_invalid")
    gap = trace.gap_before(start)
    if gap is not None:
        return in_gap(name, gap, f"no {first!r} is seen before call {start.index} ({start.name})")
    return CheckResult(name, Verdict.FAIL, code, f"call {start.index} is {start.name!r}, but {why}", start.at)


def _has_entries(value: Any) -> bool:
    return isinstance(value, list) and any(not isinstance(entry, str) or entry.strip() for entry in value)


def steps_in_order(
    calls: Trace | Iterable[Call],
    steps: Sequence[str],
    *,
    nothing_found: tuple[str, str] | None = None,
    name: str = "steps_in_order",
) -> CheckResult:
    """Check that no step is skipped on the way to the last one.

    A step on the way needs an attempt at each step before it, listed earlier, that had not visibly failed. The
    last step needs each of them completed, with the result visible before. Retries and going back are legal.

    Args:
        steps: Tool names in order; the last is the one the others lead to.
        nothing_found: A step and the list in its result that may be empty: then there is nothing to do last.

    >>> steps_in_order([Call("search_hotels", {}), Call("book_hotel", {})], ["search_hotels", "book_hotel"]).code
    'ok'
    """
    trace = Trace.of(calls)
    last = steps[-1]
    position = {step: number for number, step in enumerate(steps)}
    progress = {step: _Progress() for step in steps}
    final = doubt = None
    for call in trace.calls:
        number = position.get(call.name)
        if number is None:
            continue
        for needed in steps[:number]:
            result = progress[needed].judge(call, needed, complete=call.name == last, trace=trace, name=name)
            if result is not None and result.verdict is Verdict.FAIL:
                return result
            doubt = doubt or result
        progress[call.name].add(call)
        final = call if call.name == last else final
    if final is None:
        return _unfinished(trace, last, nothing_found, name)
    if doubt is not None:
        return doubt
    reason = f"every step stands before call {final.index} ({last})"
    return CheckResult(name, Verdict.PASS, "ok", reason, final.at)


class _Progress:
    """How far one step has come, by the earliest call that shows it."""

    __slots__ = ("done", "doubtful", "failed", "recent")

    def __init__(self) -> None:
        self.done: Call | None = None
        self.doubtful: Call | None = None
        self.failed: Call | None = None
        self.recent: Call | None = None

    def add(self, call: Call) -> None:
        self.recent = call
        if call.outcome is Outcome.SUCCESS:
            self.done = self.done or call
        elif call.outcome is Outcome.ERROR:
            self.failed = call
        else:
            self.doubtful = self.doubtful or call

    def judge(self, call: Call, step: str, *, complete: bool, trace: Trace, name: str) -> CheckResult | None:
        """What speaks against this call, as far as this step goes; None where nothing does."""
        turn = call.turn
        if self.done is not None and self.done.turn < turn:
            return None
        if not complete and self.recent is not None and self.recent.turn == turn:
            return None  # a sibling: its result cannot have been seen, so it cannot have visibly failed
        if self.doubtful is not None and self.doubtful.turn < turn:
            return in_doubt(name, self.doubtful, f"whether {step!r} was complete")
        gap = trace.gap_before(call)
        if gap is not None:
            return in_gap(name, gap, f"no complete {step!r} is seen before call {call.index} ({call.name})")
        code, why = self._missing(step, turn)
        return CheckResult(name, Verdict.FAIL, code, f"call {call.index} is {call.name!r}, but {why}", call.at)

    def _missing(self, step: str, turn: int) -> tuple[str, str]:
        if self.recent is None:
            return "step_missing", f"{step!r} has not run yet"
        if self.recent.turn == turn:
            return "step_not_visible", f"the result of {step!r} (call {self.recent.index}) was not yet visible"
        return "step_failed", f"{step!r} (call {self.recent.index}) had failed"


def _unfinished(trace: Trace, last: str, nothing_found: tuple[str, str] | None, name: str) -> CheckResult:
    """The last step was never tried: fine only where an empty result left nothing to do."""
    if nothing_found is not None:
        step, field = nothing_found
        searches = [call for call in calls_of(trace, step) if call.outcome is not Outcome.ERROR]
        if searches:
            found = searches[-1]
            if found.outcome is not Outcome.SUCCESS:
                return in_doubt(name, found, f"whether there was anything left for {last!r}")
            if found.told(field) == []:
                if found.problem is not None:
                    return in_doubt(name, found, f"whether there was anything left for {last!r}")
                reason = f"{step!r} (call {found.index}) returned no {field}, so there was nothing left for {last!r}"
                return CheckResult(name, Verdict.NOT_APPLICABLE, "nothing_to_book", reason, found.at)
    if trace.gaps:
        return in_gap(name, trace.gaps[0][1], f"no {last!r} is seen")
    return CheckResult(name, Verdict.FAIL, "unfinished", f"{last!r} was never called", trace.at)
