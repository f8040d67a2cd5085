"""Exercise 07.booked_once: the outcome as a check, with a word for what a recording does not tell."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from toolkit.lessons.exercise import Exercise, WrongAnswer
from toolkit.lessons.expect import expect_equal
from toolkit.trajectory import Call, Outcome

SUCCESS, ERROR, UNKNOWN, MISSING = Outcome


def check_booked_once(booked_once: Callable[[list[Call]], Any]) -> None:
    """Runs by the outcomes of their bookings, each with the one right verdict."""

    def verdict(*outcomes: Outcome, others: int = 0) -> str:
        calls = [Call("search_hotels", {}, place, place) for place in range(others)]
        calls += [
            Call("book_hotel", {}, others + place, others + place, outcome=end) for place, end in enumerate(outcomes)
        ]
        return str(booked_once(calls))

    expect_equal(verdict(SUCCESS), "pass", "one booking that succeeded")
    expect_equal(verdict(), "fail", "no call at all: nothing was booked")
    expect_equal(verdict(ERROR), "fail", "one booking that was refused: an attempt is no booking")
    expect_equal(verdict(ERROR, SUCCESS), "pass", "refused once, then booked: a retry is legal")
    expect_equal(verdict(SUCCESS, SUCCESS), "fail", "booked twice")
    expect_equal(verdict(SUCCESS, others=2), "pass", "other tools that succeeded are no bookings")
    expect_equal(verdict(MISSING), "not_judgeable", "one booking whose result is missing")
    expect_equal(verdict(UNKNOWN, SUCCESS), "not_judgeable", "a booking of unknown outcome, then one that succeeded")
    expect_equal(verdict(SUCCESS, MISSING, SUCCESS), "fail", "booked twice for certain, whatever the third did")


BOOKED_ONCE = Exercise(
    id="07.booked_once",
    task="The outcome, as a check: exactly one call of `book_hotel` took effect. Return a verdict: `PASS` for one, "
    "`FAIL` for none or for more than one, `NOT_JUDGEABLE` where an outcome that is `UNKNOWN` or `MISSING` could "
    "change that.",
    minutes=8,
    difficulty="medium",
    hints=(
        "An attempt is no booking: count the outcomes of the calls, not the calls.",
        "Two successes are one too many whatever else is recorded, so ask for them first.",
        "Then, if any outcome is UNKNOWN or MISSING, it may have been a booking as well. What is left is one "
        "success, or none.",
    ),
    stub='''
def booked_once(calls):
    """The verdict on how often a run has booked.

    >>> str(booked_once([Call("book_hotel", {}, outcome=SUCCESS)]))
    'pass'
    """
    raise NotImplementedError
''',
    solution='''
def booked_once(calls):
    """The verdict on how often a run has booked.

    >>> str(booked_once([Call("book_hotel", {}, outcome=SUCCESS)]))
    'pass'
    """
    outcomes = [call.outcome for call in calls if call.name == "book_hotel"]
    if outcomes.count(SUCCESS) > 1:
        return FAIL
    if UNKNOWN in outcomes or MISSING in outcomes:
        return NOT_JUDGEABLE
    return PASS if SUCCESS in outcomes else FAIL
''',
    alternatives=(
        """
def booked_once(calls):
    booked = doubtful = 0
    for call in calls:
        if call.name == "book_hotel":
            booked += call.outcome is SUCCESS
            doubtful += call.outcome not in (SUCCESS, ERROR)
    possible = range(booked, booked + doubtful + 1)
    if 1 not in possible:
        return FAIL
    return PASS if len(possible) == 1 else NOT_JUDGEABLE
""",
        "def booked_once(calls):\n    return trajectory.checks.booked_once(calls, 'book_hotel').verdict",
    ),
    wrong=(
        WrongAnswer(
            "counts attempts",
            "def booked_once(calls):\n    return PASS if [c.name for c in calls].count('book_hotel') == 1 else FAIL",
            "an attempt is no booking",
        ),
        WrongAnswer(
            "counts successes of every tool",
            "def booked_once(calls):\n"
            "    o = [c.outcome for c in calls]\n"
            "    return FAIL if o.count(SUCCESS) > 1 else NOT_JUDGEABLE if {UNKNOWN, MISSING} & set(o) else "
            "PASS if SUCCESS in o else FAIL",
            "other tools that succeeded are no bookings",
        ),
        WrongAnswer(
            "never in doubt",
            "def booked_once(calls):\n"
            "    o = [c.outcome for c in calls if c.name == 'book_hotel']\n"
            "    return PASS if o.count(SUCCESS) == 1 else FAIL",
            "one booking whose result is missing: expected 'not_judgeable', got 'fail'",
        ),
        WrongAnswer(
            "in doubt although booked twice",
            "def booked_once(calls):\n"
            "    o = [c.outcome for c in calls if c.name == 'book_hotel']\n"
            "    if UNKNOWN in o or MISSING in o:\n"
            "        return NOT_JUDGEABLE\n"
            "    return PASS if o.count(SUCCESS) == 1 else FAIL",
            "booked twice for certain",
        ),
        WrongAnswer(
            "content with any booking",
            "def booked_once(calls):\n"
            "    return PASS if any(c.outcome is SUCCESS for c in calls if c.name == 'book_hotel') else FAIL",
            "booked twice: expected 'fail', got 'pass'",
        ),
        WrongAnswer(
            "returns True and False",
            "def booked_once(calls):\n"
            "    return [c.outcome for c in calls if c.name == 'book_hotel'].count(SUCCESS) == 1",
            "expected 'pass', got 'True'",
        ),
        WrongAnswer(
            "an empty run passes",
            "def booked_once(calls):\n"
            "    o = [c.outcome for c in calls if c.name == 'book_hotel']\n"
            "    return PASS if len(o) < 2 and all(end is SUCCESS for end in o) else FAIL",
            "nothing was booked",
        ),
    ),
    checker=check_booked_once,
    setup="from toolkit import trajectory\n"
    "from toolkit.trajectory import Call, Outcome, Verdict\n"
    "PASS, FAIL, NOT_JUDGEABLE, NOT_APPLICABLE = Verdict\n"
    "SUCCESS, ERROR, UNKNOWN, MISSING = Outcome",
)
