"""Something better than nothing: another way to an answer, marked as such."""

from __future__ import annotations

import inspect
from typing import Any

from toolkit.gateway.deadline import LimitPassed, within
from toolkit.gateway.execute import busy, invoker, what_it_means
from toolkit.gateway.outcome import Failure, Stopped, late
from toolkit.gateway.policy import Services, Step
from toolkit.gateway.results import result_check
from toolkit.gateway.trace import Trace
from toolkit.gateway.workers import PoolBusy
from toolkit.records import CallError, Status, Tool


def fall_back(tool: Tool, services: Services, then: Step) -> Step:
    """Answer a failure with the fallback's value: status `degraded`, the error kept beside it.

    The fallback gets the model's arguments, and the context where it names it as the tool does. It has the time of
    one attempt for itself: what failed may have used up the call's own.
    """
    if tool.policy.fallback is None:
        return then
    second_way = _second_way(tool, services)

    async def run(trace: Trace) -> Any:
        try:
            return await then(trace)
        except Stopped as stopped:
            if not _may_cover(stopped):
                raise
            first = stopped
        trace.fell_back = True
        try:
            value = await second_way(trace)
        except Stopped as second:
            message = f"{first.error.message} The fallback failed too: {second.error.message}"
            unsure = any(isinstance(each, Failure) and each.counts and each.sent for each in (first, second))
            raise Failure(Status.EXECUTION_ERROR, CallError(first.error.kind, message), sent=unsure) from None
        trace.status, trace.error = Status.DEGRADED, first.error
        return value

    return run


def _second_way(tool: Tool, services: Services) -> Step:
    fallback = tool.policy.fallback
    assert fallback is not None
    call = invoker(tool, fallback, services.workers)
    signature = tool.signature
    check = result_check(signature.returns if signature else inspect.Signature.empty)
    context_name = signature.context_parameter if signature else None
    if context_name is not None and context_name not in inspect.signature(fallback).parameters:
        context_name = None
    limit_s = services.settings.timeout_s if tool.policy.timeout_s is None else tool.policy.timeout_s

    async def attempt(trace: Trace) -> Any:
        keywords = dict(trace.keywords)
        if context_name is not None:
            keywords[context_name] = trace.context
        try:
            return check(await call(**keywords))
        except PoolBusy:
            raise busy(tool) from None
        except BaseException as error:  # noqa: BLE001 - a fallback may raise anything
            raise what_it_means(error, tool, services) from None

    async def limited(trace: Trace) -> Any:
        try:
            return await within(limit_s or 0.0, attempt(trace), services.orphans)
        except LimitPassed:
            raise late(tool, limit_s or 0.0) from None

    return attempt if limit_s is None else limited


def _may_cover(stopped: Stopped) -> bool:
    """Never an unknown outcome, which a second way could double; never a refusal."""
    if isinstance(stopped, Failure):
        return stopped.covered and stopped.status is not Status.OUTCOME_UNKNOWN
    return stopped.status is Status.CIRCUIT_OPEN
