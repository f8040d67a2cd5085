"""A policy is data: named checks with the tool names and paths of one domain filled in."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice, permutations, product
from typing import Any, TypeAlias

from toolkit.errors import ToolkitError
from toolkit.trajectory.extract import extract_calls
from toolkit.trajectory.pairing import missing_code
from toolkit.trajectory.records import Answer, Call, CheckResult, Outcome, Pairing, Report, Trace, Verdict

CheckFunction: TypeAlias = Callable[..., CheckResult]
_MOST_PAIRINGS = 120  # ways to pair calls that share an id with their results; 5 calls have 120
_MOST_CALLS = 60_000  # calls judged again in all those ways


class PolicyError(ToolkitError):
    """A policy cannot be read. The text names the check, the rule and the remedy."""


@dataclass(frozen=True, slots=True, init=False)
class Check:
    """A check of a policy: its name, the function that judges, and the parameters filled in.

    >>> from toolkit.trajectory import called_before
    >>> check = Check("search_first", called_before, first="search", then="book")
    >>> str(check.judge(Trace.of([Call("book", {})])).verdict)
    'fail'
    """

    name: str
    function: CheckFunction
    parameters: Mapping[str, Any]

    def __init__(self, name: str, function: CheckFunction, **parameters: Any) -> None:
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "function", function)
        object.__setattr__(self, "parameters", parameters)

    def judge(self, trace: Trace) -> CheckResult:
        """Judge a trace. Where its head is visibly cut, what would pass is not judgeable."""
        result = self.function(trace, name=self.name, **self.parameters)
        if result.verdict is Verdict.PASS and trace.head_cut is not None:
            reason = f"{result.reason}, but the beginning is missing: {trace.head_cut.detail}"
            return result._replace(verdict=Verdict.NOT_JUDGEABLE, code="head_truncated", reason=reason)
        return result


@dataclass(frozen=True, slots=True)
class Policy:
    """Named checks for one domain."""

    name: str
    checks: tuple[Check, ...]


def evaluate(messages: Sequence[Any] | Trace, policy: Policy) -> Report:
    """Judge one run by the calls it made; the final answer is not read.

    Args:
        messages: The chat messages of the run, or the trace already made of them.

    Raises:
        TypeError: `messages` is neither.
    """
    trace = messages if isinstance(messages, Trace) else extract_calls(messages)
    if trace.pairings:
        return Report(policy.name, tuple([_judge_pairings(check, trace) for check in policy.checks]), trace)
    return Report(policy.name, tuple([check.judge(trace) for check in policy.checks]), trace)


# -- calls that share an id ----------------------------------------------------------------------------------


def _judge_pairings(check: Check, trace: Trace) -> CheckResult:
    """Two calls of a turn share an id: judged only where every pairing with the results says the same."""
    shown = check.judge(trace)
    for other in _pairings(trace):
        if check.judge(other).verdict is not shown.verdict:
            call = trace.calls[trace.pairings[0].indices[0]]
            reason = f"calls of one turn share the id {call.id!r}, and the verdict depends on whose result is whose"
            return CheckResult(check.name, Verdict.NOT_JUDGEABLE, "duplicate_id", reason, call.at)
    return shown


def _pairings(trace: Trace) -> Iterator[Trace]:
    """Every way to give the results of a shared id to its calls; too many: as if none had a readable one."""
    limit = min(_MOST_PAIRINGS, max(2, _MOST_CALLS // len(trace.calls)))
    choices = [list(islice(_assignments(pairing), limit + 1)) for pairing in trace.pairings]
    if math.prod(map(len, choices)) > limit:
        unreadable = Answer(None, Outcome.UNKNOWN, problem="conflicting_results")
        choices = [[(unreadable,) * len(pairing.indices)] for pairing in trace.pairings]
    for chosen in product(*choices):
        calls = list(trace.calls)
        for pairing, answers in zip(trace.pairings, chosen, strict=True):
            for index, answer in zip(pairing.indices, answers, strict=True):
                calls[index] = _answered(calls[index], answer, trace.turns - 1)
        yield replace(trace, calls=tuple(calls), indexes={})


def _assignments(pairing: Pairing) -> Iterator[tuple[Answer | None, ...]]:
    missing = max(0, len(pairing.indices) - len(pairing.answers))
    return permutations((*pairing.answers, *([None] * missing)), len(pairing.indices))


def _answered(call: Call, answer: Answer | None, last_turn: int) -> Call:
    if answer is None:
        answer = Answer(None, Outcome.MISSING, problem=missing_code(call.turn, last_turn))
    return call._replace(
        result=answer.result,
        outcome=answer.outcome,
        result_at=answer.at,
        content_at=answer.content_at,
        problem=answer.problem,
    )
