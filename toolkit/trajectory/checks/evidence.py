"""What checks have in common: names, doubts and gaps, each with the code and the words for it."""

from __future__ import annotations

import unicodedata
from collections.abc import Container, Iterable, Sequence
from functools import lru_cache
from typing import Any, TypeAlias

from toolkit.trajectory.records import Anomaly, Call, CheckResult, Trace, Verdict

Names: TypeAlias = str | Sequence[str]

_DOUBTS = {
    "args_invalid": "its arguments cannot be read",
    "conflicting_results": "it has two different results",
    "entity_unknown": "it does not say what it is about",
    "outcome_undeclared": "its result is no JSON object",
    "result_compacted": "its result was compacted",
    "result_missing": "its result is missing",
    "result_truncated": "its result is only one part of a longer one",
    "result_unreadable": "its result holds parts that are no text",
    "result_unstructured": "its result is plain text",
    "run_ended": "the run ended before its result",
}


def as_names(names: Names) -> frozenset[str]:
    """One name or many, as a set."""
    return frozenset((names,)) if isinstance(names, str) else frozenset(names)


def calls_of(trace: Trace, names: str | Container[str]) -> list[Call]:
    """The calls of these tools, in order."""
    if isinstance(names, str):
        return [call for call in trace.calls if call.name == names]
    return [call for call in trace.calls if call.name in names]


def quoted(names: Names) -> str:
    """Names as they stand in a sentence.

    >>> quoted(["get_weather", "search_hotels"])
    "'get_weather' or 'search_hotels'"
    """
    return repr(names) if isinstance(names, str) else " or ".join(map(repr, names))


def shown(value: Any, longest: int = 60) -> str:
    """A value as it stands in a sentence, cut where it is long."""
    text = repr(value) if isinstance(value, str) else str(value)
    return text if len(text) <= longest else f"{text[:longest]}..."


@lru_cache(maxsize=4096)
def plain_name(name: str) -> str:
    """A name without case, spaces, apostrophes and width: what is left is compared.

    >>> plain_name("Xi’an ") == plain_name("XI'AN")
    True
    """
    letters = unicodedata.normalize("NFKC", name).casefold()
    return "".join(letter for letter in letters if letter.isalnum())


def in_doubt(name: str, call: Call, what: str, code: str | None = None) -> CheckResult:
    """Not judgeable, because of one call: `what` cannot be told."""
    code = code or call.problem or "outcome_unknown"
    reason = f"{what} cannot be told from call {call.index} ({call.name}): {_DOUBTS.get(code, code)}"
    return CheckResult(name, Verdict.NOT_JUDGEABLE, code, reason, call.at)


def in_gap(name: str, gap: Anomaly, what: str) -> CheckResult:
    """Not judgeable, because messages are missing that may have held it."""
    return CheckResult(name, Verdict.NOT_JUDGEABLE, gap.code, f"{what}, but messages are missing: {gap.detail}", gap.at)


def not_called(name: str, trace: Trace, names: Names) -> CheckResult:
    """Not applicable: the tool it is about was never called."""
    return CheckResult(name, Verdict.NOT_APPLICABLE, "not_called", f"{quoted(names)} was never called", trace.at)


def worst(results: Iterable[CheckResult]) -> CheckResult:
    """The result that decides: the first fail, else the first not judgeable, else the last pass, else the first.

    Raises:
        ValueError: there are no results.
    """
    doubt = passed = applied = None
    for result in results:
        if result.verdict is Verdict.FAIL:
            return result
        if result.verdict is Verdict.NOT_JUDGEABLE:
            doubt = doubt or result
        elif result.verdict is Verdict.PASS:
            passed = result
        else:
            applied = applied or result
    decisive = doubt or passed or applied
    if decisive is None:
        raise ValueError("no result to decide by")
    return decisive
