"""The inner half of a call: retry -> breaker -> attempt timeout -> the call -> result check."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import inspect
import random
import traceback
from collections.abc import Awaitable, Callable
from typing import Any, Protocol

from toolkit.gateway.deadline import LimitPassed, Orphans, within
from toolkit.gateway.outcome import Failure, Stopped, failure_of, late, stop
from toolkit.gateway.prepared import Prepared
from toolkit.gateway.settings import Settings
from toolkit.gateway.trace import Trace
from toolkit.gateway.workers import PoolBusy, RaisedInThread, Workers
from toolkit.records import Status, Tool


class Injector(Protocol):
    """A failure lab: may put a fault in front of an attempt. Off, it costs one comparison."""

    def fault_for(self, tool: Tool) -> tuple[str, Callable[[Callable[[], Awaitable[Any]]], Awaitable[Any]]] | None:
        """The fault's name and what to await instead of the attempt, or None."""


class Attempts:
    """Runs prepared tools. Clock (monotonic seconds), sleep and randomness are arguments, so tests need not wait."""

    def __init__(
        self,
        settings: Settings,
        workers: Workers,
        clock: Callable[[], float],
        sleep: Callable[[float], Awaitable[None]],
        rng: random.Random,
        debug_sink: Callable[[dict[str, Any]], None] | None = None,
    ) -> None:
        self._settings, self._workers, self._debug_sink = settings, workers, debug_sink
        self._clock, self._sleep, self._rng = clock, sleep, rng
        self.orphans = Orphans()
        self.injector: Injector | None = None

    async def run(self, prepared: Prepared, keywords: dict[str, Any], trace: Trace) -> Any:
        """The checked value of the first attempt that works.

        Raises:
            Stopped: the last failure, or a refusal by the breaker or the pool.
        """
        deadline = self._clock() + self._settings.deadline_s if self._settings.deadline_s is not None else None
        prepared.budget.earn()
        failure: Failure | None = None
        while True:
            permit = self._admit(prepared, failure)
            trace.attempts += 1
            try:
                value = await self._once(prepared, keywords, trace, self._limit_s(prepared, deadline))
            except Failure as failed:
                failure = failed
                self._report(prepared, permit, failed.counts or None)
            except BaseException as error:
                # Cancelled by the caller, or the pool had no thread: neither says anything about the tool.
                trace.attempts -= isinstance(error, Stopped)
                self._report(prepared, permit, None)
                raise
            else:
                self._report(prepared, permit, False)
                return value
            trace.cause = failure.cause
            await self._wait_or_give_up(prepared, failure, trace, deadline)

    def _admit(self, prepared: Prepared, failure: Failure | None) -> Any:
        if prepared.breaker is None:
            return None
        permit = prepared.breaker.admit()
        if permit is None:
            if failure is not None:
                raise failure
            name, wait_s = prepared.tool.name, prepared.breaker.retry_after_s
            message = f"{name} has been failing and is left alone for now."
            raise stop(Status.CIRCUIT_OPEN, "circuit_open", message, retryable=True, retry_after_s=wait_s)
        return permit

    def _report(self, prepared: Prepared, permit: Any, failed: bool | None) -> None:
        if prepared.breaker is not None:
            prepared.breaker.report(permit, failed)

    def _limit_s(self, prepared: Prepared, deadline: float | None) -> float | None:
        if deadline is None or prepared.timeout_s is None:
            return prepared.timeout_s if deadline is None else deadline - self._clock()
        return min(prepared.timeout_s, deadline - self._clock())

    async def _wait_or_give_up(
        self, prepared: Prepared, failure: Failure, trace: Trace, deadline: float | None
    ) -> None:
        safe = prepared.tool.policy.idempotent or not failure.sent
        if not (failure.repeatable and safe) or trace.attempts >= prepared.attempts:
            raise failure
        wait_s = self._settings.backoff.wait_s(trace.attempts, self._rng, failure.error.retry_after_s)
        if (deadline is not None and self._clock() + wait_s >= deadline) or not prepared.budget.spend():
            raise failure
        await self._sleep(wait_s)

    async def _once(self, prepared: Prepared, keywords: dict[str, Any], trace: Trace, limit_s: float | None) -> Any:
        work: Callable[[], Any] = functools.partial(self._invoke, prepared, keywords)
        fault = self.injector.fault_for(prepared.tool) if self.injector is not None else None
        if fault is not None:
            trace.injected = fault[0]
            work = functools.partial(fault[1], work)
        try:
            value = await (work() if limit_s is None else within(limit_s, work(), self.orphans))
            return value if prepared.check is None else prepared.check(value)
        except LimitPassed:
            raise late(prepared.tool, limit_s or 0.0) from None
        except Stopped:
            raise
        except RaisedInThread as raised:
            raise self._failure(raised.error, prepared.tool) from None
        except asyncio.CancelledError as error:
            task = asyncio.current_task()
            if task is None or task.cancelling():
                raise  # the caller's own cancellation
            raise self._failure(error, prepared.tool) from None
        except Exception as error:  # noqa: BLE001 - the one place that catches what a tool raises
            raise self._failure(error, prepared.tool) from None

    def _failure(self, error: BaseException, tool: Tool) -> Failure:
        if self._debug_sink is not None:
            text = "".join(traceback.format_exception(error))
            with contextlib.suppress(Exception):  # a debugging aid must not fail the call
                self._debug_sink({"tool": tool.name, "traceback": text})
        return failure_of(error, tool)

    async def _invoke(self, prepared: Prepared, keywords: dict[str, Any]) -> Any:
        return await invoke(prepared.tool, prepared.tool.func, keywords, prepared.is_async, self._workers)


async def invoke(
    tool: Tool, func: Callable[..., Any], keywords: dict[str, Any], is_async: bool, workers: Workers
) -> Any:
    """Call a function where it belongs: on the loop, in a thread, or in a process that can be killed."""
    try:
        if is_async:
            value = await func(**keywords)
        elif tool.policy.cpu_bound:
            from toolkit.gateway.processes import run_in_process

            value = await run_in_process(func, keywords)
        else:
            value = await workers.run(tool.name, functools.partial(func, **keywords))
        # A sync wrapper around an async function hands back what must still be awaited.
        return await value if inspect.isawaitable(value) else value
    except PoolBusy:
        message = f"No thread is free for {tool.name}."
        raise stop(Status.BUSY, "busy", message, retryable=True, next_step="call it again in a moment") from None
    except SystemExit as error:
        raise RaisedInThread(error) from None  # asyncio would let it end the loop
