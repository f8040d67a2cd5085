"""Measures by their definitions, on logs small enough to work out by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolkit.observe.measures import (
    Targets,
    measure,
    necessity,
    rate,
    relevance,
    success_rate,
    tail_latency,
    task_completion,
    time_between_failures,
)
from toolkit.observe.reliability import Outage, failures_interval, reliability
from toolkit.trajectory import Verdict


@pytest.mark.row("E9")
def test_mtbf_is_operating_time_over_failures(line):
    """An hour with two outages of 60 s and 240 s: 3,300 s of operation, 1,650 s between failures.

    The time between successes, which is published as MTBF, would be a few minutes here whatever fails.
    """
    lines = [line(600.0), line(900.0, "timeout"), line(930.0, "timeout"), line(960.0), line(1500.0)]
    lines += [line(1800.0, "execution_error", error_kind="bug"), line(2040.0), line(3600.0)]
    found = reliability(lines, start_s=0.0, end_s=3600.0)
    assert found.outages == (Outage(900.0, 960.0), Outage(1800.0, 2040.0))
    assert (found.operating_s, found.mtbf_s, found.mttr_s) == (3300.0, 1650.0, 150.0)
    assert found.availability == pytest.approx(3300 / 3600)


@pytest.mark.row("E9", "F30")
def test_refusals_and_injected_faults_are_no_failures(line):
    """A model's bad call and a lab's fault do not stop the clock of the tool; a degraded answer does."""
    lines = [line(10.0), line(20.0, "validation_error"), line(30.0, "timeout", injected="hang"), line(100.0)]
    assert reliability(lines, start_s=0.0).mtbf_s is None
    degraded = line(40.0, "degraded", error_kind="unavailable")
    assert reliability([*lines, degraded], start_s=0.0).outages == (Outage(40.0, 100.0),)


@pytest.mark.row("E9")
def test_an_outage_that_lasts_counts_to_the_end(line):
    """It is down until somebody saw it up again; nothing is known of its repair."""
    found = reliability([line(10.0), line(40.0, "timeout"), line(70.0, "timeout")], start_s=0.0, end_s=100.0)
    assert (found.outages, found.operating_s, found.mttr_s) == ((Outage(40.0, None),), 40.0, None)


def test_without_a_call_the_time_has_to_be_given(line):
    """A tool that nobody called was observed only where somebody says so."""
    with pytest.raises(ValueError, match="Give start_s and end_s"):
        reliability([line(1.0, "denied")])
    assert reliability([], start_s=0.0, end_s=60.0).operating_s == 60.0


@pytest.mark.row("E9")
@given(st.lists(st.tuples(st.floats(0, 1e6), st.sampled_from(["success", "timeout", "denied"]))))
def test_operating_and_down_time_add_up(ended):
    """Whatever happened, the time observed is the time up and the time down, and outages do not overlap."""
    from toolkit.observe.lines import Line
    from toolkit.records import Status

    found = reliability([Line(s, "t", Status(status), 0.0) for s, status in ended], start_s=0.0, end_s=1e6)
    assert found.operating_s + found.down_s == pytest.approx(1e6)
    assert found.operating_s >= -1e-6
    ends = [outage.ended_s for outage in found.outages]
    assert all(end <= later.began_s for end, later in zip(ends, found.outages[1:], strict=False))


@pytest.mark.row("E9")
@pytest.mark.parametrize(("count", "low", "high"), [(0, 0.0, 3.689), (1, 0.0253, 5.572), (10, 4.795, 18.390)])
def test_the_interval_of_a_count_is_the_published_one(count, low, high):
    """Garwood's table, to its four digits."""
    assert failures_interval(count) == pytest.approx((low, high), abs=5e-4)


@pytest.mark.row("E9")
def test_the_interval_of_large_counts_is_found(line):
    """A thousand failures: about plus and minus two standard deviations, and no overflow."""
    assert failures_interval(1000) == pytest.approx((938.97, 1063.97), abs=0.05)


@pytest.mark.row("E9")
def test_success_rate_is_of_calls_that_say_something_of_the_tool(line):
    """Answered over answered and failed; refused and injected calls are in neither."""
    lines = [line()] * 97 + [line(status="timeout")] * 3 + [line(status="denied")] * 50
    found = success_rate([*lines, line(status="timeout", injected="hang")], target=0.995)
    assert (found.value, found.sample, found.needed, found.standing) == (0.97, 100, 765, "missed")


