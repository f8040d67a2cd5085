"""What to do next, in one sentence: what is unfinished first, then what is new, then what is shaky."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from toolkit.lessons.catalogue import NOTEBOOKS, find_exercise
from toolkit.lessons.progress.file import Event
from toolkit.lessons.progress.summary import ExerciseProgress, LessonProgress, Summary

DRILLS = "12"


class Step(NamedTuple):
    """A sentence, and the lesson whose notebook it is about."""

    text: str
    lesson: str


def next_step(summary: Summary, events: Sequence[Event]) -> Step:
    """The first of the rules below that has something to say."""
    if not events:
        return Step("Begin with lesson 00.", "00")
    rules: tuple[Callable[[], Step | None], ...] = (
        lambda: _try_again(summary, events),
        lambda: _go_on(summary, events),
        lambda: _begin(summary),
        lambda: _cards(summary),
        lambda: _go_over(summary),
    )
    found = next((step for rule in rules if (step := rule())), None)
    return found or Step("Everything here is firm; take a mock interview in lesson 12.", DRILLS)


def _try_again(summary: Summary, events: Sequence[Event]) -> Step | None:
    """The exercise that was tried last, where it was never right."""
    last = next((event.id for event in reversed(events) if event.kind == "exercise"), None)
    for lesson in summary.lessons:
        for exercise in lesson.open_exercises:
            if exercise.id == last:
                return Step(f"{_so_far(exercise)} {_help(exercise)}", lesson.lesson)
    return None


def _so_far(exercise: ExerciseProgress) -> str:
    if exercise.best:
        whole = sum(criterion.points for criterion in find_exercise(exercise.id).rubric)
        return f"Try {exercise.id} again, {exercise.best.points} of {whole} points so far:"
    times = "once" if exercise.wrong_tries == 1 else f"{exercise.wrong_tries} times"
    return f"Try {exercise.id} again, not right {times} so far:"


def _help(exercise: ExerciseProgress) -> str:
    if exercise.hints < len(find_exercise(exercise.id).hints):
        return f'hint("{exercise.id}", {exercise.hints + 1}) says more.'
    return f'solution("{exercise.id}") shows one way, then write it without looking.'


def _go_on(summary: Summary, events: Sequence[Event]) -> Step | None:
    """The next open exercise of the lesson that was worked on last."""
    last = next((event.id[:2] for event in reversed(events) if event.id[:2] in NOTEBOOKS), None)
    for lesson in summary.lessons:
        if lesson.lesson == last and lesson.open_exercises:
            return Step(f"Go on in lesson {last} with {lesson.open_exercises[0].id}.", lesson.lesson)
    return None


def _begin(summary: Summary) -> Step | None:
    """The first lesson in which nothing was predicted or tried, else the first with something left to do."""

    def left(lesson: LessonProgress) -> bool:
        return bool(lesson.open_exercises) or "" in lesson.predictions.values()

    unfinished = [lesson for lesson in summary.lessons if left(lesson)]
    for lesson in unfinished:
        tried = [exercise for exercise in lesson.exercises if exercise.standing != "open"]
        if not tried and not any(lesson.predictions.values()):
            return Step(f"Go on with lesson {lesson.lesson}.", lesson.lesson)
    if unfinished:
        return Step(f"Finish lesson {unfinished[0].lesson}.", unfinished[0].lesson)
    return None


def _cards(summary: Summary) -> Step | None:
    levels = [level for lesson in summary.lessons for level in lesson.cards.values()]
    if (left := levels.count("")) == 0:
        return None
    return Step(f"Turn the interview cards of lesson 12: {left} of {len(levels)} are not answered yet.", DRILLS)


def _go_over(summary: Summary) -> Step | None:
    if not summary.weakest:
        return None
    weakest = summary.weakest[0]
    tried = [standing for standing in weakest.standings if standing != "open"]
    firm = tried.count("firm")
    return Step(f"Go over lesson {weakest.lesson}: {firm} of {len(tried)} things are firm there.", weakest.lesson)
