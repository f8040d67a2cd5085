"""Calls that share an idempotency key are one order: run once, then answered from the record."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from typing import Any, NamedTuple

from toolkit.gateway.idempotency import IdempotencyStore, Record
from toolkit.gateway.outcome import Failure, Stopped, stop
from toolkit.gateway.policy import Services, Step
from toolkit.gateway.trace import Trace
from toolkit.records import CallError, Status, Tool


class Replay(NamedTuple):
    """A value that was not computed again."""

    value: Any


def replay_order(tool: Tool, services: Services, then: Step) -> Step:
    """Find the order a call belongs to, and answer it from the record where it is settled already."""
    if not tool.policy.idempotency_key:
        return then
    orders = services.orders

    async def run(trace: Trace) -> Any:
        trace.key = _key_of(tool, trace)
        replay = await orders.look_up(trace.key, tool, trace)
        return await then(trace) if replay is None else replay.value

    return run


def claim_order(tool: Tool, services: Services, then: Step) -> Step:
    """Run the order once, whoever else asks for it."""
    if not tool.policy.idempotency_key:
        return then
    orders = services.orders

    async def run(trace: Trace) -> Any:
        return await orders.once(trace.key or "", tool, trace, lambda: then(trace))

    return run


def _key_of(tool: Tool, trace: Trace) -> str:
    """The order a call belongs to, unique over all tools.

    Raises:
        Stopped: `validation_error`, when the declared key is missing from the arguments.
    """
    declared = tool.policy.idempotency_key
    arguments = trace.arguments or {}
    if declared is True:
        return f"{tool.name}/{trace.context.session}/{trace.canonical}"
    key = declared(dict(arguments)) if callable(declared) else arguments.get(str(declared))
    if key is None or key == "":
        name = "its idempotency key" if callable(declared) else str(declared)
        raise stop(Status.VALIDATION_ERROR, "key_missing", f"{tool.name} needs {name}, which names the order.")
    return f"{tool.name}/{key}"


class Orders:
    """Runs each order once. Within this process callers of one key wait for each other."""

    def __init__(self, store: IdempotencyStore) -> None:
        self._store = store
        self._turns: dict[str, tuple[asyncio.Lock, int]] = {}

    async def look_up(self, key: str, tool: Tool, trace: Trace) -> Replay | None:
        """The answer to an order that is settled already, or None.

        Raises:
            Stopped: `conflict` or `outcome_unknown`.
        """
        if key in self._turns:
            return None  # under way in this process: `once` waits for it
        record = await self._store.get(key)
        return None if record is None else _settled(record, tool, trace)

    async def once(self, key: str, tool: Tool, trace: Trace, work: Callable[[], Awaitable[Any]]) -> Any:
        """Claim the order, run it, record what became of it; or answer from the record."""
        async with self._turn(key):
            record = await self._claim(key, trace.canonical)
            if record is not None:
                return _settled(record, tool, trace).value
            try:
                value = await work()
            except Stopped as stopped:
                await self._failed(key, tool, trace, stopped)
                raise
            except BaseException:  # the caller was cancelled: the tool may have run
                await self._unsettled(key, tool, trace)
                raise
            done = json.dumps({"status": trace.status.value, "value": value, "error": trace.error})
            try:
                await self._store.finish(key, done)
            except Exception:  # noqa: BLE001 - the call has succeeded; the same key will be told that nobody knows
                trace.notes = (*trace.notes, "not_recorded")
            return value

    async def _claim(self, key: str, arguments: str) -> Record | None:
        claiming = asyncio.ensure_future(self._store.claim(key, arguments))
        try:
            return await asyncio.shield(claiming)
        except asyncio.CancelledError:
            if await claiming is None:
                await self._store.release(key)  # ours, and nothing has been done under it
            raise

    async def _failed(self, key: str, tool: Tool, trace: Trace, stopped: Stopped) -> None:
        if isinstance(stopped, Failure) and stopped.counts and stopped.sent:
            await self._unsettled(key, tool, trace)
        else:
            await self._settle(self._store.release(key))

    async def _unsettled(self, key: str, tool: Tool, trace: Trace) -> None:
        began = trace.attempts or trace.fell_back
        unknown = began and not tool.policy.idempotent
        await self._settle(self._store.mark_unknown(key) if unknown else self._store.release(key))

    async def _settle(self, writing: Coroutine[Any, Any, None]) -> None:
        with contextlib.suppress(Exception):  # left as it is, the record says that nobody knows, which is safe
            await writing

    @contextlib.asynccontextmanager
    async def _turn(self, key: str) -> AsyncIterator[None]:
        lock, waiting = self._turns.get(key, (asyncio.Lock(), 0))
        self._turns[key] = (lock, waiting + 1)
        try:
            async with lock:
                yield
        finally:
            lock, waiting = self._turns[key]
            if waiting == 1:
                del self._turns[key]
            else:
                self._turns[key] = (lock, waiting - 1)


def _settled(record: Record, tool: Tool, trace: Trace) -> Replay:
    """What a record answers. One that was claimed and never finished is unknown: its process died, or still runs."""
    if record.arguments != trace.canonical:
        message = f"{tool.name} was called under this key before, with other arguments. Use a new key for a new order."
        raise stop(Status.CONFLICT, "conflict", message)
    if record.state != "done" or record.result is None:
        message = f"{tool.name} was started under this key before and nobody knows whether it took effect."
        raise stop(Status.OUTCOME_UNKNOWN, "outcome_unknown", message, next_step="check whether it took effect")
    known = json.loads(record.result)
    trace.replayed = True
    trace.status = Status(known["status"])
    trace.error = CallError(*known["error"]) if known["error"] else None
    return Replay(known["value"])
