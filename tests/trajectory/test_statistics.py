"""Wilson's interval of a counted rate, and what many runs say together."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolkit.hotel import HOTEL_POLICY
from toolkit.hotel.controls import load_control
from toolkit.trajectory import Verdict, evaluate
from toolkit.trajectory.statistics import (
    Tally,
    first_failing_step,
    first_failing_steps,
    pass_power,
    tally_checks,
    wilson_interval,
)


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


# -- many runs -----------------------------------------------------------------------------------------------

PASS, FAIL, UNJUDGED, IDLE = Verdict
tallies = st.builds(Tally, *[st.integers(0, 30)] * 5)


@pytest.mark.row("J6")
@given(tallies)
def test_every_run_attempted_is_counted_once(tally):
    """Attempted = judged + not judgeable + not applicable + harness errors, and the sentence says all of them."""
    parts = (tally.passed, tally.failed, tally.not_judgeable, tally.not_applicable, tally.errors)
    assert tally.attempted == sum(parts) == tally.judged + tally.unjudged
    assert str(tally) == (
        f"{tally.attempted} attempted = {tally.judged} judged ({tally.passed} passed) + {tally.not_judgeable} not "
        f"judgeable + {tally.not_applicable} not applicable + {tally.errors} harness errors"
    )


@pytest.mark.row("J6")
@given(tallies)
def test_the_rate_lies_within_interval_and_bounds(tally):
    """Whatever became of the unjudged runs, the rate over all lies between the bounds."""
    if tally.judged:
        assert tally.interval.low - 1e-9 <= tally.rate <= tally.interval.high + 1e-9
        assert tally.bounds.low <= tally.rate <= tally.bounds.high
    else:
        assert (tally.rate, tally.interval) == (None, None)
    assert (tally.bounds is None) == (tally.attempted == 0)


def test_verdicts_are_counted_by_word_and_none_is_a_harness_error():
    """A run without a recording is no failure of the agent."""
    assert Tally.of([PASS, PASS, FAIL, UNJUDGED, IDLE, None]) == Tally(2, 1, 1, 1, 1)


@pytest.mark.row("J6")
@given(passed=st.integers(0, 6), failed=st.integers(0, 6), k=st.integers(1, 6))
def test_pass_power_is_the_share_of_draws_that_all_pass(passed, failed, k):
    """Counted out over every way to draw k runs; undefined where there are fewer."""
    runs = [True] * passed + [False] * failed
    draws = list(combinations(runs, k))
    expected = sum(map(all, draws)) / len(draws) if draws else None
    assert pass_power([Tally(passed, failed)], k) == (None if expected is None else pytest.approx(expected))


def test_pass_power_is_the_mean_over_tasks():
    """A task done always and a task done never give one half; a task judged too seldom leaves it undefined."""
    always, never = Tally(passed=5), Tally(failed=5)
    assert pass_power([always, never], 3) == 0.5
    assert pass_power([always, Tally(passed=2, not_judgeable=9)], 3) is None
    assert pass_power([], 1) is None
    with pytest.raises(ValueError, match="k is 0; it must be at least 1"):
        pass_power([always], 0)


@pytest.mark.parametrize(
    ("control", "step"),
    [
        ("ok", None),
        ("skip", "book_hotel"),
        ("fabricated_id", "book_hotel"),
        ("wrong_room", "book_hotel"),
        ("no_plan", "get_weather"),
    ],
)
def test_the_first_failing_step_is_the_call_a_fail_points_to(control, step):
    """The earliest of them; a run that passes has none."""
    assert first_failing_step(evaluate(load_control(control), HOTEL_POLICY)) == step


def test_a_run_that_ends_too_early_has_no_call_to_blame():
    """Nothing was booked: the fail points to the run."""
    report = evaluate(load_control("ok")[:8], HOTEL_POLICY)
    assert first_failing_step(report) == ""
    assert first_failing_steps([report, None, report]) == {"": 2}


def test_each_check_has_a_tally_of_its_own():
    """All of the same runs, the lost one included."""
    reports = [evaluate(load_control(name), HOTEL_POLICY) for name in ("ok", "wrong_room", "no_plan")]
    counted = tally_checks([*reports, None])
    assert counted["overall"] == Tally(passed=1, failed=2, errors=1)
    assert counted["plan_first"] == Tally(passed=2, failed=1, errors=1)
    assert counted["argument_provenance"] == Tally(passed=3, errors=1)
