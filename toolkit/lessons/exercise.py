"""Exercises: a stub, a checker with four outcomes, graded hints, a solution apart.

A checker is a function that gets the learner's answer (a function, a class or a value) and raises `Wrong`
where it is not right. Alternatives and wrong answers stand beside the solution, so that one test proves
every checker on all of them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from toolkit.lessons.feedback import Feedback, Score, Shown
from toolkit.lessons.inspect_answer import returns_nothing
from toolkit.lessons.outcome import Outcome, ask
from toolkit.lessons.progress import record
from toolkit.lessons.progress.keeping import kept
from toolkit.lessons.rubric import Criterion, level_reached, mark, points

LIMIT_S = 20.0  # of a whole check


class WrongAnswer(NamedTuple):
    """An answer the checker must refuse, and words its message must hold."""

    mistake: str
    code: str
    says: str
    outcome: Outcome = "wrong"


@dataclass(frozen=True, slots=True, kw_only=True)
class Exercise:
    """One exercise. `id` is the lesson, a dot and the name the answer is bound to: `01.dispatch`.

    `stub`, `solution`, `alternatives` and the code of `wrong` are cells, run after `setup` (the imports
    that the lesson has made already). `minutes` is the time a first reader needs. With a `rubric` instead of a
    `checker` it is a timed build, scored criterion by criterion, and `minutes` is its limit.

    Raises:
        ValueError: it has both, or neither, so nothing or two things would say what is right.
    """

    id: str
    task: str
    minutes: int
    difficulty: Literal["easy", "medium", "hard"]
    hints: tuple[str, ...]
    stub: str
    solution: str
    alternatives: tuple[str, ...]
    wrong: tuple[WrongAnswer, ...]
    checker: Callable[[Any], None] | None = None
    setup: str = ""
    rubric: tuple[Criterion, ...] = ()

    def __post_init__(self) -> None:
        if (self.checker is None) == (not self.rubric):
            raise ValueError(f"{self.id} needs a checker or a rubric, and not both")

    @property
    def name(self) -> str:
        """The name that the cell binds."""
        return self.id.split(".", 1)[1]

    def answer(self, code: str) -> Any:
        """Run a cell of this exercise and return what it binds to the exercise's name."""
        namespace: dict[str, Any] = {"__name__": "answer"}
        for part in (self.setup, code):
            exec(compile(part, f"<{self.id}>", "exec", dont_inherit=True), namespace)
        return namespace[self.name]


def check(exercise_id: str, answer: object) -> Feedback:
    """Judge an answer: right, wrong (and why), raised (and where), or not attempted; and keep that in the progress.

    Raises:
        LookupError: there is no exercise of this id.
    """
    return kept(judge(_find(exercise_id), answer))


def judge(exercise: Exercise, answer: object) -> Feedback:
    """Judge an answer to an exercise that need not be in a lesson. Keeps nothing, and raises nothing.

    A stub raises `NotImplementedError` and a value is left as `...`; a function that returns None is an answer.
    """
    if answer is ...:
        return Feedback(exercise, "not attempted")
    if exercise.checker is None:
        return _score(exercise, answer)
    outcome, why = ask(exercise.checker, answer, LIMIT_S)
    if outcome == "wrong":
        why += _returned_none(exercise, answer)
    return Feedback(exercise, outcome, why)


def _score(exercise: Exercise, answer: object) -> Feedback:
    marks = tuple(mark(exercise.rubric, answer))
    if all(each.outcome == "not attempted" for each in marks):
        return Feedback(exercise, "not attempted")
    unmet = [each.outcome for each in marks if not each.is_met]
    outcome: Outcome = "right" if not unmet else "raised" if unmet[0] == "raised" else "wrong"
    total = sum(criterion.points for criterion in exercise.rubric)
    level = level_reached(marks) or "not yet a junior's"
    message = "\n".join([f"{points(marks)} of {total} points; level: {level}", *map(str, marks)])
    return Score(exercise, outcome, message, marks)


def _returned_none(exercise: Exercise, answer: object) -> str:
    """The likely cause, where every way through the answer returns None and not every way through the solution."""
    if not returns_nothing(answer) or returns_nothing(exercise.answer(exercise.solution)):
        return ""
    return f"\n{exercise.name} returned None: is a `return` missing?"


def hint(exercise_id: str, number: int = 1) -> Shown:
    """The hint of this number, from 1; each says more than the one before.

    Raises:
        LookupError: there is no exercise of this id.
        ValueError: the number is less than 1.
    """
    hints = _find(exercise_id).hints
    if number < 1:
        raise ValueError(f"hints are numbered from 1 to {len(hints)}; there is no hint {number}")
    if number <= len(hints):
        record("hint", exercise_id, "looked at", number=number)
        return Shown(f"Hint {number} of {len(hints)}: {hints[number - 1]}")
    return Shown(f'There are {len(hints)} hints. What is left is solution("{exercise_id}").')


def solution(exercise_id: str) -> Shown:
    """The code of the solution.

    Raises:
        LookupError: there is no exercise of this id.
    """
    found = _find(exercise_id)
    record("solution", exercise_id, "looked at")
    return Shown(found.solution.strip())


def _find(exercise_id: str) -> Exercise:
    from toolkit.lessons.catalogue import find_exercise  # it imports the lessons, which import this module

    return find_exercise(exercise_id)
