"""The clock of a timed build. Its start stands in the progress file, so that a new kernel still knows it."""

from __future__ import annotations

from collections.abc import Iterable
from math import ceil

from toolkit.lessons.feedback import Shown
from toolkit.lessons.progress import ProgressFile, reader_file
from toolkit.lessons.progress.file import Event


def start(build_id: str, file: ProgressFile | None = None) -> Shown:
    """Start the clock of a timed build; once more, and it begins anew.

    Raises:
        LookupError: there is no such exercise, or it is not timed; the text lists the builds.
    """
    from toolkit.lessons.catalogue import all_exercises, find_exercise  # it imports the lessons, which import this

    build = find_exercise(build_id)
    if not build.rubric:
        builds = ", ".join(each.id for each in all_exercises() if each.rubric) or "none"
        raise LookupError(f"{build_id!r} is no timed build; those are: {builds}")
    (file or reader_file()).append("start", build_id, "started", minutes=build.minutes)
    return Shown(f"{build_id}: {build.minutes} minutes from now. Write your answer below and check it.")


def minutes_taken(build_id: str, events: Iterable[Event], now: float) -> float | None:
    """Minutes from the last start to the first right answer after it, or to now; None where it was never started.

    They are negative where the computer's clock was set back since.
    """
    started: float | None = None
    ended: float | None = None
    for event in events:
        if event.id != build_id:
            continue
        if event.kind == "start":
            started, ended = event.at, None
        elif event.kind == "exercise" and event.outcome == "right" and ended is None:
            ended = event.at
    return None if started is None else ((now if ended is None else ended) - started) / 60


def time_line(build_id: str, limit: int, taken: float | None) -> str:
    """What a score says about the time.

    >>> time_line("12.Registry", 15, 3.2), time_line("12.Registry", 15, 20.1)
    ('in time (15 minutes)', '21 of 15 minutes, over the limit')
    """
    if taken is None:
        return f'not timed; start("{build_id}") starts the clock'
    if taken < 0:
        return f'not timed, for the computer\'s clock was set back; start("{build_id}") starts it again'
    return f"in time ({limit} minutes)" if taken <= limit else f"{ceil(taken)} of {limit} minutes, over the limit"
