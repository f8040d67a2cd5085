"""Questions a log answers, a function each. All leave out what a failure lab put in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from toolkit.observe.lines import Line, by_tool, real
from toolkit.observe.percentiles import Percentile, percentile


class Cause(NamedTuple):
    """Why a call has no value: how it ended, the kind of error, and the class of the exception, where there was one."""

    tool: str
    status: str
    error_kind: str | None
    error_type: str | None


class Repeat(NamedTuple):
    """The same input sent again to the same tool within one session."""

    session: str
    tool: str
    input_hash: str
    times: int


def latencies_ms(lines: Iterable[Line]) -> list[float]:
    """How long the answers took. Failures have no answer, and a replay took no work: neither is in it."""
    return [line.duration_ms for line in real(lines) if line.outcome == "answered" and not line.replayed]


def mean_latency_ms(lines: Iterable[Line]) -> float | None:
    """The mean over the answers only: a timeout in the divisor would make a slow tool look quick.

    >>> from toolkit.records import Status
    >>> mean_latency_ms([Line(1.0, "add", Status.TIMEOUT, 0.0), Line(2.0, "add", Status.SUCCESS, 100.0)])
    100.0
    """
    taken = latencies_ms(lines)
    return sum(taken) / len(taken) if taken else None


def latency_per_tool(lines: Iterable[Line], share: float = 0.95) -> dict[str, Percentile]:
    """A percentile of each tool's latency, in milliseconds, with the sample it rests on."""
    return {tool: percentile(latencies_ms(own), share) for tool, own in by_tool(lines).items()}


def repeated_inputs(lines: Iterable[Line], at_least: int = 2) -> list[Repeat]:
    """The inputs that came more than once in a session, the most frequent first.

    Retries of the gateway are one call, so they are not in it: this is a model that asks again.
    """
    seen = Counter((line.session, line.tool, line.input_hash) for line in real(lines) if line.input_hash)
    found = [
        Repeat(session, tool, key, times) for (session, tool, key), times in seen.items() if key and times >= at_least
    ]
    return sorted(found, key=lambda repeat: (-repeat.times, repeat.tool, repeat.session))


def causes(lines: Iterable[Line]) -> Counter[Cause]:
    """What went wrong how often, degraded answers included, the most frequent first."""
    return Counter(
        Cause(line.tool, line.status.value, line.error_kind, line.error_type)
        for line in real(lines)
        if line.error_kind is not None
    )


def wrong_arguments(lines: Iterable[Line]) -> Counter[tuple[str, str]]:
    """Tool and parameter that models got wrong, the most frequent first.

    A parameter that nobody declared is '(undeclared)': its name is the model's own word.
    """
    return Counter((line.tool, name) for line in real(lines) for name in line.fields)


def failing(lines: Iterable[Line], limit: int = 10) -> list[Line]:
    """The latest calls that failed, the last one first: where to begin to read."""
    failed = [line for line in real(lines) if line.outcome == "failed"]
    return failed[::-1][:limit]
