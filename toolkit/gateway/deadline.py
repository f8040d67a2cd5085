"""An attempt has a time limit, and the caller gets its answer at the limit, whatever the tool does."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


class LimitPassed(Exception):
    """The limit came before the answer."""


class Orphans:
    """Tasks that outlived their limit or their caller. They are cancelled, counted, and never waited for.

    `asyncio.timeout` and `wait_for` cancel a task and then wait for it, so a tool that swallows the cancellation
    keeps the caller waiting for as long as it likes.
    """

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()

    def __len__(self) -> int:
        return len(self._tasks)

    def adopt(self, task: asyncio.Task[Any]) -> None:
        """Cancel a task and keep it alive until it ends by itself."""
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        task.cancel()

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()  # read it, or asyncio reports it as never retrieved


async def within(limit_s: float, work: Coroutine[Any, Any, T], orphans: Orphans) -> T:
    """Run `work` and return its value, or raise `LimitPassed` after `limit_s` seconds.

    Raises:
        LimitPassed: the limit came first; the work goes on as an orphan.
        asyncio.CancelledError: the caller was cancelled, or the tool raised it itself.
    """
    loop = asyncio.get_running_loop()
    task = loop.create_task(work)
    over: asyncio.Future[None] = loop.create_future()

    def finish(_: object = None) -> None:
        if not over.done():
            over.set_result(None)

    task.add_done_callback(finish)
    timer = loop.call_later(limit_s, finish)
    try:
        await over
    except asyncio.CancelledError:
        orphans.adopt(task)
        raise
    finally:
        timer.cancel()
    if task.done():
        return task.result()
    orphans.adopt(task)
    raise LimitPassed
