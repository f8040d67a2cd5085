"""Exercise 04.wait_s: a rate limit whose window moves."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from toolkit.lessons.exercise import Exercise, WrongAnswer
from toolkit.lessons.expect import expect, expect_equal

WaitS = Callable[[Sequence[float], float, int, float], float]


def check_wait_s(wait_s: WaitS) -> None:
    """Nothing to wait while there is room in the last `per_s` seconds, else until the oldest of them leaves."""
    _expect(wait_s, [], 0.0, 3, 1.0, 0.0, "the first call of all")
    _expect(wait_s, [0.1, 0.2], 0.3, 3, 1.0, 0.0, "the third of three calls")
    got = wait_s([0.9, 0.92, 0.95], 1.05, 3, 1.0)
    expect(got != 0, "three calls at 0.9 s and one more at 1.05 s: four within 0.15 s, the window starts anew at 1 s")
    expect(abs(got - 0.9) > 1e-9, "it waits until the newest call leaves the window; the oldest makes room first")
    _expect(wait_s, [0.9, 0.92, 0.95], 1.05, 3, 1.0, 0.85, "three calls from 0.9 s on, asked at 1.05 s")
    _expect(wait_s, [0.0, 0.1, 0.2], 1.15, 3, 1.0, 0.0, "two of three calls are over a second old, so there is room")
    _expect(wait_s, [0.0, 0.5, 0.6, 0.7], 1.2, 3, 1.0, 0.3, "an old call in front; the oldest that counts was at 0.5 s")
    _expect(wait_s, [0.0, 6.0], 8.0, 2, 10.0, 2.0, "two calls in ten seconds, asked at 8 s")
    _expect(wait_s, [0.0, 1.0], 8.0, 1, 10.0, 3.0, "more calls made than now allowed: all but none have to leave")


def _expect(
    wait_s: WaitS, made: Sequence[float], now: float, calls: int, per_s: float, wanted: float, case: str
) -> None:
    given = list(made)
    got = wait_s(given, now, calls, per_s)
    expect(given == list(made), f"{case}: the list of calls was changed by asking")
    expect_equal(round(float(got), 6), wanted, case)


WAIT_S = Exercise(
    id="04.wait_s",
    task=(
        "At most `calls` in any `per_s` seconds. `made` holds the moments of the calls so far, oldest first. Return "
        "0.0 where one more is allowed at `now`, else the seconds until it is. The window moves: at any moment "
        "the last `per_s` seconds count, not the current second of the clock."
    ),
    minutes=8,
    difficulty="medium",
    hints=(
        "First keep the calls that still count: those made after `now - per_s`.",
        "With fewer than `calls` of them there is nothing to wait for.",
        "Otherwise wait until so many have left that fewer than `calls` remain: the last of them to leave is the one "
        "at place `-calls`, and it leaves `per_s` seconds after it was made.",
    ),
    stub='''\
def wait_s(made: list[float], now: float, calls: int, per_s: float) -> float:
    """Seconds until one more call is allowed; 0.0 where it is allowed now.

    >>> wait_s([0.0, 0.5], 0.75, calls=2, per_s=1.0)
    0.25
    """
    raise NotImplementedError''',
    solution='''\
def wait_s(made: list[float], now: float, calls: int, per_s: float) -> float:
    """Seconds until one more call is allowed; 0.0 where it is allowed now."""
    recent = [at for at in made if at > now - per_s]
    return 0.0 if len(recent) < calls else recent[-calls] + per_s - now''',
    alternatives=(
        """\
def wait_s(made, now, calls, per_s):
    if len(made) < calls:
        return 0.0
    return max(0.0, made[-calls] + per_s - now)""",
        """\
from bisect import bisect_right


def wait_s(made, now, calls, per_s):
    gone = bisect_right(made, now - per_s)
    still_to_go = len(made) - gone - calls
    return made[gone + still_to_go] + per_s - now if still_to_go >= 0 else 0.0""",
    ),
    wrong=(
        WrongAnswer(
            "counts by the clock's own seconds",
            """\
def wait_s(made, now, calls, per_s):
    begins = now // per_s * per_s
    recent = [at for at in made if at >= begins]
    return 0.0 if len(recent) < calls else begins + per_s - now""",
            "starts anew",
        ),
        WrongAnswer(
            "waits for the newest",
            """\
def wait_s(made, now, calls, per_s):
    recent = [at for at in made if at > now - per_s]
    return 0.0 if len(recent) < calls else recent[-1] + per_s - now""",
            "until the newest call",
        ),
        WrongAnswer(
            "never forgets a call",
            """\
def wait_s(made, now, calls, per_s):
    return 0.0 if len(made) < calls else max(0.01, made[0] + per_s - now)""",
            "over a second old",
        ),
        WrongAnswer(
            "allows one too many",
            """\
def wait_s(made, now, calls, per_s):
    recent = [at for at in made if at > now - per_s]
    return 0.0 if len(recent) <= calls else recent[-calls] + per_s - now""",
            "four within 0.15 s",
        ),
        WrongAnswer(
            "waits for the first of the list",
            """\
def wait_s(made, now, calls, per_s):
    recent = [at for at in made if at > now - per_s]
    return 0.0 if len(recent) < calls else max(0.0, made[0] + per_s - now)""",
            "the oldest that counts",
        ),
        WrongAnswer(
            "clears the list",
            """\
def wait_s(made, now, calls, per_s):
    while made and made[0] <= now - per_s:
        made.pop(0)
    return 0.0 if len(made) < calls else made[-calls] + per_s - now""",
            "was changed by asking",
        ),
    ),
    checker=check_wait_s,
)
