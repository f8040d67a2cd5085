"""The checker's four outcomes, hints and solutions, on an exercise made here."""

from __future__ import annotations

import asyncio
import sys
from types import SimpleNamespace

import pytest

from toolkit.lab.waiting import finish
from toolkit.lessons import check, hint, solution
from toolkit.lessons.exercise import Exercise, WrongAnswer, judge
from toolkit.lessons.expect import Wrong, expect, expect_equal, expect_raises

STUB = "def double(number):\n    raise NotImplementedError"
SOLUTION = "def double(number):\n    return 2 * number"


def check_double(double):
    expect_equal(double(2), 4, "double(2)")
    expect_equal(double(3), 6, "double(3)")


EXERCISE = Exercise(
    id="98.double",
    task="Return twice the number.",
    minutes=1,
    difficulty="easy",
    hints=("Multiply.", "By two."),
    stub=STUB,
    solution=SOLUTION,
    alternatives=("double = lambda number: number + number",),
    wrong=(WrongAnswer("squares", "def double(number):\n    return number ** 2", "double(3): expected 6, got 9"),),
    checker=check_double,
)


@pytest.fixture
def lesson(monkeypatch):
    """A lesson 98 that is not in the package."""
    monkeypatch.setitem(sys.modules, "toolkit.lessons.lesson_98", SimpleNamespace(EXERCISES=(EXERCISE,)))


def outcome(code):
    return judge(EXERCISE, EXERCISE.answer(code))


def test_right_is_short_and_true():
    """A right answer gets one line, and counts as true."""
    feedback = outcome(SOLUTION)
    assert repr(feedback) == "✓ right: 98.double"
    assert feedback


def test_wrong_names_the_case():
    """A wrong answer gets the case, what was expected, what came, and the first hint."""
    assert repr(outcome(EXERCISE.wrong[0].code)) == (
        '✗ wrong: 98.double\n  double(3): expected 6, got 9\n  Stuck? hint("98.double", 1) is the first of 2.'
    )


def test_raised_names_the_line():
    """An answer that raises gets the exception and the line of its own cell."""
    feedback = outcome("def double(number):\n    twice = 2 * number\n    return twice[0]")
    assert feedback.outcome == "raised"
    assert feedback.message == "TypeError: 'int' object is not subscriptable (line 3 of the cell)"


def test_raised_in_a_function_it_calls_points_at_the_answer():
    """Where a library raised, the line is still the learner's."""
    feedback = outcome("def double(number):\n    import json\n    return json.loads(number)")
    assert feedback.message.endswith("(line 3 of the cell)")


def test_the_stub_as_it_is_is_not_attempted():
    """A stub raises NotImplementedError, and nobody who has not begun is told to be wrong."""
    assert outcome(STUB).outcome == "not attempted"


@pytest.mark.parametrize("body", ["pass", "twice = 2 * number", "return None", "if number: return\n    2 * number"])
def test_a_function_without_a_return_is_told_so(body):
    """None is an answer, a wrong one, and the likely cause stands below the case."""
    assert outcome(f"def double(number):\n    {body}").message == (
        "double(2): expected 4, got None\ndouble returned None: is a `return` missing?"
    )


@pytest.mark.parametrize("body", ["return None if number > 2 else 4", "return 5"])
def test_where_something_is_returned_no_return_is_missing(body):
    """A wrong value, or None on one way only, gets the case and no guess."""
    assert "missing" not in outcome(f"def double(number):\n    {body}").message


@pytest.mark.parametrize("body", ["return 0", "return ''", "number * 2", "return False"])
def test_a_body_that_does_something_is_attempted(body):
    """A constant or a forgotten return is an answer, and a wrong one."""
    assert outcome(f"def double(number):\n    {body}").outcome == "wrong"


def test_ellipsis_is_not_attempted():
    """A value left as `...` counts as blank; None is an answer."""
    assert judge(EXERCISE, ...).outcome == "not attempted"
    assert judge(EXERCISE, None).outcome == "wrong"


