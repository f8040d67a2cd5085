"""Rate limits counted in Redis, for gateways on several machines. Needs the extra `redis`."""

from __future__ import annotations

import json
import math
import time
from typing import Any, Self

from limits import RateLimitItemPerSecond
from limits.aio.storage import RedisStorage
from limits.aio.strategies import MovingWindowRateLimiter
from redis.asyncio import ConnectionPool
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from toolkit.records import RateLimit


class SharedLimiter:
    """A `RateLimiter` over Redis. Where Redis does not answer, a limited tool is not run.

    Args:
        uri: Such as `redis://localhost:6379/0`.
        timeout_s: For one question to Redis, in seconds. It is not asked twice.

    Seconds are rounded up, because Redis forgets keys by whole seconds: a limit gets stricter, never looser.
    """

    def __init__(self, uri: str, *, timeout_s: float = 1.0) -> None:
        self._pool = ConnectionPool.from_url(
            uri, socket_timeout=timeout_s, socket_connect_timeout=timeout_s, retry=Retry(NoBackoff(), 0)
        )
        options: dict[str, Any] = {"connection_pool": self._pool}
        storage = RedisStorage("async+redis://", implementation="redispy", **options)
        self._window = MovingWindowRateLimiter(storage)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the connections."""
        await self._pool.aclose()

    async def take(self, limit: RateLimit, *key: str) -> float | None:
        """Count a call and return None, or return the seconds to wait without counting it."""
        item, name = RateLimitItemPerSecond(limit.calls, math.ceil(limit.per_s), namespace="toolkit"), json.dumps(key)
        if await self._window.hit(item, name):
            return None
        return max(0.001, (await self._window.get_window_stats(item, name)).reset_time - time.time())
