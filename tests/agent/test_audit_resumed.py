"""An audit log is the run: resumed from it after a stop, whole but for the last line after a crash, and judged."""

from __future__ import annotations

import asyncio
import json

import pytest

from toolkit import Context, Gateway, Registry, tool
from toolkit.agent import AuditLog, asks_for, run_agent, says, scripted_client
from toolkit.hotel.controls import load_control
from toolkit.hotel.policies import policy_named
from toolkit.trajectory import evaluate, extract_calls
from toolkit.trajectory.formats import read_runs, trace_of

BOOK = ("book_hotel", {"hotel_id": "HT-002"})


def desk(booked):
    registry = Registry()

    @tool(registry, confirm=True)
    async def book_hotel(hotel_id: str) -> dict[str, str]:
        """Book a hotel."""
        booked.append(hotel_id)
        return {"status": "ok", "hotel_id": hotel_id}

    return registry


def messages_of(path, name):
    """The messages of one run of a log."""
    return next(run.messages for run in read_runs(path) if run.name == name)


def go_on(gateway, path, replies, words, context=None):
    """The run goes on from its log alone: what the user says, and everything the agent does, is written to it."""

    async def inside():
        messages = messages_of(path, "r1") if path.exists() else []
        with AuditLog(path, "r1") as log:
            log.append({"role": "user", "content": words})
            messages.append({"role": "user", "content": words})
            client = scripted_client(replies)
            how = {"model": "any", "on_message": log.append, "context": context or Context()}
            return await run_agent(client, gateway, messages, **how)

    return inside()


@pytest.mark.row("J5")
def test_a_run_stopped_for_confirmation_is_resumed_from_its_log(tmp_path):
    """The user says yes, the run goes on from the file, and the file is the one run from its first message on."""
    booked, path = [], tmp_path / "audit.jsonl"

    async def both():
        async with Gateway(desk(booked), log_sink=None) as gateway:
            stopped = await go_on(gateway, path, [asks_for(BOOK), says("Shall I book it?")], "Book a hotel.")
            assert (stopped.stop, booked) == ("answered", [])
            (waiting,) = stopped.unconfirmed
            confirmed = Context(confirmed={waiting.error.confirmation})
            return await go_on(gateway, path, [asks_for(BOOK), says("Booked.")], "Yes.", confirmed)

    ended = asyncio.run(both())
    assert booked == ["HT-002"]
    assert messages_of(path, "r1") == json.loads(json.dumps(ended.messages))
    (run,) = read_runs(path)
    trace = trace_of(run)
    assert [(call.name, str(call.outcome)) for call in trace.calls] == [
        ("book_hotel", "error"),
        ("book_hotel", "success"),
    ]
    assert str(evaluate(trace, policy_named("hotel"))["no_skipped_step"].verdict) == "fail"


@pytest.mark.row("J5")
def test_wherever_a_crash_cuts_the_file_only_the_line_being_written_is_lost(tmp_path):
    """Cut at every byte of its last two lines, all whole lines are read, and the run can be written on."""
    path, messages = tmp_path / "audit.jsonl", load_control("ok")
    with AuditLog(path, "r1") as log:
        for message in messages:
            log.append(message)
    whole = path.read_bytes()
    for length in range(len(b"".join(whole.splitlines(keepends=True)[:-2])), len(whole)):
        path.write_bytes(whole[:length])
        kept = whole[:length].count(b"\n")
        (run,) = read_runs(path)
        assert run.messages[:kept] == messages[:kept]
        assert len(run.messages) - kept <= 1  # a line of which only the line break is missing is whole
        with AuditLog(path, "r1") as log:
            for message in messages[log.seq :]:
                log.append(message)
        (run,) = read_runs(path)
        assert (run.messages, dict(run.missing_before)) == (messages, {})


def test_the_log_holds_the_calls_of_the_history(tmp_path):
    """Extracted from the log or from the messages in memory: the same calls and results."""
    path, messages = tmp_path / "audit.jsonl", load_control("wrong_room")
    with AuditLog(path, "r1") as log:
        for message in messages:
            log.append(message)
    (run,) = read_runs(path)
    logged, kept = trace_of(run).calls, extract_calls(messages).calls
    assert [call[:7] for call in logged] == [call[:7] for call in kept]
