"""The published ways of scoring fail as the lesson says."""

from __future__ import annotations

import pytest

from toolkit.lab.mistakes.scoring import average_score, keyword_relevance


@pytest.mark.row("E3", "X12")
def test_a_chinese_sentence_is_one_keyword():
    """A good answer gets nothing, for the whole question stands in no answer; the words of a Latin one are found."""
    assert keyword_relevance("西安十月一日下雨吗", "西安十月一日有雨") == 0
    assert keyword_relevance("rain in Xi'an", "in Xi'an rain") == 1


@pytest.mark.row("E3", "X12")
def test_an_average_hides_and_invents():
    """0.3 passes a threshold of 0.6 beside a 1.0; and no rule at all is perfect."""
    assert average_score([0.3, 1.0]) == 0.65
    assert average_score([]) == 1.0
