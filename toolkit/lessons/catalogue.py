"""Finds what the lessons declare. A lesson is a module `lesson_NN` with `EXERCISES` and `QUESTIONS`."""

from __future__ import annotations

import pkgutil
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Protocol, TypeVar

import toolkit.lessons

if TYPE_CHECKING:
    from toolkit.lessons.exercise import Exercise
    from toolkit.lessons.prediction import Question


NOTEBOOKS = {
    "00": "00_two_answers.ipynb",
    "01": "01_dict_of_tools.ipynb",
    "02": "02_one_source.ipynb",
    "03": "03_deadlines_retries_idempotency.ipynb",
    "04": "04_pools_breakers_limits.ipynb",
    "05": "05_tools_in_production.ipynb",
    "06": "06_before_during_after.ipynb",
    "07": "07_judging_a_trajectory.ipynb",
    "08": "08_testing_the_checks.ipynb",
    "09": "09_a_model_that_validates.ipynb",
    "10": "10_ask_the_log.ipynb",
    "11": "11_break_it_on_purpose.ipynb",
    "12": "12_interview_drills.ipynb",
}

NOTEBOOK_FOLDER = Path(__file__).resolve().parents[2] / "notebooks"  # in a checkout; a wheel has none


class _Named(Protocol):
    @property
    def id(self) -> str: ...


Item = TypeVar("Item", bound=_Named)


def lessons() -> list[ModuleType]:
    """Every lesson that declares something, in order."""
    names = sorted(module.name for module in pkgutil.iter_modules(toolkit.lessons.__path__))
    return [import_module(f"toolkit.lessons.{name}") for name in names if name.startswith("lesson_")]


def all_exercises() -> list[Exercise]:
    """Every exercise of every lesson."""
    return [exercise for lesson in lessons() for exercise in getattr(lesson, "EXERCISES", ())]


def all_questions() -> list[Question]:
    """Every question the lessons ask before a cell is run."""
    return [question for lesson in lessons() for question in getattr(lesson, "QUESTIONS", ())]


def find_exercise(exercise_id: str) -> Exercise:
    """The exercise of this id, such as `01.dispatch`.

    Raises:
        LookupError: no lesson declares it; the text lists what there is.
    """
    exercises: Sequence[Exercise] = getattr(_lesson_of(exercise_id), "EXERCISES", ())
    return _by_id(exercises, exercise_id, "exercise")


def find_question(question_id: str) -> Question:
    """The question of this id.

    Raises:
        LookupError: no lesson asks it; the text lists what there is.
    """
    questions: Sequence[Question] = getattr(_lesson_of(question_id), "QUESTIONS", ())
    return _by_id(questions, question_id, "question")


def _lesson_of(item_id: str) -> ModuleType | None:
    name = f"toolkit.lessons.lesson_{item_id.split('.', 1)[0]}"
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name:  # the lesson is there, but something it needs is not
            raise
        return None


def _by_id(items: Sequence[Item], item_id: str, kind: str) -> Item:
    for item in items:
        if item.id == item_id:
            return item
    lesson, known = item_id.split(".", 1)[0], ", ".join(item.id for item in items)
    if not known and lesson not in NOTEBOOKS:
        raise LookupError(
            f"no {kind} {item_id!r}; an id is a lesson, {min(NOTEBOOKS)} to {max(NOTEBOOKS)}, a dot, a name"
        )
    raise LookupError(f"no {kind} {item_id!r}; lesson {lesson} has: {known or 'none'}")
