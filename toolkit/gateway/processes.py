"""CPU-bound tools run in processes, because threads share one interpreter and cannot be killed. Processes can.

Pools are made by `pebble`, started on first use and shared by the gateways of this program.
"""

from __future__ import annotations

import asyncio
import atexit
import functools
import multiprocessing
from collections.abc import Callable
from typing import Any


@functools.cache
def _pool() -> Any:
    from pebble import ProcessPool

    # "spawn": a fork of a program with threads may copy a held lock.
    pool = ProcessPool(context=multiprocessing.get_context("spawn"))
    atexit.register(pool.stop)
    return pool


async def run_in_process(func: Callable[..., Any], keywords: dict[str, Any]) -> Any:
    """Run a picklable function in a process and return its value. A cancelled wait kills the process."""
    future = _pool().schedule(func, kwargs=keywords)
    try:
        return await asyncio.wrap_future(future)
    except asyncio.CancelledError:
        future.cancel()
        raise
