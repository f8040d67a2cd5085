"""One line per call: a fixed list of fields, nothing that a model, a tool or an exception says."""

from __future__ import annotations

import json
import logging
import time

import pytest

from toolkit import Context, Status, ToolError, tool
from toolkit.gateway import log


@pytest.mark.row("S6", "T11")
async def test_none_of_25_planted_secrets_is_logged(registry, gateway_for, raw, records, caplog):
    """Exceptions, arguments, keys, names, ids, results, hooks, scores: each carries one, and no line does."""
    caplog.set_level(logging.DEBUG)
    planted = []

    def plant():
        planted.append(f"sk-secret-{len(planted)} with a space")
        return planted[-1]

    refusals = [ToolError(plant(), next_step=plant()), None]

    def hook(name, arguments, context):
        refusal = refusals.pop(0)
        if refusal:
            raise refusal

    def crash(error):
        async def crash(text: str = "", number: int = 0) -> str:
            """Crash."""
            raise error from ValueError(plant())

        return crash

    errors = [ValueError(plant()), ConnectionError(plant()), TimeoutError(plant())]
    errors += [ToolError(plant(), next_step=plant()), KeyError(plant())]
    for number, error in enumerate(errors):
        tool(registry, name=f"crash_{number}")(crash(error))

    @tool(registry, confirm=True)
    async def write(text: str) -> str:
        """Write."""
        return text

    @tool(registry)
    async def read(text: str) -> str:
        """Read."""
        return plant()

    gateway = gateway_for(registry, scorer=lambda *_: (0.5, plant()))
    for number in range(len(errors)):
        await gateway.call(raw(f"crash_{number}", plant(), text="x"), Context(session="s"))
    await gateway.call(raw(plant()))
    await gateway.call(raw("read", text=plant()), Context(session=plant(), role="r"))
    await gateway.call(raw("write", text="x"))
    await gateway.call(raw("read", number=plant()))
    await gateway.call(raw("read", **{plant(): 1, "text": "x"}))
    await gateway.call({"id": "c", "function": {"name": "read", "arguments": '{"text": "' + "sk-secret"}})
    await gateway_for(registry, hooks=[hook]).call(raw("read", text="x"))
    lines = [log.line(record) for record in records]
    assert (len(lines), len(planted)) == (len(errors) + 7, 25)
    assert "sk-secret" not in "".join(lines) + caplog.text
    assert all(set(json.loads(line)) <= set(log.FIELDS) for line in lines)


@pytest.mark.row("S6")
@pytest.mark.parametrize(
    ("call_id", "logged"),
    [
        ("call_9f-1.2:a", "call_9f-1.2:a"),
        ("c" * 64, "c" * 64),
        ("c" * 65, "(not an id)"),
        ("my card is 4111 1111", "(not an id)"),
        ("a\nb", "(not an id)"),
        ("西安", "(not an id)"),
    ],
)
async def test_an_id_is_logged_where_it_looks_like_one(registry, gateway_for, raw, records, call_id, logged):
    """The id is the model's text, so only the form of an id gets in; the answer keeps it as it came."""
    result = await gateway_for(registry).call(raw("nothing", call_id))
    assert (records[0]["call_id"], result.to_message()["tool_call_id"]) == (logged, call_id)


@pytest.mark.row("T11")
async def test_the_fields_of_a_line(registry, gateway_for, raw, records):
    """What happened, to whom, how long, how often; and which parameter the model got wrong."""

    @tool(registry, version="3")
    async def find_room(city: str, nights: int) -> str:
        """Find a room."""
        return "found"

    gateway = gateway_for(registry)
    await gateway.call(raw("find_room", "call_7", city="Xi'an", nights=2), Context(session="run-1"))
    await gateway.call(raw("find_room", city="Xi'an", nights="many", sk_secret=1))
    assert {name: value for name, value in records[0].items() if value is not None} == {
        "event": "tool_call",
        "call_id": "call_7",
        "session": "run-1",
        "tool": "find_room",
        "version": "3",
        "phase": "end",
        "status": "success",
        "input_hash": records[0]["input_hash"],
        "duration_ms": 0.0,
        "attempts": 1,
    }
    assert (records[1]["error_kind"], records[1]["fields"]) == ("invalid_arguments", ["nights", "(undeclared)"])


