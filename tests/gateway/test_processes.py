"""CPU-bound tools run in processes that can be killed. Real processes, so these few tests take real seconds."""

from __future__ import annotations

import asyncio
import os
import signal
import time

import pytest

from toolkit import CallPolicy, Gateway, Registry, Status, Tool, ToolError
from toolkit.arguments import parse_arguments
from toolkit.gateway import processes
from toolkit.gateway.processes import Processes
from toolkit.gateway.workers import PoolBusy

NOTHING = {"type": "object", "properties": {}}


@pytest.fixture
def one_process(monkeypatch):
    """A pool of one process, ended with the test."""
    pool = Processes(1)
    monkeypatch.setattr(processes, "PROCESSES", pool)
    yield pool
    pool.close()


def cpu_registry():
    registry = Registry()
    for name, func, timeout_s in (("where", os.getpid, 30), ("hang", signal.pause, 0.1)):
        policy = CallPolicy(cpu_bound=True, idempotent=True, attempts=1, timeout_s=timeout_s)
        registry.add(Tool(name=name, description="Run.", parameters=NOTHING, func=func, policy=policy))
    return registry


@pytest.mark.row("T8", "F5")
def test_a_process_that_hangs_is_killed_and_the_next_call_runs(one_process):
    """`timeout` at the limit; the only process there may be is free again for the next call, with another id."""

    async def main():
        async with Gateway(cpu_registry(), log_sink=None) as gateway:
            call = {"id": "c", "function": {"name": "where", "arguments": "{}"}}
            first = await gateway.call(call)
            started = time.monotonic()
            hung = await gateway.call({"id": "c", "function": {"name": "hang", "arguments": "{}"}})
            late_s = time.monotonic() - started - 0.1
            return first, hung, late_s, await gateway.call(call)

    first, hung, late_s, after = asyncio.run(main())
    assert (first.status, hung.status, after.status) == (Status.SUCCESS, Status.TIMEOUT, Status.SUCCESS)
    assert len({first.value, after.value, os.getpid()}) == 3
    assert late_s < 0.5


@pytest.mark.row("T8", "P55")
def test_nothing_queues_for_a_process(one_process):
    """The second call at once is refused instead of waiting inside its own limit."""

    async def main():
        task = asyncio.ensure_future(one_process.run(signal.pause, {}))
        await asyncio.sleep(0)
        with pytest.raises(PoolBusy):
            await one_process.run(os.getpid, {})
        task.cancel()
        await asyncio.wait({task})
        return task.cancelled()

    assert asyncio.run(main())


@pytest.mark.row("T8", "T7")
def test_an_error_crosses_the_border(one_process):
    """A `ToolError` raised in a process is one here, with its words."""
    with pytest.raises(ToolError) as raised:
        asyncio.run(one_process.run(parse_arguments, {"raw": "[1]"}))
    assert raised.value.message == "Arguments must be a JSON object, received a list."
