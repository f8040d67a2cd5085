"""A bounded pool of threads for sync tools, the gateway's own.

A thread cannot be killed. So a thread that outlives its limit is abandoned: counted, replaced by a new one up to a
cap, and left to end by itself. Nothing queues: where no thread is free, the call is told so at once, because a
queue would only hide the wait inside the caller's time limit. The threads are daemons, so a stuck one does not keep
the program from ending.
"""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import queue
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


class PoolBusy(Exception):
    """No thread is free, or this tool has its share of threads already."""


@dataclass(slots=True)
class _Job:
    work: Callable[[], Any]
    loop: asyncio.AbstractEventLoop
    answer: asyncio.Future[tuple[bool, Any]]
    tool: str
    abandoned: bool = False
    finished: bool = False


class Workers:
    """At most `size` healthy threads, `per_tool` of them for one tool, `replacements` stuck ones beside them."""

    def __init__(self, size: int = 64, per_tool: int = 32, replacements: int = 64) -> None:
        self._size, self._per_tool, self._replacements = size, per_tool, replacements
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._alive = self._idle = 0
        self._closed = False
        self._busy: dict[str, int] = {}
        self.stuck = 0

    @property
    def busy(self) -> int:
        """Threads at work now, stuck ones included."""
        with self._lock:
            return sum(self._busy.values())

    async def run(self, tool: str, work: Callable[[], Any]) -> Any:
        """Run `work` in a thread, with the caller's context variables, and return its value.

        Raises:
            PoolBusy: no thread is free.
            BaseException: whatever `work` raised, `StopIteration` and `SystemExit` included.
        """
        loop = asyncio.get_running_loop()
        context = contextvars.copy_context()
        job = _Job(lambda: context.run(work), loop, loop.create_future(), tool)
        self._start(job)
        try:
            worked, value = await job.answer
        except asyncio.CancelledError:
            self._abandon(job)
            raise
        if worked:
            return value
        raise RaisedInThread(value)

    def close(self) -> None:
        """Let idle threads end now and busy ones when their work does. A late call still gets a thread, for itself."""
        with self._lock:
            self._closed = True
            for _ in range(self._idle):
                self._jobs.put(None)
            self._alive -= self._idle
            self._idle = 0

    def _start(self, job: _Job) -> None:
        with self._lock:
            if self._busy.get(job.tool, 0) >= self._per_tool:
                raise PoolBusy
            if self._idle == 0:
                if self._alive - min(self.stuck, self._replacements) >= self._size:
                    raise PoolBusy
                self._new_thread()
            else:
                self._idle -= 1
            self._busy[job.tool] = self._busy.get(job.tool, 0) + 1
        self._jobs.put(job)

    def _new_thread(self) -> None:
        try:
            threading.Thread(target=self._serve, name="toolkit-worker", daemon=True).start()
        except RuntimeError:  # the machine has no more threads to give
            raise PoolBusy from None
        self._alive += 1

    def _abandon(self, job: _Job) -> None:
        with self._lock:
            if not job.finished:  # it may have, while its answer was on the way
                job.abandoned = True
                self.stuck += 1

    def _serve(self) -> None:
        while (job := self._jobs.get()) is not None and self._work(job):
            del job  # or an idle thread would keep the last arguments

    def _work(self, job: _Job) -> bool:
        """Do one job; False where this thread is to end."""
        answer: tuple[bool, Any] = (True, None)
        if not job.abandoned:
            try:
                answer = (True, job.work())
            except BaseException as error:  # noqa: BLE001 - also SystemExit: it must not end the thread unseen
                answer = (False, error)
        return self._finish(job, answer)

    def _finish(self, job: _Job, answer: tuple[bool, Any]) -> bool:
        """Hand the answer over; False where this thread has been replaced and is one too many."""
        with self._lock:
            job.finished = True
            self._busy[job.tool] -= 1
            self.stuck -= job.abandoned
            surplus = self._closed or self._alive - min(self.stuck, self._replacements) > self._size
            if surplus:
                self._alive -= 1
            else:
                self._idle += 1
            # Under the lock, so that who sees the thread free again finds its answer under way.
            if not job.abandoned:
                with contextlib.suppress(RuntimeError):  # the loop was closed
                    job.loop.call_soon_threadsafe(_deliver, job.answer, answer)
        return not surplus


class RaisedInThread(Exception):
    """Carries an exception out of a thread. Raising `StopIteration` into a coroutine would break the loop."""

    def __init__(self, error: BaseException) -> None:
        super().__init__()
        self.error = error


def _deliver(future: asyncio.Future[tuple[bool, Any]], answer: tuple[bool, Any]) -> None:
    if not future.done():
        future.set_result(answer)
