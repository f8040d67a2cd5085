"""How often and how much: rate limits through the `limits` library, and how many calls at once.

`limits` is imported when a tool first declares a rate limit. Its memory storage counts in this process; give it
a Redis storage to count across machines.
"""

from __future__ import annotations

from collections import Counter
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
        quotas.take(tool, trace.context)
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
    """Counts calls. `take` is atomic."""

    def take(self, limit: RateLimit, *key: str) -> float | None:
        """Count a call and return None, or return the seconds to wait without counting it."""


class WindowLimiter:
    """A moving window over `limits`' storage; at work, pass `storage=RedisStorage(...)`."""

    def __init__(self, storage: Any = None) -> None:
        from limits.storage import MemoryStorage
        from limits.strategies import MovingWindowRateLimiter

        self._window = MovingWindowRateLimiter(storage if storage is not None else MemoryStorage())

    def take(self, limit: RateLimit, *key: str) -> float | None:
        import time

        from limits import RateLimitItemPerSecond

        item = RateLimitItemPerSecond(limit.calls, limit.per_s)  # type: ignore[arg-type]  # seconds may be a fraction
        if self._window.hit(item, *key):
            return None
        reset = self._window.get_window_stats(item, *key).reset_time
        return max(0.001, reset - time.time())


class Quotas:
    """Counters of one gateway: calls per session and calls at once."""

    def __init__(self, limiter: RateLimiter | None = None) -> None:
        self._limiter = limiter
        self.running: Counter[str] = Counter()
        self._made: Counter[tuple[str, str]] = Counter()

    def take(self, tool: Tool, context: Context) -> None:
        """Count one call against the tool's rate limit and its cap per session.

        Raises:
            Stopped: `rate_limited`, with the seconds to wait where waiting helps.
        """
        policy = tool.policy
        if policy.max_calls is not None:
            self._made[tool.name, context.session] += 1
            if self._made[tool.name, context.session] > policy.max_calls:
                message = f"{tool.name} may be called {policy.max_calls} times in one session, and it was."
                raise stop(Status.RATE_LIMITED, "session_cap", message, next_step="stop calling it; answer the user")
        if policy.rate_limit is None:
            return
        if self._limiter is None:
            self._limiter = WindowLimiter()
        wait_s = self._limiter.take(policy.rate_limit, tool.name, context.role or "", context.session)
        if wait_s is not None:
            calls, per_s = policy.rate_limit
            message = f"{tool.name} may be called {calls} times in {per_s:g} s."
            raise stop(Status.RATE_LIMITED, "rate_limited", message, retryable=True, retry_after_s=wait_s)
