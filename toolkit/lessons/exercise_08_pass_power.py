"""Exercise 08.pass_power: the chance that k runs all pass, from n that were judged."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from toolkit.lessons.exercise import Exercise, WrongAnswer
from toolkit.lessons.expect import expect, expect_equal


def _check(pass_power: Callable[[int, int, int], Any]) -> None:
    """Counts worked out by hand: draws of k out of n, without putting back."""

    def expect_share(passed: int, judged: int, k: int, share: float, case: str) -> None:
        found = pass_power(passed, judged, k)
        is_near = isinstance(found, int | float) and abs(found - share) < 1e-9
        expect(is_near, f"{case}: expected {share:.4f}, got {found!r}")

    expect_share(3, 4, 1, 0.75, "3 of 4 passed, k = 1: that is the rate")
    _check_pairs(pass_power(3, 4, 2))
    expect_share(3, 4, 2, 0.5, "3 of 4 passed, k = 2: 3 of the 6 pairs hold no fail")
    expect_share(2, 4, 3, 0.0, "2 of 4 passed, k = 3: any three hold a fail")
    expect_share(10, 10, 8, 1.0, "all of 10 passed, k = 8")
    expect_share(0, 5, 2, 0.0, "none of 5 passed")
    expect_share(9, 10, 5, 0.5, "9 of 10 passed, k = 5: half of the draws hold the one fail")
    expect_equal(pass_power(3, 3, 4), None, "3 judged, k = 4: four cannot be drawn from three")


def _check_pairs(found: Any) -> None:
    """3 of 4 passed, k = 2: what each mistake makes of the six pairs is another number."""
    case = "3 of 4 passed, k = 2"
    expect(found != 0.5625, f"{case}: 0.5625 is rate * rate, so a run was put back and drawn twice")
    expect(found != 0.75, f"{case}: 0.75 is the rate, so k changed nothing; two in a row are harder than one")
    expect(found != 1, f"{case}: every pair holds a pass, but pass^k asks that it holds no fail")


_STUB = '''
def pass_power(passed, judged, k):
    """The chance that k runs, drawn from those judged, all pass; None where fewer than k were judged.

    >>> pass_power(3, 4, 2)
    0.5
    """
    raise NotImplementedError
'''
_SOLUTION = _STUB.replace(
    "    raise NotImplementedError\n",
    "    return comb(passed, k) / comb(judged, k) if judged >= k else None\n",
)


def _plain(body: str) -> str:
    return f"def pass_power(passed, judged, k):\n    {body}\n"


PASS_POWER = Exercise(
    id="08.pass_power",
    task="`pass^k`: of all ways to draw k runs from those that were judged, the share in which every run passed. "
    "Return `None` where fewer than k were judged.",
    minutes=5,
    difficulty="easy",
    hints=(
        "A run is not drawn twice, so rate ** k is not it: with 2 of 4 passed, three can never all pass.",
        "math.comb(n, k) counts the ways to draw k of n.",
        "comb(passed, k) draws hold passes only, of comb(judged, k) in all.",
    ),
    setup="from math import comb",
    stub=_STUB,
    solution=_SOLUTION,
    alternatives=(
        "from itertools import combinations\n\n"
        "def pass_power(passed, judged, k):\n"
        "    draws = list(combinations([True] * passed + [False] * (judged - passed), k))\n"
        "    return sum(map(all, draws)) / len(draws) if draws else None\n",
        "def pass_power(passed, judged, k):\n"
        "    if judged < k:\n"
        "        return None\n"
        "    share = 1.0\n"
        "    for drawn in range(k):\n"
        "        share *= max(0, passed - drawn) / (judged - drawn)\n"
        "    return share\n",
    ),
    wrong=(
        WrongAnswer("puts runs back", _plain("return (passed / judged) ** k if judged >= k else None"), "put back"),
        WrongAnswer(
            "at least one passes",
            _plain("return 1 - comb(judged - passed, k) / comb(judged, k) if judged >= k else None"),
            "every pair holds a pass",
        ),
        WrongAnswer("gives the rate", _plain("return passed / judged if judged >= k else None"), "k changed nothing"),
        WrongAnswer("zero where too few", _plain("return comb(passed, k) / max(1, comb(judged, k))"), "from three"),
        WrongAnswer(
            "asks passed, not judged",
            _plain("return comb(passed, k) / comb(judged, k) if passed >= k else None"),
            "any three hold a fail",
        ),
        WrongAnswer(
            "divides by nothing",
            _plain("return comb(passed, k) / comb(judged, k)"),
            "ZeroDivisionError",
            outcome="raised",
        ),
    ),
    checker=_check,
)
