"""Exercise 11.ending: how a booking ended, from what the model was told and what stands in the store."""

from __future__ import annotations

import json
from collections.abc import Callable

from toolkit.lessons.exercise import Exercise, WrongAnswer
from toolkit.lessons.expect import expect, expect_equal

Ending = Callable[[str | None, int], str]

_BOOKED = json.dumps({"status": "ok", "booking_id": "BK-0001"})
_NO_SUITE = json.dumps({"error": "No suite at HT-001. It has: standard."})
_FAILED = json.dumps({"error": "book_hotel failed."})
_LATE = json.dumps({"error": "No answer within 5 s; it may still have taken effect."})


def check_ending(ending: Ending) -> None:
    """The store is asked as well as the answer, and no answer at all is an ending too."""
    expect_equal(ending(_BOOKED, 1), "done", "told a booking, and one stands there")
    expect_equal(ending(_NO_SUITE, 0), "refused", "told an error, and nothing was booked")
    got = ending(_FAILED, 1)
    expect(got != "refused", "told that it failed, but a booking stands in the store: that was not refused")
    expect_equal(got, "hidden", "told that it failed, but a booking stands in the store")
    expect_equal(ending(_BOOKED, 2), "twice", "told one booking, but two stand in the store")
    expect_equal(ending(_FAILED, 2), "twice", "told that it failed, but two bookings stand in the store")
    for bookings in (0, 1):
        got = ending(_LATE, bookings)
        expect_equal(got, "unsure", f"told that it may have taken effect, with {bookings} bookings")
    expect_equal(ending(None, 0), "stuck", "no answer ever came")
    got = ending("NaN", 1)
    expect(got != "done", "the model reads NaN, which is no JSON and which no tool said")
    expect_equal(got, "wrong", "the model reads NaN")
    expect_equal(ending(_BOOKED, 0), "wrong", "told a booking, but none stands there")
    error_is_null = json.dumps({"booking_id": "BK-0001", "error": None})
    expect_equal(ending(error_is_null, 1), "done", 'a value with "error": null tells no error')


_READ = """\
    if told is None:
        return "stuck"
    try:
        value = json.loads(told, parse_constant=refuse)
    except ValueError:
        return "wrong"
"""
_REFUSE = """\
def refuse(word):
    raise ValueError(word)


"""

ENDING = Exercise(
    id="11.ending",
    task=(
        "Say in one word how a booking ended. `told` is the content of the tool message, None where no answer ever "
        "came; `bookings` is how many stand in the store.\n\n"
        "`stuck`: no answer. `twice`: more than one booking, whatever was told. `wrong`: the content is no JSON (`NaN` "
        "is none), or it tells a booking and none is there. `unsure`: an error that says that it may have taken "
        "`effect`. `hidden`: an error, and one booking. `refused`: an error, and none. `done`: a value, and one "
        'booking. An error is an object with a text under `"error"`.'
    ),
    minutes=8,
    difficulty="medium",
    hints=(
        "The order decides. Take the worst first: no answer, two bookings, no JSON.",
        "`json.loads` reads NaN, unless `parse_constant=` is given a function that raises.",
        "With the error's text in `error` (None where there is none): `if error is None: return 'done' if bookings "
        "else 'wrong'`, then `effect`, then the number of bookings.",
    ),
    setup="import json",
    stub='''\
def ending(told: str | None, bookings: int) -> str:
    """How a booking ended: done, refused, unsure, hidden, twice, wrong or stuck.

    >>> ending('{"error": "No suite at HT-001."}', 0)
    'refused'
    """
    raise NotImplementedError''',
    solution='''\
def no_json(word):
    raise ValueError(word)


def ending(told: str | None, bookings: int) -> str:
    """How a booking ended: done, refused, unsure, hidden, twice, wrong or stuck."""
    if told is None:
        return "stuck"
    if bookings > 1:
        return "twice"
    try:
        value = json.loads(told, parse_constant=no_json)
    except ValueError:
        return "wrong"
    error = value.get("error") if isinstance(value, dict) else None
    if error is None:
        return "done" if bookings else "wrong"
    if "effect" in error:
        return "unsure"
    return "hidden" if bookings else "refused"''',
    alternatives=(
        _REFUSE
        + "def ending(told, bookings):\n"
        + _READ
        + """\
    if bookings >= 2:
        return "twice"
    match value:
        case {"error": str(text)} if "effect" in text:
            return "unsure"
        case {"error": str()}:
            return ("refused", "hidden")[bookings]
    return ("wrong", "done")[bookings]""",
        """\
def ending(told, bookings):
    if told is None or bookings > 1:
        return "stuck" if told is None else "twice"
    try:
        if told.strip() in ("NaN", "Infinity", "-Infinity"):
            raise ValueError
        value = json.loads(told)
    except ValueError:
        return "wrong"
    text = str(value.get("error") or "") if isinstance(value, dict) else ""
    if not text:
        return "done" if bookings == 1 else "wrong"
    return "unsure" if "effect" in text else "hidden" if bookings == 1 else "refused\"""",
    ),
    wrong=(
        WrongAnswer(
            "believes the answer",
            """\
def ending(told, bookings):
    if told is None:
        return "stuck"
    return "refused" if "error" in json.loads(told) else "done\"""",
            "a booking stands in the store: that was not refused",
        ),
        WrongAnswer(
            "looks at the store alone",
            """\
def ending(told, bookings):
    if told is None:
        return "stuck"
    return ("refused", "done", "twice")[bookings]""",
            "told that it failed, but a booking stands in the store: expected 'hidden'",
        ),
        WrongAnswer(
            "asks what was told before it counts",
            """\
def ending(told, bookings):
    if told is None:
        return "stuck"
    error = json.loads(told).get("error")
    if error is not None:
        return "unsure" if "effect" in error else "hidden" if bookings else "refused"
    return "twice" if bookings > 1 else "done\"""",
            "told that it failed, but two bookings stand in the store",
        ),
        WrongAnswer(
            "knows better than the model",
            """\
def ending(told, bookings):
    if told is None:
        return "stuck"
    if bookings > 1:
        return "twice"
    error = json.loads(told).get("error")
    return ("hidden" if bookings else "refused") if error is not None else "done\"""",
            "told that it may have taken effect, with 0 bookings",
        ),
        WrongAnswer(
            "takes NaN for a value",
            """\
def ending(told, bookings):
    if told is None:
        return "stuck"
    if bookings > 1:
        return "twice"
    value = json.loads(told)
    error = value.get("error") if isinstance(value, dict) else None
    if error is None:
        return "done" if bookings else "wrong"
    return "unsure" if "effect" in error else "hidden" if bookings else "refused\"""",
            "the model reads NaN, which is no JSON",
        ),
        WrongAnswer(
            "takes a null error for an error",
            _REFUSE
            + "def ending(told, bookings):\n"
            + _READ
            + """\
    if bookings > 1:
        return "twice"
    if isinstance(value, dict) and "error" in value:
        return "unsure" if "effect" in str(value["error"]) else "hidden" if bookings else "refused"
    return "done" if bookings else "wrong\"""",
            '"error": null tells no error',
        ),
    ),
    checker=check_ending,
)
