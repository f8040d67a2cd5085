"""Something better than nothing: another way to an answer, marked as such."""

from __future__ import annotations

from typing import Any

from toolkit.gateway.attempts import invoke
from toolkit.gateway.outcome import Failure, Stopped, failure_of
from toolkit.gateway.prepared import Prepared, is_async
from toolkit.gateway.results import result_check
from toolkit.gateway.trace import Trace
from toolkit.gateway.workers import RaisedInThread, Workers
from toolkit.records import CallError, Status


async def fall_back(
    stopped: Stopped, prepared: Prepared, keywords: dict[str, Any], trace: Trace, workers: Workers
) -> Any:
    """The fallback's value, with the status set to `degraded` and the error kept beside it.

    Raises:
        Stopped: the tool has no fallback, the failure is not one a fallback may cover, or the fallback failed too.
    """
    tool = prepared.tool
    fallback = tool.policy.fallback
    if fallback is None or not _may_cover(stopped):
        raise stopped
    check = result_check(prepared.promised)
    try:
        value = check(await invoke(tool, fallback, keywords, is_async(fallback), workers))
    except Exception as error:  # noqa: BLE001 - whatever a fallback raises is told, with the first error
        second = error.error if isinstance(error, RaisedInThread) else error
        also = second if isinstance(second, Stopped) else failure_of(second, tool)
        message = f"{stopped.error.message} The fallback failed too: {also.error.message}"
        raise Stopped(Status.EXECUTION_ERROR, CallError(stopped.error.kind, message)) from None
    trace.status, trace.error = Status.DEGRADED, stopped.error
    return value


def _may_cover(stopped: Stopped) -> bool:
    """Never an unknown outcome, which a second way could double; never a refusal."""
    if isinstance(stopped, Failure):
        return stopped.covered and stopped.status is not Status.OUTCOME_UNKNOWN
    return stopped.status is Status.CIRCUIT_OPEN
