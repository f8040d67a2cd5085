"""Spans of tool calls, with the real OpenTelemetry SDK."""

from __future__ import annotations

import asyncio
import json

import pytest

from toolkit import Context, Registry, tool
from toolkit.observe.tracing import ATTRIBUTES, TracedGateway

pytest.importorskip("opentelemetry.sdk", reason="the extra `otel` is not installed")

from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind, StatusCode


@pytest.fixture
def spans():
    """Where finished spans are kept."""
    return InMemorySpanExporter()


@pytest.fixture
def tracer(spans):
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(spans))
    return provider.get_tracer("test")


def run(tracer, *calls, cancel=False, **options):
    registry = Registry()

    @tool(registry)
    async def find_room(city: str) -> str:
        """Find a room."""
        if city == "Atlantis":
            raise ValueError("sk-secret")
        if city == "Erewhon":
            await asyncio.Event().wait()
        with tracer.start_as_current_span("inside the tool"):
            return "found"

    async def main():
        async with TracedGateway(registry, tracer=tracer, **{"log_sink": None, **options}) as gateway:
            raw = [{"id": i, "function": {"name": name, "arguments": json.dumps(given)}} for i, name, given in calls]
            task = asyncio.ensure_future(gateway.call_all(raw, Context(session="run-1")))
            await asyncio.sleep(0)
            if cancel:
                await asyncio.sleep(0)
                task.cancel()
            return await task

    return asyncio.run(main())


@pytest.mark.row("E8")
def test_a_call_is_a_span_with_the_conventions_names(spans, tracer):
    """Name, kind and attributes of `execute_tool`; what they have no name for stands under `toolkit.`."""
    run(tracer, ("c1", "find_room", {"city": "Xi'an"}))
    span = next(span for span in spans.get_finished_spans() if span.name == "execute_tool find_room")
    attributes = dict(span.attributes)
    assert len(attributes.pop("toolkit.input_hash")) == 24
    assert (span.kind, span.status.status_code) == (SpanKind.INTERNAL, StatusCode.UNSET)
    assert attributes == {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "find_room",
        "gen_ai.tool.call.id": "c1",
        "gen_ai.tool.type": "function",
        "gen_ai.conversation.id": "run-1",
        "toolkit.status": "success",
        "toolkit.attempts": 1,
    }


@pytest.mark.row("E8")
def test_the_names_are_those_the_sdk_knows():
    """The package of names that comes with the SDK spells them alike, where it still has them."""
    from opentelemetry.semconv._incubating.attributes import gen_ai_attributes as names

    known = {value for name, value in vars(names).items() if name.startswith("GEN_AI_") and isinstance(value, str)}
    ours = {name for name in ATTRIBUTES.values() if name.startswith("gen_ai.")}
    assert ours | {"gen_ai.operation.name", "gen_ai.tool.type"} <= known
    assert names.GenAiOperationNameValues.EXECUTE_TOOL.value == "execute_tool"


@pytest.mark.row("E8", "S6")
def test_a_failure_is_an_error_without_its_text(spans, tracer):
    """The kind of error and the status are on the span; the exception's text and the arguments are not."""
    run(tracer, ("c1", "find_room", {"city": "Atlantis"}))
    (span,) = spans.get_finished_spans()
    assert span.status.status_code is StatusCode.ERROR
    assert (span.status.description, span.attributes["error.type"]) == ("execution_error", "bug")
    assert span.events == ()
    assert "sk-secret" not in span.to_json() + str(span.attributes)
    assert "Atlantis" not in span.to_json()


@pytest.mark.row("S14")
def test_a_made_up_name_is_not_the_name_of_a_span(spans, tracer):
    """Names of spans come from the registry."""
    run(tracer, ("c1", "sk-secret", {}))
    assert [span.name for span in spans.get_finished_spans()] == ["execute_tool (unknown)"]


@pytest.mark.row("E8")
def test_what_a_tool_traces_hangs_below_its_call(spans, tracer):
    """Siblings of one turn have a span each, and each tool's own span belongs to its call."""
    run(tracer, ("c1", "find_room", {"city": "Xi'an"}), ("c2", "find_room", {"city": "Lhasa"}))
    finished = spans.get_finished_spans()
    calls = {span.context.span_id: span for span in finished if span.name.startswith("execute_tool")}
    inside = [span for span in finished if span.name == "inside the tool"]
    assert len(calls) == 2
    assert {span.parent.span_id for span in inside} == set(calls)


def test_a_cancelled_call_ends_its_span(spans, tracer):
    """The caller went away: the span says so, and the cancellation goes on."""
    with pytest.raises(asyncio.CancelledError):
        run(tracer, ("c1", "find_room", {"city": "Erewhon"}), cancel=True)
    (span,) = spans.get_finished_spans()
    assert (span.name, span.attributes["error.type"]) == ("execute_tool", "cancelled")


def test_the_log_is_written_as_before(tracer):
    """A span is beside the log line, not in its place."""
    records = []
    run(tracer, ("c1", "find_room", {"city": "Xi'an"}), log_sink=records.append)
    assert [record["status"] for record in records] == ["success"]
