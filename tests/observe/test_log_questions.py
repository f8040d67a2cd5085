"""Questions answered from a log, on lines whose answers can be counted by hand."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolkit.lab.virtual_time import VirtualTime
from toolkit.observe.percentiles import percentile, sample_needed
from toolkit.observe.questions import (
    Cause,
    Repeat,
    causes,
    failing,
    latencies_ms,
    latency_per_tool,
    mean_latency_ms,
    repeated_inputs,
    wrong_arguments,
)
from toolkit.trajectory.statistics import wilson_interval


@pytest.mark.row("T11", "E9")
def test_latency_is_that_of_answers(line):
    """Failures have no answer, refusals no work, a replay was not run, an injected fault is no fault of the tool."""
    lines = [line(duration_ms=100.0), line(duration_ms=300.0), line(status="degraded", duration_ms=500.0)]
    lines += [line(status="timeout", duration_ms=9000.0), line(status="validation_error", duration_ms=0.1)]
    lines += [line(duration_ms=1.0, replayed=True), line(duration_ms=7000.0, injected="latency")]
    assert latencies_ms(lines) == [100.0, 300.0, 500.0]
    assert mean_latency_ms(lines) == 300.0
    assert mean_latency_ms([line(status="timeout")]) is None


@pytest.mark.row("T11", "E9")
def test_p95_per_tool(line):
    """Each tool by its own answers; where they are too few the number says so."""
    lines = [line(tool="search", duration_ms=float(number)) for number in range(1, 201)]
    found = latency_per_tool([*lines, line(tool="book", duration_ms=5.0)])
    assert {tool: str(each) for tool, each in found.items()} == {
        "book": "p95: needs 73 values, has 1",
        "search": "p95: 190",
    }


@pytest.mark.row("T11")
def test_repeated_inputs(line):
    """The same input to the same tool in one session; another session, tool or input is another question."""
    same = {"input_hash": "a1", "session": "s1"}
    lines = [line(**same), line(**same), line(**same), line(**{**same, "session": "s2"}), line(**same, tool="book")]
    lines += [line(input_hash="b2", session="s1"), line(session="s1"), line(session="s1")]
    assert repeated_inputs(lines) == [Repeat("s1", "search_hotels", "a1", 3)]
    assert repeated_inputs(lines, at_least=4) == []


@pytest.mark.row("T11")
def test_causes(line):
    """Each way to end without an answer of one's own, counted; successes have none."""
    bug = {"status": "execution_error", "error_kind": "bug", "error_type": "KeyError"}
    lines = [line(**bug), line(**bug), line(status="timeout", error_kind="timeout"), line()]
    assert causes(lines).most_common() == [
        (Cause("search_hotels", "execution_error", "bug", "KeyError"), 2),
        (Cause("search_hotels", "timeout", "timeout", None), 1),
    ]


@pytest.mark.row("T11")
def test_the_argument_models_get_wrong_most(line):
    """Counted once for each call, whatever else was wrong in it."""
    lines = [line(status="validation_error", fields=("check_in",)) for _ in range(3)]
    lines += [line(status="validation_error", fields=("nights", "check_in")), line()]
    assert wrong_arguments(lines).most_common(1) == [(("search_hotels", "check_in"), 4)]


@pytest.mark.row("T11", "E8")
def test_failing_samples_are_the_latest(line):
    """The last failure first, refusals not among them."""
    lines = [line(float(second), "timeout") for second in range(20)] + [line(20.0, "denied")]
    assert [each.ended_s for each in failing(lines, limit=3)] == [19.0, 18.0, 17.0]


@pytest.mark.row("E9")
@given(st.lists(st.floats(0, 1e6), min_size=1), st.sampled_from([0.5, 0.9, 0.95, 0.99]))
def test_a_percentile_is_a_value_that_occurred(values, share):
    """At least the share of the values lies at or below it, and fewer than that below the next smaller value."""
    found = percentile(values, share).value
    at_or_below = sum(value <= found for value in values)
    below = sum(value < found for value in values)
    assert found in values
    assert at_or_below >= share * len(values) - 1e-9
    assert below < share * len(values)


@pytest.mark.row("E9")
@pytest.mark.parametrize("share", [0.5, 0.8, 0.9, 0.95, 0.99, 0.995, 0.999])
def test_the_sample_a_share_needs_is_the_smallest_that_shows_it(share):
    """With so many successes out of as many Wilson's interval begins at the share, with one less it does not."""
    needed = sample_needed(share)
    assert wilson_interval(needed, needed).low >= share
    assert wilson_interval(needed - 1, needed - 1).low < share


def test_a_share_of_all_is_no_percentile():
    """0 and 1 have no sample that would do; the text names the rule."""
    for share in (0.0, 1.0, 95):
        with pytest.raises(ValueError) as raised:
            percentile([1.0], share)
        assert str(raised.value) == f"A share must lie between 0 and 1, and {share} does not."


def test_no_values_no_percentile():
    """An empty log has no p95."""
    assert percentile([], 0.95) == (0.95, None, 0, 73)


@pytest.mark.row("T11", "S7")
def test_a_model_that_asks_again_is_found_by_its_hash(line):
    """Through a real gateway: other order of keys, the same question; the log holds no argument."""
    from toolkit import Context, Gateway, Registry, tool
    from toolkit.observe.lines import line_of

    registry, records, clock = Registry(), [], VirtualTime()

    @tool(registry, idempotent=True)
    async def call_back(number: str, country: str) -> str:
        """Call back."""
        return "ok"

    gateway = Gateway(registry, log_sink=records.append, clock=clock.now)
    for arguments in ({"number": "5550100", "country": "US"}, {"country": "US", "number": "5550100"}):
        call = {"id": "c", "function": {"name": "call_back", "arguments": json.dumps(arguments)}}
        clock.run(gateway.call(call, Context(session="s1")))
    lines = [line_of(record, 0.0) for record in records]
    assert [(each.tool, each.times) for each in repeated_inputs(lines)] == [("call_back", 2)]
    assert "5550100" not in str(records)
