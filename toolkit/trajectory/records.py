"""The values a judgement is made of. All are immutable, none does any work beyond looking things up.

A pointer (`at`, `result_at`, `witness`) is an RFC 6901 JSON pointer into the input as it was given; the empty
pointer is the whole of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NamedTuple


class Outcome(StrEnum):
    """What is known of a call's end."""

    SUCCESS = "success"
    ERROR = "error"
    UNKNOWN = "unknown"  # answered, but the answer does not say how it went
    MISSING = "missing"  # no answer recorded


class Verdict(StrEnum):
    """What a check says of a run."""

    PASS = "pass"
    FAIL = "fail"
    NOT_JUDGEABLE = "not_judgeable"
    NOT_APPLICABLE = "not_applicable"


class Anomaly(NamedTuple):
    """Something odd that was seen: a stable `code`, a pointer, and a sentence."""

    code: str
    at: str
    detail: str


class Call(NamedTuple):
    """One tool call of a run, with what came back.

    Args:
        arguments: The arguments object, or None where it could not be read.
        index: Position among all calls of the run, from 0.
        turn: Position of its assistant message among all assistant messages, from 0. Calls of one turn are
            siblings: none has seen another's result.
        result: Parsed JSON, or the text where it is no JSON.
        result_at: Pointer to the message that answers, None where none does.
        content_at: Pointer to the text inside that message.
        problem: Code of what keeps the result from being used in full, such as `result_unstructured`.
    """

    name: str
    arguments: dict[str, Any] | None
    index: int = 0  # type: ignore[assignment]  # hides tuple.index, which has no use here
    turn: int = 0
    id: str | None = None
    result: Any = None
    outcome: Outcome = Outcome.SUCCESS
    at: str = ""
    result_at: str | None = None
    content_at: str | None = None
    problem: str | None = None

    @property
    def is_settled(self) -> bool:
        """True where it is known whether the call succeeded."""
        return self.outcome is Outcome.SUCCESS or self.outcome is Outcome.ERROR

    def told(self, field: str) -> Any:
        """A field of the result of a call that succeeded, else None."""
        if self.outcome is Outcome.SUCCESS and isinstance(self.result, dict):
            return self.result.get(field)
        return None


class Utterance(NamedTuple):
    """Something the user said after assistant message number `turn` (-1: before the first)."""

    turn: int
    at: str
    text: str


class Answer(NamedTuple):
    """A tool message as read: its value, what it says of the outcome, and where it stands."""

    result: Any
    outcome: Outcome
    at: str | None = None
    content_at: str | None = None
    problem: str | None = None


class Pairing(NamedTuple):
    """Calls of one turn that share an id, and the answers to it in order. Who got which is not recorded."""

    indices: tuple[int, ...]
    answers: tuple[Answer, ...]


@dataclass(frozen=True, slots=True)
class Trace:
    """The calls of one run in request order, and everything else that checks may look at.

    Args:
        turns: Number of assistant messages.
        gaps: Places where messages are visibly missing, as (turn before them, anomaly), the earliest
            first; a cut head is at -1.
        said: What the user said. A source of values only for checks that ask for it.
        tokens: Total tokens the messages report as used, None where none reports any.
        pairings: Groups of calls whose results may be swapped (`duplicate_id`).
        at: Pointer to the list of messages.
        indexes: What checks have looked up of this trace, kept for the next check.
    """

    calls: tuple[Call, ...]
    anomalies: tuple[Anomaly, ...] = ()
    turns: int = 0
    gaps: tuple[tuple[int, Anomaly], ...] = ()
    said: tuple[Utterance, ...] = ()
    tokens: int | None = None
    pairings: tuple[Pairing, ...] = ()
    at: str = ""
    indexes: dict[Any, Any] = field(default_factory=dict, repr=False, compare=False)

    @property
    def head_cut(self) -> Anomaly | None:
        """The sign that the beginning is missing, or None."""
        return self.gaps[0][1] if self.gaps and self.gaps[0][0] < 0 else None

    def gap_before(self, call: Call) -> Anomaly | None:
        """The first sign that messages before this call are missing, or None."""
        return self.gaps[0][1] if self.gaps and self.gaps[0][0] < call.turn else None

    @classmethod
    def of(cls, calls: Trace | Iterable[Call]) -> Trace:
        """A trace made of bare calls; a trace is returned as it is.

        Calls out of a trace keep their turns. Calls made by hand are numbered in order, one to a turn.

        >>> [call.turn for call in Trace.of([Call("search_hotels", {}), Call("book_hotel", {})]).calls]
        [0, 1]
        """
        if isinstance(calls, Trace):
            return calls
        given = tuple(calls)
        if any(call.index != index for index, call in enumerate(given)):
            given = tuple(call._replace(index=index, turn=index) for index, call in enumerate(given))
        return cls(given, turns=given[-1].turn + 1 if given else 0)


class CheckResult(NamedTuple):
    """What one check says: the verdict, a stable `code`, a sentence, and where to look.

    `witness` points to the recorded value a pass rests on. `notes` are things seen on the way that are not the
    agent's fault.
    """

    name: str
    verdict: Verdict
    code: str
    reason: str
    at: str = ""
    witness: str | None = None
    notes: tuple[Anomaly, ...] = ()


@dataclass(frozen=True, slots=True)
class Report:
    """What a policy says of one run."""

    policy: str
    results: tuple[CheckResult, ...]
    trace: Trace

    @property
    def verdict(self) -> Verdict:
        """The worst of the results; a run in which nothing applied is `not_applicable`."""
        return overall([result.verdict for result in self.results])

    @property
    def anomalies(self) -> tuple[Anomaly, ...]:
        """What was odd in the recording, then what the checks noted."""
        noted = (note for result in self.results for note in result.notes)
        return (*self.trace.anomalies, *noted)

    def __getitem__(self, name: str) -> CheckResult:
        """The result of the check of that name.

        Raises:
            KeyError: the policy has no such check.
        """
        for result in self.results:
            if result.name == name:
                return result
        raise KeyError(name)


def overall(verdicts: Sequence[Verdict]) -> Verdict:
    """One verdict for many: any fail, else any not judgeable, else pass if at least one check passed.

    >>> str(overall([Verdict.PASS, Verdict.NOT_APPLICABLE]))
    'pass'
    """
    for decisive in (Verdict.FAIL, Verdict.NOT_JUDGEABLE, Verdict.PASS):
        if decisive in verdicts:
            return decisive
    return Verdict.NOT_APPLICABLE
