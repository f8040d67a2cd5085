"""A rubric: what a timed build is scored by, criterion by criterion, each asked by itself.

A criterion names the level of the candidate who thinks of it. The level reached is the highest for which it and all
levels below hold in full: eight ideas of a staff engineer do not make up for a tool that does not run.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from toolkit.lessons.outcome import Outcome, ask

Level = Literal["junior", "senior", "staff"]
LIMIT_S = 3.0  # of one criterion: a rubric of nine ends within half a minute
LEVELS: tuple[Level, ...] = ("junior", "senior", "staff")


class Criterion(NamedTuple):
    """One line of a rubric: a statement, what it is worth, who thinks of it, and the checker that raises `Wrong`."""

    states: str
    points: int
    level: Level
    checker: Callable[[Any], None]


@dataclass(frozen=True, slots=True)
class Mark:
    """A criterion, what became of an answer by it, and why it is not met; empty where it is."""

    criterion: Criterion
    outcome: Outcome
    why: str = ""

    @property
    def is_met(self) -> bool:
        """Whether its points are earned."""
        return self.outcome == "right"

    @property
    def row(self) -> list[object]:
        """The mark as a row of a table: sign, points, level, what is asked, and why it is not met."""
        states, points, level, _ = self.criterion
        earned = f"{points if self.is_met else 0} of {points}"
        return ["✓" if self.is_met else "✗", earned, level, states, self.why]

    def __str__(self) -> str:
        sign, earned, level, states, why = self.row
        return f"{sign} {earned}  {states} ({level})" + ("" if self.is_met else f": {why}")


def mark(rubric: Sequence[Criterion], answer: Any) -> list[Mark]:
    """Ask every criterion of an answer, also after one was not met."""
    asked = [(criterion, *ask(criterion.checker, answer, LIMIT_S)) for criterion in rubric]
    return [
        Mark(each, outcome, "not written yet" if outcome == "not attempted" else why) for each, outcome, why in asked
    ]


def points(marks: Sequence[Mark]) -> int:
    """The points of the criteria that are met."""
    return sum(each.criterion.points for each in marks if each.is_met)


def level_reached(marks: Sequence[Mark]) -> Level | None:
    """The highest level of which, and of all below which, every criterion is met; None where not even the first is."""
    reached: Level | None = None
    for level in LEVELS:
        if any(not each.is_met for each in marks if each.criterion.level == level):
            break
        reached = level
    return reached
