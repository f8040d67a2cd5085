"""What the events amount to: for each lesson what is done, what is shaky and what is open, and what to do next.

Something tried is firm when it went well by itself: an exercise right before its solution was looked at, a prediction
right at the first choice, a card whose last answer was worth a senior's or more.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

from toolkit.lessons.catalogue import NOTEBOOKS, all_exercises, all_questions
from toolkit.lessons.progress.file import Event
from toolkit.lessons.rubric import LEVELS

if TYPE_CHECKING:
    from toolkit.lessons.exercise import Exercise

Standing = Literal["firm", "shaky", "open"]
SENIOR_OR_BETTER = ("senior", "staff")


class Best(NamedTuple):
    """The best score of a build, and the minutes it took; None where it was not timed."""

    points: int
    level: str
    minutes: float | None


@dataclass(frozen=True, slots=True)
class ExerciseProgress:
    """What became of an exercise. `hints` counts different hints, `best` is a build's."""

    id: str
    is_right: bool = False
    is_own: bool = False  # right before the solution was looked at
    wrong_tries: int = 0
    hints: int = 0
    solution_seen: bool = False
    best: Best | None = None

    @property
    def standing(self) -> Standing:
        """Firm where it was right by the reader's own work, shaky where it was tried or given away, else open."""
        if self.is_right and self.is_own:
            return "firm"
        return "shaky" if self.is_right or self.wrong_tries or self.solution_seen else "open"


@dataclass(frozen=True, slots=True)
class LessonProgress:
    """One lesson. A prediction maps to its first choice, a card to its last level, each "" where there is none."""

    lesson: str
    exercises: tuple[ExerciseProgress, ...]
    predictions: dict[str, str]
    cards: dict[str, str]

    @property
    def notebook(self) -> str:
        """The file of the lesson."""
        return NOTEBOOKS[self.lesson]

    @property
    def standings(self) -> list[Standing]:
        """Everything in the lesson that can be firm, shaky or open."""
        first: dict[str, Standing] = {"right": "firm", "no": "shaky"}
        predicted = [first.get(choice, "open") for choice in self.predictions.values()]
        answered: list[Standing] = [
            "firm" if level in SENIOR_OR_BETTER else "shaky" if level else "open" for level in self.cards.values()
        ]
        return [*(exercise.standing for exercise in self.exercises), *predicted, *answered]

    @property
    def firm_share(self) -> float:
        """How much of what was tried is firm, from 0 to 1; 1 where nothing was tried."""
        tried = [standing for standing in self.standings if standing != "open"]
        return tried.count("firm") / len(tried) if tried else 1.0

    @property
    def open_exercises(self) -> list[ExerciseProgress]:
        """Those that were never right."""
        return [exercise for exercise in self.exercises if not exercise.is_right]


@dataclass(frozen=True, slots=True)
class Summary:
    """Every lesson in order, and when the last event was, in seconds since 1970."""

    lessons: tuple[LessonProgress, ...]
    last_at: float | None = None

    @property
    def weakest(self) -> list[LessonProgress]:
        """The lessons in which something tried is shaky, the weakest first."""
        shaky = [lesson for lesson in self.lessons if "shaky" in lesson.standings]
        return sorted(shaky, key=lambda lesson: lesson.firm_share)


def summarise(events: Sequence[Event]) -> Summary:
    """Sum up what was kept, over everything the lessons hold today."""
    from toolkit.lessons.interview.cards import cards

    first_choice: dict[str, str] = {}
    for event in events:
        if event.kind == "question":
            first_choice.setdefault(event.id, event.outcome)
    level = {event.id: event.outcome for event in events if event.kind == "card"}
    exercises, questions = all_exercises(), all_questions()
    lessons = tuple(
        LessonProgress(
            lesson,
            tuple(_of_exercise(each, events) for each in exercises if each.id.startswith(f"{lesson}.")),
            {each.id: first_choice.get(each.id, "") for each in questions if each.id.startswith(f"{lesson}.")},
            {card.id: level.get(card.id, "") for card in cards() if card.lesson == lesson},
        )
        for lesson in NOTEBOOKS
    )
    return Summary(lessons, events[-1].at if events else None)


def _of_exercise(exercise: Exercise, events: Iterable[Event]) -> ExerciseProgress:
    mine = [event for event in events if event.id == exercise.id]
    tries = [event for event in mine if event.kind == "exercise"]
    right = next((place for place, event in enumerate(mine) if _is_right(event)), None)
    seen = next((place for place, event in enumerate(mine) if event.kind == "solution"), None)
    return ExerciseProgress(
        exercise.id,
        is_right=right is not None,
        is_own=right is not None and (seen is None or right < seen),
        wrong_tries=sum(event.outcome != "right" for event in tries),
        hints=len({event.detail.get("number") for event in mine if event.kind == "hint"}),
        solution_seen=seen is not None,
        best=max((_best(event) for event in tries if "points" in event.detail), key=_worth, default=None),
    )


def _is_right(event: Event) -> bool:
    return event.kind == "exercise" and event.outcome == "right"


def _best(event: Event) -> Best:
    minutes = event.detail.get("minutes")
    timed = minutes is not None and minutes >= 0  # less where the computer's clock was set back
    return Best(event.detail["points"], event.detail.get("level") or "", minutes if timed else None)


def _worth(best: Best) -> tuple[int, int, float]:
    """More points are better, then a higher level, then less time; timed is better than not timed."""
    rank = LEVELS.index(best.level) if best.level in LEVELS else -1
    return best.points, rank, -best.minutes if best.minutes is not None else float("-inf")
