"""Tools that remember, in real processes."""

from __future__ import annotations

import pytest

from toolkit.lab.stale_caches import compare_caches, draw_caches, share_right


@pytest.mark.row("T14")
def test_three_processes_that_remember_are_mostly_wrong():
    """Right alone, wrong together, right again with a store that all ask."""
    shares = compare_caches()
    assert shares["one process, remembers"] == 1.0
    assert 0.3 < shares["three processes, each remembers"] < 0.5
    assert shares["three processes, shared store"] == 1.0


def test_the_same_seed_gives_the_same_share():
    """The requests are drawn from a seed and sent one after the other, so nothing depends on the machine."""
    assert share_right(2, "local", requests=60) == share_right(2, "local", requests=60)


def test_the_chart_says_its_figures():
    """Every bar's percentage stands in the words."""
    assert draw_caches({"one": 1.0, "three": 0.383}).words == "one: 100.0% right; three: 38.3% right"
