"""How often and how much: rate limits through the `limits` library, and how many calls at once.

`limits` is imported when a tool first declares a rate limit. What is counted here is counted in this process;
`shared_limits.py` counts across machines.
"""

from __future__ import annotations

import inspect
import json
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Any, Protocol

from toolkit.gateway.outcome import stop
from toolkit.gateway.policy import Services, Step
from toolkit.gateway.trace import Trace
from toolkit.records import Context, RateLimit, Status, Tool


def limit_rate(tool: Tool, services: Services, then: Step) -> Step:
    """Count a call against the tool's rate limit and its cap per session."""
    if tool.policy.rate_limit is None and tool.policy.max_calls is None:
        return then
    quotas = services.quotas

    async def run(trace: Trace) -> Any:
        await quotas.take(tool, trace.context)
        return await then(trace)

    return run


def limit_concurrency(tool: Tool, services: Services, then: Step) -> Step:
    """Hold one of the tool's places while it runs; refuse at once where all are taken."""
    limit = tool.policy.concurrency
    if limit is None:
        return then
    running = services.quotas.running

    async def run(trace: Trace) -> Any:
        if running[tool.name] >= limit:
            message = f"{tool.name} already runs {limit} times at once."
            raise stop(Status.BUSY, "busy", message, retryable=True, next_step="call it again in a moment")
        running[tool.name] += 1
        try:
            return await then(trace)
        finally:
            running[tool.name] -= 1

    return run


class RateLimiter(Protocol):
    """Counts calls. `take` is atomic; where it has to ask another machine, it gives something to await."""

    def take(self, limit: RateLimit, *key: str) -> float | Awaitable[float | None] | None:
        """Count a call and give None, or give the seconds to wait without counting it."""


class WindowLimiter:
    """Moving windows in this process, by the `limits` library. `clock` gives monotonic seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        from limits import RateLimitItemPerSecond
        from limits.strategies import MovingWindowRateLimiter

        from toolkit.gateway.window_storage import SteadyStorage

        self._item, self._window, self._clock = (
            RateLimitItemPerSecond,
            MovingWindowRateLimiter(SteadyStorage(clock)),
            clock,
        )

    def take(self, limit: RateLimit, *key: str) -> float | None:
        """Count a call and return None, or return the seconds to wait without counting it."""
        item: Any = self._item(limit.calls)
        item.multiples = limit.per_s  # the library's constructor knows whole seconds only
        name = json.dumps(key)  # joined with "/", two keys could become one
        if self._window.hit(item, name):
            return None
        return max(0.001, self._window.get_window_stats(item, name).reset_time - self._clock())


class Quotas:
    """Counters of one gateway: calls per session and calls at once."""

    def __init__(self, limiter: RateLimiter | None, clock: Callable[[], float]) -> None:
        self._limiter, self._clock = limiter, clock
        self.running: Counter[str] = Counter()
        self._made: Counter[tuple[str, str]] = Counter()

    async def take(self, tool: Tool, context: Context) -> None:
        """Count one call against the tool's cap per session and its rate limit; a refused call uses neither up.

        Raises:
            Stopped: `rate_limited`, with the seconds to wait where waiting helps.
        """
        policy, made = tool.policy, (tool.name, context.session)
        if policy.max_calls is not None:
            if self._made[made] >= policy.max_calls:
                message = f"{tool.name} may be called {policy.max_calls} times in one session, and it was."
                raise stop(Status.RATE_LIMITED, "session_cap", message, next_step="stop calling it; answer the user")
            self._made[made] += 1
        if policy.rate_limit is not None:
            try:
                await self._take_one(tool, policy.rate_limit, context)
            except BaseException:
                self._made[made] -= policy.max_calls is not None
                raise

    async def _take_one(self, tool: Tool, limit: RateLimit, context: Context) -> None:
        if self._limiter is None:
            self._limiter = WindowLimiter(self._clock)
        wait_s = self._limiter.take(limit, tool.name, context.role or "", context.session)
        if inspect.isawaitable(wait_s):
            wait_s = await wait_s
        if wait_s is not None:
            calls, per_s = limit
            message = f"{tool.name} may be called {calls} times in {per_s:g} s."
            raise stop(Status.RATE_LIMITED, "rate_limited", message, retryable=True, retry_after_s=wait_s)
