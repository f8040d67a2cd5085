"""The innermost step: the call itself, where it belongs, and the check of what came back."""

from __future__ import annotations

import contextlib
import functools
import inspect
import traceback
from collections.abc import Awaitable, Callable, Mapping
from copy import deepcopy
from typing import Any

from toolkit.gateway.lifecycle import filler
from toolkit.gateway.outcome import Stopped, failure_of, not_its_own, stop
from toolkit.gateway.policy import Services, Step
from toolkit.gateway.results import result_check
from toolkit.gateway.trace import Trace
from toolkit.gateway.workers import PoolBusy, RaisedInThread, Workers
from toolkit.records import Status, Tool


def execute(tool: Tool, services: Services, then: Step) -> Step:
    """Call the tool. An attempt begins with the opening of what it needs and ends with the check of its result."""
    call = invoker(tool, tool.func, services.workers)
    fill = filler(tool, services.lifecycle)
    promised = tool.signature.returns if tool.signature else inspect.Signature.empty
    # An answer that is to be given again must have a JSON form, whatever the settings say.
    check = result_check(promised) if services.settings.check_results or tool.policy.idempotency_key else None
    injector = services.injector
    copied = has_containers(tool.parameters)

    async def run(trace: Trace) -> Any:
        trace.attempts += 1
        try:
            # A tool may empty a list it was given; neither the next attempt nor the result may show that.
            keywords = deepcopy(trace.keywords) if copied else trace.keywords
            if fill is not None:
                keywords = await fill(keywords, trace)
            if injector is not None and (fault := injector.fault_for(tool)) is not None:
                trace.injected, instead = fault
                value = await instead(functools.partial(call, **keywords))
            else:
                value = await call(**keywords)
            return value if check is None else check(value)
        except PoolBusy:
            trace.attempts -= 1
            raise busy(tool) from None
        except BaseException as error:  # noqa: BLE001 - a tool may raise anything
            meaning = what_it_means(error, tool, services)
            trace.cause = getattr(meaning, "cause", None) or trace.cause
            raise meaning from None

    return run


def invoker(tool: Tool, func: Callable[..., Any], workers: Workers) -> Callable[..., Awaitable[Any]]:
    """The function as something to await: on the loop, in a thread, or in a process that can be killed."""
    if is_async(func):
        return func
    if tool.policy.cpu_bound:
        from toolkit.gateway.processes import PROCESSES

        async def in_process(**keywords: Any) -> Any:
            return await PROCESSES.run(func, keywords)

        return in_process

    async def in_thread(**keywords: Any) -> Any:
        value = await workers.run(tool.name, functools.partial(func, **keywords))
        # A sync wrapper around an async function hands back what must still be awaited.
        return await value if inspect.isawaitable(value) else value

    return in_thread


def is_async(func: Callable[..., Any]) -> bool:
    """Whether calling it gives a coroutine, as far as can be seen without calling it."""
    while isinstance(func, functools.partial):
        func = func.func
    return inspect.iscoroutinefunction(func) or inspect.iscoroutinefunction(getattr(func, "__call__", None))  # noqa: B004


def has_containers(parameters: Mapping[str, Any]) -> bool:
    """Whether a list, an object or something without a type may be among the arguments."""
    plain = {"string", "integer", "number", "boolean", "null"}
    kinds = [kind for each in parameters.get("properties", {}).values() for kind in each.get("anyOf", [each])]
    return not all(isinstance(kind.get("type"), str) and kind["type"] in plain for kind in kinds)


def what_it_means(error: BaseException, tool: Tool, services: Services) -> BaseException:
    """What to raise for what a tool raised: a `Failure`, or the very same where it is not the tool's doing."""
    if isinstance(error, RaisedInThread):
        error = error.error
    elif isinstance(error, Stopped) or not_its_own(error):
        return error
    if services.debug_sink is not None:
        text = "".join(traceback.format_exception(error))
        with contextlib.suppress(Exception):  # a debugging aid must not fail the call
            services.debug_sink({"tool": tool.name, "traceback": text})
    return failure_of(error, tool)


def busy(tool: Tool) -> Stopped:
    """Neither thread nor process was free, so the tool was not called."""
    message = f"No {'process' if tool.policy.cpu_bound else 'thread'} is free for {tool.name}."
    return stop(Status.BUSY, "busy", message, retryable=True, next_step="call it again in a moment")
