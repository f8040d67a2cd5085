"""LAYER 3: the executor gateway. One call ends in exactly one result and one log line.

`Gateway._in_order` is the one place where the order of a call stands. Each step is a policy of its own module.
"""

from __future__ import annotations

import asyncio
import random
import secrets
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Self

from toolkit.arguments import MalformedArguments
from toolkit.gateway import log
from toolkit.gateway.access import authorize, unknown
from toolkit.gateway.attempts import Attempts
from toolkit.gateway.confirmation import Confirmations
from toolkit.gateway.contract import keywords_of
from toolkit.gateway.fallback import fall_back
from toolkit.gateway.hooks import Hook, Scorer, ask, score
from toolkit.gateway.idempotency import IdempotencyStore, MemoryStore
from toolkit.gateway.lifecycle import Lifecycle
from toolkit.gateway.limits import Quotas, RateLimiter
from toolkit.gateway.orders import Orders, key_of
from toolkit.gateway.outcome import Stopped, stop
from toolkit.gateway.prepared import Prepared
from toolkit.gateway.settings import Settings
from toolkit.gateway.trace import Trace
from toolkit.gateway.workers import Workers
from toolkit.records import Context, Status, Tool, ToolCall, ToolResult
from toolkit.registry import Registry
from toolkit.validation import Rejected
from toolkit.wire import clean_name, read_call

NOBODY = Context()
DEFAULTS = Settings()


