"""Exercise 06.overall: many points, one score, and no failed rule hidden in it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from toolkit.lessons.exercise import Exercise, WrongAnswer
from toolkit.lessons.expect import expect, expect_equal


def check_overall(overall: Callable[[Sequence[float], Sequence[float], float], float | None]) -> None:
    """No rules, no score; a weighted mean; and the worst failed rule as its upper bound."""
    got = overall([0.9, 0.7], [1, 1], 0.6)
    expect(got is None or abs(got - 0.7) > 1e-9, f"no rule failed, so it is the mean of 0.9 and 0.7: {got}")
    expect(got is not None and abs(got - 0.8) < 1e-9, f"no rule failed, overall([0.9, 0.7], [1, 1], 0.6): {got}")
    heavy = overall([1.0, 0.6], [3, 1], 0.6)
    expect(heavy is not None and abs(heavy - 0.9) < 1e-9, f"the first rule weighs three times the second: {heavy}")
    hidden = overall([0.3, 1.0], [1, 1], 0.6)
    expect(hidden != 0.65, "the average of 0.3 and 1.0 hides a failed rule: it is 0.65, above the threshold 0.6")
    expect_equal(hidden, 0.3, "one rule failed, overall([0.3, 1.0], [1, 1], 0.6)")
    expect_equal(overall([0.2, 0.5, 1.0], [1, 1, 9], 0.6), 0.2, "two failed, the worst of them is the bound")
    nothing = overall([], [], 0.6)
    expect(nothing is None, f"without rules nothing was judged, so there is no score: expected None, got {nothing}")
    low = overall([0.1, 0.5], [9, 1], 0.6)
    expect_equal(low, 0.1, "both failed; the mean is 0.14, and the worst rule 0.1")


def _overall(body: str) -> str:
    return f"def overall(points, weights, threshold):\n    {body}"


_MEAN = "sum(w * p for w, p in zip(weights, points)) / sum(weights)"

OVERALL = Exercise(
    id="06.overall",
    task=(
        "Make one score of the points of all rules: their weighted mean. A rule with fewer points than `threshold` "
        "failed, and then the score is no more than the points of the worst rule. Without rules there is no score: "
        "None."
    ),
    minutes=5,
    difficulty="easy",
    hints=(
        "First the case without rules, then the mean, then what bounds it.",
        "The failed ones are `[point for point in points if point < threshold]`.",
        "`min([mean, *failed])` is the mean where none failed.",
    ),
    stub='''\
def overall(points, weights, threshold):
    """One score of all points; None where there are none.

    >>> overall([0.3, 1.0], [1, 1], 0.6)
    0.3
    """
    raise NotImplementedError''',
    solution=f'''\
def overall(points, weights, threshold):
    """One score of all points; None where there are none."""
    if not points:
        return None
    mean = {_MEAN}
    return min([mean, *(point for point in points if point < threshold)])''',
    alternatives=(
        f"""\
def overall(points, weights, threshold):
    if len(points) == 0:
        return None
    mean, worst = {_MEAN}, min(points)
    return min(mean, worst) if worst < threshold else mean""",
        """\
def overall(points, weights, threshold):
    total = sum(weights)
    if not total:
        return None
    score = 0
    for point, weight in zip(points, weights):
        score += point * weight / total
    for point in points:
        if point < threshold:
            score = min(score, point)
    return score""",
    ),
    wrong=(
        WrongAnswer("averages", _overall(f"return {_MEAN} if points else None"), "hides a failed rule"),
        WrongAnswer("forgets the weights", _overall("return min([sum(points) / len(points)])"), "weighs three times"),
        WrongAnswer("always takes the worst", _overall("return min(points, default=None)"), "no rule failed"),
        WrongAnswer(
            "full points without rules",
            _overall(f"return min([{_MEAN}, *(p for p in points if p < threshold)]) if points else 1.0"),
            "nothing was judged",
        ),
        WrongAnswer(
            "nothing for a failed rule",
            _overall(f"return None if not points else 0.0 if min(points) < threshold else {_MEAN}"),
            "one rule failed",
        ),
        WrongAnswer(
            "takes the best of the failed",
            _overall(f"return max([p for p in points if p < threshold], default={_MEAN})"),
            "the worst of them is the bound",
        ),
        WrongAnswer(
            "divides by nothing",
            _overall(f"mean = {_MEAN}; return min([mean, *(p for p in points if p < threshold)])"),
            "ZeroDivisionError",
            outcome="raised",
        ),
    ),
    checker=check_overall,
)
