"""A rubric: what a timed build is scored by, criterion by criterion, each asked by itself.

A criterion names the level of the candidate who thinks of it. The level reached is the highest for which it and all
levels below hold in full: eight ideas of a staff engineer do not make up for a tool that does not run.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from toolkit.lessons.expect import Wrong
from toolkit.lessons.inspect_answer import where_raised
from toolkit.lessons.must_end import must_end

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
    """A criterion, and why an answer does not meet it; empty where it does."""

    criterion: Criterion
    why: str = ""
    kind: Literal["met", "wrong", "raised", "not written"] = "met"

    @property
    def row(self) -> list[object]:
        """The mark as a row of a table: sign, points, level, what is asked, and why it is not met."""
        states, points, level, _ = self.criterion
        met = self.kind == "met"
        return ["✓" if met else "✗", f"{points if met else 0} of {points}", level, states, self.why]

    def __str__(self) -> str:
        states, points, level, _ = self.criterion
        if self.kind == "met":
            return f"✓ {points} of {points}  {states} ({level})"
        return f"✗ 0 of {points}  {states} ({level}): {self.why}"


def mark(rubric: Sequence[Criterion], answer: Any) -> list[Mark]:
    """Ask every criterion of an answer, also after one was not met."""
    return [_marked(criterion, answer) for criterion in rubric]


def points(marks: Sequence[Mark]) -> int:
    """The points of the criteria that are met."""
    return sum(each.criterion.points for each in marks if each.kind == "met")


def level_reached(marks: Sequence[Mark]) -> Level | None:
    """The highest level of which, and of all below which, every criterion is met; None where not even the first is."""
    reached: Level | None = None
    for level in LEVELS:
        if any(each.kind != "met" for each in marks if each.criterion.level == level):
            break
        reached = level
    return reached


def all_of(rubric: Sequence[Criterion]) -> Callable[[Any], None]:
    """One checker that raises what the first criterion which is not met raises."""

    def checker(answer: Any) -> None:
        for criterion in rubric:
            criterion.checker(answer)

    return checker


def _marked(criterion: Criterion, answer: Any) -> Mark:
    try:
        with must_end(answer, LIMIT_S):
            criterion.checker(answer)
    except Wrong as wrong:
        return Mark(criterion, str(wrong), "wrong")
    except NotImplementedError:
        return Mark(criterion, "not written yet", "not written")
    except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever an answer raises is shown to its author
        said = f"{type(error).__name__}: {error}".removesuffix(": ")
        line = where_raised(error, answer)
        if line is None:
            return Mark(criterion, f"The check could not use the answer. {said}", "wrong")
        return Mark(criterion, f"{said} (line {line} of the cell)", "raised")
    return Mark(criterion)
