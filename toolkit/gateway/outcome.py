"""How a call can end early, and what an exception from a tool means.

Inside the gateway every refusal and every failure is a `Stopped`. One place, `Gateway.call`, turns it into a
`ToolResult`; one place, `failure_of`, decides whose fault an exception was.
"""

from __future__ import annotations

import asyncio
import traceback
from pathlib import PurePath
from typing import Any

from toolkit.errors import ToolError, TransientError
from toolkit.records import CallError, Recovery, Status, Tool

_NEXT = {
    "correct_input": "correct the arguments and call again",
    "give_up": "do not repeat the call; tell the user",
}
_LONGEST_WAIT_S = 86_400.0


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


def late(tool: Tool, limit_s: float, *, reached: bool = True) -> Failure:
    """An attempt that passed its limit. For a tool that is not idempotent, nobody knows what became of it."""
    if not reached:
        told = CallError("timeout", f"{tool.name} could not start within {limit_s:g} s.", retryable=True)
        return Failure(Status.TIMEOUT, told, repeatable=True, sent=False)
    message = f"{tool.name} gave no answer within {limit_s:g} s{_unsure(tool)}."
    if tool.policy.idempotent:
        return Failure(Status.TIMEOUT, CallError("timeout", message, retryable=True), repeatable=True)
    return Failure(Status.OUTCOME_UNKNOWN, CallError("timeout", message, next_step="check whether it took effect"))


def failure_of(error: BaseException, tool: Tool) -> Failure:
    """What an exception that left a tool means: a refusal, an outage, or a bug; and what the tool declares for it.

    Only a `ToolError`'s text reaches the model. Of anything else it is told the type at most, because the text of
    an unknown exception may hold an address, a path or a key.
    """
    recovery = recovery_of(error, tool)
    declared_transient = recovery == "retry" and not isinstance(error, ToolError)
    failure = _outage(error, tool, declared_transient) or _fault(error, tool)
    if recovery is None:
        return failure
    failure.repeatable = recovery == "retry"
    failure.covered = recovery in ("retry", "fallback")
    if recovery == "retry" and isinstance(error, ToolError):
        failure.sent = False  # a tool checks everything first, then writes
    if recovery in ("correct_input", "give_up"):
        failure.counts = failure.counts and recovery == "give_up"
        own_words = failure.error.next_step if isinstance(error, ToolError) else None
        failure.error = failure.error._replace(retryable=False, next_step=own_words or _NEXT[recovery])
    return failure


def _outage(error: BaseException, tool: Tool, declared: bool) -> Failure | None:
    """A failure that may pass by itself, or None."""
    status_code, retry_after_s = _http(error)
    transient = declared or isinstance(error, TransientError | ConnectionError | TimeoutError)
    if not transient and status_code not in (408, 429, 500, 502, 503, 504):
        return None
    # 429 is a refusal; a proxy says 503 also when the request was already under way.
    unsent = getattr(error, "sent", None) is False or isinstance(error, ConnectionRefusedError) or status_code == 429
    unsure = "" if unsent else _unsure(tool)
    if isinstance(error, TimeoutError):
        kind, status, what = "tool_timeout", Status.TIMEOUT, f"{tool.name} gave up waiting for something it needs"
    else:
        kind, status = "unavailable", Status.EXECUTION_ERROR
        what = f"{tool.name} cannot reach something it needs ({type(error).__name__})"
    told = CallError(kind, f"{what}{unsure}.", retryable=not unsure, retry_after_s=retry_after_s)
    return Failure(status, told, repeatable=True, sent=not unsent, cause=describe(error))


def _fault(error: BaseException, tool: Tool) -> Failure:
    """A failure that stays: a refusal of the tool's own, or a bug."""
    if isinstance(error, ToolError):
        told = CallError("tool_error", error.message, retryable=error.retryable, next_step=error.next_step)
        return Failure(Status.EXECUTION_ERROR, told, counts=False, covered=False)
    if isinstance(error, MalformedResult):
        kind, what = "malformed_result", f"{tool.name} answered with something unreadable ({error})"
    elif isinstance(error, asyncio.CancelledError):
        kind, what = "cancelled_by_tool", f"{tool.name} was cancelled inside the tool"
    else:
        kind, what = "bug", f"{tool.name} failed because of an error in the tool ({type(error).__name__})"
    told = CallError(kind, f"{what}{_unsure(tool)}.", next_step=_NEXT["give_up"])
    return Failure(Status.EXECUTION_ERROR, told, cause=describe(error))


def _unsure(tool: Tool) -> str:
    return "" if tool.policy.idempotent else "; it may still have taken effect, so check before you repeat it"


def broken(error: Exception, tool: str, *, reached: bool) -> tuple[Status, CallError, dict[str, Any]]:
    """What it means when something around the tool failed: status, error, cause."""
    if reached:
        told = CallError("gateway", f"Nobody knows whether {tool} took effect: something around it failed.")
        return Status.OUTCOME_UNKNOWN, told, describe(error)
    told = CallError("gateway", f"{tool} was not run, because something around it failed.", next_step=_NEXT["give_up"])
    return Status.EXECUTION_ERROR, told, describe(error)


def recovery_of(error: BaseException, tool: Tool) -> Recovery | None:
    """The recovery declared for the most specific class of the exception, if any."""
    recovery = tool.policy.recovery
    return next((recovery[kind] for kind in type(error).__mro__ if kind in recovery), None) if recovery else None


def not_its_own(error: BaseException) -> bool:
    """Whether an exception that came out of somebody's code was sent in from outside: by the caller, or by Ctrl-C."""
    if isinstance(error, asyncio.CancelledError):
        task = asyncio.current_task()
        return task is None or task.cancelling() > 0
    return isinstance(error, KeyboardInterrupt | GeneratorExit)


def describe(error: BaseException) -> dict[str, Any]:
    """Type and frames of an exception, without its text: texts carry secrets."""
    frames = [
        f"{PurePath(frame.f_code.co_filename).name}:{line} {frame.f_code.co_name}"
        for frame, line in traceback.walk_tb(error.__traceback__)
    ]
    return {"error_type": type(error).__name__, "frames": frames[-8:]}


def _http(error: BaseException) -> tuple[int | None, float | None]:
    """Status code and Retry-After, as HTTP client exceptions and our own `TransientError` carry them."""
    try:
        response = getattr(error, "response", None)
        code = getattr(response, "status_code", None) or getattr(error, "status_code", None)
        wait = getattr(error, "retry_after_s", None)
        headers = getattr(response, "headers", None)
        if wait is None and headers:
            wait = headers.get("retry-after", headers.get("Retry-After"))
        # An HTTP date is rare, and without the wall clock of the server of little use: no number, no wait.
        seconds = float(wait) if isinstance(wait, int | float | str) else -1.0
    except Exception:  # noqa: BLE001 - these attributes belong to somebody else's class
        return None, None
    return code if isinstance(code, int) else None, min(seconds, _LONGEST_WAIT_S) if seconds >= 0 else None
