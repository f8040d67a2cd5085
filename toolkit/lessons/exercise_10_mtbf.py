"""Exercise 10.mtbf: operating time over failures."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from toolkit.lessons.exercise import Exercise, WrongAnswer
from toolkit.lessons.expect import expect, expect_equal

Call = tuple[float, str]
Answer = Callable[[Sequence[Call], float, float], float | None]

DAY = [(100, "answered"), (400, "failed"), (430, "failed"), (460, "answered"), (700, "refused"), (900, "answered")]
"""One outage, from 400 to 460 s: 940 s of operation in 1,000."""


def check_mtbf(mtbf: Answer) -> None:
    """Outages, not failed calls; downtime taken off; refusals tell nothing; no failure, no number."""
    got = mtbf(DAY, 0, 1000)
    expect(got is not None, "the tool failed at 400 s, so there is a number")
    expect(got != 470, "the calls at 400 and 430 s belong to one outage: it was down all the while")
    expect(got != 370, "the call at 700 s was refused: that is no failure of the tool")
    expect(got != 1000, "from 400 to 460 s the tool was down: that is no operating time")
    expect_equal(got, 940.0, "down from 400 to 460 s within 1,000 s")
    twice = [*DAY, (1200, "failed"), (1300, "answered")]
    expect_equal(mtbf(twice, 0, 2000), 920.0, "two outages of 60 and 100 s within 2,000 s")
    told = mtbf([(100, "answered"), (200, "refused"), (300, "answered")], 0, 1000)
    expect(
        told is None, f"a refused call is no failure of the tool, and without a failure there is no number: {told!r}"
    )
    blind = mtbf([(100, "failed"), (150, "refused"), (200, "answered")], 0, 1000)
    expect_equal(blind, 900.0, "a refused call at 150 s does not end the outage that lasts to 200 s")
    expect_equal(mtbf([(100, "answered"), (400, "failed")], 0, 1000), 400.0, "an outage that lasts to the end")
    expect_equal(mtbf([], 0, 1000), None, "no call at all")


def _answer(body: str) -> str:
    return f"def mtbf(calls, start_s, end_s):\n    {body}"


MTBF = Exercise(
    id="10.mtbf",
    task=(
        "Return the mean time between failures of one tool, in seconds: operating time over failures. `calls` are "
        "pairs of a moment and an outcome, in order, observed from `start_s` to `end_s`. An outage begins with a "
        "failed call and ends with the next answered one, or with `end_s`; it is one failure, and it is no operating "
        "time. A refused call says nothing. Without a failure return None."
    ),
    minutes=12,
    difficulty="medium",
    hints=(
        "Walk through the calls and remember since when the tool is down: None while it is up.",
        "A failed call begins an outage only if none is under way; an answered one ends it and adds to the downtime.",
        "After the last call an outage may still be under way: it lasts to `end_s`.",
        "In the end: `(end_s - start_s - down_s) / failures`, or None.",
    ),
    stub='''\
def mtbf(calls: list[tuple[float, str]], start_s: float, end_s: float) -> float | None:
    """Operating time over failures, in seconds.

    >>> mtbf([(50, "answered"), (60, "failed"), (80, "answered")], start_s=0, end_s=100)
    80.0
    """
    raise NotImplementedError''',
    solution='''\
def mtbf(calls: list[tuple[float, str]], start_s: float, end_s: float) -> float | None:
    """Operating time over failures, in seconds."""
    failures, down_s, down_since = 0, 0, None
    for moment, outcome in [*calls, (end_s, "answered")]:
        if outcome == "failed" and down_since is None:
            failures, down_since = failures + 1, moment
        elif outcome == "answered" and down_since is not None:
            down_s, down_since = down_s + moment - down_since, None
    return (end_s - start_s - down_s) / failures if failures else None''',
    alternatives=(
        """\
from itertools import groupby


def mtbf(calls, start_s, end_s):
    told = [call for call in calls if call[1] != "refused"]
    begins, ends = [], []
    for outcome, group in groupby(told, key=lambda call: call[1]):
        first = next(group)[0]
        if outcome == "failed":
            begins.append(first)
        elif len(ends) < len(begins):
            ends.append(first)
    ends += [end_s] * (len(begins) - len(ends))
    down_s = sum(end - begin for begin, end in zip(begins, ends, strict=True))
    return (end_s - start_s - down_s) / len(begins) if begins else None""",
        """\