class Gateway:
    """Runs tool calls of one registry.

    Args:
        registry: The tools; it may change while the gateway runs.
        settings: Numbers: limits, attempts, pool sizes.
        hooks: Asked before a call runs, with tool name, arguments and context. A `ToolError` refuses the call.
        store: Idempotency records.
        limiter: Counts calls for rate limits; the `limits` library in memory if not given.
        scorer: Scores a value, 0..1 with a reason, given tool name, arguments and value.
        log_sink: Gets one record per call. None: no log.
        debug_sink: Gets the whole text of exceptions. Off unless given, because such texts carry secrets.
        confirmation_key: Keeps confirmation tokens valid over a restart.
        clock: Monotonic seconds.
        sleep: Waits between attempts.
        rng: Jitter.
    """

    def __init__(
        self,
        registry: Registry,
        settings: Settings = DEFAULTS,
        *,
        hooks: Sequence[Hook] = (),
        store: IdempotencyStore | None = None,
        limiter: RateLimiter | None = None,
        scorer: Scorer | None = None,
        log_sink: log.Sink | None = log.standard_sink,
        debug_sink: log.Sink | None = None,
        confirmation_key: bytes | None = None,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        rng: random.Random | None = None,
    ) -> None:
        self.registry = registry
        self.settings = settings
        self.lost_log_lines = 0
        self._hooks, self._scorer = tuple(hooks), scorer
        self._log_sink = log_sink
        self._clock = clock
        self._hash_key = secrets.token_bytes(16)
        self._prepared: dict[str, Prepared] = {}
        self._lifecycle = Lifecycle()
        self._quotas = Quotas(limiter)
        self._confirmations = Confirmations(confirmation_key)
        self._orders = Orders(store if store is not None else MemoryStore())
        self.workers = Workers(settings.threads, settings.threads_per_tool, settings.replacements)
        self.attempts = Attempts(settings, self.workers, clock, sleep, rng or random.Random(), debug_sink)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Close shared resources and let idle threads end. Stuck threads are not waited for."""
        self.workers.close()
        await self._lifecycle.close()

    async def call_all(self, raw_calls: Sequence[object], context: Context = NOBODY) -> list[ToolResult]:
        """Run the calls of one turn together. Results stand in request order, one for each call."""
        calls = [read_call(raw, index) for index, raw in enumerate(raw_calls)]
        return await asyncio.gather(*(self.call(call, context) for call in calls))

    async def call(self, raw: object, context: Context = NOBODY) -> ToolResult:
        """Run one call, given as a dict or an object of the openai client. Never raises on what a model sends.

        Raises:
            asyncio.CancelledError: the caller was cancelled; there is no result then.
        """
        started = self._clock()
        call = read_call(raw)
        trace = Trace(call, context)
        value = None
        try:
            value = await self._in_order(call, context, trace)
        except Stopped as stopped:
            trace.status, trace.error = stopped.status, stopped.error
        if self._log_sink is not None and trace.arguments is not None:
            trace.input_hash = log.input_hash(self._hash_key, trace.tool, trace.canonical)
        result = ToolResult(
            trace.status,
            value,
            trace.error,
            trace.attempts,
            (self._clock() - started) * 1000,
            call.id,
            trace.tool,
            trace.arguments,
            trace.input_hash,
            trace.replayed,
            trace.score,
            trace.notes,
        )
        if self._log_sink is not None:
            self._write(self._log_sink, log.record(result, trace, context))
        return result

    async def _in_order(self, call: ToolCall, context: Context, trace: Trace) -> Any:
        """THE ORDER OF A CALL, outermost first. `_run` below is its second half."""
        prepared = self._look_up(call, trace)
        tool = prepared.tool
        if tool.policy.roles is not None or self.registry.roles_in_use:
            authorize(tool, context)
        keywords = self._validate(tool, call, context, trace)
        if self._hooks:
            await ask(self._hooks, tool, context, trace)
        key = key_of(tool, context, trace) if tool.policy.idempotency_key else None
        if key is not None and (replay := await self._orders.look_up(key, tool, trace)):
            return replay.value
        if tool.policy.confirm:
            self._confirmations.demand(tool, context, trace)
        if key is not None:
            return await self._orders.once(key, tool, trace, lambda: self._run(prepared, keywords, context, trace))
        return await self._run(prepared, keywords, context, trace)

    async def _run(self, prepared: Prepared, keywords: dict[str, Any], context: Context, trace: Trace) -> Any:
        tool = prepared.tool
        self._quotas.take(tool, context)
        with self._quotas.slot(tool):
            if prepared.filled_in:
                keywords = await self._lifecycle.fill_in(prepared, keywords, context)
            try:
                # total deadline -> retry -> breaker -> attempt timeout -> the call -> result check
                value = await self.attempts.run(prepared, keywords, trace)
            except Stopped as stopped:
                value = await fall_back(stopped, prepared, keywords, trace, self.workers)
        if self._scorer is not None:
            score(self._scorer, value, trace)
        return value

    def _look_up(self, call: ToolCall, trace: Trace) -> Prepared:
        tools = self.registry.snapshot()
        tool = tools.get(call.name)
        if tool is None:
            name, notes = clean_name(call.name, tools, lenient=self.settings.lenient)
            tool, trace.notes = tools.get(name), (*trace.notes, *notes)
        if tool is None:
            raise unknown(call.name, list(self.registry.visible(trace.role)))
        trace.tool, trace.version = tool.name, tool.version
        prepared = self._prepared.get(tool.name)
        if prepared is None or prepared.tool is not tool:
            prepared = self._prepared[tool.name] = Prepared(tool, self.settings, self._clock)
        return prepared

    def _validate(self, tool: Tool, call: ToolCall, context: Context, trace: Trace) -> dict[str, Any]:
        if call.error is not None:
            raise stop(Status.VALIDATION_ERROR, "truncated", call.error)
        try:
            keywords, notes = keywords_of(tool, call.arguments, context, lenient=self.settings.lenient)
        except Rejected as error:
            trace.fields = error.fields
            raise stop(Status.VALIDATION_ERROR, "invalid_arguments", error.message, next_step=error.next_step) from None
        except MalformedArguments as error:
            raise stop(Status.VALIDATION_ERROR, "malformed_arguments", error.message) from None
        if notes:
            trace.notes = (*trace.notes, *notes)
        trace.arguments = keywords
        return keywords

    def _write(self, sink: log.Sink, record: dict[str, Any]) -> None:
        """A log that fails must not fail the call; how many lines were lost is counted."""
        try:
            sink(record)
        except Exception:  # noqa: BLE001 - whatever a sink of the user's own raises
            self.lost_log_lines += 1
