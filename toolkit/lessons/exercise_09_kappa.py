"""Exercise 09.agreement: how much two labellings agree beyond chance."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import isclose

from toolkit.lessons.exercise import Exercise, WrongAnswer
from toolkit.lessons.expect import expect


def check_agreement(agreement: Callable[[Sequence[bool], Sequence[bool]], float | None]) -> None:
    """Cohen's kappa of two lists of yes and no."""
    yes, no = True, False
    _is(agreement([yes, no], [yes, no]), 1.0, "the same labels")
    half = agreement([yes, yes, no, no], [yes, no, yes, no])
    expect(half is None or not isclose(half, 0.5), "half of the labels agree, but as many do by chance: that is 0")
    _is(half, 0.0, "half of the labels agree, as by chance")
    _is(agreement([yes, no], [no, yes]), -1.0, "no label agrees, though half would by chance")
    everything = agreement([yes, yes, yes, no], [yes, yes, yes, yes])
    expect(
        everything is None or not isclose(everything, 0.75),
        "one who always says yes agrees with three of four, and with as many by chance: that is 0",
    )
    _is(everything, 0.0, "one who always says yes")
    _is(agreement([yes] * 5 + [no] * 5, [yes] * 4 + [no] * 6), 0.8, "nine of ten, five and four times yes")
    nothing = agreement([yes, yes], [yes, yes])
    expect(nothing is None, f"both always say yes: chance alone agrees always, so there is no kappa: got {nothing}")


def _is(got: float | None, wanted: float, case: str) -> None:
    expect(got is not None and isclose(got, wanted, abs_tol=1e-9), f"{case}: expected {wanted}, got {got}")


_HEAD = "def agreement(one, other):\n    n = len(one)\n    agreed = sum(a == b for a, b in zip(one, other)) / n\n"

AGREEMENT = Exercise(
    id="09.agreement",
    task=(
        "Compute Cohen's kappa of two lists of True and False: `(agreed - by_chance) / (1 - by_chance)`. `agreed` is "
        "the share of places where they are equal. `by_chance` is what two people would reach who throw dice, each "
        "with the share of True that they have here. None where `by_chance` is 1."
    ),
    minutes=7,
    difficulty="medium",
    hints=(
        "The share of True in a list is `sum(one) / len(one)`.",
        "Two dice agree when both say True, or both say False: `p * q + (1 - p) * (1 - q)`.",
        "Look for `by_chance == 1` before you divide.",
    ),
    stub='''\
def agreement(one, other):
    """Cohen's kappa of two lists of True and False; None where chance alone agrees always.

    >>> agreement([True, True, False, False], [True, False, True, False])
    0.0
    """
    raise NotImplementedError''',
    solution='''\
def agreement(one, other):
    """Cohen's kappa of two lists of True and False; None where chance alone agrees always."""
    agreed = sum(a == b for a, b in zip(one, other)) / len(one)
    p, q = sum(one) / len(one), sum(other) / len(other)
    by_chance = p * q + (1 - p) * (1 - q)
    return None if by_chance == 1 else (agreed - by_chance) / (1 - by_chance)''',
    alternatives=(
        """\
def agreement(one, other):
    pairs = list(zip(one, other))
    n = len(pairs)
    agreed = sum(a is b for a, b in pairs)
    chance = sum(list(one).count(label) * list(other).count(label) for label in (True, False)) / n
    if chance == n:
        return None
    return (agreed - chance) / (n - chance)""",
        """\
def agreement(one, other):
    tp = sum(a and b for a, b in zip(one, other))
    fn = sum(a and not b for a, b in zip(one, other))
    fp = sum(b and not a for a, b in zip(one, other))
    tn = len(one) - tp - fn - fp
    below = (tp + fp) * (fp + tn) + (tp + fn) * (fn + tn)
    return 2 * (tp * tn - fn * fp) / below if below else None""",
    ),
    wrong=(
        WrongAnswer("the share that agrees", _HEAD + "    return agreed", "as many do by chance"),
        WrongAnswer(
            "chance is always a half",
            _HEAD + "    return (agreed - 0.5) / 0.5",
            "one who always says yes",
        ),
        WrongAnswer(
            "only both True by chance",
            _HEAD + "    c = sum(one) / n * sum(other) / n\n    return None if c == 1 else (agreed - c) / (1 - c)",
            "as by chance",
        ),
        WrongAnswer(
            "not divided",
            _HEAD
            + "    p, q = sum(one) / n, sum(other) / n\n    c = p * q + (1 - p) * (1 - q)\n"
            + "    return None if c == 1 else agreed - c",
            "the same labels",
        ),
        WrongAnswer(
            "never below 0",
            _HEAD
            + "    p, q = sum(one) / n, sum(other) / n\n    c = p * q + (1 - p) * (1 - q)\n"
            + "    return None if c == 1 else max(0.0, (agreed - c) / (1 - c))",
            "no label agrees",
        ),
        WrongAnswer(
            "1 where there is none",
            _HEAD
            + "    p, q = sum(one) / n, sum(other) / n\n    c = p * q + (1 - p) * (1 - q)\n"
            + "    return 1.0 if c == 1 else (agreed - c) / (1 - c)",
            "there is no kappa",
        ),
        WrongAnswer(
            "divides by nothing",
            _HEAD
            + "    p, q = sum(one) / n, sum(other) / n\n    c = p * q + (1 - p) * (1 - q)\n"
            + "    return (agreed - c) / (1 - c)",
            "ZeroDivisionError",
            outcome="raised",
        ),
    ),
    checker=check_agreement,
)
