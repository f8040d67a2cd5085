"""When to try again, and how long to wait first.

At work: `stamina`. Ours differs in one point that matters for tools: it repeats only what is safe to repeat.
Backoff with full jitter: Marc Brooker, "Exponential Backoff And Jitter", AWS Architecture Blog, 2015.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from toolkit.gateway.outcome import Failure, Stopped

if TYPE_CHECKING:
    from toolkit.gateway.policy import Services, Step
    from toolkit.gateway.trace import Trace
    from toolkit.records import Tool


def retry(tool: Tool, services: Services, then: Step) -> Step:
    """Repeat what failed for now, where that is safe, affordable, and fits the deadline."""
    most = services.settings.attempts if tool.policy.attempts is None else tool.policy.attempts
    if most == 1:
        return then
    budget = RetryBudget(services.settings.retry_share)
    backoff, idempotent = services.settings.backoff, tool.policy.idempotent

    async def run(trace: Trace) -> Any:
        budget.earn()
        failed: Failure | None = None
        while True:
            try:
                return await then(trace)
            except Failure as failure:
                failed = failure
            except Stopped:
                if failed is None:
                    raise
                raise failed from None  # the breaker opened, or no thread is left: the failure itself says more
            if not failed.repeatable or (failed.sent and not idempotent) or trace.attempts >= most:
                raise failed
            wait_s = backoff.wait_s(trace.attempts, services.rng, failed.error.retry_after_s)
            if trace.deadline is not None and services.clock() + wait_s >= trace.deadline:
                raise failed
            if not budget.spend():
                raise failed
            await services.sleep(wait_s)

    return run


@dataclass(frozen=True, slots=True)
class Backoff:
    """Waits before attempts 2, 3, 4 ...: a random part of `base_s`, doubled each time, at most `cap_s` seconds."""

    base_s: float = 0.1
    cap_s: float = 5.0

    def wait_s(self, attempt: int, rng: random.Random, retry_after_s: float | None = None) -> float:
        """Seconds to wait after the given attempt (1 is the first) failed.

        >>> Backoff(base_s=1, cap_s=8).wait_s(attempt=3, rng=random.Random(7), retry_after_s=5)
        5
        """
        ceiling = min(self.cap_s, self.base_s * 2 ** (attempt - 1))
        return max(rng.uniform(0, ceiling), retry_after_s or 0)


class RetryBudget:
    """Retries a tool may spend: a few at once, then a fixed share of its calls.

    Without it, every caller of a dead tool triples the load on it. With the defaults, 1,000 calls make at most
    1,100 attempts.
    """

    def __init__(self, share: float = 0.09, reserve: float = 10.0) -> None:
        self._share, self._reserve, self._left = share, reserve, reserve

    def earn(self) -> None:
        """A call begins."""
        self._left = min(self._left + self._share, self._reserve)

    def spend(self) -> bool:
        """Take one retry; False when none is left."""
        if self._left < 1:
            return False
        self._left -= 1
        return True
