"""The log: written by a gateway through structlog, read back as lines."""

from __future__ import annotations

import asyncio
import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolkit import Context, Gateway, Registry, TransientError, tool
from toolkit.gateway import Settings
from toolkit.gateway.log import FIELDS as GATEWAY_FIELDS
from toolkit.observe.fields import FIELDS, MEANINGS
from toolkit.observe.lines import by_tool, read_log, real, span_s
from toolkit.observe.sinks import DEBUG_FIELDS, json_logger, structlog_debug_sink, structlog_sink
from toolkit.records import Status


def written(*calls, debug=None):
    """What a gateway writes of these calls at 2026-09-15, 08:00."""
    file, registry = io.StringIO(), Registry()

    @tool(registry, idempotent=True)
    async def find_room(city: str, nights: int) -> str:
        """Find a room."""
        if city == "Atlantis":
            raise TransientError("no answer from db://user:secret@host")
        return "found"

    async def main():
        sink = structlog_sink(json_logger(file, wall_clock=lambda: 1_789_459_200.0))
        settings = Settings(attempts=1)
        async with Gateway(registry, settings, log_sink=sink, debug_sink=debug, clock=lambda: 0.0) as gateway:
            for call_id, name, arguments in calls:
                call = {"id": call_id, "function": {"name": name, "arguments": json.dumps(arguments)}}
                await gateway.call(call, Context(session="run-1"))

    asyncio.run(main())
    return file.getvalue()


ROOM = {"city": "Xi'an", "nights": 2}


@pytest.mark.row("T11")
def test_a_call_is_one_line_with_its_time():
    """The gateway's record, with a timestamp in UTC and the level before it."""
    line = json.loads(written(("c1", "find_room", ROOM)))
    assert (line["timestamp"], line["level"], line["status"]) == ("2026-09-15T08:00:00.000000Z", "info", "success")
    assert list(line) == [name for name in FIELDS if name in line]


@pytest.mark.row("T11")
def test_every_field_is_explained():
    """The documented fields are the gateway's and the two that the sink adds."""
    assert tuple(MEANINGS) == FIELDS == ("timestamp", "level", *GATEWAY_FIELDS)


@pytest.mark.row("S6", "T11")
def test_a_field_nobody_named_is_not_written():
    """Whoever calls the sink, only what is on the list gets into the file."""
    file = io.StringIO()
    structlog_sink(json_logger(file, wall_clock=lambda: 0.0))({"event": "tool_call", "password": "hunter2"})
    assert file.getvalue() == '{"timestamp": "1970-01-01T00:00:00.000000Z", "level": "info", "event": "tool_call"}\n'


@pytest.mark.row("T11", "F9")
def test_info_tells_the_course_and_debug_the_details():
    """The text of an exception stands in the debug file only, at level debug."""
    details = io.StringIO()
    course = written(
        ("c1", "find_room", {**ROOM, "city": "Atlantis"}),
        debug=structlog_debug_sink(json_logger(details, DEBUG_FIELDS)),
    )
    assert "secret" not in course
    assert json.loads(course)["error_type"] == "TransientError"
    detail = json.loads(details.getvalue())
    assert (detail["level"], detail["tool"]) == ("debug", "find_room")
    assert "db://user:secret@host" in detail["traceback"]


@pytest.mark.row("S8", "T11")
@given(st.text())
def test_whatever_a_record_holds_it_is_one_line(text):
    """No text starts a line of its own, and the line is ASCII."""
    file = io.StringIO()
    structlog_sink(json_logger(file))({"event": "tool_call", "tool": text, "status": "success"})
    assert file.getvalue().isascii()
    assert len(file.getvalue().splitlines()) == 1
    assert read_log(file.getvalue().splitlines()).lines[0].tool == text


