"""The reader's page: what was done, what is shaky, weakest first, and what is open, with links to the notebooks."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable
from datetime import UTC, datetime
from math import ceil
from pathlib import Path

from toolkit.lessons.catalogue import NOTEBOOK_FOLDER, NOTEBOOKS, find_exercise
from toolkit.lessons.progress import ProgressFile, reader_file
from toolkit.lessons.progress.document import Address, Cell, Document, Link, Section, Share
from toolkit.lessons.progress.next_step import next_step
from toolkit.lessons.progress.summary import SENIOR_OR_BETTER, ExerciseProgress, LessonProgress, Summary, summarise
from toolkit.lessons.rubric import LEVELS

LESSON_COLUMNS = ("lesson", "exercises", "wrong", "hints", "solutions", "predicted", "cards")
BUILD_COLUMNS = ("build", "best points", "level", "minutes")


class ProgressPage:
    """The page, as a notebook and a terminal show it; `toolkit progress --html FILE` writes it into a file."""

    def __init__(self, file: ProgressFile | None = None) -> None:
        self.document = document(file or reader_file())

    def __repr__(self) -> str:
        return self.document.markdown(lambda notebook: None)

    def _repr_html_(self) -> str:
        return self.document.fragment(lambda notebook: notebook)  # the notebooks stand side by side


def progress_page() -> ProgressPage:
    """What you have done in the lessons, what is shaky and what is open."""
    return ProgressPage()


def address_from(folder: Path) -> Address:
    """The way from a folder to a notebook; none where the notebooks are not on this computer, or on another drive."""

    def address(notebook: str) -> str | None:
        path = NOTEBOOK_FOLDER / notebook
        try:
            return Path(os.path.relpath(path, folder.resolve())).as_posix() if path.exists() else None
        except ValueError:  # Windows: no relative path leads from C: to D:
            return None

    return address


def document(file: ProgressFile, *, dated: bool = False) -> Document:
    """The page of one progress file; `dated` says the day of the last event, which a stored notebook should not."""
    events = file.events()
    summary = summarise(events)
    step = next_step(summary, events)
    sections = [lesson_section(summary), build_section(summary), weak_section(summary), _open_section(summary)]
    return Document(
        "Your progress",
        [headline(summary), *(_day(summary) if dated else ()), *notes(file)],
        (step.text, Link(f"Open lesson {step.lesson}.", NOTEBOOKS[step.lesson])),
        [section for section in sections if section.rows],
    )


def headline(summary: Summary) -> str:
    """What was done, in one sentence."""
    if summary.last_at is None:
        return "Nothing is recorded yet: check an exercise or predict an outcome in a lesson."
    lessons = summary.lessons
    exercises = [exercise for lesson in lessons for exercise in lesson.exercises]
    predictions = [choice for lesson in lessons for choice in lesson.predictions.values()]
    cards = [level for lesson in lessons for level in lesson.cards.values()]
    right = Share(sum(exercise.is_right for exercise in exercises), len(exercises))
    foreseen = Share(predictions.count("right"), len(predictions))
    done = f"{right} exercises right, {foreseen} predictions right"
    answered = f", {Share(len(cards) - cards.count(''), len(cards))} cards answered" if cards else ""
    return f"{done} at the first choice{answered}."


def _day(summary: Summary) -> list[str]:
    at = summary.last_at
    return [] if at is None else [f"Last worked on: {datetime.fromtimestamp(at, UTC).astimezone().date()}."]


def notes(file: ProgressFile) -> list[str]:
    """What a reader should know about the file, after it was read."""
    found = []
    if file.problem:
        found.append(f"Not kept: {file.problem}. What stands here is lost when this session ends.")
    if file.path is not None:
        aside = sorted(path.name for path in file.path.parent.glob(f"{file.path.stem}.broken-*{file.path.suffix}"))
        found += [f"{name} beside the file was no database and is not counted." for name in aside]
    return found


def lesson_section(summary: Summary) -> Section:
    """A row for every lesson."""
    rows = [_lesson_row(lesson) for lesson in summary.lessons]
    text = (
        "Exercises and predictions that were right, of all; a prediction counts at its first choice. Wrong are tries, "
        "hints and solutions those looked at, cards stand at what your last answer was worth."
    )
    return Section("By lesson", text, LESSON_COLUMNS, rows)


def _lesson_row(lesson: LessonProgress) -> list[Cell]:
    exercises = lesson.exercises
    predictions = list(lesson.predictions.values())
    return [
        Link(_title(lesson), lesson.notebook),
        Share(sum(exercise.is_right for exercise in exercises), len(exercises)),
        sum(exercise.wrong_tries for exercise in exercises),
        sum(exercise.hints for exercise in exercises),
        sum(exercise.solution_seen for exercise in exercises),
        Share(predictions.count("right"), len(predictions)),
        _levels(lesson.cards.values()),
    ]


def _title(lesson: LessonProgress) -> str:
    return lesson.notebook.removesuffix(".ipynb").replace("_", " ")


def _levels(levels: Iterable[str]) -> str:
    """How many cards stand at each level, the highest first."""
    counted = Counter(levels)
    open_cards = counted.pop("", 0)
    order = [*reversed(LEVELS), *sorted(set(counted) - set(LEVELS))]
    said = [f"{counted[level]} {level}" for level in order if counted[level]]
    return ", ".join([*said, f"{open_cards} open"] if open_cards else said) or "–"


def build_section(summary: Summary) -> Section:
    """A row for every timed build."""
    rows: list[list[Cell]] = []
    for lesson in summary.lessons:
        for progress in lesson.exercises:
            exercise = find_exercise(progress.id)
            if exercise.rubric:
                whole = sum(criterion.points for criterion in exercise.rubric)
                rows.append([Link(progress.id, lesson.notebook), *_best_cells(progress, whole, exercise.minutes)])
    return Section("Timed builds", "The best score of each; with equal points the faster one.", BUILD_COLUMNS, rows)


def _best_cells(progress: ExerciseProgress, whole: int, limit: int) -> list[Cell]:
    best = progress.best
    if best is None:
        return [Share(0, whole), "not tried", f"limit {limit}"]
    if best.minutes is None:
        time = f"not timed, limit {limit}"
    else:
        taken = max(1, ceil(best.minutes))
        time = f"{taken} of {limit}" if best.minutes <= limit else f"{taken} of {limit}, over the limit"
    return [Share(best.points, whole), best.level or "none yet", time]


def weak_section(summary: Summary) -> Section:
    """What was tried and is not firm, the weakest lesson first."""
    rows: list[list[Cell]] = []
    for lesson in summary.weakest:
        tried = [standing for standing in lesson.standings if standing != "open"]
        rows.append(
            [Link(_title(lesson), lesson.notebook), Share(tried.count("firm"), len(tried)), "; ".join(_shaky(lesson))]
        )
    text = (
        "Firm is an exercise right before its solution was looked at, a prediction right at the first choice, and a "
        "card answered like a senior or better."
    )
    return Section("Weakest first", text, ("lesson", "firm of what was tried", "what is shaky"), rows)


def _shaky(lesson: LessonProgress) -> list[str]:
    why = []
    for exercise in lesson.exercises:
        if exercise.standing == "shaky":
            seen = "right only after its solution" if exercise.is_right else "not right yet"
            why.append(f"{exercise.id} {seen}")
    why += [f"{id} predicted wrongly" for id, choice in lesson.predictions.items() if choice == "no"]
    below = {id: level for id, level in lesson.cards.items() if level and level not in SENIOR_OR_BETTER}
    return why + [f"card {id}: {level}" for id, level in below.items()]


def _open_section(summary: Summary) -> Section:
    rows: list[list[Cell]] = []
    for lesson in summary.lessons:
        exercises = ", ".join(exercise.id for exercise in lesson.open_exercises)
        predictions = list(lesson.predictions.values()).count("")
        cards = ", ".join(id for id, level in lesson.cards.items() if not level)
        if exercises or predictions or cards:
            rows.append([Link(_title(lesson), lesson.notebook), exercises or "–", predictions or "–", cards or "–"])
    columns = ("lesson", "exercises not right yet", "predictions to make", "cards to answer")
    return Section("Open", "What is not done yet.", columns, rows)
