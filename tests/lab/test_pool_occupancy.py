"""Threads while one tool hangs, run through the real gateway in virtual time."""

from __future__ import annotations

import pytest

from toolkit.lab.pool_occupancy import occupancy, show_occupancy


@pytest.mark.row("T8", "F15")
@pytest.mark.parametrize(
    ("per_tool", "replacements", "answered", "most"),
    [(6, 0, 47, 6), (3, 0, 80, 3), (6, 6, 80, 6)],
    ids=["no shares", "a share of three", "stuck threads replaced"],
)
def test_prices_answered_beside_a_hanging_tool(per_tool, replacements, answered, most):
    """Without shares the hanging tool takes the whole pool; with shares or replacements every price is answered."""
    seen = occupancy(6, per_tool, replacements, hang_s=15)
    assert seen.ended["get_price", "success"] == answered
    assert max(seen.weather) == most


def test_the_same_settings_give_the_same_picture():
    """Real threads, but virtual time: nothing depends on the machine."""
    assert repr(show_occupancy(6, 4, 1, 10)) == repr(show_occupancy(6, 4, 1, 10))


def test_the_picture_says_what_it_shows():
    """Summary, table and words agree."""
    picture = show_occupancy(6, 3, 0, 15)
    assert picture.summary == "Prices answered: 80 of 80. Threads with the weather: up to 3."
    assert ["get_price", "success", 80] in picture.rows
    assert picture.chart.words == "threads with the weather against time: up to 3 of 6; prices refused: 0"
