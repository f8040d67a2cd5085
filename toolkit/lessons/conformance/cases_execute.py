"""The call itself: it ends in time, and its end is the tool's or the caller's, never mixed up."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextvars import ContextVar
from typing import Any

from toolkit.lessons.conformance.bench import Bench, Died
from toolkit.lessons.conformance.case import Cases
from toolkit.lessons.expect import Wrong, expect, expect_equal

CASES = Cases("execute")
HOUR_S = 3600.0
RUN: ContextVar[str] = ContextVar("the run a call belongs to", default="none")


@CASES.add("P52", "modelcontextprotocol/python-sdk#1646")
async def blocking_tool(bench: Bench) -> None:
    """A blocking tool does not stop everything else."""

    def weather() -> str:
        """Look up the weather."""
        bench.clock.block(0.3)
        return "rain"

    bench.declare(weather)
    ticks = 0

    async def tick() -> None:
        nonlocal ticks
        while True:
            await asyncio.sleep(0.05)
            ticks += 1

    ticking = asyncio.ensure_future(tick())
    await bench.call_all(("weather", "{}"), ("weather", "{}"))
    ticking.cancel()
    bench.expect_within(0, 0.4)
    expect(ticks >= 4, f"the loop came round {ticks} times in 0.3 s: the tool stood in its way")


@CASES.add("P53", "huggingface/OpenEnv#1214")
async def late_effect(bench: Bench) -> None:
    """After a limit nobody knows what a blocking tool did, and the model is told so."""

    def book() -> str:
        """Book a room."""
        bench.clock.block(0.6)
        return "booked"

    bench.declare(book, timeout_s=0.1)
    began = bench.clock.now()
    told = await bench.call("book")
    bench.expect_within(began, 0.1)
    told.refuses()
    expect(told.status == "outcome_unknown", f"told as {told.status}, and half a second later it is booked")
    bench.expect_reached(1)


@CASES.add("P54", "huggingface/smolagents#2465")
async def hung_thread(bench: Bench) -> None:
    """A hung thread keeps neither its caller nor the next call waiting."""

    def weather() -> str:
        """Look up the weather."""
        bench.clock.block(HOUR_S)
        return "rain"

    def price() -> int:
        """Look up a price."""
        return 400

    bench.declare(weather, timeout_s=0.2, idempotent=True, attempts=1)
    bench.declare(price)
    for _ in range(10):
        began = bench.clock.now()
        (await bench.call("weather")).refuses()
        bench.expect_within(began, 0.2)
    (await bench.call("price")).gives(400)


@CASES.add("P60", "jd/tenacity#529")
async def cancelled_by_a_limit_outside(bench: Bench) -> None:
    """A limit that stands around the call ends it; it is not tried again."""
    _declare_slow(bench, attempts=2, idempotent=True)
    try:
        await asyncio.wait_for(bench.call("slow"), 0.1)
    except TimeoutError:
        bench.expect_within(0, 0.1)
        bench.expect_reached(1)
        return
    raise Wrong("the limit outside was not heard")


@CASES.add("P61.caller", "HKUDS/nanobot#1072")
async def cancelled_by_the_caller(bench: Bench) -> None:
    """A caller that goes away is not given an answer."""
    _declare_slow(bench)
    task = asyncio.ensure_future(bench.call("slow"))
    await asyncio.sleep(0.1)
    task.cancel()
    try:
        told = await task
    except asyncio.CancelledError:
        return
    raise Wrong(f"the cancellation was swallowed, and the answer is {told.content}")


@CASES.add("P61.tool", "HKUDS/nanobot#1743")
async def cancelled_inside_the_tool(bench: Bench) -> None:
    """A tool that cancels itself does not end the run."""
    declare_raising(bench, asyncio.CancelledError, wait=True)
    (await _alive(bench, "fails")).refuses()
    bench.expect_reached(1)


@CASES.add("P63", "infiniflow/ragflow#16247")
async def context_variables(bench: Bench) -> None:
    """A sync tool sees the caller's context variables, and changes none of them."""

    def who() -> str:
        """Say whose run this is."""
        seen = RUN.get()
        RUN.set("changed")
        return seen

    bench.declare(who)
    RUN.set("run-1")
    (await bench.call("who")).gives("run-1")
    expect_equal(RUN.get(), "run-1", "the caller's variable afterwards")


@CASES.add("F13")
async def exceptions_that_are_no_errors(bench: Bench) -> None:
    """A tool that raises StopIteration or SystemExit ends its call, not the run."""
    for number, kind in enumerate((StopIteration, SystemExit)):
        declare_raising(bench, kind, name=f"fails_{number}")
        (await _alive(bench, f"fails_{number}")).refuses()
    bench.expect_reached(2)


@CASES.add("F16")
async def stubborn_tool(bench: Bench) -> None:
    """A tool that swallows its cancellation is answered at the limit all the same."""

    async def stubborn() -> str:
        """Take its time."""
        try:
            await asyncio.sleep(10)
        except asyncio.CancelledError:
            await asyncio.sleep(5)
        return "late"

    bench.declare(stubborn, timeout_s=0.1)
    (await bench.call("stubborn")).refuses()
    bench.expect_within(0, 0.1)
    bench.expect_reached(1)


@CASES.add("F17")
async def timeout_of_its_own(bench: Bench) -> None:
    """A tool's own TimeoutError is told at once, and not taken for our limit."""
    declare_raising(bench, TimeoutError, timeout_s=5, attempts=1)
    told = await bench.call("fails")
    told.refuses()
    bench.expect_reached(1)
    expect("within 5" not in str(told.error), f"a limit of ours that never passed is blamed: {told.error}")


def _declare_slow(bench: Bench, **options: Any) -> None:
    async def slow() -> str:
        """Take three seconds."""
        await asyncio.sleep(3)
        return "done"

    bench.declare(slow, **options)


def declare_raising(
    bench: Bench, make: Callable[[], BaseException], *, name: str = "fails", wait: bool = False, **options: Any
) -> None:
    def fails() -> str:
        """Fail."""
        raise make()

    async def fails_later() -> str:
        """Fail."""
        await asyncio.sleep(0.1)
        raise make()

    bench.declare(fails_later if wait else fails, name=name, **options)


async def _alive(bench: Bench, name: str) -> Any:
    """What is told of a call; the run has to outlive it."""
    try:
        return await asyncio.wait_for(bench.call(name), 60)
    except asyncio.CancelledError:
        raise Died("CancelledError: the tool's own cancellation ended the run") from None
    except TimeoutError:
        raise Wrong("no answer after a minute") from None
