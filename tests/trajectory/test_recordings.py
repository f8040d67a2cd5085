"""Real runs recorded by others: all are read, nothing is lost, and two invented payment ids are found.

The recordings are not part of the project; without them these tests are skipped.
"""

from __future__ import annotations

import gzip
import json
import os
from collections import Counter
from pathlib import Path

import pytest

from toolkit.hotel.policies import policy_named
from toolkit.trajectory import evaluate, extract_calls

_BESIDE = Path(__file__).resolve().parents[3] / "shared" / "recordings"
RECORDINGS = Path(os.environ.get("TOOLKIT_RECORDINGS", _BESIDE))
pytestmark = pytest.mark.skipif(not RECORDINGS.is_dir(), reason="the recordings made by others are not here")


@pytest.fixture(scope="module")
def airline():
    """100 runs of airline tasks: sierra-research/tau-bench at 59a200c, gpt-4o, trials 0 and 2."""
    with gzip.open(RECORDINGS / "tau-bench" / "airline_gpt4o_trials_0_2.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


@pytest.fixture(scope="module")
def coding():
    """3 runs of a coding agent: SWE-agent at 3ea751c; tool messages name their calls in a list."""
    paths = sorted((RECORDINGS / "swe-agent").rglob("*.traj"))
    return [json.loads(path.read_text("utf-8"))["history"] for path in paths]


@pytest.mark.row("J5")
def test_every_airline_run_is_read_whole(airline):
    """As many calls as assistant messages ask for, as many results as tool messages bring."""
    assert len(airline) == 100
    calls = results = 0
    for run in airline:
        trace = extract_calls(run["messages"])
        asked = sum(len(message.get("tool_calls") or []) for message in run["messages"])
        told = sum(message["role"] == "tool" for message in run["messages"])
        assert (len(trace.calls), sum(call.result_at is not None for call in trace.calls)) == (asked, told)
        calls, results = calls + asked, results + told
    assert (calls, results) == (572, 572)


@pytest.mark.row("R2", "R3")
def test_no_result_is_lost_where_an_id_is_used_again(airline):
    """24 runs use an id again, 35 times in all; a dict from id to result would lose as many results."""
    reused = [
        Counter(anomaly.code for anomaly in extract_calls(run["messages"]).anomalies)["id_reused"] for run in airline
    ]
    assert (sum(map(bool, reused)), sum(reused)) == (24, 35)
    for run in airline:
        for call in extract_calls(run["messages"]).calls:
            place = int(call.result_at.removeprefix("/"))
            assert run["messages"][place - 1]["tool_calls"][0]["id"] == call.id
            assert call.at == f"/{place - 1}/tool_calls/0"


def test_what_is_odd_in_the_airline_runs(airline):
    """Reused ids, results that are text, and results that are lists or numbers; nothing else."""
    codes = Counter(anomaly.code for run in airline for anomaly in extract_calls(run["messages"]).anomalies)
    assert codes == {"id_reused": 35, "result_unstructured": 111, "outcome_undeclared": 129}


@pytest.mark.row("J5", "P88")
def test_five_lines_of_policy_find_the_two_invented_payment_ids(airline):
    """Task 26, trials 0 and 2, both scored as right by their benchmark; no other run fails or stays open."""
    policy = policy_named("airline")
    reports = {(run["task_id"], run["trial"]): evaluate(run["messages"], policy) for run in airline}
    failed = {
        (*key, result.name, result.reason.split(" stands")[0])
        for key, report in reports.items()
        for result in report.results
        if str(result.verdict) in ("fail", "not_judgeable")
    }
    assert failed == {
        (26, 0, "payment_known", "call 5: payment_id 'credit_card_7334'"),
        (26, 2, "payment_known", "call 8: payment_id 'credit_card_7334'"),
    }
    assert [run["reward"] for run in airline if run["task_id"] == 26] == [1.0, 1.0]


@pytest.mark.row("J5", "R15")
def test_every_coding_run_is_read_whole(coding):
    """27 calls and their 27 results, 10 of them under an id used before; all results are plain text."""
    traces = [extract_calls(history) for history in coding]
    assert [len(trace.calls) for trace in traces] == [5, 11, 11]
    assert all(call.result_at is not None for trace in traces for call in trace.calls)
    codes = Counter(anomaly.code for trace in traces for anomaly in trace.anomalies)
    assert codes == {"id_reused": 10, "result_unstructured": 27}
