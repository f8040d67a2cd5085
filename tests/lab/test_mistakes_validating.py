"""The published ways of using a validating model fail as the lesson says."""

from __future__ import annotations

import pytest

from toolkit.lab.mistakes.validating import passes, running_mean_ms
from toolkit.quality.opinion import read_opinion


@pytest.mark.row("V2", "X12")
@pytest.mark.parametrize("answer", ["FAIL: must not PASS", "no way to bypass this", "I cannot let it pass"])
def test_a_word_in_a_text_passes_what_was_refused(answer):
    """And the exact reading does not."""
    assert passes(answer)
    assert read_opinion(answer).word != "pass"


@pytest.mark.row("V4", "X12")
def test_a_running_mean_that_counts_time_outs():
    """A time-out and then 100 ms give 50, which nobody has seen; without the time-out it is right."""
    assert running_mean_ms([None, 100]) == 50
    assert running_mean_ms([80, 120]) == 100
