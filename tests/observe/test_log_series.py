"""Series over time, on logs whose steps can be counted by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolkit.observe.lines import Line
from toolkit.observe.series import error_share, failure_times, latency, score_counts, success_share, throughput
from toolkit.records import Status


@pytest.mark.row("E8")
def test_throughput_is_calls_per_second_of_a_step(line):
    """Steps begin with the first line; an empty step has no calls, not no value."""
    lines = [line(100.0), line(101.0), line(109.9), line(130.0, tool="book_hotel")]
    found = throughput(lines, step_s=10.0)
    assert found["search_hotels"] == ((10.0, 20.0, 30.0, 40.0), (0.3, 0.0, 0.0, 0.0))
    assert found["book_hotel"].values == (0.0, 0.0, 0.0, 0.1)


@pytest.mark.row("E8", "E9")
def test_a_step_with_too_few_answers_has_no_percentile(line):
    """Eighty answers give a p95, and no p99; four in the next step give neither."""
    lines = [line(0.0, duration_ms=float(n)) for n in range(1, 81)] + [line(60.0, duration_ms=9.0)] * 4
    found = latency(lines, step_s=60.0)
    assert {name: series.values for name, series in found.items()} == {
        "p50": (40.0, 9.0),
        "p95": (76.0, None),
        "p99": (None, None),
    }


@pytest.mark.row("E8")
def test_error_share_is_of_the_tools_own_calls(line):
    """One timeout in four searches is a quarter, however much weather there is."""
    lines = [line(1.0)] * 3 + [line(2.0, "timeout", error_kind="timeout")] + [line(3.0, tool="get_weather")] * 96
    assert error_share(lines, step_s=60.0) == {("search_hotels", "timeout"): ((60.0,), (0.25,))}


@pytest.mark.row("E8")
def test_success_share_knows_steps_that_say_nothing(line):
    """Refusals alone are no success and no failure."""
    lines = [line(0.0), line(1.0, "timeout"), line(10.0, "denied"), line(20.0)]
    assert success_share(lines, step_s=10.0).values == (0.5, None, 1.0)


@pytest.mark.row("E8")
@given(st.lists(st.floats(0, 1)), st.integers(1, 20))
def test_every_score_is_in_one_part(scores, bins):
    """Also 0 and 1; and a score lies in the part that Prometheus' `le` would put it in."""
    lines = [Line(0.0, "t", Status.SUCCESS, 1.0, score=score) for score in scores]
    counts = score_counts(lines, bins)
    assert sum(counts) == len(scores)
    for part in range(bins):
        assert sum(counts[: part + 1]) == sum(score * bins <= part + 1 for score in scores)


@pytest.mark.row("E8", "F30")
def test_failures_lead_to_their_lines(line):
    """When, and under which id; drills and refusals are not among them."""
    lines = [line(5.0), line(7.0, "timeout", call_id="c7"), line(8.0, "denied"), line(9.0, "timeout", injected="hang")]
    assert failure_times(lines) == {"search_hotels": [(2.0, "c7")]}


def test_an_empty_log_has_empty_series():
    """Nothing to draw, no error; and a step of no time is refused."""
    assert throughput([], 60.0) == error_share([], 60.0) == failure_times([]) == {}
    assert success_share([], 60.0) == ((), ())
    with pytest.raises(ValueError, match="step_s is 0, but must be above 0 seconds"):
        throughput([], 0)
