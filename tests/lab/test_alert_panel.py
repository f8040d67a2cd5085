"""Lesson 10's alert panel as a pure function."""

from __future__ import annotations

import pytest

from toolkit.lab.alert_panel import show_alert


@pytest.mark.row("K2", "T11")
@pytest.mark.parametrize(
    ("threshold", "window_min", "at_least", "summary"),
    [
        (0.05, 1, 1, "It woke somebody 10 times, once for the outage, 2 s after it began."),
        (0.05, 5, 20, "It woke somebody once, for the outage, 40 s after it began."),
        (0.6, 5, 20, "It woke nobody, the outage went unnoticed."),
    ],
    ids=["one failure is enough", "window and sample", "too high"],
)
def test_a_rule_on_a_day_that_is_over(threshold, window_min, at_least, summary):
    """Too eager, right, too late to matter."""
    assert show_alert(threshold, window_min, at_least).summary == summary


@pytest.mark.row("K2")
def test_the_table_says_when_and_whether_it_was_the_outage():
    """Clock times of the day, the worst share, and the truth."""
    picture = show_alert(0.05, 5, 20)
    assert picture.rows == [["09:40:39", "09:54:53", "51%", "yes"]]
    assert picture.chart.words == "share of failures by the minute, with the threshold; the rule held once"


def test_the_same_values_give_the_same_picture():
    """Words and bytes."""
    one, other = show_alert(0.1, 2, 5), show_alert(0.1, 2, 5)
    assert (repr(one), one.chart.png) == (repr(other), other.chart.png)
