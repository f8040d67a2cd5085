"""Evaluation after the answer was given: the caller does not wait for it, and nothing it does reaches the caller.

What waits is bounded. An evaluation that comes too late for the queue, or for the end of the program, is dropped and
counted: an opinion on a call is worth less than the next call.
"""

from __future__ import annotations

import asyncio
import inspect
from collections import deque
from collections.abc import Awaitable, Callable
from copy import deepcopy

from toolkit.gateway.outcome import not_its_own
from toolkit.records import ToolResult

Evaluation = Callable[[ToolResult], Awaitable[object] | object]


class Background:
    """Evaluates results one after another, in a task of its own.

    Args:
        evaluate: Gets a copy of each result. A sync function runs on the event loop, so it had better be quick.
        size: How many results may wait.
        close_within_s: How long `close` lets pending evaluations go on, in seconds.
    """

    def __init__(self, evaluate: Evaluation, *, size: int = 1000, close_within_s: float = 1.0) -> None:
        self._evaluate, self._size, self._close_within_s = evaluate, size, close_within_s
        self._waiting: deque[ToolResult] = deque()
        self._task: asyncio.Task[None] | None = None
        self.evaluated = self.failed = self.dropped = 0

    def put(self, result: ToolResult) -> None:
        """Take a result to be evaluated later, or drop it where too many wait. Never waits, never raises."""
        if len(self._waiting) >= self._size:
            self.dropped += 1
            return
        try:
            copy = result._replace(value=deepcopy(result.value), arguments=deepcopy(result.arguments))
        except Exception:  # noqa: BLE001 - an unchecked value may refuse to be copied
            self.dropped += 1
            return
        self._waiting.append(copy)
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._work())

    async def close(self) -> None:
        """Let pending evaluations go on for a while, then drop the rest. Takes at most `close_within_s`."""
        if self._task is not None and not self._task.done():
            await asyncio.wait({self._task}, timeout=self._close_within_s)
            self._task.cancel()  # not waited for: it may swallow that
        self.dropped += len(self._waiting)
        self._waiting.clear()

    async def _work(self) -> None:
        while self._waiting:
            result = self._waiting.popleft()
            try:
                answer = self._evaluate(result)
                if inspect.isawaitable(answer):
                    await answer
                self.evaluated += 1
            except BaseException as error:  # an evaluation is the user's own code
                if not_its_own(error):
                    self.dropped += 1
                    raise
                self.failed += 1
            await asyncio.sleep(0)  # a quick sync evaluation must not hold the loop until all are done
