"""Who calls, and what is called: the small parts the lessons on running need again and again."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import Any

from toolkit.errors import TransientError


async def leave_early(call: Awaitable[Any], after_s: float = 0.5) -> Any:
    """A user who starts a call and then closes the window, so that it is cancelled; what the call ends in."""
    task = asyncio.ensure_future(call)
    await asyncio.sleep(after_s)
    task.cancel()
    return await task


class Flaky:
    """A search that fails for now, `failures` times, and then works."""

    def __init__(self, failures: int) -> None:
        self.failures = failures

    async def __call__(self) -> list[str]:
        if self.failures:
            self.failures -= 1
            raise TransientError("the hotels' server is down")
        return ["HT-001", "HT-002"]
