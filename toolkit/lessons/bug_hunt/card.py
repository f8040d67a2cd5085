"""A card: code that does not do what it says, what it shows when it is run, why, and how it is mended."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, get_args

from toolkit.lab.listing import Listing
from toolkit.lessons.exercise import Exercise, judge
from toolkit.lessons.expect import expect_equal
from toolkit.lessons.feedback import SIGNS, Feedback
from toolkit.lessons.prediction import Question

Topic: TypeAlias = Literal["contract", "reading", "running", "repeating", "scoring", "telling", "judging"]
TOPICS: tuple[Topic, ...] = get_args(Topic)
Option: TypeAlias = tuple[str, str]  # an answer, and what is said when it is chosen


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """One mistake.

    `broken` and `mended` are cells that bind `name`, run after `setup`. `probe` tries what was bound and says what is
    to be seen: `fails` for the broken code, `works` for the mended one and for any other that is right. `predicted`
    is the right answer to `asks`, `others` are three that are not.
    """

    id: str
    topic: Topic
    title: str
    name: str
    broken: str
    mended: str
    probe: Callable[[Any], object]
    fails: object
    works: object
    asks: str
    predicted: Option
    others: Sequence[Option]
    cause: str
    setup: str = ""

    @property
    def exercise(self) -> Exercise:
        """The mending as an exercise, whose checker is the probe."""

        def check(answer: Any) -> None:
            shown = self.run(answer)
            expect_equal(shown, self.works, f"{self.id}, when it is tried" + (", as before" * (shown == self.fails)))

        return Exercise(
            id=f"{self.id}.{self.name}",
            task=self.cause,
            minutes=5,
            difficulty="medium",
            hints=(self.cause,),
            stub=self.broken,
            solution=self.mended,
            alternatives=(),
            wrong=(),
            checker=check,
            setup=self.setup,
        )

    @property
    def question(self) -> Question:
        """What is to be predicted before the code is run."""
        return Question(id=self.id, text=self.asks, options=dict(self._placed(0)), answer=self.predicted[0])

    def run(self, answer: Any = None) -> object:
        """Try the broken code, or an answer of the reader's own, and say what is to be seen."""
        return self.probe(self.exercise.answer(self.broken) if answer is None else answer)

    def _placed(self, shift: int) -> list[Option]:
        """The options with the right one at a place that goes round from card to card."""
        place = (int(self.id[1:]) + shift) % (len(self.others) + 1)
        return [*self.others[:place], self.predicted, *self.others[place:]]

    def __repr__(self) -> str:
        return f"{self.id} {self.title}\n\n{self.broken.strip()}\n\n{self.asks}"

    def _repr_html_(self) -> str:
        return f"<p><b>{self.id}</b> {self.title}</p>{Listing(self.broken.strip())._repr_html_()}<p>{self.asks}</p>"


@dataclass(frozen=True, slots=True)
class Mended:
    """What is said of a mending. True where the code does what it says."""

    card: Card
    feedback: Feedback

    def __bool__(self) -> bool:
        return bool(self.feedback)

    def __repr__(self) -> str:
        word = "mended" if self else "not mended yet" if self.feedback.outcome == "wrong" else self.feedback.outcome
        lines = [f"{SIGNS[self.feedback.outcome]} {word}: {self.card.id} {self.card.title}"]
        return "\n  ".join([*lines, *self.feedback.message.splitlines()])


def judge_mend(card: Card, answer: object) -> Mended:
    """Judge an answer as an exercise is judged; never raises."""
    return Mended(card, judge(card.exercise, answer))


def source_of(function: Callable[..., Any]) -> str:
    """The source of a mistake that a lesson shows already."""
    return inspect.getsource(function)
