"""Requests and responses recorded by others: every call and every result is read, streams included.

The recordings are not part of the project; without them these tests are skipped.
"""

from __future__ import annotations

import gzip
import json
import os
from collections import Counter
from pathlib import Path

import pytest

from toolkit.trajectory.formats import trace_of
from toolkit.trajectory.formats.runs import run_in
from toolkit.trajectory.pointers import resolve

_BESIDE = Path(__file__).resolve().parents[3] / "shared" / "recordings"
RECORDINGS = Path(os.environ.get("TOOLKIT_RECORDINGS", _BESIDE))
pytestmark = pytest.mark.skipif(not RECORDINGS.is_dir(), reason="the recordings made by others are not here")
BEGINNINGS = ("response.output_item.added", "content_block_start")
ENDINGS = ("/chat/completions", "/responses", "/messages")


def exchanges(project):
    with gzip.open(RECORDINGS / project / "exchanges.jsonl.gz", "rt", encoding="utf-8") as lines:
        return list(map(json.loads, lines))


def is_read(exchange):
    """Whether the interface that was called is one of the three."""
    path = exchange["uri"].split("?")[0]
    return path.endswith(ENDINGS) and "/threads/" not in path


def everything(value):
    """Every object inside a value, found without knowing any format."""
    if isinstance(value, dict):
        yield value
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from everything(inner)


def events(text):
    return [
        json.loads(line[5:]) for line in text.splitlines() if line.startswith("data:") and line[5:].strip()[:1] == "{"
    ]


def streamed(text):
    """How many calls begin in a stream, and how many results the vendor's own tools give in it."""
    chunks = events(text)
    parts = [
        (part.get("id"), part.get("index"))
        for chunk in chunks
        for choice in chunk.get("choices") or []
        for part in choice.get("delta", {}).get("tool_calls") or []
        if part.get("id")
    ]
    begun = [chunk.get("item") or chunk.get("content_block") for chunk in chunks if chunk.get("type") in BEGINNINGS]
    kinds = [each["type"] for each in begun]
    calls = sum(kind.endswith(("_call", "tool_use")) for kind in kinds)
    return len(set(parts)) + calls, sum(kind.endswith(("_output", "tool_result")) for kind in kinds)


def is_result(value):
    kind = value.get("type") if isinstance(value.get("type"), str) else ""
    return value.get("role") in ("tool", "function") or kind.endswith(("_output", "tool_result"))


def counted(exchange):
    """Calls and results by a count over the raw JSON that knows no format."""
    request, response = exchange["request"], exchange["response"]
    spoken = [request.get("messages"), request.get("input")]
    if isinstance(response, dict):
        spoken += [response.get("choices"), response.get("output"), response.get("content")]
    calls, results = streamed(response) if isinstance(response, str) else (0, 0)
    for each in everything(spoken):
        kind = each.get("type") if isinstance(each.get("type"), str) else ""
        calls += len(each.get("tool_calls") or []) + bool((each.get("function_call") or {}).get("name"))
        calls += kind.endswith(("_call", "tool_use"))
        results += is_result(each)
        results += kind.endswith("_call") and bool(each.get("output") or each.get("results"))
    return calls, results


@pytest.fixture(scope="module")
def read():
    """Every exchange over one of the three interfaces, with its trace."""
    return [
        (exchange, trace_of(run_in(exchange, "run", "")))
        for project in ("pydantic-ai", "openllmetry")
        for exchange in exchanges(project)
        if is_read(exchange)
    ]


@pytest.mark.row("J5", "X6")
def test_every_call_and_every_result_is_found(read):
    """In 786 exchanges, 123 of them streams; a result counts where it is paired, or told as one without its call."""
    assert (len(read), sum(isinstance(exchange["response"], str) for exchange, _ in read)) == (786, 123)
    for exchange, trace in read:
        odd = {each.at for each in trace.anomalies if each.code in ("orphan_result", "head_truncated")}
        alone = [at for at in odd if is_result(resolve(exchange, at))]
        found = sum(call.result_at is not None for call in trace.calls) + len(alone)
        assert (len(trace.calls), found) == counted(exchange), (exchange["path"], exchange["i"])


@pytest.mark.row("R1")
def test_every_pointer_leads_into_the_exchange(read):
    """Of calls, results and whatever is odd."""
    for exchange, trace in read:
        places = [(call.at, call.result_at) for call in trace.calls] + [(each.at,) for each in trace.anomalies]
        for place in (each for pair in places for each in pair if each is not None):
            resolve(exchange, place)


@pytest.mark.row("J8")
def test_what_is_odd_in_the_exchanges(read):
    """Nothing is invalid; 4 calls of the vendor's own tools came without a result, and 27 histories have no head."""
    codes = Counter(anomaly.code for _, trace in read for anomaly in trace.anomalies)
    assert codes == {
        "head_truncated": 27,
        "id_reused": 2,
        "outcome_undeclared": 23,
        "result_missing": 4,
        "result_unreadable": 91,
        "result_unstructured": 320,
        "run_ended": 466,
    }


def test_other_vendors_formats_are_refused_not_half_read():
    """Bedrock's messages have the same roles; taken for chat messages they would have no calls."""
    addresses = ("/converse", "/converse-stream", ":generateContent")
    others = [each for each in exchanges("pydantic-ai") if each["uri"].split("?")[0].endswith(addresses)]
    assert len(others) > 300
    assert [each["path"] for each in others if run_in(each, "run", "") is not None] == []
