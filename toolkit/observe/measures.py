"""Measures with their definitions, each beside its target and the sample it needs.

A rate comes with an interval, because 20 answers out of 20 do not show that 99.5 % will be answered. A target is met
when the whole interval lies on the right side of it, missed when the whole interval lies on the wrong side, and open
otherwise: open asks for more calls, not for a decision.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean, stdev
from typing import Literal, NamedTuple, TypeAlias

from toolkit.observe.lines import Line, by_tool, real, span_s
from toolkit.observe.percentiles import Z_95, percentile, sample_needed
from toolkit.observe.questions import latencies_ms
from toolkit.observe.reliability import failures_interval, mtbf_interval_s, reliability
from toolkit.trajectory import Verdict
from toolkit.trajectory.statistics import Interval, wilson_interval

Standing: TypeAlias = Literal["met", "missed", "open", "no data"]

_MARGIN = 0.05  # half the width a mean score's interval should have
_FEWEST_SCORES = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Targets:
    """What is good enough. Shares and scores are 0..1."""

    success_rate: float = 0.995
    p95_ms: float = 2000.0
    mtbf_s: float = 3600.0
    relevance: float = 0.8
    task_completion: float = 0.9
    necessity: float = 0.95


class Measure(NamedTuple):
    """One number with what is needed to judge it. `needed` is the sample below which the standing may well be open."""

    name: str
    value: float | None
    interval: Interval | None
    target: float
    sample: int
    needed: int
    standing: Standing


def success_rate(lines: Iterable[Line], target: float) -> Measure:
    """Calls that got an answer over calls that got one or failed. Refused calls tell of the caller: left out."""
    outcomes = [line.outcome for line in real(lines)]
    return rate(
        "success rate", outcomes.count("answered"), outcomes.count("answered") + outcomes.count("failed"), target
    )


def necessity(lines: Iterable[Line], target: float) -> Measure:
    """Answered calls whose input had not been answered before in their session, over all answered calls.

    After a write the same question may have another answer, so a session that writes and looks again scores too low.
    """
    seen: set[tuple[str, str, str]] = set()
    answered = [line for line in real(lines) if line.outcome == "answered" and line.input_hash]
    for line in answered:
        seen.add((line.session, line.tool, line.input_hash or ""))
    return rate("necessity of calls", len(seen), len(answered), target)


def task_completion(verdicts: Iterable[Verdict], target: float) -> Measure:
    """Runs that passed their checks over runs that could be judged; what could not be judged is no success."""
    judged = [verdict for verdict in verdicts if verdict in (Verdict.PASS, Verdict.FAIL)]
    return rate("task completion", judged.count(Verdict.PASS), len(judged), target)


def relevance(lines: Iterable[Line], target: float) -> Measure:
    """The mean score of the answers that were scored."""
    scores = [line.score for line in real(lines) if line.score is not None]
    if len(scores) < 2:
        value = scores[0] if scores else None
        return Measure("relevance", value, None, target, len(scores), _FEWEST_SCORES, "open" if scores else "no data")
    spread = stdev(scores)
    half = Z_95 * spread / math.sqrt(len(scores))
    interval = Interval(max(0.0, fmean(scores) - half), min(1.0, fmean(scores) + half))
    needed = max(_FEWEST_SCORES, math.ceil((Z_95 * spread / _MARGIN) ** 2))
    standing = _standing(interval, target) if len(scores) >= _FEWEST_SCORES else "open"
    return Measure("relevance", fmean(scores), interval, target, len(scores), needed, standing)


def tail_latency(lines: Iterable[Line], target_ms: float, share: float = 0.95) -> Measure:
    """The percentile of the answers' latency, in milliseconds.

    "p95 is at most 2 s" says that at least 95 % came within 2 s, so it is judged as that share, with its interval.
    """
    taken = latencies_ms(lines)
    within = rate("", sum(each <= target_ms for each in taken), len(taken), share)
    value = percentile(taken, share).value
    return within._replace(name=f"p{share * 100:g} in ms", value=value, interval=None, target=target_ms)


def time_between_failures(lines: Sequence[Line], target_s: float) -> Measure:
    """MTBF of a tool, in seconds: operating time over failures, both added up over the tools.

    All tools are observed for as long as the log lasts. The sample is seconds of operation.
    """
    needed = math.ceil(failures_interval(0).high * target_s)
    told = by_tool(line for line in lines if line.outcome != "refused")
    if not told:
        return Measure("MTBF in s", None, None, target_s, 0, needed, "no data")
    end_s = max(line.ended_s for line in lines)
    each = [reliability(own, end_s - span_s(lines), end_s) for own in told.values()]
    operating_s, failures = sum(one.operating_s for one in each), sum(len(one.outages) for one in each)
    interval = mtbf_interval_s(operating_s, failures)
    value = operating_s / failures if failures else None
    return Measure("MTBF in s", value, interval, target_s, int(operating_s), needed, _standing(interval, target_s))


def measure(lines: Sequence[Line], verdicts: Iterable[Verdict] = (), targets: Targets = Targets()) -> list[Measure]:
    """All measures of a log, and of the runs it belongs to where they were judged."""
    return [
        success_rate(lines, targets.success_rate),
        time_between_failures(lines, targets.mtbf_s),
        tail_latency(lines, targets.p95_ms),
        relevance(lines, targets.relevance),
        necessity(lines, targets.necessity),
        task_completion(verdicts, targets.task_completion),
    ]


def rate(name: str, hits: int, trials: int, target: float) -> Measure:
    """A share with its Wilson interval.

    >>> rate("success rate", 20, 20, 0.995).standing, rate("success rate", 800, 800, 0.995).standing
    ('open', 'met')
    """
    needed = sample_needed(target)
    if trials == 0:
        return Measure(name, None, None, target, 0, needed, "no data")
    interval = wilson_interval(hits, trials)
    return Measure(name, hits / trials, interval, target, trials, needed, _standing(interval, target))


def _standing(interval: Interval, target: float) -> Standing:
    if interval.low >= target:
        return "met"
    return "missed" if interval.high < target else "open"
