"""Exercise 10.holds: an alert rule with a threshold, a window and a smallest sample."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from toolkit.lessons.exercise import Exercise, WrongAnswer
from toolkit.lessons.expect import expect, expect_equal

Call = tuple[float, str]
Answer = Callable[[Sequence[Call], float, float, float, int], bool | None]


def calls_of(letters: str, begin_s: float = 0) -> list[Call]:
    """Calls a second apart: `.` answered, `x` failed, `r` refused."""
    outcome = {".": "answered", "x": "failed", "r": "refused"}
    return [(begin_s + second, outcome[letter]) for second, letter in enumerate(letters)]


def check_holds(holds: Answer) -> None:
    """Threshold reached, window kept at both ends, refusals out of the sample, and too few decide nothing."""
    expect_equal(holds(calls_of("..xx"), 3, 0.6, 60, 4), False, "two failures of four, and a threshold of 60 %")
    expect_equal(holds(calls_of("..xx"), 3, 0.5, 60, 4), True, "two failures of four reach a threshold of 50 %")
    old = [*calls_of("xxxx"), *calls_of("....", 100)]
    expect_equal(holds(old, 103, 0.5, 60, 4), False, "the four failures are older than the window of 60 s")
    expect(
        holds([*calls_of("...."), *calls_of("xxxxxx", 50)], 3, 0.5, 60, 4) is False,
        "at 3 s nobody knows of the failures at 50 s: a rule that is tried on an old log must not look ahead",
    )
    edge = [(0, "failed"), (40, "answered"), (50, "answered"), (60, "answered")]
    expect(
        holds(edge, 60, 0.25, 60, 3) is False,
        "the call at 0 s ended exactly a window of 60 s ago: (now - window, now] leaves it out",
    )
    expect_equal(
        holds(calls_of("xx..rrrr"), 7, 0.5, 60, 4),
        True,
        "two failures of four calls that say something, and four refusals",
    )
    few = holds(calls_of("x"), 0, 0.5, 60, 4)
    expect(few is not True, "one failure out of one call is no 100 %: four were asked for")
    expect(few is not False, "one call decides nothing, so the answer is None: False would end an alarm that is right")
    expect_equal(holds(calls_of("xrrrr"), 4, 0.5, 60, 4), None, "refused calls do not make the sample large enough")
    expect_equal(holds([], 0, 0.5, 60, 1), None, "no call at all")


def _answer(window: str, body: str) -> str:
    return (
        "def holds(calls, now_s, threshold, window_s, at_least):\n"
        f"    told = [outcome for moment, outcome in calls if {window}]\n"
        f"    {body}"
    )


_WINDOW = "now_s - window_s < moment <= now_s and outcome != 'refused'"
_FEW = "if len(told) < at_least:\n        return None\n    "
_SHARE = "return told.count('failed') / len(told) >= threshold"

HOLDS = Exercise(
    id="10.holds",
    task=(
        "Return whether the rule 'calls fail' holds at `now_s`: the share of failures among the calls that ended in "
        "`(now_s - window_s, now_s]` has reached the threshold. `calls` are pairs of a moment and an outcome; refused "
        "ones say nothing. With fewer than `at_least` that say something the answer is None."
    ),
    minutes=8,
    difficulty="medium",
    hints=(
        "First collect the outcomes that count: within the window, and not refused.",
        "The window has two ends. A log that is tried afterwards holds calls that lie in the future of `now_s`.",
        "Fewer than `at_least`: None, before dividing. Then `told.count('failed') / len(told) >= threshold`.",
    ),
    stub='''\
def holds(
    calls: list[tuple[float, str]], now_s: float, threshold: float, window_s: float, at_least: int
) -> bool | None:
    """Whether too many calls failed lately; None where too few say so.

    >>> holds([(1, "failed"), (2, "answered")], now_s=2, threshold=0.5, window_s=60, at_least=2)
    True
    """
    raise NotImplementedError''',
    solution='''\
def holds(
    calls: list[tuple[float, str]], now_s: float, threshold: float, window_s: float, at_least: int
) -> bool | None:
    """Whether too many calls failed lately; None where too few say so."""
    window = [outcome for moment, outcome in calls if now_s - window_s < moment <= now_s]
    told = [outcome for outcome in window if outcome != "refused"]
    if len(told) < at_least:
        return None
    return told.count("failed") / len(told) >= threshold''',
    alternatives=(
        """\
def holds(calls, now_s, threshold, window_s, at_least):
    failed = answered = 0
    for moment, outcome in calls:
        if 0 <= now_s - moment < window_s:
            failed += outcome == "failed"
            answered += outcome == "answered"
    if failed + answered < at_least:
        return None
    return failed >= threshold * (failed + answered)""",
        """\
from statistics import mean


def holds(calls, now_s, threshold, window_s, at_least):
    mark = {"answered": 0, "failed": 1}
    marks = [mark[outcome] for moment, outcome in calls if outcome in mark and -window_s < moment - now_s <= 0]
    return mean(marks) >= threshold if len(marks) >= at_least else None""",
        """\
from collections import deque


def holds(calls, now_s, threshold, window_s, at_least):
    window, failed = deque(), 0
    for moment, outcome in sorted(call for call in calls if call[0] <= now_s and call[1] != "refused"):
        window.append((moment, outcome))
        failed += outcome == "failed"
    while window and window[0][0] <= now_s - window_s:
        failed -= window.popleft()[1] == "failed"
    return failed / len(window) >= threshold if len(window) >= at_least else None""",
    ),
    wrong=(
        WrongAnswer(
            "asks for more than the threshold",
            _answer(_WINDOW, _FEW + _SHARE.replace(">=", ">")),
            "reach a threshold of 50 %",
        ),
        WrongAnswer(
            "looks at the whole log",
            _answer("moment <= now_s and outcome != 'refused'", _FEW + _SHARE),
            "older than the window",
        ),
        WrongAnswer(
            "looks ahead",
            _answer("moment > now_s - window_s and outcome != 'refused'", _FEW + _SHARE),
            "must not look ahead",
        ),
        WrongAnswer(
            "keeps the edge of the window",
            _answer(_WINDOW.replace("window_s < moment", "window_s <= moment"), _FEW + _SHARE),
            "exactly a window of 60 s ago",
        ),
        WrongAnswer(
            "counts refusals as calls that went well",
            _answer("now_s - window_s < moment <= now_s", _FEW + _SHARE),
            "four refusals",
        ),
        WrongAnswer(
            "believes a single call",
            _answer(_WINDOW, "return told.count('failed') / len(told) >= threshold if told else None"),
            "is no 100 %",
        ),
        WrongAnswer(
            "ends an alarm for want of calls",
            _answer(_WINDOW, _FEW.replace("None", "False") + _SHARE),
            "False would end an alarm",
        ),
    ),
    checker=check_holds,
)
