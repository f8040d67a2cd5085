"""The cost of a run, and the table of measures, as pictures."""

from __future__ import annotations

import pytest

from toolkit.lab.measure_table import show_measures
from toolkit.lab.run_cost import draw_run_cost
from toolkit.observe.measures import Measure, measure, rate


@pytest.mark.row("J10")
def test_the_figure_says_what_it_shows():
    """Errors that accumulate and tokens that grow, at the longest run."""
    assert draw_run_cost(steps=(0.9, 0.99), longest=10, first=1000, growth=200).words == (
        "after 10 steps runs without an error: 35% at 90.0%, 90% at 99.0%; "
        "tokens sent after 10 turns: 19,000 with the whole history, 16,000 with the last four turns"
    )


@pytest.mark.row("E9")
def test_every_measure_is_a_row():
    """Shares with three digits, seconds without, and a dash where there is nothing."""
    found = [rate("success rate", 975, 1000, 0.995), Measure("MTBF in s", 2880.3, None, 3600.0, 31684, 13280, "open")]
    picture = show_measures(found)
    assert picture.summary == "1 missed, 1 open."
    assert picture.rows == [
        ["success rate", "0.975", "0.963 to 0.983", "0.995", 1000, 765, "missed"],
        ["MTBF in s", "2,880", "-", "3,600", 31684, 13280, "open"],
    ]


def test_a_table_of_nothing_says_so():
    """An empty log has six measures without data."""
    assert show_measures(measure([])).summary == "6 no data."
