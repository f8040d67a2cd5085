"""Sync tools in threads: a bounded pool, nothing queues, a stuck thread is counted and replaced up to a cap."""

from __future__ import annotations

import asyncio
import contextvars
import subprocess
import sys
import threading

import pytest

from toolkit import Gateway, Registry, Status, tool
from toolkit.gateway import Settings
from toolkit.gateway.workers import PoolBusy, Workers

FOUR = Settings(threads=4, threads_per_tool=4, replacements=0, timeout_s=1.0)


def blocking_tools(registry, clock, seconds, count=8):
    reached = []

    def declare(number):
        @tool(registry, name=f"slow_{number}", idempotent=True, attempts=1)
        def slow() -> str:
            """Slow."""
            reached.append(number)
            clock.block(seconds)
            return "done"

    for number in range(count):
        declare(number)
    return reached


@pytest.mark.row("P52", "T8")
async def test_sync_tools_run_beside_the_loop(registry, gateway_for, raw, clock):
    """Two tools that sleep 0.3 s at once take 0.3 s, and the loop ticks on."""
    blocking_tools(registry, clock, 0.3, count=2)
    gateway = gateway_for(registry)
    ticks = []

    async def tick():
        while True:
            await asyncio.sleep(0.05)
            ticks.append(clock.now())

    ticker = asyncio.create_task(tick())
    results = await gateway.call_all([raw("slow_0"), raw("slow_1")])
    ticker.cancel()
    assert [result.value for result in results] == ["done", "done"]
    assert (clock.now(), len(ticks) >= 4) == (0.3, True)


@pytest.mark.row("F14")
async def test_eight_blocking_tools_and_four_threads(registry, gateway_for, raw, clock):
    """Four time out, four are refused at once; four reached the tool, and four threads are stuck."""
    reached = blocking_tools(registry, clock, 1000)
    gateway = gateway_for(registry, FOUR)
    results = await gateway.call_all([raw(f"slow_{number}") for number in range(8)])
    assert [result.status for result in results] == [Status.TIMEOUT] * 4 + [Status.BUSY] * 4
    assert [result.attempts for result in results] == [1] * 4 + [0] * 4
    assert (sorted(reached), gateway.services.workers.stuck, clock.now()) == ([0, 1, 2, 3], 4, 1.0)
    assert [result.duration_ms for result in results[4:]] == [0.0] * 4
    assert results[4].to_content() == (
        '{"error": "No thread is free for slow_4.", "status": "busy", "retryable": true, '
        '"next_step": "call it again in a moment"}'
    )


@pytest.mark.row("F15")
async def test_a_healthy_tool_while_the_pool_is_stuck_and_after(registry, gateway_for, raw, clock):
    """`busy` while all threads hang, `success` once one of them is back."""
    blocking_tools(registry, clock, 5, count=4)
    gateway = gateway_for(registry, FOUR)

    @tool(registry)
    def quick() -> str:
        """Quick."""
        return "quick"

    await gateway.call_all([raw(f"slow_{number}") for number in range(4)])
    assert (await gateway.call(raw("quick"))).status is Status.BUSY
    await asyncio.sleep(5)
    assert (gateway.services.workers.stuck, (await gateway.call(raw("quick"))).value) == (0, "quick")


@pytest.mark.row("F14", "T8")
async def test_stuck_threads_are_replaced_up_to_a_cap(registry, gateway_for, raw, clock):
    """With two replacements two more calls run; the seventh finds no thread."""
    blocking_tools(registry, clock, 1000, count=7)
    settings = Settings(threads=4, threads_per_tool=4, replacements=2, timeout_s=1.0)
    gateway = gateway_for(registry, settings)
    statuses = [(await gateway.call(raw(f"slow_{number}"))).status for number in range(7)]
    assert statuses == [Status.TIMEOUT] * 6 + [Status.BUSY]


@pytest.mark.row("T8")
async def test_one_tool_cannot_take_all_threads(registry, gateway_for, raw, clock):
    """Forty hung calls of one tool; a quick tool does not wait."""
    blocking_tools(registry, clock, 1000, count=1)
    gateway = gateway_for(registry, Settings(threads=40, threads_per_tool=32, timeout_s=None, deadline_s=None))

    @tool(registry)
    def quick() -> str:
        """Quick."""
        return "quick"

    hung = asyncio.gather(*(gateway.call(raw("slow_0")) for _ in range(40)))
    await asyncio.sleep(0.01)
    assert (await gateway.call(raw("quick"))).value == "quick"
    assert clock.now() == 0.01
    hung.cancel()


