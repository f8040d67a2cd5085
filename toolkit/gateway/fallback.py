"""Something better than nothing: another way to an answer, marked as such."""

from __future__ import annotations

import inspect
from typing import Any

from toolkit.gateway.execute import invoker
from toolkit.gateway.outcome import Failure, Stopped, failure_of
from toolkit.gateway.policy import Services, Step
from toolkit.gateway.results import result_check
from toolkit.gateway.trace import Trace
from toolkit.gateway.workers import RaisedInThread
from toolkit.records import CallError, Status, Tool


def fall_back(tool: Tool, services: Services, then: Step) -> Step:
    """Answer a failure with the fallback's value: status `degraded`, the error kept beside it."""
    fallback = tool.policy.fallback
    if fallback is None:
        return then
    call = invoker(tool, fallback, services.workers)
    check = result_check(tool.signature.returns if tool.signature else inspect.Signature.empty)

    async def run(trace: Trace) -> Any:
        try:
            return await then(trace)
        except Stopped as stopped:
            if not _may_cover(stopped):
                raise
            first = stopped
        try:
            value = check(await call(**trace.keywords))
        except Exception as error:  # noqa: BLE001 - whatever a fallback raises is told, with the first error
            second = error.error if isinstance(error, RaisedInThread) else error
            told = f"{first.error.message} The fallback failed too: {failure_of(second, tool).error.message}"
            raise Stopped(Status.EXECUTION_ERROR, CallError(first.error.kind, told)) from None
        trace.status, trace.error = Status.DEGRADED, first.error
        return value

    return run


def _may_cover(stopped: Stopped) -> bool:
    """Never an unknown outcome, which a second way could double; never a refusal."""
    if isinstance(stopped, Failure):
        return stopped.covered and stopped.status is not Status.OUTCOME_UNKNOWN
    return stopped.status is Status.CIRCUIT_OPEN
