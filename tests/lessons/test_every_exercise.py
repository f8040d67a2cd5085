"""Every checker of every lesson, proven on blank, right, alternative and wrong answers."""

from __future__ import annotations

from collections import Counter

import pytest

from toolkit.lessons.catalogue import NOTEBOOKS, all_exercises, all_questions
from toolkit.lessons.exercise import judge

EXERCISES = all_exercises()
QUESTIONS = all_questions()
each_exercise = pytest.mark.parametrize("exercise", EXERCISES, ids=lambda exercise: exercise.id)
RIGHT = [
    pytest.param(exercise, code, id=f"{exercise.id}-{number}")
    for exercise in EXERCISES
    for number, code in enumerate([exercise.solution, *exercise.alternatives])
]
WRONG = [
    pytest.param(exercise, wrong, id=f"{exercise.id}-{wrong.mistake}")
    for exercise in EXERCISES
    for wrong in exercise.wrong
]


@pytest.mark.row("X5")
@each_exercise
def test_the_stub_is_not_attempted(exercise):
    """The stub as it stands in the learner's notebook is neither right, wrong nor an error."""
    assert judge(exercise, exercise.answer(exercise.stub)).outcome == "not attempted"


@pytest.mark.row("X5")
@pytest.mark.parametrize(("exercise", "code"), RIGHT)
def test_solution_and_alternatives_are_right(exercise, code):
    """The solution and every other right way are accepted."""
    feedback = judge(exercise, exercise.answer(code))
    assert feedback.outcome == "right", feedback


@pytest.mark.row("X5")
@pytest.mark.parametrize(("exercise", "wrong"), WRONG)
def test_a_wrong_answer_is_refused_by_its_cause(exercise, wrong):
    """Every known mistake is refused, and the message holds the words that name it."""
    feedback = judge(exercise, exercise.answer(wrong.code))
    assert feedback.outcome == wrong.outcome, feedback
    assert wrong.says in feedback.message


@pytest.mark.row("X5")
@each_exercise
def test_an_exercise_is_complete(exercise):
    """A lesson number, at least three hints, two other right answers and five mistakes told apart."""
    assert exercise.id[:2].isdigit()
    assert len(exercise.hints) >= 3
    assert len({exercise.solution, *exercise.alternatives}) >= 3
    assert len({wrong.says for wrong in exercise.wrong}) >= 5
    assert 1 <= exercise.minutes <= 30


@pytest.mark.row("X5")
def test_there_are_at_least_forty_and_every_lesson_has_some():
    """From two in the first lesson to the ten builds of the last."""
    lessons = Counter(exercise.id[:2] for exercise in EXERCISES)
    assert len(EXERCISES) >= 40
    assert set(lessons) == set(NOTEBOOKS)
    assert min(lessons.values()) >= 2


def test_ids_are_unique():
    """No two exercises, and no two questions, share an id."""
    ids = [item.id for item in [*EXERCISES, *QUESTIONS]]
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.id)
def test_a_question_has_one_right_answer_and_feedback_on_each(question):
    """The answer is one of at least two options, and every option says something of its own."""
    assert question.answer in question.options
    assert len(question.options) >= 2
    assert len(set(question.options.values())) == len(question.options)


def test_neither_place_nor_length_gives_a_prediction_away():
    """Over the lessons no place holds more than three right answers in ten, the longest is right in less than 35 %."""
    asked = [question for question in QUESTIONS if not question.id.startswith("12.Q")]
    places = Counter(list(question.options).index(question.answer) for question in asked)
    longest = [question for question in asked if len(question.answer) == max(map(len, question.options))]
    assert max(places.values()) <= 0.3 * len(asked)
    assert len(longest) < 0.35 * len(asked)
