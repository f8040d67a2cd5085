"""In one word: how a run under a fault ended, for the model, for the hotel and for the checks."""

from __future__ import annotations

import json
from typing import Any, Literal, TypeAlias, get_args

from toolkit.lab.control_table import verdicts_of
from toolkit.lab.failure_course import Course

Ending: TypeAlias = Literal["done", "refused", "unsure", "hidden", "twice", "wrong", "leaked", "ended", "stuck"]

ENDINGS: tuple[Ending, ...] = get_args(Ending)
MEANINGS: dict[Ending, str] = {
    "done": "done once, and the model was told so",
    "refused": "nothing was done, and the model was told so",
    "unsure": "the model was told that nobody knows",
    "hidden": "done, and the model was told that it failed",
    "twice": "done twice",
    "wrong": "the model was told something that the tool never said",
    "leaked": "the model was told a secret",
    "ended": "the run ended in an exception",
    "stuck": "no answer ever came",
}
WELL: tuple[Ending, ...] = ("done", "refused", "unsure")
SECRET = "sk-not-a-real-key"


def ending_of(course: Course) -> Ending:
    """How a run ended, by what the model was told and by what stands in the store; the worst first.

    >>> ending_of(Course("1 dict of tools", "get_weather", wanted='{"high": 17}', told=['{"high": 17}']))
    'done'
    """
    if course.stopped:
        return "stuck" if course.stuck else "ended"
    if any(SECRET in told for told in course.told):
        return "leaked"
    writes = course.tool == "book_hotel"
    if writes and course.bookings > 1:
        return "twice"
    told = course.told[0] if course.told else ""
    error = _error(told)
    if error is None:
        return "done" if _same(told, course.wanted) and (course.bookings == 1 or not writes) else "wrong"
    if "effect" in error:  # "it may still have taken effect", "nobody knows whether it took effect"
        return "unsure"
    return "hidden" if writes and course.bookings else "refused"


def judged(course: Course) -> str:
    """What the control trajectory says: answer and outcome level, and the checks that do not pass.

    >>> judged(Course("1 dict of tools", "get_weather"))
    'answer fail, outcome fail, checks: no_skipped_step fail'
    """
    answer, outcome, *checks = verdicts_of(course.messages).items()
    failed = [f"{name} {verdict}" for name, verdict in checks if verdict not in ("pass", "not_applicable")]
    return f"answer {answer[1]}, outcome {outcome[1]}, checks: {', '.join(failed) or 'pass'}"


def _error(content: str) -> str | None:
    value = _read(content)
    return str(value["error"]) if isinstance(value, dict) and "error" in value else None


def _same(told: str, wanted: str) -> bool:
    value = _read(told)
    return value is not _NO_JSON and bool(value == _read(wanted))


_NO_JSON = object()


def _read(content: str) -> Any:
    try:
        return json.loads(content, parse_constant=_refuse)
    except ValueError:
        return _NO_JSON


def _refuse(word: str) -> Any:
    raise ValueError(word)
