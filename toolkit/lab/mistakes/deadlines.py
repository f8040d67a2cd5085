"""Limits and retries that do not do what they say."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from toolkit.errors import TransientError
from toolkit.lab.virtual_time import VirtualTime

Work = Callable[[], Awaitable[Any]]
Record = dict[str, Any]


class CheckedAfterwards:
    """A time limit for a block."""

    def __init__(self, limit_s: float, clock: VirtualTime) -> None:
        self.limit_s, self.clock = limit_s, clock

    async def __aenter__(self) -> None:
        self.began = self.clock.now()

    async def __aexit__(self, *_: object) -> None:
        if self.clock.now() - self.began > self.limit_s:
            raise TimeoutError(f"more than {self.limit_s} s")


async def keep_trying(work: Work, limit_s: float) -> Any:
    """Try twice, in case the first attempt is too slow."""
    for _ in range(2):
        try:
            return await asyncio.wait_for(work(), limit_s)
        except (TimeoutError, asyncio.CancelledError):
            continue


async def insist(work: Work, limit_s: float, attempts: int) -> Any:
    """Try again after a timeout."""
    for _ in range(attempts):
        try:
            return await asyncio.wait_for(work(), limit_s)
        except TimeoutError:
            told = "The booking timed out."
    return told


async def retry_with_backoff(work: Work, clock: VirtualTime, max_retries: int = 3) -> Record:
    """Retry with exponential backoff, and record it."""
    record: Record = {"status": "failed", "error": None, "retry_count": 0, "seconds": 0.0}
    for attempt in range(max_retries):
        began = clock.now()
        try:
            value = await work()
            return record | {"status": "success", "value": value, "seconds": clock.now() - began}
        except TransientError as error:
            record["error"] = str(error)
            record["retry_count"] += 1
            await asyncio.sleep(1.0 * (attempt + 1))  # exponential
    return record
