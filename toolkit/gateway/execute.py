"""The innermost step: the call itself, where it belongs, and the check of what came back."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import inspect
import traceback
from collections.abc import Awaitable, Callable
from typing import Any

from toolkit.gateway.outcome import Failure, Stopped, failure_of, stop
from toolkit.gateway.policy import Services, Step
from toolkit.gateway.results import result_check
from toolkit.gateway.trace import Trace
from toolkit.gateway.workers import PoolBusy, RaisedInThread, Workers
from toolkit.records import Status, Tool


def execute(tool: Tool, services: Services, then: Step) -> Step:
    """Call the tool. Here and nowhere else an exception of a tool becomes a `Failure`."""
    call = invoker(tool, tool.func, services.workers)
    promised = tool.signature.returns if tool.signature else inspect.Signature.empty
    check = result_check(promised) if services.settings.check_results else None
    injector = services.injector

    async def run(trace: Trace) -> Any:
        trace.attempts += 1
        try:
            if injector is not None and (fault := injector.fault_for(tool)) is not None:
                trace.injected, instead = fault
                value = await instead(functools.partial(call, **trace.keywords))
            else:
                value = await call(**trace.keywords)
            return value if check is None else check(value)
        except PoolBusy:
            trace.attempts -= 1
            raise _busy(tool) from None
        except RaisedInThread as raised:
            raise _failure(raised.error, tool, services) from None
        except asyncio.CancelledError as error:
            task = asyncio.current_task()
            if task is None or task.cancelling():
                raise  # the caller's own cancellation, or the limit's
            raise _failure(error, tool, services) from None
        except SystemExit as error:  # asyncio would let it end the loop
            raise _failure(error, tool, services) from None
        except Exception as error:  # noqa: BLE001 - the one place that catches what a tool raises
            raise _failure(error, tool, services) from None

    return run


def invoker(tool: Tool, func: Callable[..., Any], workers: Workers) -> Callable[..., Awaitable[Any]]:
    """The function as something to await: on the loop, in a thread, or in a process that can be killed."""
    if is_async(func):
        return func
    if tool.policy.cpu_bound:
        from toolkit.gateway.processes import run_in_process

        return functools.partial(run_in_process, func)

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


def _busy(tool: Tool) -> Stopped:
    message = f"No thread is free for {tool.name}."
    return stop(Status.BUSY, "busy", message, retryable=True, next_step="call it again in a moment")


def _failure(error: BaseException, tool: Tool, services: Services) -> Failure:
    if services.debug_sink is not None:
        text = "".join(traceback.format_exception(error))
        with contextlib.suppress(Exception):  # a debugging aid must not fail the call
            services.debug_sink({"tool": tool.name, "traceback": text})
    return failure_of(error, tool)