@pytest.mark.row("F13")
@pytest.mark.parametrize("error", [StopIteration("x"), SystemExit(1), GeneratorExit(), KeyboardInterrupt()])
async def test_what_would_end_a_thread_or_a_loop_is_a_failure(registry, gateway_for, raw, error):
    """At once, and the next call runs: an await on a thread that raises StopIteration would hang for ever."""

    @tool(registry)
    def end_all() -> str:
        """End all."""
        raise error

    gateway = gateway_for(registry)
    results = [await gateway.call(raw("end_all")) for _ in range(3)]
    assert {(result.status, result.error.kind) for result in results} == {(Status.EXECUTION_ERROR, "bug")}
    assert gateway.services.workers.busy == 0


@pytest.mark.row("P54")
async def test_a_hung_thread_keeps_no_answer_back(registry, gateway_for, raw, clock):
    """Ten hung calls on four threads: each returns at its limit or at once, and the last says why it cannot run."""
    blocking_tools(registry, clock, 1000, count=1)
    gateway = gateway_for(registry, FOUR)
    results = [await gateway.call(raw("slow_0")) for _ in range(10)]
    assert [result.status for result in results] == [Status.TIMEOUT] * 4 + [Status.BUSY] * 6
    assert max(result.duration_ms for result in results) == 1000.0


@pytest.mark.row("P55")
async def test_no_call_waits_inside_its_own_limit(registry, gateway_for, raw, clock):
    """One thread, taken: the second call is told that it did not start, and may be repeated safely."""
    blocking_tools(registry, clock, 0.5, count=2)
    gateway = gateway_for(registry, Settings(threads=1, timeout_s=0.2, replacements=0))
    first = asyncio.create_task(gateway.call(raw("slow_0")))
    await asyncio.sleep(0.1)
    second = await gateway.call(raw("slow_1"))
    assert (second.status, second.attempts, second.error.retryable) == (Status.BUSY, 0, True)
    assert (await first).status is Status.TIMEOUT


@pytest.mark.row("P56")
def test_a_tool_that_calls_a_tool_through_one_thread_does_not_hang(raw):
    """It gets a clear answer instead of waiting for the thread it sits on itself."""
    registry = Registry()
    inner_results = []

    @tool(registry)
    def inner() -> str:
        """Inner."""
        return "inner"

    async def main():
        loop = asyncio.get_running_loop()
        async with Gateway(registry, Settings(threads=1, replacements=0), log_sink=None) as gateway:

            @tool(registry)
            def outer() -> str:
                """Outer."""
                nested = asyncio.run_coroutine_threadsafe(gateway.call(raw("inner")), loop)
                inner_results.append(nested.result(timeout=5))
                return "outer"

            return await gateway.call(raw("outer"))

    assert asyncio.run(main()).value == "outer"
    assert inner_results[0].status is Status.BUSY


@pytest.mark.row("P63", "T8")
async def test_context_variables_reach_the_thread_and_nothing_leaks_out(registry, gateway_for, raw):
    """The run id is there inside a sync tool; what the tool sets stays inside."""
    run_id = contextvars.ContextVar("run_id", default="-")

    @tool(registry)
    def which_run() -> str:
        """Run."""
        seen = run_id.get()
        run_id.set("changed")
        return seen

    run_id.set("run-1")
    gateway = gateway_for(registry)
    assert [(await gateway.call(raw("which_run"))).value for _ in range(2)] == ["run-1", "run-1"]
    assert run_id.get() == "run-1"


async def test_an_answer_on_its_way_is_no_stuck_thread(clock):
    """The work ends, the caller is cancelled before it hears of it: the thread is free and not counted as stuck."""
    workers = Workers(size=1, replacements=0)
    clock.watch(workers)
    delivered = threading.Event()
    loop = asyncio.get_running_loop()
    task = asyncio.create_task(workers.run("quick", lambda: "answer"))
    original = loop.call_soon_threadsafe

    def call_soon_threadsafe(*args):
        original(*args)
        delivered.set()

    loop.call_soon_threadsafe = call_soon_threadsafe
    loop.call_soon(lambda: (delivered.wait(5), task.cancel()))  # blocks the loop until the answer is under way
    with pytest.raises(asyncio.CancelledError):
        await task
    assert (workers.stuck, workers.busy) == (0, 0)
    assert await workers.run("quick", lambda: "again") == "again"
    workers.close()


