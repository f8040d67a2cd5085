"""The loop behind `VirtualTime`: asyncio's own, with the clock asked for the time and moved instead of waited for."""

from __future__ import annotations

import asyncio
import concurrent.futures
import functools
import selectors
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from toolkit.lab.virtual_time import VirtualTime

_FOREVER = float("inf")
_MOST_TURNS = 100_000  # of the loop at one moment: what still runs then only asks again and again


class VirtualLoop(asyncio.SelectorEventLoop):
    """Asks the clock for the time, and moves it where a loop would wait."""

    def __init__(self, clock: VirtualTime, pool: DefaultPool) -> None:
        self._virtual, self._counted = clock, pool
        super().__init__(_Selector(clock))
        self.set_exception_handler(lambda *_: None)  # what is left behind at the end is dropped without a word

    def time(self) -> float:
        return self._virtual.moment

    def run_in_executor(self, executor: Any, func: Any, *args: Any) -> Any:  # type: ignore[override]  # no type variables
        """As in asyncio, for the default pool. Other pools are to be watched."""
        if executor is not None:
            return super().run_in_executor(executor, func, *args)
        answer: asyncio.Future[Any] = self.create_future()
        self._counted.start(self, answer, functools.partial(func, *args))
        return answer


class _Selector(selectors.DefaultSelector):
    """Where a loop would wait for the next timer, time moves there."""

    def __init__(self, clock: VirtualTime) -> None:
        super().__init__()
        self._clock, self._turns = clock, 0

    def select(self, timeout: float | None = None) -> Any:
        ready = super().select(0)
        if ready or timeout == 0:
            self._turns += 1
            if self._turns > _MOST_TURNS:
                self._turns = 0
                self._clock.stand_still()
            return ready
        self._turns = 0
        waking = self._clock.settle()
        ready = super().select(0)  # what a thread handed over last
        if ready:
            return ready
        self._clock.move_to(min(waking, _FOREVER if timeout is None else self._clock.moment + timeout))
        self._clock.settle()  # an answer due at this moment comes before a limit due at this moment
        return super().select(0)


class DefaultPool:
    """What stands behind `asyncio.to_thread`: a few threads and a queue without end. It counts the threads at work."""

    def __init__(self, size: int) -> None:
        self._size, self._unfinished = size, 0
        self._threads = concurrent.futures.ThreadPoolExecutor(size, thread_name_prefix="asyncio")
        self._lock = threading.Lock()

    @property
    def busy(self) -> int:
        with self._lock:
            return min(self._unfinished, self._size)  # the rest of them only queue

    def start(self, loop: asyncio.AbstractEventLoop, answer: asyncio.Future[Any], work: Callable[[], Any]) -> None:
        with self._lock:
            self._unfinished += 1
        self._threads.submit(self._work, loop, answer, work)

    def close(self) -> None:
        self._threads.shutdown()

    def _work(self, loop: asyncio.AbstractEventLoop, answer: asyncio.Future[Any], work: Callable[[], Any]) -> None:
        deliver: Callable[[Any], None] = answer.set_result
        try:
            outcome = work()
        except BaseException as error:  # noqa: BLE001 - handed to whoever awaits the answer
            outcome, deliver = error, answer.set_exception
        with self._lock:  # the answer must be under way before this thread counts as free
            loop.call_soon_threadsafe(lambda: None if answer.done() else deliver(outcome))
            self._unfinished -= 1


def cancel_what_is_left(loop: VirtualLoop) -> None:
    """Cancel every task once and let it react; one that swallows the cancellation is dropped."""
    for task in asyncio.all_tasks(loop):
        task.cancel()
    for _ in range(3):
        loop.call_soon(loop.stop)
        loop.run_forever()
