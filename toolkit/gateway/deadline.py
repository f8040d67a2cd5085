"""An attempt has a time limit, and the caller gets its answer at the limit, whatever the tool does."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any, TypeVar

from toolkit.gateway.outcome import late

if TYPE_CHECKING:
    from toolkit.gateway.policy import Services, Step
    from toolkit.gateway.trace import Trace
    from toolkit.records import Tool

T = TypeVar("T")


def keep_deadline(tool: Tool, services: Services, then: Step) -> Step:
    """Set the moment by which the call has to end, all attempts and the waits between them included."""
    deadline_s, clock = services.settings.deadline_s, services.clock
    if deadline_s is None:
        return then

    async def run(trace: Trace) -> Any:
        trace.deadline = clock() + deadline_s
        return await then(trace)

    return run


def limit_attempt(tool: Tool, services: Services, then: Step) -> Step:
    """Give one attempt its time, and no more than is left of the call's."""
    timeout_s = services.settings.timeout_s if tool.policy.timeout_s is None else tool.policy.timeout_s
    if timeout_s is None and services.settings.deadline_s is None:
        return then
    clock, orphans = services.clock, services.orphans

    async def run(trace: Trace) -> Any:
        left_s = float("inf") if trace.deadline is None else trace.deadline - clock()
        limit_s = left_s if timeout_s is None else min(timeout_s, left_s)
        try:
            return await within(limit_s, then(trace), orphans)
        except LimitPassed:
            raise late(tool, limit_s, reached=trace.reached) from None

    return run


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
    over: asyncio.Future[None] = loop.create_future()

    def finish() -> None:
        if not over.done():
            over.set_result(None)

    async def run() -> T:
        try:
            return await work
        finally:  # not a done callback, which would cost the caller one more turn of the loop
            finish()

    if sys.version_info >= (3, 12):
        # What ends without waiting for anything has ended here, and needs no timer and no turn of the loop.
        task = asyncio.Task(run(), loop=loop, eager_start=True)
        if task.done():
            return task.result()
    else:
        task = loop.create_task(run())
    timer = loop.call_later(limit_s, finish)
    try:
        await over
    except asyncio.CancelledError:
        task.add_done_callback(lambda _: work.close())  # where the task was cancelled before it began
        orphans.adopt(task)
        raise
    finally:
        timer.cancel()
    if task.done():
        return task.result()
    orphans.adopt(task)
    await asyncio.sleep(0)  # let it hear of it: what it puts in order at once is in order when the caller goes on
    raise LimitPassed
