"""The call itself: it ends in time, in one answer, and in nothing but what the tool meant to say."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextvars import ContextVar
from datetime import datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

from toolkit.errors import ToolError
from toolkit.lessons.conformance.bench import Bench, Died
from toolkit.lessons.conformance.case import Cases
from toolkit.lessons.expect import Wrong, expect, expect_equal

CASES = Cases("execute")
HOUR_S = 3600.0
RUN: ContextVar[str] = ContextVar("the run a call belongs to", default="none")
SECRET, HOST = "SECRET123", "api.invalid"


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
    _declare_raising(bench, asyncio.CancelledError, wait=True)
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


@CASES.add("P65", "modelcontextprotocol/python-sdk#2386")
async def secret_in_an_error(bench: Bench) -> None:
    """The text of an unknown exception does not reach the model."""
    _declare_raising(bench, lambda: ValueError(f"GET https://{HOST}/s?key={SECRET} 401"))
    told = await bench.call("fails")
    told.refuses()
    bench.expect_reached(1)
    expect(SECRET not in told.content and HOST not in told.content, f"it reads the key: {told.content}")


@CASES.add("P66", "microsoft/agent-framework#2219")
async def values_without_a_json_form(bench: Bench) -> None:
    """Times, decimals, sets and keys that are no text arrive as JSON."""
    values = {
        "time": (datetime(2026, 10, 1, 3, 4), "2026-10-01T03:04:00"),
        "price": (Decimal("1.10"), "1.10"),
        "ids": ({UUID(int=1): 1}, {str(UUID(int=1)): 1}),
        "set": ({2}, [2]),
    }

    def fetch(what: str) -> Any:
        """Fetch a value."""
        return {"is": values[what][0]}

    bench.declare(fetch)
    for what, (_, wanted) in values.items():
        (await bench.call("fetch", f'{{"what": "{what}"}}')).gives({"is": wanted})


@CASES.add("P67", "PrefectHQ/fastmcp#5150")
async def not_a_number_in_a_result(bench: Bench) -> None:
    """NaN in a result is neither passed on nor turned into null."""

    def mean() -> dict[str, float]:
        """Take the mean of nothing."""
        return {"mean": float("nan")}

    bench.declare(mean)
    told = await bench.call("mean")
    expect(told.error is not None or told.value == {"mean": "NaN"}, f"the model reads {told.content}")


@CASES.add("F12.none")
async def nothing_where_a_value_was_promised(bench: Bench) -> None:
    """A tool that promised a text and returns nothing has failed."""

    def name() -> str:
        """Say the hotel's name."""
        return None  # type: ignore[return-value]

    bench.declare(name)
    (await bench.call("name")).refuses()
    bench.expect_reached(1)


@CASES.add("F12.circular")
async def circular_result(bench: Bench) -> None:
    """A list that contains itself ends in an error, not in the end of the run."""

    def loop() -> list[Any]:
        """Return a list."""
        values: list[Any] = []
        values.append(values)
        return values

    bench.declare(loop)
    (await bench.call("loop")).refuses()
    bench.expect_reached(1)


@CASES.add("F12.size")
async def result_too_large(bench: Bench) -> None:
    """A megabyte does not go into the history."""

    def dump() -> str:
        """Dump everything."""
        return "x" * 1_000_000

    bench.declare(dump)
    expect(len((await bench.call("dump")).content) < 200_000, "a million characters went to the model")
    bench.expect_reached(1)


@CASES.add("P68", "strands-agents/harness-sdk#4410")
async def hidden_coroutine(bench: Bench) -> None:
    """An async function behind a sync wrapper is awaited."""

    async def greet(name: str) -> str:
        return f"hello {name}"

    def wrapped(name: str) -> Any:
        """Greet somebody."""
        return greet(name)

    bench.declare(wrapped)
    (await bench.call("wrapped", '{"name": "guest"}')).gives("hello guest")


@CASES.add("P69", "langchain-ai/langgraph#7412")
async def failing_sibling(bench: Bench) -> None:
    """One failing call of a turn does not lose the others, nor their order."""

    async def find() -> str:
        """Find it."""
        await asyncio.sleep(0.2)
        return "found"

    bench.declare(find)
    _declare_raising(bench, ConnectionResetError)
    answers = await bench.call_all(("find", "{}"), ("fails", "{}"), ("find", "{}"))
    expect_equal([told.call_id for told in answers], ["call_0", "call_1", "call_2"], "the ids answered")
    answers[0].gives("found")
    answers[1].refuses()


@CASES.add("P70", "openai/openai-agents-python#3459")
async def unknown_name(bench: Bench) -> None:
    """A name no tool has is told, with the names there are; its siblings run."""

    def get_date() -> str:
        """Get the date."""
        return "2026-10-01"

    bench.declare(get_date)
    answers = await bench.call_all(("get_dat", "{}"), ("get_date", "{}"))
    answers[0].refuses("get_date")
    answers[1].gives("2026-10-01")


@CASES.add("F1")
async def name_that_is_no_text(bench: Bench) -> None:
    """A name that is no text ends nothing."""
    _declare_raising(bench, RuntimeError)
    for name in (None, 7, ["fails"]):
        (await bench.call(name)).refuses()


@CASES.add("F8")
async def business_error(bench: Bench) -> None:
    """A tool's own refusal reaches the model word for word, and is not tried again."""
    _declare_raising(bench, lambda: ToolError("No suite at HT-001. It has: standard."), idempotent=True, attempts=3)
    (await bench.call("fails")).refuses("No suite at HT-001. It has: standard.")
    bench.expect_reached(1)


@CASES.add("F13")
async def exceptions_that_are_no_errors(bench: Bench) -> None:
    """A tool that raises StopIteration or SystemExit ends its call, not the run."""
    for number, kind in enumerate((StopIteration, SystemExit)):
        _declare_raising(bench, kind, name=f"fails_{number}")
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
    _declare_raising(bench, TimeoutError, timeout_s=5, attempts=1)
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


def _declare_raising(
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
