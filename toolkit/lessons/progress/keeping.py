"""What is kept of an answer that was checked, and what a score says about the time."""

from __future__ import annotations

from typing import Any

from toolkit.lessons.feedback import Feedback, Score
from toolkit.lessons.progress import ProgressFile, reader_file
from toolkit.lessons.progress.timing import minutes_taken, time_line
from toolkit.lessons.rubric import level_reached


def kept(feedback: Feedback, file: ProgressFile | None = None) -> Feedback:
    """Keep an outcome in the reader's progress and hand the feedback on; a score comes back with its time."""
    if feedback.outcome == "not attempted":
        return feedback
    file, detail = file or reader_file(), dict[str, Any]()
    exercise = feedback.exercise
    if isinstance(feedback, Score):
        taken = minutes_taken(exercise.id, file.events(), file.clock())
        detail = {"points": feedback.points, "level": level_reached(feedback.marks), "minutes": taken}
        feedback = feedback.timed(time_line(exercise.id, exercise.minutes, taken))
    file.append("exercise", exercise.id, feedback.outcome, **detail)
    return feedback
