"""Interview drills: what the lesson says of the first try, the builds, the quizzes and the runs is so."""

from __future__ import annotations

import pytest

from toolkit.lab.runs_to_judge import reports_of_runs, runs_to_judge
from toolkit.lessons import predict
from toolkit.lessons.catalogue import find_exercise
from toolkit.lessons.conformance.report import conformance
from toolkit.lessons.exercise import judge
from toolkit.lessons.interview.cards import cards
from toolkit.lessons.lesson_12 import EXERCISES, PREDICTIONS, QUESTIONS
from tools.environment import ROOT
from tools.notebook_definitions import load_definitions

SCRIPT = ROOT / "notebooks" / "source" / "12_interview_drills.py"
LESSON = load_definitions(SCRIPT)


@pytest.mark.row("X9")
def test_there_are_ten_timed_builds_and_the_notebook_has_each():
    """Every build has a rubric, and stands in the notebook as an exercise."""
    source = SCRIPT.read_text(encoding="utf-8")
    assert len(EXERCISES) == 10
    assert all(build.rubric and f'tags=["exercise"]\n# {build.id}\n' in source for build in EXERCISES)


@pytest.mark.row("X9")
def test_a_demonstration_earns_a_quarter_and_no_level():
    """The first try runs what it is asked, meets the two criteria of a demonstration, and is not a junior's."""
    score = judge(find_exercise("12.Registry"), LESSON.FirstTry)
    met = [mark.criterion.level for mark in score.marks if mark.is_met]
    assert (score.points, met) == (5, ["junior", "junior"])
    assert "5 of 20 points; level: not yet a junior's" in score.message
    assert "KeyError" in score.message


@pytest.mark.row("X4", "X9")
def test_the_first_try_goes_into_the_suite_by_three_lines():
    """Beside the layers it catches fewest, and fewer than the dict of lesson 01."""
    report = conformance(LESSON.Offered)
    caught = {each.title: len(report.caught(each.title)) for each in report.implementations}
    assert caught == {"1 dict of tools": 24, "2 one source": 60, "3 gateway": 97, "Offered": 7}


@pytest.mark.row("X9")
def test_every_card_is_asked_by_its_number():
    """`predict("12.Q01")` and so on ask the quizzes of the cards."""
    assert len(QUESTIONS) == len(PREDICTIONS) + len(cards())
    assert predict("12.Q22").question.text == next(card for card in cards() if card.id == "Q22").quiz.question


def test_the_run_that_says_sorry_is_right():
    """Lesson 12 asks of run B what lesson 00 answers: last words prove nothing."""
    assert runs_to_judge()["B"][-1]["content"] == "Sorry, nothing is booked."
    assert reports_of_runs()["B"].verdict == "pass"
