"""Whose fault an exception was: the model's, an outage, or a bug; and what the tool declares for it."""

from __future__ import annotations

import logging

import pytest

from toolkit import Status, ToolError, TransientError, tool
from toolkit.gateway import Settings

SECRET = "GET https://api.example.test/s?key=SECRET123 401"


@pytest.fixture
def send_email(registry):
    """A tool that raises what stands in the list, as long as there is something."""
    errors = []

    @tool(
        registry,
        idempotent=True,
        attempts=2,
        recovery={
            UnicodeError: "correct_input",
            UnicodeDecodeError: "give_up",
            LookupError: "retry",
            OSError: "fallback",
            ConnectionAbortedError: "give_up",
        },
        fallback=lambda address: f"text message instead of {address}",
    )
    async def send_email(address: str) -> str:
        """Send an e-mail."""
        if errors:
            raise errors.pop(0)
        return "sent"

    return errors


@pytest.mark.row("F8", "T7")
async def test_a_business_error_reaches_the_model_in_its_own_words(registry, gateway_for, raw):
    """One attempt, the tool's text and next step verbatim."""

    @tool(registry)
    async def find_user(name: str) -> str:
        """Find a user."""
        raise ToolError(f"No user is named {name}.", next_step="ask the user for the full name")

    result = await gateway_for(registry).call(raw("find_user", name="Ada"))
    assert (result.status, result.attempts, result.error.kind) == (Status.EXECUTION_ERROR, 1, "tool_error")
    assert result.to_content() == (
        '{"error": "No user is named Ada.", "status": "execution_error", "next_step": "ask the user for the full name"}'
    )


@pytest.mark.row("F9", "P65", "T7")
async def test_a_bug_is_one_plain_sentence_for_the_model(registry, gateway_for, raw, records):
    """The model sees tool and type; the log has type and frames; the text of the exception is nowhere."""

    @tool(registry)
    async def web_search(query: str) -> str:
        """Search."""
        raise ValueError(SECRET)

    result = await gateway_for(registry).call(raw("web_search", query="hotels"))
    assert (result.status, result.error.kind, result.attempts) == (Status.EXECUTION_ERROR, "bug", 1)
    assert result.to_content() == (
        '{"error": "web_search failed because of an error in the tool (ValueError); it may still have taken effect, '
        'so check before you repeat it.", "status": "execution_error", '
        '"next_step": "do not repeat the call; tell the user"}'
    )
    assert (records[0]["error_type"], records[0]["error_kind"]) == ("ValueError", "bug")
    assert records[0]["frames"][-1].startswith("test_outcome.py:")
    assert records[0]["frames"][-1].endswith(" web_search")
    assert "SECRET123" not in str(records)
    assert "example.test" not in str(result)


@pytest.mark.row("F9")
async def test_a_debug_sink_gets_the_whole_exception(registry, gateway_for, raw):
    """Only where it is switched on, and where it fails itself the call goes on."""
    seen = []

    @tool(registry)
    async def web_search() -> str:
        """Search."""
        raise ValueError(SECRET)

    await gateway_for(registry, debug_sink=seen.append).call(raw("web_search"))
    assert seen[0]["tool"] == "web_search"
    assert SECRET in seen[0]["traceback"]
    broken = gateway_for(registry, debug_sink=lambda record: record["missing"])
    assert (await broken.call(raw("web_search"))).error.kind == "bug"


@pytest.mark.row("F9", "F13")
@pytest.mark.parametrize("sync", [False, True])
@pytest.mark.parametrize(
    "error",
    [SystemExit(1), StopIteration("x"), BaseExceptionGroup("x", [SystemExit()]), ExceptionGroup("x", [KeyError()])],
    ids=lambda error: type(error).__name__,
)
async def test_whatever_leaves_a_tool_is_a_failure_of_the_tool(registry, gateway_for, raw, error, sync):
    """Exceptions that would end a thread, a task or the loop end as `execution_error`, and the loop lives."""
    if sync:

        @tool(registry)
        def find_room() -> str:
            """Find a room."""
            raise error
    else:

        @tool(registry)
        async def find_room() -> str:
            """Find a room."""
            raise error

    for settings in (Settings(), Settings(timeout_s=None, deadline_s=None)):
        result = await gateway_for(registry, settings).call(raw("find_room"))
        assert (result.status, result.error.kind, result.attempts) == (Status.EXECUTION_ERROR, "bug", 1)


@pytest.mark.row("T7", "T14")
async def test_correct_the_input(send_email, registry, gateway_for, raw):
    """A bad address: the model is told to correct it, nothing is repeated, no fallback is used."""
    send_email[:] = [UnicodeError("idna"), UnicodeError("idna")]
    result = await gateway_for(registry).call(raw("send_email", address="x"))
    assert (result.status, result.attempts) == (Status.EXECUTION_ERROR, 1)
    assert result.error.next_step == "correct the arguments and call again"


@pytest.mark.row("T7", "T14")
async def test_the_most_specific_entry_wins(send_email, registry, gateway_for, raw):
    """`UnicodeDecodeError` is a `UnicodeError`, and has an entry of its own."""
    send_email[:] = [UnicodeDecodeError("utf-8", b"\xff", 0, 1, "x")]
    result = await gateway_for(registry).call(raw("send_email", address="x"))
    assert result.error.next_step == "do not repeat the call; tell the user"


@pytest.mark.row("T7", "T14")
async def test_declared_transient(send_email, registry, gateway_for, raw):
    """`retry` says that an exception of somebody's library is an outage: repeated, and called one."""
    send_email[:] = [KeyError("pool")]
    assert (await gateway_for(registry).call(raw("send_email", address="x"))).attempts == 2
    send_email[:] = [KeyError("pool"), KeyError("pool")]
    result = await gateway_for(registry).call(raw("send_email", address="x"))
    assert (result.status, result.error.kind) == (Status.DEGRADED, "unavailable")


@pytest.mark.row("T7", "T14", "F20")
async def test_fall_back_to_a_text_message(send_email, registry, gateway_for, raw):
    """Mail server down: the other way at once, and the answer is marked."""
    send_email[:] = [ConnectionResetError()]
    result = await gateway_for(registry).call(raw("send_email", address="ada"))
    assert (result.status, result.attempts, result.value) == (Status.DEGRADED, 1, "text message instead of ada")


@pytest.mark.row("T7", "T14")
async def test_give_up(send_email, registry, gateway_for, raw):
    """Neither repeated nor covered, though it is a connection's error."""
    send_email[:] = [ConnectionAbortedError()]
    result = await gateway_for(registry).call(raw("send_email", address="ada"))
    assert (result.status, result.attempts, result.error.retryable) == (Status.EXECUTION_ERROR, 1, False)
    assert result.error.next_step == "do not repeat the call; tell the user"


@pytest.mark.row("P65")
async def test_no_exception_text_but_a_tool_errors_reaches_anyone(registry, gateway_for, raw, records, caplog):
    """Every kind of exception carries the secret; no result, no record and no log line does."""
    caplog.set_level(logging.DEBUG)
    kinds = [ValueError, ConnectionError, TimeoutError, TransientError, SystemExit, OSError, KeyError, RuntimeError]
    turn = iter(kinds)

    @tool(registry)
    async def web_search() -> str:
        """Search."""
        raise next(turn)(SECRET)

    gateway = gateway_for(registry)
    results = [await gateway.call(raw("web_search")) for _ in kinds]
    assert all(not result.ok for result in results)
    assert "SECRET" not in f"{results} {records} {caplog.text}"
