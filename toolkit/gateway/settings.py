"""The numbers of a gateway. Tools may override some where they are declared."""

from __future__ import annotations

from dataclasses import dataclass

from toolkit.gateway.breaker import BreakerSettings
from toolkit.gateway.retry import Backoff

_BACKOFF = Backoff()
_BREAKER = BreakerSettings()


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Defaults fit a chat agent whose tools answer in seconds.

    Args:
        lenient: Mend arguments where the model plainly meant well, and note it; False refuses.
        timeout_s: Limit for one attempt. None: no limit, and no task per call.
        deadline_s: Limit for all attempts and the waits between them. None: no limit.
        attempts: Attempts in all, the first included.
        backoff: Waits between attempts.
        retry_share: Retries a tool earns per call; see `RetryBudget`.
        breaker: None switches the breaker off.
        check_results: False passes on whatever a tool returns.
        threads: Threads for sync tools; `threads_per_tool` of them for one tool.
        replacements: Stuck threads that are replaced by new ones.
    """

    lenient: bool = True
    timeout_s: float | None = 30.0
    deadline_s: float | None = 60.0
    attempts: int = 3
    backoff: Backoff = _BACKOFF
    retry_share: float = 0.09
    breaker: BreakerSettings | None = _BREAKER
    check_results: bool = True
    threads: int = 64
    threads_per_tool: int = 32
    replacements: int = 64


BARE = Settings(timeout_s=None, deadline_s=None, attempts=1, breaker=None, check_results=False)
"""Validate and run, nothing else: the floor a benchmark starts from."""
