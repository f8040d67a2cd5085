"""The panel of many runs: every run accounted for, in the table and in the figure's words."""

from __future__ import annotations

import pytest

from toolkit.lab.many_runs_panel import many_panel, show_many, temperature_chart


@pytest.mark.row("J6")
def test_the_summary_accounts_for_every_run():
    """Forty attempted; what was lost stands beside what was judged, and the first failing steps behind it."""
    picture = show_many(1, 40, 0.5)
    assert picture.summary.startswith("Overall: 40 attempted = ")
    assert "First failing step: " in picture.summary
    assert [row[0] for row in picture.rows][-1] == "overall"
    assert len(picture.rows) == 5


@pytest.mark.row("J6")
def test_few_runs_give_a_wide_interval():
    """Four of four passed says little: the rate may well be one half."""
    overall = show_many(0, 4, 0.0).rows[-1]
    assert overall == ["overall", 4, 4, "100%", "51% to 100%", "100% to 100%"]


def test_where_nothing_was_judged_there_is_no_rate():
    """Every result lost, one run: some check has nothing to count, and says so."""
    cells = [row[1:] for row in show_many(0, 1, 1.0).rows]
    assert [0, 0, "none", "none", "0% to 100%"] in cells


def test_the_temperature_chart_says_rate_and_powers():
    """A rate that still looks good leaves little of pass^8."""
    words = temperature_chart(20, [0, 1]).words
    assert words.startswith("temperature 0: rate 100%, pass^4 100%, pass^8 100%; temperature 1: rate ")


def test_the_panel_moves_with_its_controls():
    """No fault at temperature 0: all that was judged passed."""
    panel = many_panel()
    panel["temperature"].value = 0
    assert panel.error is None
    judged, passed = panel.picture.rows[-1][1:3]
    assert judged == passed
