"""How often a judge of calls is right, measured against labels.

What a judge is to find is the *bad* call. It flags a call (a model's FAIL, or its unreadable answer; a score below the
threshold), and a person has labelled it. Four counts follow, and every figure here can be computed from them by hand.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from toolkit.quality.case import Case

Item = TypeVar("Item")
_HIDDEN = frozenset({"score", "word", "label", "reason", "notes", "feedback"})


class Confusion(NamedTuple):
    """The four counts of a judge.

    `found`: bad and flagged. `missed`: bad and not flagged. `false_alarms`: good, yet flagged. `cleared`: the rest.
    """

    found: int
    missed: int
    false_alarms: int
    cleared: int

    @property
    def total(self) -> int:
        return self.found + self.missed + self.false_alarms + self.cleared

    @property
    def precision(self) -> float | None:
        """Of the flagged calls, the share that is bad; None where none was flagged."""
        flagged = self.found + self.false_alarms
        return self.found / flagged if flagged else None

    @property
    def recall(self) -> float | None:
        """Of the bad calls, the share that was flagged; None where there is no bad one."""
        bad = self.found + self.missed
        return self.found / bad if bad else None

    @property
    def accuracy(self) -> float | None:
        """The share of calls judged right. A judge that flags everything is right as often as calls are bad."""
        return (self.found + self.cleared) / self.total if self.total else None

    @property
    def kappa(self) -> float | None:
        """Cohen's kappa: agreement beyond what chance gives, 1 for perfect, 0 for chance; None where it has no sense.

        >>> Confusion(found=20, missed=5, false_alarms=10, cleared=15).kappa
        0.4
        """
        if not self.total:
            return None
        flagged, bad = self.found + self.false_alarms, self.found + self.missed
        by_chance = (flagged * bad + (self.total - flagged) * (self.total - bad)) / self.total**2
        agreed = (self.found + self.cleared) / self.total
        return None if by_chance == 1 else round((agreed - by_chance) / (1 - by_chance), 12)


def confusion(bad: Sequence[bool], flagged: Sequence[bool]) -> Confusion:
    """Count a judge's flags against the labels, call by call.

    Raises:
        ValueError: not as many flags as labels.

    >>> confusion([True, True, False], [True, False, True])
    Confusion(found=1, missed=1, false_alarms=1, cleared=0)
    """
    pairs = list(zip(bad, flagged, strict=True))
    return Confusion(*(pairs.count(pair) for pair in ((True, True), (True, False), (False, True), (False, False))))


def kappa(one: Sequence[Hashable], other: Sequence[Hashable]) -> float | None:
    """Cohen's kappa of two labellings with any number of labels; None where chance alone agrees always.

    Source: J. Cohen, Educational and Psychological Measurement 20 (1960), 37-46.

    Raises:
        ValueError: not as many labels in the one as in the other.

    >>> kappa(["good", "good", "bad", "bad"], ["good", "bad", "bad", "bad"])
    0.5
    """
    pairs = list(zip(one, other, strict=True))
    if not pairs:
        return None
    labels = {label for pair in pairs for label in pair}
    by_chance = sum(one.count(label) * other.count(label) for label in labels) / len(pairs) ** 2
    agreed = sum(first == second for first, second in pairs) / len(pairs)
    return None if by_chance == 1 else round((agreed - by_chance) / (1 - by_chance), 12)


def sweep(bad: Sequence[bool], scores: Sequence[float], thresholds: Iterable[float]) -> dict[float, Confusion]:
    """The counts at each threshold, where a score below it is a flag. A higher threshold never finds fewer."""
    return {threshold: confusion(bad, [score < threshold for score in scores]) for threshold in thresholds}


def says_error(case: Case) -> bool:
    """The baseline: does the result say error? One line; a judge that is no better has been paid for nothing.

    >>> says_error(Case("?", "f", {}, {"error": "down"})), says_error(Case("?", "f", {}, {"error": None}))
    (True, False)
    """
    return isinstance(case.result, Mapping) and bool(case.result.get("error"))


def weekly_sample(calls: Iterable[Item], week: str, size: int = 100) -> list[Item]:
    """Draw calls of a week for a person to label: each with the same chance, the same ones for the same week.

    The stream is read once and never held whole. Too few calls are all drawn.

    Args:
        calls: The calls of the week, in any number.
        week: Its name, such as `2026-W40`, from which the draw follows.
        size: How many to draw.
    """
    rng, drawn = random.Random(week), list[Item]()
    for number, call in enumerate(calls):
        if number < size:
            drawn.append(call)
        elif (place := rng.randrange(number + 1)) < size:
            drawn[place] = call
    return drawn


def labelling_sheet(
    calls: Iterable[Mapping[str, Any]], hidden: Callable[[str], bool] = _HIDDEN.__contains__
) -> list[dict[str, Any]]:
    """The calls as a person gets them: without what a judge has said, and with a place for the label.

    >>> labelling_sheet([{"id": "c1", "score": 0.2}])
    [{'id': 'c1', 'label': None}]
    """
    return [{**{name: value for name, value in call.items() if not hidden(name)}, "label": None} for call in calls]