async def test_work_given_up_before_a_thread_took_it_is_not_done(clock):
    """The caller leaves while the job still lies in the queue."""
    workers = Workers(size=1)
    clock.watch(workers)
    assert await workers.run("warm up", lambda: 1) == 1
    done, gate = [], threading.Event()
    workers._jobs = _Gated(workers._jobs, gate)
    await workers.run("pass the old queue", lambda: 1)
    task = asyncio.create_task(workers.run("slow", lambda: done.append(1)))
    await asyncio.sleep(0)
    task.cancel()
    await asyncio.wait({task})
    gate.set()
    assert await workers.run("next", lambda: "next") == "next"
    assert (done, workers.stuck) == ([], 0)
    workers.close()


class _Gated:
    """A queue that hands the second and later jobs out only once the gate is open."""

    def __init__(self, jobs, gate):
        self._jobs, self._gate = jobs, gate

    def put(self, job):
        self._jobs.put(job)

    def get(self):
        job = self._jobs.get()
        self._gate.wait(5)
        return job


async def test_a_call_after_close_still_gets_a_thread(registry, gateway_for, raw):
    """Closing lets idle threads end; a late call is served, and its thread ends with it."""

    @tool(registry)
    def quick() -> str:
        """Quick."""
        return "quick"

    gateway = gateway_for(registry)
    assert (await gateway.call(raw("quick"))).ok
    await gateway.close()
    assert [(await gateway.call(raw("quick"))).value for _ in range(3)] == ["quick"] * 3


def test_closing_ends_the_threads():
    """No thread is left once their work is done."""
    before = set(threading.enumerate())

    async def main():
        workers = Workers(size=4)
        await asyncio.gather(*(workers.run(f"tool {number}", lambda: None) for number in range(4)))
        workers.close()

    asyncio.run(main())
    for thread in set(threading.enumerate()) - before:
        thread.join(5)
    assert set(threading.enumerate()) <= before


def test_a_gateway_that_is_left_ends_its_threads(raw):
    """Leaving the gateway is enough."""
    before, registry = set(threading.enumerate()), Registry()

    @tool(registry)
    def quick() -> str:
        """Quick."""
        return "quick"

    async def main():
        async with Gateway(registry, log_sink=None) as gateway:
            return await gateway.call(raw("quick"))

    assert asyncio.run(main()).ok
    for thread in set(threading.enumerate()) - before:
        thread.join(5)
    assert set(threading.enumerate()) <= before


def test_an_answer_for_a_closed_loop_is_dropped():
    """The loop ends while a thread works: the thread survives, and serves the next loop."""
    workers, begun, gate = Workers(size=1, replacements=0), threading.Event(), threading.Event()

    def work():
        begun.set()
        gate.wait(5)

    async def leave():
        task = asyncio.ensure_future(workers.run("slow", work))
        await asyncio.sleep(0)
        begun.wait(5)
        task.cancel()

    asyncio.run(leave())
    assert workers.stuck == 1
    gate.set()

    async def come_back():
        while workers.busy:  # noqa: ASYNC110 - a thread cannot set an event of this loop
            await asyncio.sleep(0)
        return await workers.run("quick", lambda: "back")

    assert asyncio.run(come_back()) == "back"
    workers.close()


async def test_a_machine_without_threads_is_busy(monkeypatch, clock):
    """`can't start new thread` is a refusal, not a crash, and the place is free again afterwards."""
    workers = Workers(size=1)
    clock.watch(workers)
    with monkeypatch.context() as patch:
        patch.setattr(threading.Thread, "start", _cannot_start)
        with pytest.raises(PoolBusy):
            await workers.run("quick", lambda: 1)
    assert await workers.run("quick", lambda: 1) == 1
    workers.close()


def _cannot_start(_):
    raise RuntimeError("can't start new thread")


@pytest.mark.row("P54", "T8")
def test_a_hung_tool_does_not_keep_the_program_from_ending():
    """A stuck thread is a daemon: the interpreter exits although its work never ends."""
    program = """
import asyncio, threading
from toolkit import Gateway, Registry, tool
registry = Registry()
@tool(registry, timeout_s=0.05, idempotent=True, attempts=1)
def hang() -> str:
    "Hang."
    threading.Event().wait()
async def main():
    async with Gateway(registry) as gateway:
        print((await gateway.call({"id": "c", "function": {"name": "hang", "arguments": "{}"}})).status)
asyncio.run(main())
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=30)
    assert (done.returncode, done.stdout, done.stderr) == (0, "timeout\n", "")
