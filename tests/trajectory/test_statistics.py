"""Wilson's interval of a counted rate."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolkit.trajectory.statistics import wilson_interval


@pytest.mark.row("J6")
@given(trials=st.integers(1, 10_000), data=st.data())
def test_its_ends_solve_the_equation_it_is_defined_by(trials, data):
    """Each end lies exactly z standard errors from the observed rate, its own error taken, or is 0 or 1."""
    hits = data.draw(st.integers(0, trials))
    for end in wilson_interval(hits, trials, z=2.0):
        distance = (hits / trials - end) ** 2
        assert distance == pytest.approx(4.0 * end * (1 - end) / trials, abs=1e-12)


def test_no_hits_leave_room_for_some():
    """Ten runs without a success do not prove that there will be none."""
    low, high = wilson_interval(0, 10)
    assert low == 0.0
    assert high == pytest.approx(0.27753, abs=1e-5)


@pytest.mark.parametrize(("hits", "trials"), [(0, 0), (-1, 5), (6, 5)])
def test_what_is_no_rate_is_refused(hits, trials):
    """No trials, or more hits than trials."""
    with pytest.raises(ValueError, match=f"{hits} of {trials} is no rate"):
        wilson_interval(hits, trials)
