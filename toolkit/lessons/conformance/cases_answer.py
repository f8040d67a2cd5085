"""What comes back: one answer for each call, a value with a JSON form, an error that was written for the model."""

from __future__ import annotations

import asyncio
from datetime import datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

from toolkit.errors import ToolError
from toolkit.lessons.conformance.bench import Bench
from toolkit.lessons.conformance.case import Cases
from toolkit.lessons.conformance.cases_execute import declare_raising
from toolkit.lessons.expect import expect, expect_equal

CASES = Cases("execute")
SECRET, HOST = "SECRET123", "api.invalid"


@CASES.add("P65", "modelcontextprotocol/python-sdk#2386")
async def secret_in_an_error(bench: Bench) -> None:
    """The text of an unknown exception does not reach the model."""
    declare_raising(bench, lambda: ValueError(f"GET https://{HOST}/s?key={SECRET} 401"))
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
    declare_raising(bench, ConnectionResetError)
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
    declare_raising(bench, RuntimeError)
    for name in (None, 7, ["fails"]):
        (await bench.call(name)).refuses()


@CASES.add("F8")
async def business_error(bench: Bench) -> None:
    """A tool's own refusal reaches the model word for word, and is not tried again."""
    declare_raising(bench, lambda: ToolError("No suite at HT-001. It has: standard."), idempotent=True, attempts=3)
    (await bench.call("fails")).refuses("No suite at HT-001. It has: standard.")
    bench.expect_reached(1)