def mtbf(calls, start_s, end_s):
    told = [(start_s, "answered"), *(call for call in calls if call[1] != "refused"), (end_s, None)]
    up_s = failures = 0
    for (moment, outcome), (then, next_outcome) in zip(told, told[1:]):
        if outcome == "answered":
            up_s += then - moment
            failures += next_outcome == "failed"
    return up_s / failures if failures else None""",
    ),
    wrong=(
        WrongAnswer(
            "counts every failed call",
            _answer(
                "failures, down_s, since = 0, 0, None\n"
                "    for moment, outcome in [*calls, (end_s, 'answered')]:\n"
                "        if outcome == 'failed':\n"
                "            failures, since = failures + 1, moment if since is None else since\n"
                "        elif outcome == 'answered' and since is not None:\n"
                "            down_s, since = down_s + moment - since, None\n"
                "    return (end_s - start_s - down_s) / failures if failures else None"
            ),
            "belong to one outage",
        ),
        WrongAnswer(
            "leaves the downtime in",
            _answer(
                "failures, down = 0, False\n"
                "    for _, outcome in calls:\n"
                "        failures += outcome == 'failed' and not down\n"
                "        down = outcome == 'failed' or (down and outcome == 'refused')\n"
                "    return (end_s - start_s) / failures if failures else None"
            ),
            "that is no operating time",
        ),
        WrongAnswer(
            "takes the time between successes",
            _answer(
                "good = [moment for moment, outcome in calls if outcome == 'answered']\n"
                "    return (good[-1] - good[0]) / (len(good) - 1) if len(good) > 1 else None"
            ),
            "down from 400 to 460 s",
        ),
        WrongAnswer(
            "takes a refusal for a failure",
            _answer(
                "failures, down_s, since = 0, 0, None\n"
                "    for moment, outcome in [*calls, (end_s, 'answered')]:\n"
                "        if outcome != 'answered' and since is None:\n"
                "            failures, since = failures + 1, moment\n"
                "        elif outcome == 'answered' and since is not None:\n"
                "            down_s, since = down_s + moment - since, None\n"
                "    return (end_s - start_s - down_s) / failures if failures else None"
            ),
            "that is no failure of the tool",
        ),
        WrongAnswer(
            "lets a refusal end an outage",
            _answer(
                "failures, down_s, since = 0, 0, None\n"
                "    for moment, outcome in [*calls, (end_s, 'answered')]:\n"
                "        if outcome == 'failed' and since is None:\n"
                "            failures, since = failures + 1, moment\n"
                "        elif outcome != 'failed' and since is not None:\n"
                "            down_s, since = down_s + moment - since, None\n"
                "    return (end_s - start_s - down_s) / failures if failures else None"
            ),
            "does not end the outage",
        ),
        WrongAnswer(
            "forgets an outage that lasts",
            _answer(
                "failures, down_s, since = 0, 0, None\n"
                "    for moment, outcome in calls:\n"
                "        if outcome == 'failed' and since is None:\n"
                "            failures, since = failures + 1, moment\n"
                "        elif outcome == 'answered' and since is not None:\n"
                "            down_s, since = down_s + moment - since, None\n"
                "    return (end_s - start_s - down_s) / failures if failures else None"
            ),
            "an outage that lasts to the end",
        ),
        WrongAnswer(
            "divides by no failure",
            _answer(
                "failures, down_s, since = 0, 0, None\n"
                "    for moment, outcome in [*calls, (end_s, 'answered')]:\n"
                "        if outcome == 'failed' and since is None:\n"
                "            failures, since = failures + 1, moment\n"
                "        elif outcome == 'answered' and since is not None:\n"
                "            down_s, since = down_s + moment - since, None\n"
                "    return (end_s - start_s - down_s) / failures"
            ),
            "ZeroDivisionError",
            outcome="raised",
        ),
    ),
    checker=check_mtbf,
)
