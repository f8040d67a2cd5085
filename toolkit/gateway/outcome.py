"""How a call can end early, and what an exception from a tool means.

Inside the gateway every refusal and every failure is a `Stopped`. One place, `Gateway.call`, turns it into a
`ToolResult`; one place, `failure_of`, decides whose fault an exception was.
"""

from __future__ import annotations

import asyncio
import traceback
from typing import Any

from toolkit.errors import ToolError, TransientError
from toolkit.records import CallError, Recovery, Status, Tool

_MAY_HAVE_RUN = " It may still have taken effect: check before you repeat it."


class Stopped(Exception):
    """The call ends here, with this status and this error."""

    def __init__(self, status: Status, error: CallError) -> None:
        super().__init__(error.message)
        self.status = status
        self.error = error


def stop(status: Status, kind: str, message: str, **more: Any) -> Stopped:
    """Shorthand for a refusal before the tool ran."""
    return Stopped(status, CallError(kind, message, **more))


class Failure(Stopped):
    """An attempt that failed.

    `repeatable`: worth another attempt. `sent`: the tool may have done something. `counts`: the breaker should
    hear of it. `covered`: a fallback may cover it. `cause`: the exception's type and frames, for the log.
    """

    def __init__(
        self,
        status: Status,
        error: CallError,
        *,
        repeatable: bool = False,
        sent: bool = True,
        counts: bool = True,
        covered: bool = True,
        cause: dict[str, Any] | None = None,
    ) -> None:
        super().__init__(status, error)
        self.repeatable = repeatable
        self.sent = sent
        self.counts = counts
        self.covered = covered
        self.cause = cause or {}


class MalformedResult(Exception):
    """The tool returned something that is no answer; the text says what, without the value."""


def late(tool: Tool, limit_s: float) -> Failure:
    """An attempt that passed its limit. For a tool that is not idempotent, nobody knows what became of it."""
    if tool.policy.idempotent:
        message = f"{tool.name} gave no answer within {limit_s:g} s."
        return Failure(Status.TIMEOUT, CallError("timeout", message, retryable=True), repeatable=True)
    message = f"{tool.name} gave no answer within {limit_s:g} s.{_MAY_HAVE_RUN}"
    return Failure(Status.OUTCOME_UNKNOWN, CallError("timeout", message, next_step="check whether it took effect"))


def failure_of(error: BaseException, tool: Tool) -> Failure:
    """What an exception that left a tool means: a refusal, an outage, or a bug.

    Only a `ToolError`'s text reaches the model. Of anything else it is told the type at most, because the text of
    an unknown exception may hold an address, a path or a key.
    """
    recovery = recovery_of(error, tool)
    if isinstance(error, ToolError):
        told = CallError("tool_error", error.message, retryable=error.retryable, next_step=error.next_step)
        return Failure(
            Status.EXECUTION_ERROR,
            told,
            counts=False,
            sent=recovery != "retry",
            repeatable=recovery == "retry",
            covered=recovery == "fallback",
        )
    cause = describe(error)
    if isinstance(error, MalformedResult):
        message = f"{tool.name} answered with something unreadable ({error}); the answer was not passed on."
        return Failure(Status.EXECUTION_ERROR, CallError("malformed_result", message), cause=cause)
    if isinstance(error, asyncio.CancelledError):
        message = f"{tool.name} was cancelled inside the tool."
        return Failure(Status.EXECUTION_ERROR, CallError("cancelled_by_tool", message), cause=cause)
    sent = getattr(error, "sent", not isinstance(error, ConnectionRefusedError))
    unsure = _MAY_HAVE_RUN if sent and not tool.policy.idempotent else ""
    if isinstance(error, TimeoutError):
        told = CallError("tool_timeout", f"{tool.name} gave up waiting for something it needs.{unsure}", not unsure)
        return Failure(Status.TIMEOUT, told, repeatable=True, sent=sent, cause=cause)
    status_code, retry_after_s = _http(error)
    if isinstance(error, TransientError | ConnectionError) or status_code in (408, 429, 500, 502, 503, 504):
        message = f"{tool.name} cannot reach something it needs ({type(error).__name__}).{unsure}"
        told = CallError("unavailable", message, not unsure, retry_after_s=retry_after_s)
        sent = sent and status_code not in (429, 503)
        return Failure(Status.EXECUTION_ERROR, told, repeatable=True, sent=sent, cause=cause)
    message = f"{tool.name} failed because of an error in the tool ({type(error).__name__}).{unsure}"
    bug = CallError("bug", message, next_step="do not repeat the call; tell the user")
    return Failure(Status.EXECUTION_ERROR, bug, repeatable=recovery == "retry", cause=cause)


def recovery_of(error: BaseException, tool: Tool) -> Recovery | None:
    """The recovery declared for the most specific class of the exception, if any."""
    recovery = tool.policy.recovery
    return next((recovery[kind] for kind in type(error).__mro__ if kind in recovery), None) if recovery else None


def describe(error: BaseException) -> dict[str, Any]:
    """Type and frames of an exception, without its text: texts carry secrets."""
    frames = [
        f"{frame.filename.rsplit('/', 1)[-1].rsplit(chr(92), 1)[-1]}:{frame.lineno} {frame.name}"
        for frame in traceback.extract_tb(error.__traceback__)
    ]
    return {"error_type": type(error).__name__, "frames": frames[-8:]}


def _http(error: BaseException) -> tuple[int | None, float | None]:
    """Status code and Retry-After, as HTTP client exceptions and our own `TransientError` carry them."""
    response = getattr(error, "response", None)
    code = getattr(response, "status_code", None) or getattr(error, "status_code", None)
    wait = getattr(error, "retry_after_s", None)
    if wait is None and response is not None:
        header = (getattr(response, "headers", None) or {}).get("retry-after")
        try:
            wait = float(header) if header is not None else None
        except ValueError:  # an HTTP date: rare, and without a wall clock of the server of little use
            wait = None
    return (code if isinstance(code, int) else None), wait
