"""What a checker says: an outcome, its reason, and for a timed build a score."""

from __future__ import annotations

from dataclasses import dataclass, replace
from html import escape
from typing import TYPE_CHECKING, Literal

from toolkit.lessons.rubric import Mark, points

if TYPE_CHECKING:
    from toolkit.lessons.exercise import Exercise

Outcome = Literal["right", "wrong", "raised", "not attempted"]
SIGNS: dict[Outcome, str] = {"right": "✓", "wrong": "✗", "raised": "!", "not attempted": "○"}


@dataclass(frozen=True, slots=True)
class Feedback:
    """What the checker says. True where the answer is right."""

    exercise: Exercise
    outcome: Outcome
    message: str = ""

    def __bool__(self) -> bool:
        return self.outcome == "right"

    def __repr__(self) -> str:
        lines = [f"{SIGNS[self.outcome]} {self.outcome}: {self.exercise.id}", *self.message.splitlines()]
        if not self:
            lines.append(f'Stuck? hint("{self.exercise.id}", 1) is the first of {len(self.exercise.hints)}.')
        return "\n  ".join(lines)

    def _repr_html_(self) -> str:
        head, *rest = (escape(line) for line in repr(self).splitlines())
        return f"<p><b>{head}</b>{''.join('<br>' + line.strip() for line in rest)}</p>"


@dataclass(frozen=True, slots=True, repr=False)
class Score(Feedback):
    """What a rubric says: a mark for each criterion, the points, and the level they amount to."""

    marks: tuple[Mark, ...] = ()

    @property
    def points(self) -> int:
        """The points of the criteria that are met."""
        return points(self.marks)

    def timed(self, line: str) -> Score:
        """The same score, with a line about the time."""
        return replace(self, message=f"{self.message}\n{line}")

    def _repr_html_(self) -> str:
        """The text, with the marks as a table."""
        from toolkit.lab.panel import Picture

        marks = {f"  {line}" for mark in self.marks for line in str(mark).splitlines()}
        head, *rest = [line for line in repr(self).splitlines() if line not in marks]
        columns = ["", "points", "level", "what is asked", "why it is not met"]
        table = Picture("", columns, [mark.row for mark in self.marks]).to_html()
        said, *after = (f"<p>{escape(line.strip())}</p>" for line in rest)
        return f"<p><b>{escape(head)}</b></p>{said}{table}{''.join(after)}"


class Shown(str):
    """A text that a notebook shows as it is, without quotes."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)
