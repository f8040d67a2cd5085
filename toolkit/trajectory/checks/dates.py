"""Whether the tools of a run were asked about the same day."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from toolkit.trajectory.checks.evidence import calls_of, in_doubt, in_gap, not_called, shown, worst
from toolkit.trajectory.reading import same_key
from toolkit.trajectory.records import Call, CheckResult, Outcome, Trace, Verdict


def dates_agree(
    calls: Trace | Iterable[Call],
    tool: str,
    argument: str,
    others: Mapping[str, str],
    *,
    equals: str | None = None,
    name: str = "dates_agree",
) -> CheckResult:
    """Check that the date of every write is the goal's, and one that the tools before it were asked about.

    Args:
        others: Tool name to the argument that holds its date; a tool that was not called before is left out.
        equals: The goal's date.

    >>> calls = [Call("search", {"day": "2026-10-01"}), Call("book", {"day": "2026-10-02"})]
    >>> dates_agree(calls, "book", "day", {"search": "day"}).reason
    "call 1 has day '2026-10-02', but 'search' was never asked about it"
    """
    trace = Trace.of(calls)
    writes = calls_of(trace, tool)
    if not writes:
        return not_called(name, trace, tool)
    asked = {other: _Asked(trace, other, date) for other, date in others.items()}
    readable = [call for call in writes if call.arguments is not None or call.outcome is not Outcome.ERROR] or writes
    return worst(_judge(name, trace, call, argument, asked, equals) for call in readable)


class _Asked:
    """The dates one tool was asked about, each with the first call that asked."""

    def __init__(self, trace: Trace, tool: str, argument: str) -> None:
        calls = calls_of(trace, tool)
        self.first = next(iter(calls), None)
        self.unreadable = next((call for call in calls if call.arguments is None), None)
        self._dates: dict[object, Call] = {}
        for call in calls:
            if call.arguments is not None:
                self._dates.setdefault(same_key(call.arguments.get(argument)), call)

    def about(self, date: object, before: Call) -> bool:
        """True where the tool was asked about the date before this call, or not called before it at all."""
        call = self._dates.get(same_key(date))
        if call is not None and call.index < before.index:
            return True
        return self.first is None or self.first.index > before.index


def _judge(
    name: str, trace: Trace, call: Call, argument: str, asked: Mapping[str, _Asked], equals: str | None
) -> CheckResult:
    if call.arguments is None:
        return in_doubt(name, call, "which date it is about", "args_invalid")
    date = call.arguments.get(argument)
    has = f"call {call.index} has {argument} {shown(date)}"
    if equals is not None and date != equals:
        return CheckResult(name, Verdict.FAIL, "other_date", f"{has}, not {equals!r}", call.at)
    for other, dates in asked.items():
        if dates.about(date, call):
            continue
        if dates.unreadable is not None and dates.unreadable.index < call.index:
            return in_doubt(name, dates.unreadable, "which date it is about", "args_invalid")
        gap = trace.gap_before(call)
        if gap is not None:
            return in_gap(name, gap, f"{has}, and {other!r} is not seen to be asked about it")
        return CheckResult(name, Verdict.FAIL, "other_date", f"{has}, but {other!r} was never asked about it", call.at)
    return CheckResult(name, Verdict.PASS, "ok", f"{has}, as asked before", call.at)