@pytest.mark.row("S7")
async def test_equal_inputs_have_one_hash_within_a_run_only(registry, gateway_for, raw, records):
    """Order of keys does not matter, tool and values do; another gateway has another key."""

    @tool(registry)
    async def call_phone(number: str, country: str) -> str:
        """Call."""
        return "ok"

    @tool(registry)
    async def text_phone(number: str, country: str) -> str:
        """Text."""
        return "ok"

    gateway = gateway_for(registry)
    first = await gateway.call(raw("call_phone", number="5550100", country="US"))
    await gateway.call(raw("call_phone", country="US", number="5550100"))
    await gateway.call(raw("call_phone", country="US", number="5550101"))
    await gateway.call(raw("text_phone", country="US", number="5550100"))
    await gateway_for(registry).call(raw("call_phone", number="5550100", country="US"))
    hashes = [record["input_hash"] for record in records]
    assert hashes[0] == hashes[1] == first.input_hash
    assert len(set(hashes)) == 4
    assert len(hashes[0]) == 24  # 96 bits: no collision within any run


@pytest.mark.row("S8", "P66")
@pytest.mark.parametrize(
    "text", ["a\nb", "a\r\nb", "\u2028", "\u0085", "\x00", "\x1b[31m", '"}\n{"event": "x"', "西安"]
)
async def test_no_text_starts_a_line_of_its_own(registry, gateway_for, raw, caplog, text):
    """Names, ids, arguments, results: one call stays one line of ASCII JSON."""
    caplog.set_level(logging.INFO, logger="toolkit.gateway")

    @tool(registry)
    async def echo(text: str) -> str:
        """Echo."""
        return text

    gateway = gateway_for(registry, log_sink=log.standard_sink)
    await gateway.call(raw("echo", text, text=text), Context(session=text))
    await gateway.call(raw(text))
    assert len(caplog.messages) == 2
    for message in caplog.messages:
        assert message.isascii()
        assert len(message.splitlines()) == 1
        assert json.loads(message)["event"] == "tool_call"


def test_a_line_holds_only_what_is_allowed():
    """A field that is not on the list does not get in, whoever adds it."""
    assert json.loads(log.line({"event": "tool_call", "api_key": "sk-secret"})) == {"event": "tool_call"}


@pytest.mark.row("F28")
async def test_a_log_that_fails_loses_lines_and_no_call(registry, gateway_for, raw):
    """`success`, and the lost lines are counted."""

    @tool(registry)
    async def find_room() -> str:
        """Find a room."""
        return "found"

    def full_disk(record):
        raise OSError("disk full")

    gateway = gateway_for(registry, log_sink=full_disk)
    assert [(await gateway.call(raw("find_room"))).status for _ in range(3)] == [Status.SUCCESS] * 3
    assert gateway.lost_log_lines == 3


@pytest.mark.row("F28")
async def test_durations_do_not_follow_the_wall_clock(registry, gateway_for, raw, records, monkeypatch):
    """The wall clock is set back by an hour in the middle of a call; its duration is what it took."""
    import asyncio

    @tool(registry)
    async def find_room() -> str:
        """Find a room."""
        await asyncio.sleep(0.25)
        monkeypatch.setattr(time, "time", lambda: 0.0)
        return "found"

    result = await gateway_for(registry).call(raw("find_room"))
    assert (result.status, result.duration_ms, records[0]["duration_ms"]) == (Status.SUCCESS, 250.0, 250.0)


async def test_without_a_sink_nothing_is_hashed(registry, gateway_for, raw):
    """What is off costs nothing."""

    @tool(registry)
    async def find_room() -> str:
        """Find a room."""
        return "found"

    assert (await gateway_for(registry, log_sink=None).call(raw("find_room"))).input_hash is None
