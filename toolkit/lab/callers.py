"""Who calls, and what is called: the small parts the lessons on running need again and again."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

from toolkit.decorator import tool
from toolkit.errors import TransientError
from toolkit.lab.virtual_time import VirtualTime
from toolkit.registry import Registry


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


async def together(clock: VirtualTime, **calls: Coroutine[Any, Any, Any]) -> dict[str, str]:
    """Run calls side by side; for each what it ended in, and when.

    >>> clock = VirtualTime()
    >>> clock.run(together(clock, search=asyncio.sleep(0.1, "3 hotels"), weather=asyncio.wait_for(asyncio.sleep(9), 1)))
    {'search': '3 hotels after 0.1 s', 'weather': 'TimeoutError after 1 s'}
    """
    began = clock.now()

    async def ending(call: Coroutine[Any, Any, Any]) -> str:
        try:
            value = await call
        except Exception as error:  # noqa: BLE001 - how a call ended is what is asked here
            value = type(error).__name__
        return f"{value} after {round(clock.now() - began, 6):g} s"

    ended = await asyncio.gather(*map(ending, calls.values()))
    return dict(zip(calls, ended, strict=True))


async def on_the_loop(func: Callable[[], Any]) -> Any:
    """Call a sync function from a coroutine, as if it were nothing: the loop stands still until it returns."""
    return func()


def dead_search(reached: list[int]) -> Registry:
    """A registry with `search_hotels` on a server that is down: an attempt, noted in `reached`, hangs for a minute."""
    registry = Registry()

    @tool(registry, idempotent=True, timeout_s=2)
    async def search_hotels() -> list[str]:
        """Search hotels."""
        reached.append(1)
        return await asyncio.sleep(60, ["HT-001"])

    return registry


def slow_search(seconds: float) -> Registry:
    """A registry with `search_hotels` on a server that takes its time."""
    registry = Registry()

    @tool(registry, idempotent=True)
    async def search_hotels() -> list[str]:
        """Search hotels."""
        return await asyncio.sleep(seconds, ["HT-002"])

    return registry
