"""LAYER 3: the executor gateway. One call ends in exactly one result and one log line.

The order of a call stands in `order.py`; each policy has a module of its own.
"""

from __future__ import annotations

import asyncio
import random
import secrets
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Self

from toolkit.gateway import log
from toolkit.gateway.access import unknown
from toolkit.gateway.background import Background
from toolkit.gateway.confirmation import Confirmations
from toolkit.gateway.idempotency import IdempotencyStore, MemoryStore
from toolkit.gateway.lifecycle import Lifecycle
from toolkit.gateway.limits import Quotas, RateLimiter
from toolkit.gateway.order import compile_order
from toolkit.gateway.orders import Orders
from toolkit.gateway.outcome import Stopped, broken
from toolkit.gateway.policy import Hook, Injector, Scorer, Services, Sink, Step
from toolkit.gateway.settings import Settings
from toolkit.gateway.trace import Trace
from toolkit.gateway.workers import Workers
from toolkit.records import Context, Tool, ToolResult
from toolkit.registry import Registry
from toolkit.wire import clean_name, read_call

NOBODY = Context()
DEFAULTS = Settings()


class Gateway:
    """Runs tool calls of one registry.

    Args:
        registry: The tools; it may change while the gateway runs.
        settings: Numbers: limits, attempts, pool sizes.
        hooks: Asked before a call runs, with tool name, arguments and context. A `ToolError` refuses the call.
        store: Idempotency records, and which confirmations were used up.
        limiter: Counts calls for rate limits; the `limits` library in memory if not given.
        scorer: Scores a value, 0..1 with a reason, given tool name, arguments and value; None for no score.
        background: Evaluates results after they were returned.
        injector: A failure lab.
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
        background: Background | None = None,
        log_sink: Sink | None = log.standard_sink,
        injector: Injector | None = None,
        debug_sink: Sink | None = None,
        confirmation_key: bytes | None = None,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        rng: random.Random | None = None,
    ) -> None:
        self.registry = registry
        self.lost_log_lines = 0
        self._log_sink, self._hash_key = log_sink, secrets.token_bytes(16)
        self._background = background
        store = store if store is not None else MemoryStore()
        self._clock = clock
        self._steps: dict[str, tuple[Tool, Step]] = {}
        self._steps_version = registry.version
        self.services = Services(
            registry=registry,
            settings=settings,
            clock=clock,
            sleep=sleep,
            rng=rng or random.Random(),
            hooks=tuple(hooks),
            scorer=scorer,
            injector=injector,
            debug_sink=debug_sink,
            workers=Workers(settings.threads, settings.threads_per_tool, settings.replacements),
            quotas=Quotas(limiter, clock),
            confirmations=Confirmations(store, confirmation_key),
            orders=Orders(store),
            lifecycle=Lifecycle(),
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Close shared resources and let idle threads end. Stuck threads are not waited for."""
        self.services.workers.close()
        if self._background is not None:
            await self._background.close()
        await self.services.lifecycle.close()

    async def call_all(self, raw_calls: Sequence[object] | None, context: Context = NOBODY) -> list[ToolResult]:
        """Run the calls of one turn together. Results stand in request order, one for each call; None is no call."""
        calls = [read_call(raw, index) for index, raw in enumerate(raw_calls or ())]
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
            value = await self._look_up(trace)(trace)
        except Stopped as stopped:
            trace.status, trace.error = stopped.status, stopped.error
        except Exception as error:  # noqa: BLE001 - a store is down, a key function crashed: no tool is to blame
            trace.status, trace.error, trace.cause = broken(error, trace.tool, reached=trace.attempts > 0)
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
            self._write(self._log_sink, result, trace)
        if self._background is not None:
            self._background.put(result)
        return result

    def _look_up(self, trace: Trace) -> Step:
        """The first policy of all: is there such a tool? The rest of the order is compiled once per tool."""
        if self._steps_version != self.registry.version:
            self._steps, self._steps_version = {}, self.registry.version
        name = trace.tool
        known = self._steps.get(name)
        if known is None:
            tools = self.registry.snapshot()
            name, notes = clean_name(name, tools, lenient=self.services.settings.lenient)
            trace.notes = (*trace.notes, *notes)
            tool = tools.get(name)
            if tool is None:
                raise unknown(name, list(self.registry.visible(trace.context.role)))
            known = self._steps.get(name) or self._steps.setdefault(name, (tool, compile_order(tool, self.services)))
            trace.tool = name
        trace.version = known[0].version
        return known[1]

    def _write(self, sink: Sink, result: ToolResult, trace: Trace) -> None:
        """A log that fails must not fail the call; how many lines were lost is counted."""
        try:
            sink(log.record(result, trace, trace.context))
        except Exception:  # noqa: BLE001 - whatever a sink of the user's own raises
            self.lost_log_lines += 1
