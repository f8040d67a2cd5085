"""What only real threads and processes can show: which of them can be stopped. Only yes or no is told, no time."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Literal

from toolkit.decorator import tool
from toolkit.gateway import Gateway
from toolkit.lab.waiting import finish
from toolkit.registry import Registry

_PATIENCE_S = 20.0  # for a slow machine; nothing here waits that long by itself

_EXECUTOR = """
from concurrent.futures import ThreadPoolExecutor
ThreadPoolExecutor().submit(wait)
"""
_DAEMON = """
threading.Thread(target=wait, daemon=True).start()
"""
_PROGRAM = """
import threading
wait = threading.Event().wait
{start}
print("main has ended", flush=True)
"""


def count_up(folder: str) -> None:
    """Compute, and after each step let a file grow by one byte, until a file named `stop` is there."""
    while not Path(folder, "stop").exists():
        sum(range(10_000))
        with Path(folder, "steps").open("ab") as steps:
            steps.write(b".")


def still_counting(where: Literal["thread", "process"]) -> bool:
    """Call `count_up` through a gateway, cancel the call once it counts, and look whether it goes on."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            finish(_cancel_once_it_counts(where, folder))
            return not _until(partial(_stands_still, folder), patience_s=1.0 if where == "thread" else _PATIENCE_S)
        finally:
            Path(folder, "stop").touch()
            _until(partial(_stands_still, folder))


async def _cancel_once_it_counts(where: Literal["thread", "process"], folder: str) -> None:
    registry = Registry()
    tool(registry, cpu_bound=where == "process")(count_up)
    async with Gateway(registry, log_sink=None) as gateway:
        call = {"id": "c", "name": "count_up", "arguments": {"folder": folder}}
        work = asyncio.ensure_future(gateway.call(call))
        await asyncio.to_thread(_until, lambda: _steps(folder) > 0)
        work.cancel()
        await asyncio.wait({work})


def _steps(folder: str) -> int:
    path = Path(folder, "steps")
    return path.stat().st_size if path.exists() else 0


def _stands_still(folder: str) -> bool:
    before = _steps(folder)
    time.sleep(0.1)
    return _steps(folder) == before


def _until(holds: Callable[[], bool], patience_s: float = _PATIENCE_S) -> bool:
    give_up = time.monotonic() + patience_s
    while not holds():
        if time.monotonic() > give_up:
            return False
        time.sleep(0.01)
    return True


def ends_with_a_stuck_thread(kind: Literal["executor", "daemon"]) -> bool:
    """Run a program whose only thread beside the main one is stuck: does it end when main does?"""
    code = _PROGRAM.format(start=_EXECUTOR if kind == "executor" else _DAEMON)
    program = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    try:
        assert program.stdout is not None
        assert program.stdout.readline() == "main has ended\n", "the program itself failed"
        program.wait(timeout=0.5 if kind == "executor" else _PATIENCE_S)
        return True
    except subprocess.TimeoutExpired:
        return False
    finally:
        program.kill()
        program.communicate()
