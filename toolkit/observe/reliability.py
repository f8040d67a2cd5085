"""How long a tool works between failures, by the definition of reliability engineering.

A failure is the moment at which a tool that worked stops working, so a run of failed calls is one outage, not many;
it is over with the next answer. Operating time is the time observed without the time the tool was down. Refused calls
say nothing about a tool, and injected faults are nobody's failures: both are left out. A degraded answer is an answer
for the caller and a failure of the tool.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import NamedTuple

from toolkit.observe.lines import Line, real
from toolkit.trajectory.statistics import Interval

_TAIL = 0.025  # on either side of a 95 % interval


class Outage(NamedTuple):
    """From the first failed call to the next answer, in seconds since 1970; `ended_s` is None where none came."""

    began_s: float
    ended_s: float | None


class Reliability(NamedTuple):
    """What was observed of one tool from `start_s` to `end_s`."""

    start_s: float
    end_s: float
    outages: tuple[Outage, ...]

    @property
    def down_s(self) -> float:
        return sum((self.end_s if ended_s is None else ended_s) - began_s for began_s, ended_s in self.outages)

    @property
    def operating_s(self) -> float:
        return self.end_s - self.start_s - self.down_s

    @property
    def mtbf_s(self) -> float | None:
        """Mean time between failures: operating time over failures; None where none was seen."""
        return self.operating_s / len(self.outages) if self.outages else None

    @property
    def mttr_s(self) -> float | None:
        """Mean time to repair, over the outages that ended; None where none did."""
        repaired = [ended_s - began_s for began_s, ended_s in self.outages if ended_s is not None]
        return sum(repaired) / len(repaired) if repaired else None

    @property
    def availability(self) -> float | None:
        """The share of time in which the tool worked; None where no time passed."""
        observed_s = self.end_s - self.start_s
        return self.operating_s / observed_s if observed_s > 0 else None


def reliability(lines: Iterable[Line], start_s: float | None = None, end_s: float | None = None) -> Reliability:
    """Read a tool's outages from its lines.

    Args:
        lines: Of one tool. An answer of another tool would end an outage that goes on.
        start_s: From when it was observed; the first call's start if not given.
        end_s: Until when; the last call's end if not given.

    Raises:
        ValueError: no call says anything about the tool, and no time is given.

    >>> from toolkit.records import Status
    >>> ended = [(60, Status.SUCCESS), (120, Status.TIMEOUT), (150, Status.TIMEOUT), (180, Status.SUCCESS)]
    >>> found = reliability([Line(moment, "search", status, 0.0) for moment, status in ended], start_s=0, end_s=240)
    >>> found.outages, found.mtbf_s
    ((Outage(began_s=120, ended_s=180),), 180.0)
    """
    told = sorted((line for line in real(lines) if line.outcome != "refused"), key=lambda line: line.ended_s)
    if not told and (start_s is None or end_s is None):
        raise ValueError("No call says anything about the tool. Give start_s and end_s.")
    outages: list[Outage] = []
    began_s: float | None = None
    for line in told:
        works = line.outcome == "answered" and line.error_kind is None
        if not works and began_s is None:
            began_s = line.ended_s
        elif works and began_s is not None:
            outages.append(Outage(began_s, line.ended_s))
            began_s = None
    if began_s is not None:
        outages.append(Outage(began_s, None))
    begin = min(line.started_s for line in told) if start_s is None else start_s
    return Reliability(begin, told[-1].ended_s if end_s is None else end_s, tuple(outages))


def mtbf_interval_s(operating_s: float, failures: int) -> Interval:
    """Where the true mean time between failures lies, at 95 %, if they come independently; no end where there was none.

    >>> [round(each) for each in mtbf_interval_s(36_000, failures=10)]
    [1958, 7507]
    """
    low, high = failures_interval(failures)
    return Interval(operating_s / high, operating_s / low if low else math.inf)


def failures_interval(count: int) -> Interval:
    """Where the expected number of failures lies, at 95 %, when so many were counted: exact for a Poisson process.

    Source: F. Garwood, Biometrika 28 (1936), 437-442.

    >>> [round(each, 2) for each in failures_interval(0)], [round(each, 2) for each in failures_interval(10)]
    ([0.0, 3.69], [4.8, 18.39])
    """
    low = _solve(lambda mean: 1 - _at_most(count - 1, mean), rising=True) if count else 0.0
    return Interval(low, _solve(lambda mean: _at_most(count, mean), rising=False))


def _at_most(count: int, mean: float) -> float:
    """The probability of at most so many failures where `mean` are expected."""
    return math.fsum(math.exp(n * math.log(mean) - mean - math.lgamma(n + 1)) for n in range(count + 1))


def _solve(probability: Callable[[float], float], *, rising: bool) -> float:
    """The mean at which a probability, which rises or falls with the mean, is that of one tail."""
    low, high = 1e-9, 1.0
    while (probability(high) < _TAIL) is rising:
        high *= 2
    for _ in range(60):
        middle = (low + high) / 2
        if (probability(middle) < _TAIL) is rising:
            low = middle
        else:
            high = middle
    return (low + high) / 2
