"""Exercise 03.waits: how long to wait after each failed attempt."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from toolkit.lessons.exercise import Exercise, WrongAnswer
from toolkit.lessons.expect import expect, expect_equal


def check_waits(waits: Callable[[int, float, float], Sequence[float]]) -> None:
    """Doubled, capped, and none after the last attempt."""
    got = list(waits(4, 1.0, 60.0))
    expect(got != [1, 2, 3], f"the waits grow by addition, not by doubling: {got}")
    expect(got != [2, 4, 8], f"the first wait is base_s itself, here 1.0: {got}")
    expect(len(got) != 4, f"4 attempts have 3 waits between them; who waits after the last attempt? {got}")
    expect_equal(got, [1.0, 2.0, 4.0], "waits(4, 1.0, 60.0)")
    expect_equal(list(waits(6, 1.0, 5.0)), [1.0, 2.0, 4.0, 5.0, 5.0], "with a cap of 5 s, waits(6, 1.0, 5.0)")
    expect_equal(list(waits(3, 0.1, 0.05)), [0.05, 0.05], "a cap below the base, waits(3, 0.1, 0.05)")
    expect_equal(list(waits(1, 1.0, 5.0)), [], "one attempt has no wait, waits(1, 1.0, 5.0)")


def _waits(body: str) -> str:
    return f"def waits(attempts: int, base_s: float, cap_s: float) -> list[float]:\n    {body}"


WAITS = Exercise(
    id="03.waits",
    task=(
        "Return the longest wait after each failed attempt, in seconds: `base_s` after the first, doubled each time, "
        "never more than `cap_s`. After the last attempt nobody waits."
    ),
    minutes=4,
    difficulty="easy",
    hints=(
        "How many waits lie between four attempts? `range` can count them.",
        "The wait after attempt 1 is `base_s * 2 ** 0`, after attempt 2 it is `base_s * 2 ** 1`.",
        "`min(cap_s, ...)` around each of them caps it.",
    ),
    stub='''\
def waits(attempts: int, base_s: float, cap_s: float) -> list[float]:
    """The longest wait after each failed attempt, in seconds.

    >>> waits(4, 1.0, 3.0)
    [1.0, 2.0, 3.0]
    """
    raise NotImplementedError''',
    solution='''\
def waits(attempts: int, base_s: float, cap_s: float) -> list[float]:
    """The longest wait after each failed attempt, in seconds."""
    return [min(cap_s, base_s * 2**number) for number in range(attempts - 1)]''',
    alternatives=(
        """\
def waits(attempts, base_s, cap_s):
    found, wait_s = [], base_s
    for _ in range(1, attempts):
        found.append(min(wait_s, cap_s))
        wait_s *= 2
    return found""",
        """\
def waits(attempts, base_s, cap_s):
    if attempts < 2:
        return []
    return [min(base_s, cap_s), *waits(attempts - 1, 2 * base_s, cap_s)]""",
    ),
    wrong=(
        WrongAnswer(
            "grows by addition",
            _waits("return [min(cap_s, base_s * number) for number in range(1, attempts)]"),
            "by addition",
        ),
        WrongAnswer(
            "waits after the last attempt",
            _waits("return [min(cap_s, base_s * 2**number) for number in range(attempts)]"),
            "after the last attempt",
        ),
        WrongAnswer(
            "doubles before the first wait",
            _waits("return [min(cap_s, base_s * 2**number) for number in range(1, attempts)]"),
            "the first wait is base_s",
        ),
        WrongAnswer(
            "knows no cap",
            _waits("return [base_s * 2**number for number in range(attempts - 1)]"),
            "with a cap of 5 s",
        ),
        WrongAnswer(
            "caps all but the first",
            _waits("return [base_s, *(min(cap_s, base_s * 2**n) for n in range(1, attempts - 1))][: attempts - 1]"),
            "a cap below the base",
        ),
        WrongAnswer(
            "waits at least once",
            _waits("return [min(cap_s, base_s * 2**number) for number in range(max(1, attempts - 1))]"),
            "one attempt has no wait",
        ),
    ),
    checker=check_waits,
)
