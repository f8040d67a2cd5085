"""The published mistakes of lesson 10 fail as the lesson says."""

from __future__ import annotations

import pytest

from toolkit.lab.mistakes.logs import (
    MeanLatency,
    careless_minute,
    input_id,
    mean_time_between_failures,
    without_secrets,
)
from toolkit.observe.lines import Line
from toolkit.observe.questions import mean_latency_ms
from toolkit.observe.reliability import reliability
from toolkit.records import Status


@pytest.mark.row("X12", "T11")
def test_a_careless_log_cannot_tell_which_search_failed():
    """The failure stands after all three calls, and a card number in one of them."""
    lines = careless_minute().splitlines()
    assert lines.index("something went wrong, see above") == 4
    assert sum("search_hotels with" in line for line in lines[:4]) == 2
    assert "4111 1111 1111 1111" in careless_minute()


@pytest.mark.row("X12", "S6")
def test_a_list_of_forbidden_names_misses_spellings_depth_and_prose():
    """One of four is masked."""
    record = {"api_key": "s1", "API_KEY": "s2", "headers": {"token": "s3"}, "note": "s4"}
    assert [secret in str(without_secrets(record)) for secret in ("s1", "s2", "s3", "s4")] == [False, True, True, True]


@pytest.mark.row("X12", "S7")
def test_a_hash_of_a_printed_dict_is_not_the_inputs():
    """Order changes it, and eight hex digits of a small space are found by trying."""
    assert input_id({"a": 1, "b": 2}) != input_id({"b": 2, "a": 1})
    assert input_id({"a": 1}) != input_id({"a": 1.0})


@pytest.mark.row("X12", "E9")
def test_a_mean_with_failures_in_the_divisor_is_too_small():
    """A timeout and an answer after 100 ms: 50 there, 100 here."""
    mean = MeanLatency()
    mean.add(10_000, ok=False)
    mean.add(100, ok=True)
    lines = [Line(1.0, "t", Status.TIMEOUT, 10_000.0), Line(2.0, "t", Status.SUCCESS, 100.0)]
    assert (mean.mean_ms, mean_latency_ms(lines)) == (50, 100)


@pytest.mark.row("X12", "E9")
def test_the_time_between_successes_is_the_traffic():
    """With twice the calls and the same failures it halves; operating time over failures stays."""
    calls = [(float(second), second % 100 != 0) for second in range(1, 1000)]
    busier = sorted(calls + [(moment + 0.5, ok) for moment, ok in calls if ok])

    def ours(calls):
        lines = [Line(moment, "t", Status.SUCCESS if ok else Status.TIMEOUT, 0.0) for moment, ok in calls]
        return reliability(lines, 0.0, 1000.0).mtbf_s

    assert mean_time_between_failures(busier) == pytest.approx(mean_time_between_failures(calls) / 2, rel=0.02)
    assert ours(busier) == pytest.approx(ours(calls), rel=0.02)
