"""What a checker says: an outcome, its reason, and for a timed build a score."""

from __future__ import annotations

from dataclasses import dataclass, replace
from html import escape
from typing import TYPE_CHECKING

from toolkit.lessons.outcome import Outcome
from toolkit.lessons.rubric import Mark, level_reached, points

if TYPE_CHECKING:
    from toolkit.lessons.exercise import Exercise

SIGNS: dict[Outcome, str] = {"right": "✓", "wrong": "✗", "raised": "!", "not attempted": "○"}


@dataclass(frozen=True, slots=True)
class Feedback:
    """What the checker says. True where the answer is right."""

    exercise: Exercise
    outcome: Outcome
    message: str = ""

    def __bool__(self) -> bool:
        return self.outcome == "right"

    @property
    def head(self) -> str:
        """The outcome in one line."""
        return f"{SIGNS[self.outcome]} {self.outcome}: {self.exercise.id}"

    @property
    def help(self) -> list[str]:
        """Where to go on; nothing where the answer is right."""
        return [] if self else [f'Stuck? hint("{self.exercise.id}", 1) is the first of {len(self.exercise.hints)}.']

    def __repr__(self) -> str:
        return "\n  ".join([self.head, *self.message.splitlines(), *self.help])

    def _repr_html_(self) -> str:
        rest = [escape(line.strip()) for line in [*self.message.splitlines(), *self.help]]
        return "<br>".join([f"<p><b>{escape(self.head)}</b>", *rest]) + "</p>"


@dataclass(frozen=True, slots=True, repr=False)
class Score(Feedback):
    """What a rubric says: a mark for each criterion, the points, and the level they amount to."""

    marks: tuple[Mark, ...] = ()
    time: str = ""

    @property
    def points(self) -> int:
        """The points of the criteria that are met."""
        return points(self.marks)

    @property
    def head(self) -> str:
        """How many criteria are met: one line missed of nine is no plain "wrong"."""
        if self:
            return super(Score, self).head
        met = sum(mark.is_met for mark in self.marks)
        return f"{SIGNS[self.outcome]} {met} of {len(self.marks)} criteria met: {self.exercise.id}"

    @property
    def help(self) -> list[str]:
        """The hints help whoever has not begun well; afterwards the marks say what is missing."""
        return [] if level_reached(self.marks) else super(Score, self).help

    def timed(self, line: str) -> Score:
        """The same score, with a line about the time."""
        return replace(self, message=f"{self.message}\n{line}", time=line)

    def _repr_html_(self) -> str:
        """The text, with the marks as a table."""
        from toolkit.lab.panel import Picture

        columns = ["", "points", "level", "what is asked", "why it is not met"]
        table = Picture("", columns, [mark.row for mark in self.marks]).to_html()
        total = self.message.partition("\n")[0]
        after = "".join(f"<p>{escape(line)}</p>" for line in [self.time, *self.help] if line)
        return f"<p><b>{escape(self.head)}</b></p><p>{escape(total)}</p>{table}{after}"


class Shown(str):
    """A text that a notebook shows as it is, without quotes."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)
