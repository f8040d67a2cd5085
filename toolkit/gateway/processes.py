"""CPU-bound tools run in processes, because threads share one interpreter and cannot be killed. Processes can.

The pool is made by `pebble` on first use and shared by the gateways of this program. As with threads nothing queues:
where all processes are taken, the call is told so. A function must be importable by name in a new interpreter.
"""

from __future__ import annotations

import asyncio
import atexit
import multiprocessing
import os
from collections.abc import Callable
from typing import Any

from toolkit.gateway.workers import PoolBusy


class Processes:
    """At most `size` calls at once, each in a process of its own that ends when its call is given up."""

    def __init__(self, size: int) -> None:
        self._size, self._running = size, 0
        self._pool: Any = None

    async def run(self, func: Callable[..., Any], keywords: dict[str, Any]) -> Any:
        """Run a picklable function in a process and return its value. A cancelled wait kills the process.

        Raises:
            PoolBusy: all processes are taken.
        """
        if self._running >= self._size:
            raise PoolBusy
        self._running += 1
        try:
            # Cancelling the wrapped future cancels pebble's, and that kills the process.
            return await asyncio.wrap_future(self._started().schedule(func, kwargs=keywords))
        finally:
            self._running -= 1

    def close(self) -> None:
        """Kill what runs and end all processes; the next call starts new ones."""
        if self._pool is not None:
            self._pool.stop()
            self._pool.join()
            self._pool = None

    def _started(self) -> Any:
        if self._pool is None:
            from pebble import ProcessPool

            # "spawn": a fork of a program with threads may copy a held lock.
            self._pool = ProcessPool(self._size, context=multiprocessing.get_context("spawn"))
            atexit.register(self._pool.stop)
        return self._pool


PROCESSES = Processes(os.cpu_count() or 2)
