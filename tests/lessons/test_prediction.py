"""Predictions: live radio buttons, a static twin, and an answer that has to be unfolded."""

from __future__ import annotations

import sys
from types import SimpleNamespace

import pytest

from toolkit.lessons import predict
from toolkit.lessons.prediction import Question

QUESTION = Question(
    id="98.looked",
    text="Which run looked at the weather?",
    options={"the <first>": "It has a get_weather call.", "both": "The second never did."},
    answer="the <first>",
)


@pytest.fixture(autouse=True)
def lesson(monkeypatch):
    """A lesson 98 that is not in the package."""
    monkeypatch.setitem(sys.modules, "toolkit.lessons.lesson_98", SimpleNamespace(QUESTIONS=(QUESTION,)))


def test_choosing_says_the_feedback_of_that_option():
    """Each option has an answer of its own, said when it is chosen."""
    quiz = predict("98.looked")
    quiz.choice.value = "both"
    assert quiz.said.value == "✗ no: The second never did."
    quiz.choice.value = "the <first>"
    assert quiz.said.value == "✓ right: It has a get_weather call."


def test_nothing_is_chosen_at_first():
    """No option is proposed by being preselected."""
    quiz = predict("98.looked")
    assert (quiz.choice.value, quiz.said.value) == (None, "")


def test_the_static_twin_folds_the_answer_under_the_options():
    """Without a kernel the right option and its reason are one click away, escaped; the text form has neither."""
    bundle = predict("98.looked")._repr_mimebundle_()
    assert bundle["text/plain"] == "Which run looked at the weather?\n  ( ) the <first>\n  ( ) both"
    assert bundle["text/html"] == (
        "<p><b>Which run looked at the weather?</b></p><ul><li>the &lt;first&gt;</li><li>both</li></ul>"
        "<details><summary>Answer</summary><p><b>the &lt;first&gt;</b></p><p>It has a get_weather call.</p></details>"
    )
    assert "application/vnd.jupyter.widget-view+json" in bundle


def test_a_choice_in_words_needs_no_widget():
    """A reader without widgets gives the choice as an argument."""
    assert repr(predict("98.looked", "both")) == "✗ no: The second never did."


def test_a_choice_that_is_no_option_lists_them():
    """A mistyped choice is told the options."""
    with pytest.raises(LookupError, match=r"'neither' is no option of 98\.looked; they are: the <first>, both"):
        predict("98.looked", "neither")