@pytest.mark.row("T11")
def test_a_log_is_read_back_as_it_was_written():
    """Answers, refusals and failures, with what is known of each."""
    calls = [("c1", "find_room", ROOM), ("c2", "find_room", {"city": "Xi'an", "nights": "many", "x": 1})]
    calls += [("c3", "find_room", {**ROOM, "city": "Atlantis"}), ("c4", "find_flat", {})]
    log = read_log(written(*calls).splitlines())
    assert [(line.call_id, line.tool, line.outcome) for line in log] == [
        ("c1", "find_room", "answered"),
        ("c2", "find_room", "refused"),
        ("c3", "find_room", "failed"),
        ("c4", "(unknown)", "refused"),
    ]
    assert log.lines[1].fields == ("nights", "(undeclared)")
    assert (log.lines[2].error_kind, log.lines[2].error_type) == ("unavailable", "TransientError")
    assert (log.lines[0].ended_s, log.lines[0].session) == (1_789_459_200.0, "run-1")


GOOD = '{"timestamp": "2026-09-15T08:00:01Z", "tool": "add", "status": "success", "duration_ms": 500}'


@pytest.mark.row("T11")
def test_what_cannot_be_read_is_counted_by_its_reason(tmp_path):
    """Half a line, another event, a line without a time or without a call: skipped, not hidden."""
    path = tmp_path / "tools.jsonl"
    lines = [GOOD, "", GOOD[:-9], "[]", "[" * 100_000, '{"event": "startup"}', '{"tool": "add", "status": "success"}']
    lines += ['{"timestamp": "2026-09-15T08:00:00Z", "tool": "add", "status": "great"}']
    lines += ['{"timestamp": "2026-09-15T08:00:00Z", "tool": 7, "status": "success"}']
    path.write_text("\n".join(lines), encoding="utf-8")
    log = read_log(path)
    assert len(log) == 1
    assert log.skipped == {"no JSON object": 3, "another event": 1, "no timestamp": 1, "no call": 2}


@given(st.lists(st.text() | st.binary().map(repr)))
def test_reading_never_raises(lines):
    """Any text is a line, or counted."""
    log = read_log(lines)
    assert len(log) + log.skipped.total() <= len(lines)


def test_lines_stand_in_the_order_in_which_calls_ended():
    """Two writers interleave; the log is sorted by time."""
    earlier = GOOD.replace("08:00:01", "07:59:59")
    assert [line.ended_s for line in read_log([GOOD, earlier])] == [1_789_459_199.0, 1_789_459_201.0]


@pytest.mark.row("E9")
@pytest.mark.parametrize(
    ("status", "kind", "outcome"),
    [
        ("success", None, "answered"),
        ("degraded", "unavailable", "answered"),
        ("execution_error", "tool_error", "refused"),
        ("execution_error", "bug", "failed"),
        ("context_error", "refused", "refused"),
        ("context_error", "hook_crashed", "failed"),
        ("timeout", "timeout", "failed"),
        ("outcome_unknown", "timeout", "failed"),
        ("busy", "busy", "failed"),
        ("circuit_open", "circuit_open", "failed"),
        ("needs_confirmation", "needs_confirmation", "refused"),
        ("rate_limited", "session_cap", "refused"),
    ],
)
def test_whose_doing_a_call_without_a_value_was(line, status, kind, outcome):
    """A refusal tells of the caller, a failure of the tool."""
    assert line(status=status, error_kind=kind).outcome == outcome


def test_every_status_has_an_outcome(line):
    """None is forgotten, and only values are answers."""
    assert {status for status in Status if line(status=status).outcome == "answered"} == {"success", "degraded"}


@pytest.mark.row("F30", "E9")
def test_injected_faults_are_left_out(line):
    """They are the lab's doing, so no tool has them among its lines."""
    lines = [line(1.0, tool="b"), line(2.0, tool="a"), line(3.0, "timeout", tool="a", injected="hang")]
    assert real(lines) == lines[:2]
    assert by_tool(lines) == {"a": [lines[1]], "b": [lines[0]]}


def test_a_log_spans_from_the_first_start_to_the_last_end(line):
    """A call that ended at 5 s and took 2 s began at 3 s."""
    assert span_s([line(5.0, duration_ms=2000.0), line(9.0)]) == 6.0
    assert span_s([]) == 0.0
