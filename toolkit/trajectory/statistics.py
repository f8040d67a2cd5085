"""What many runs say together: how many passed, of how many that could be judged, and how sure that is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import comb, sqrt
from typing import NamedTuple

from toolkit.trajectory.records import Report, Verdict

_Z_95 = 1.959963984540054  # of the normal distribution, two-sided


class Interval(NamedTuple):
    """Where a rate lies, 0 to 1, with the confidence it was made for."""

    low: float
    high: float


def wilson_interval(hits: int, trials: int, z: float = _Z_95) -> Interval:
    """Wilson's score interval of a rate, 95 % unless another `z` is given.

    It holds also for few trials and for rates at 0 or 1, where the usual `rate ± z * error` has no width.
    Source: E. B. Wilson, Journal of the American Statistical Association 22 (1927), 209-212.

    Raises:
        ValueError: no trials, or hits outside 0 to trials.

    >>> [round(each, 3) for each in wilson_interval(0, 10)]
    [0.0, 0.278]
    >>> [round(each, 3) for each in wilson_interval(81, 263)]
    [0.255, 0.366]
    """
    if not 0 <= hits <= trials or trials == 0:
        raise ValueError(f"{hits} of {trials} is no rate: there must be trials, and hits between 0 and their number.")
    rate, spread = hits / trials, z * z / trials
    middle = (rate + spread / 2) / (1 + spread)
    half = z / (1 + spread) * sqrt(rate * (1 - rate) / trials + spread / (4 * trials))
    return Interval(max(0.0, middle - half), min(1.0, middle + half))


@dataclass(frozen=True, slots=True)
class Tally:
    """Runs by how they ended. Every run attempted stands in exactly one of the five counts.

    `errors` are runs the harness lost: no recording, so nothing to judge.

    >>> tally = Tally(passed=6, failed=2, not_judgeable=1, errors=1)
    >>> print(tally)
    10 attempted = 8 judged (6 passed) + 1 not judgeable + 0 not applicable + 1 harness errors
    >>> tally.rate, tally.bounds
    (0.75, Interval(low=0.6, high=0.8))
    """

    passed: int = 0
    failed: int = 0
    not_judgeable: int = 0
    not_applicable: int = 0
    errors: int = 0

    @classmethod
    def of(cls, verdicts: Iterable[Verdict | None]) -> Tally:
        """Count verdicts; None is a run without a recording."""
        counts = Counter(verdicts)
        passed, failed, not_judgeable, not_applicable = (counts[verdict] for verdict in Verdict)
        return cls(passed, failed, not_judgeable, not_applicable, counts[None])

    @property
    def judged(self) -> int:
        """Runs that passed or failed."""
        return self.passed + self.failed

    @property
    def unjudged(self) -> int:
        """Runs that nobody knows the verdict of."""
        return self.not_judgeable + self.not_applicable + self.errors

    @property
    def attempted(self) -> int:
        """All runs."""
        return self.judged + self.unjudged

    @property
    def rate(self) -> float | None:
        """Passed of judged, 0 to 1; None where none was judged."""
        return self.passed / self.judged if self.judged else None

    @property
    def interval(self) -> Interval | None:
        """Wilson's 95 % interval of the rate: how far chance may have moved it."""
        return wilson_interval(self.passed, self.judged) if self.judged else None

    @property
    def bounds(self) -> Interval | None:
        """The rate if every unjudged run had failed, and if every one had passed; None without runs."""
        if not self.attempted:
            return None
        return Interval(self.passed / self.attempted, (self.passed + self.unjudged) / self.attempted)

    def __str__(self) -> str:
        return (
            f"{self.attempted} attempted = {self.judged} judged ({self.passed} passed) + {self.not_judgeable} "
            f"not judgeable + {self.not_applicable} not applicable + {self.errors} harness errors"
        )


def tally_checks(reports: Sequence[Report | None]) -> dict[str, Tally]:
    """A tally for each check, and `overall`; None among the reports is a run without a recording."""
    judged = [report for report in reports if report is not None]
    names = list(dict.fromkeys(result.name for report in judged for result in report.results))
    tallies = {name: Tally.of(None if report is None else report[name].verdict for report in reports) for name in names}
    return {**tallies, "overall": Tally.of(None if report is None else report.verdict for report in reports)}


def pass_power(tallies: Iterable[Tally], k: int) -> float | None:
    """pass^k: the chance that k runs of a task, drawn from those judged, all pass; mean over tasks.

    C(c, k) / C(n, k) for c passed of n judged. None where a task has fewer than k judged runs, or there is none.
    Source: S. Yao and others, tau-bench (2024), arXiv 2406.12045.

    Raises:
        ValueError: k is less than 1.

    >>> pass_power([Tally(passed=3, failed=1)], 2)
    0.5
    """
    if k < 1:
        raise ValueError(f"k is {k}; it must be at least 1.")
    each = [(tally.passed, tally.judged) for tally in tallies]
    if not each or any(judged < k for _, judged in each):
        return None
    return sum(comb(passed, k) / comb(judged, k) for passed, judged in each) / len(each)


def first_failing_step(report: Report) -> str | None:
    """The tool of the earliest call that a failed check points to.

    None where nothing failed, and an empty name where no call is to blame: the run ended too early.
    """
    failing = {result.at for result in report.results if result.verdict is Verdict.FAIL}
    if not failing:
        return None
    return next((call.name for call in report.trace.calls if call.at in failing), "")


def first_failing_steps(reports: Iterable[Report | None]) -> Mapping[str, int]:
    """How often each tool is the first failing step, the most frequent first."""
    steps = (first_failing_step(report) for report in reports if report is not None)
    return dict(Counter(step for step in steps if step is not None).most_common())