def test_an_answer_of_another_form_is_wrong_not_a_crash():
    """A wrong signature is told to the learner as such."""
    feedback = outcome("def double():\n    return 4")
    assert feedback.outcome == "wrong"
    assert feedback.message == (
        "The check could not use the answer. TypeError: double() takes 0 positional arguments but 1 was given"
    )


def test_an_answer_that_exits_does_not_end_the_kernel():
    """SystemExit is an outcome like another."""
    assert outcome("def double(number):\n    raise SystemExit(3)").outcome == "raised"


def test_html_escapes_what_the_answer_said():
    """A message never becomes markup."""
    feedback = outcome("def double(number):\n    return '<b>4</b>'")
    assert "&lt;b&gt;4&lt;/b&gt;" in feedback._repr_html_()
    assert "<b>4" not in feedback._repr_html_()


def test_check_finds_the_exercise_by_its_id(lesson):
    """The id names the lesson, so no list of exercises has to be kept."""
    assert check("98.double", EXERCISE.answer(SOLUTION))


@pytest.mark.parametrize(
    ("unknown", "says"),
    [
        ("98.triple", "no exercise '98.triple'; lesson 98 has: 98.double"),
        ("97.double", "no exercise '97.double'; an id is a lesson, 00 to 12, a dot, a name"),
        ("double", "no exercise 'double'; an id is a lesson, 00 to 12, a dot, a name"),
    ],
)
def test_an_unknown_id_is_told_what_there_is(lesson, unknown, says):
    """A mistyped name gets the lesson's ids, a mistyped lesson the form of an id."""
    with pytest.raises(LookupError) as refused:
        check(unknown, ...)
    assert str(refused.value) == says


def test_hints_are_graded_and_end_at_the_solution(lesson):
    """Hint by hint, then the way to the solution, then the solution itself."""
    shown = [repr(hint("98.double", number)) for number in (1, 2, 3)]
    assert shown == [
        "Hint 1 of 2: Multiply.",
        "Hint 2 of 2: By two.",
        'There are 2 hints. What is left is solution("98.double").',
    ]
    assert repr(solution("98.double")) == SOLUTION


@pytest.mark.parametrize("number", [0, -1])
def test_hints_are_numbered_from_one(lesson, number):
    """A number below 1 is an error that says which numbers there are."""
    with pytest.raises(ValueError, match=f"^hints are numbered from 1 to 2; there is no hint {number}$"):
        hint("98.double", number)


@pytest.mark.parametrize(
    ("got", "wanted", "same"),
    [(1, 1.0, True), (True, 1, False), ([1], (1,), False), ({"a": [True]}, {"a": [1]}, False), ([], [], True)],
)
def test_expect_equal_compares_json_values(got, wanted, same):
    """Numbers by value, booleans never as numbers, also deep inside."""
    if same:
        expect_equal(got, wanted, "case")
    else:
        with pytest.raises(Wrong):
            expect_equal(got, wanted, "case")


def test_expect_raises_wants_the_kind_and_the_words():
    """No exception, and the wrong words, are two different messages."""
    with pytest.raises(Wrong, match=r"^int\(1\): expected ValueError, got the value 1$"):
        expect_raises(ValueError, "int(1)", int, "1")
    with pytest.raises(Wrong, match="the message should hold 'city'"):
        expect_raises(ValueError, "int(x)", int, "x", holds="city")
    expect(True, "never said")


def test_finish_works_inside_a_running_loop():
    """A checker can run an async answer although the notebook's loop runs already."""

    async def answer():
        await asyncio.sleep(0)
        return 4

    async def notebook():
        return finish(answer())

    assert asyncio.run(notebook()) == 4


def test_finish_hands_on_the_exception():
    """What the coroutine raises reaches the caller as it is."""

    async def answer():
        raise KeyError("city")

    with pytest.raises(KeyError, match="city"):
        finish(answer())
