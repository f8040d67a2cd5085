"""Rubrics: every criterion is asked by itself, and the level is earned from below."""

from __future__ import annotations

from dataclasses import replace

import pytest

from toolkit.lessons.exercise import Exercise, judge
from toolkit.lessons.expect import expect, expect_equal
from toolkit.lessons.rubric import Criterion

RUBRIC = (
    Criterion("two and two are four", 3, "junior", lambda add: expect_equal(add(2, 2), 4, "add(2, 2)")),
    Criterion("no number at all is nothing", 2, "senior", lambda add: expect_equal(add(), 0, "add()")),
    Criterion("a text is refused", 1, "staff", lambda add: expect(_refuses(add), "it took a text for a number")),
)


def _refuses(add):
    try:
        add("two")
    except TypeError:
        return True
    return False


def build(solution="def add(*numbers):\n    return sum(numbers)"):
    """A timed build of an addition."""
    return Exercise(
        id="98.add",
        task="Add numbers.",
        minutes=1,
        difficulty="easy",
        hints=("a", "b", "c"),
        stub="def add(*numbers):\n    raise NotImplementedError",
        solution=solution,
        alternatives=(),
        wrong=(),
        rubric=RUBRIC,
    )


@pytest.mark.row("X9")
def test_every_criterion_is_asked_and_its_reason_told():
    """A criterion that is not met does not hide the ones behind it; whole text."""
    exercise = build()
    score = judge(exercise, exercise.answer(exercise.solution))
    assert str(score).splitlines() == [
        "✓ right: 98.add",
        "  6 of 6 points; level: staff",
        "  ✓ 3 of 3  two and two are four (junior)",
        "  ✓ 2 of 2  no number at all is nothing (senior)",
        "  ✓ 1 of 1  a text is refused (staff)",
    ]


@pytest.mark.row("X9")
def test_a_level_is_earned_from_below():
    """Without the senior's criterion the level stays a junior's, although the staff engineer's is met."""
    exercise = build()
    score = judge(exercise, exercise.answer("def add(one, other):\n    return one + other"))
    assert (score.outcome, score.points) == ("wrong", 4)
    assert "4 of 6 points; level: junior" in score.message
    assert "✓ 1 of 1  a text is refused (staff)" in score.message
    assert "✗ 0 of 2  no number at all is nothing (senior): The check could not use the answer. Type" in score.message


@pytest.mark.row("X9")
def test_one_criterion_missed_is_told_as_that():
    """No plain "wrong" above a score with a level, and no beginner's hint below it."""
    exercise = build()
    adds = "def add(*numbers):\n    return sum(each for each in numbers if each != 'two')"
    text = repr(judge(exercise, exercise.answer(adds)))
    assert text.splitlines()[:2] == ["✗ 2 of 3 criteria met: 98.add", "  5 of 6 points; level: senior"]
    assert "Stuck?" not in text


@pytest.mark.row("X9")
def test_an_error_of_the_answer_is_shown_with_its_line():
    """What the answer itself raises counts as raised, and the line is the one in the cell."""
    exercise = build()
    score = judge(exercise, exercise.answer("def add(*numbers):\n    return sum(numbers) + 0 / len(numbers)"))
    assert score.outcome == "raised"
    assert "(senior): ZeroDivisionError: division by zero (line 2 of the cell)" in score.message


@pytest.mark.row("X9")
def test_in_a_notebook_the_marks_are_a_table():
    """A row for each criterion with its reason, escaped; what stands in the table is not said twice."""
    exercise = build()
    html = judge(exercise, exercise.answer("def add(one, other=0):\n    return '<b>'"))._repr_html_()
    head, total = "✗ 0 of 3 criteria met: 98.add", "0 of 6 points; level: not yet a junior&#x27;s"
    assert html.startswith(f"<p><b>{head}</b></p><p>{total}</p>")
    assert html.count("<tr>") == 1 + len(RUBRIC)
    assert html.count("two and two are four") == 1
    assert "add(2, 2): expected 4, got &#x27;&lt;b&gt;&#x27;" in html
    assert "Stuck?" in html.rpartition("</table>")[2]


@pytest.mark.row("X9")
def test_nothing_met_is_no_level():
    """An answer that meets nothing is told so in words."""
    exercise = build()
    score = judge(exercise, exercise.answer("def add(*numbers):\n    return None"))
    assert (score.outcome, score.points) == ("wrong", 0)
    assert score.message.splitlines()[0] == "0 of 6 points; level: not yet a junior's"
    assert "add(2, 2): expected 4, got None" in score.message


@pytest.mark.row("X9")
def test_a_stub_is_not_attempted_and_half_a_class_is():
    """Only where no criterion got an answer at all is a build not attempted."""
    exercise = build()
    assert judge(exercise, exercise.answer(exercise.stub)).outcome == "not attempted"
    half = "def add(*numbers):\n    if len(numbers) == 2:\n        return sum(numbers)\n    raise NotImplementedError"
    score = judge(exercise, exercise.answer(half))
    assert "✗ 0 of 2  no number at all is nothing (senior): not written yet" in score.message
    assert score.points == 3


@pytest.mark.parametrize("given", [{}, {"rubric": RUBRIC, "checker": print}])
def test_one_thing_says_what_is_right(given):
    """A build has a rubric, any other exercise a checker; none and both are refused at declaration."""
    with pytest.raises(ValueError, match=r"^98\.add needs a checker or a rubric, and not both$"):
        replace(build(), **{"rubric": (), "checker": None, **given})