@pytest.mark.row("E9")
@pytest.mark.parametrize(
    ("hits", "trials", "standing"),
    [(20, 20, "open"), (764, 764, "open"), (765, 765, "met"), (980, 1000, "missed"), (994, 1000, "open")],
)
def test_a_target_is_met_or_missed_only_where_the_sample_shows_it(hits, trials, standing):
    """The whole interval on one side of 99.5 %, or the question stays open."""
    assert rate("success rate", hits, trials, 0.995).standing == standing


@pytest.mark.row("E9")
def test_tail_latency_is_judged_as_the_share_that_was_quick_enough(line):
    """p95 within 2 s is 95 % within 2 s, so a few values say nothing."""
    quick, slow = line(duration_ms=100.0), line(duration_ms=5000.0)
    assert tail_latency([quick] * 20, 2000.0).standing == "open"
    assert tail_latency([quick] * 100, 2000.0).standing == "met"
    missed = tail_latency([quick] * 80 + [slow] * 20, 2000.0)
    assert (missed.name, missed.value, missed.target, missed.standing) == ("p95 in ms", 5000.0, 2000.0, "missed")


@pytest.mark.row("E9")
def test_necessity_is_the_share_of_new_questions(line):
    """The same input answered again in one session was not necessary; another session may ask it."""
    lines = [line(input_hash="a", session="s1")] * 3 + [line(input_hash="a", session="s2")]
    assert necessity(lines, target=0.95).value == 0.5


@pytest.mark.row("E9")
def test_task_completion_is_over_judged_runs():
    """What could not be judged is neither completed nor failed, and is not hidden in the sample."""
    verdicts = [Verdict.PASS] * 8 + [Verdict.FAIL] * 2 + [Verdict.NOT_JUDGEABLE] * 5
    found = task_completion(verdicts, target=0.9)
    assert (found.value, found.sample) == (0.8, 10)


@pytest.mark.row("E9")
def test_relevance_is_the_mean_score_with_its_interval(line):
    """Forty scores around 0.9 meet a target of 0.8; three do not yet."""
    scores = [line(score=score) for score in (0.85, 0.95)]
    assert relevance(scores * 20, target=0.8).standing == "met"
    assert relevance(scores, target=0.8).standing == "open"
    assert relevance([line(), scores[0]], target=0.8)[:5] == ("relevance", 0.85, None, 0.8, 1)
    assert relevance([line()], target=0.8).standing == "no data"


@pytest.mark.row("E9")
def test_mtbf_is_judged_by_its_interval(line):
    """Ten hours without a failure show an hour, one hour does not; ten failures in an hour deny it."""
    hours = [line(0.0), line(36_000.0)]
    assert time_between_failures(hours, 3600.0).standing == "met"
    hour = time_between_failures([line(0.0), line(3600.0)], 3600.0)
    assert (hour.value, hour.sample, hour.needed, hour.standing) == (None, 3600, 13_280, "open")
    flapping = [line(180.0 * n, "timeout" if n % 2 else "success") for n in range(21)]
    assert time_between_failures(flapping, 3600.0).standing == "missed"


@pytest.mark.row("E9")
def test_mtbf_is_that_of_a_tool_not_of_the_mix(line):
    """The weather answers all through an outage of the search: one failure in two tools' time, not one a call."""
    lines = [line(float(second), tool="get_weather") for second in range(0, 101, 10)]
    lines += [line(second + 5.0, "timeout" if 20 < second < 60 else "success") for second in range(0, 91, 10)]
    found = time_between_failures(sorted(lines, key=lambda each: each.ended_s), 60.0)
    assert (found.value, found.sample) == (170.0, 170)


@pytest.mark.row("E9")
def test_every_measure_has_a_target_and_a_sample(line):
    """Six names, whatever the log holds; an empty one has no data and no error."""
    names = ["success rate", "MTBF in s", "p95 in ms", "relevance", "necessity of calls", "task completion"]
    assert [each.name for each in measure([line()])] == names
    empty = measure([], targets=Targets(success_rate=0.9))
    assert {each.standing for each in empty} == {"no data"}
    assert all(each.needed > 0 and each.target > 0 for each in empty)
