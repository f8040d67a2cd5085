"""Who may call, how often, how many at once, and what becomes of a tool that is down."""

from __future__ import annotations

import asyncio
from typing import Any

from toolkit.errors import TransientError
from toolkit.lessons.conformance.bench import Bench, Told
from toolkit.lessons.conformance.case import Cases
from toolkit.lessons.expect import expect, expect_equal
from toolkit.records import RateLimit

CASES = Cases("limit")


def _declare_search(bench: Bench, seconds: float = 0.0, **options: Any) -> None:
    def search() -> str:
        """Search hotels."""
        return "HT-002"

    async def search_slowly() -> str:
        """Search hotels."""
        await asyncio.sleep(seconds)
        return "HT-002"

    bench.declare(search_slowly if seconds else search, name="search", **options)


def _declare_dead(bench: Bench, seconds: float = 0.0, **options: Any) -> None:
    def search() -> str:
        """Search hotels."""
        bench.clock.block(seconds)
        raise TransientError("down")

    bench.declare(search, **options)


def _refused(answers: list[Told]) -> int:
    return sum(told.error is not None for told in answers)


@CASES.add("F2")
async def role_not_allowed(bench: Bench) -> None:
    """Who may not call a tool does not reach it, and learns no field of it."""

    def refund(booking: str) -> str:
        """Refund a booking."""
        return booking

    bench.declare(refund, roles={"staff"})
    for arguments in ('{"booking": "BK-1"}', '{"bookng": 1}'):
        told = await bench.call("refund", arguments, role="guest")
        told.refuses()
        expect("booking" not in told.content, f"a field was told: {told.content}")
    (await bench.call("refund", '{"booking": "BK-1"}', role="staff")).gives("BK-1")
    bench.expect_reached(1)


@CASES.add("F14")
async def hung_tools_and_a_healthy_one(bench: Bench) -> None:
    """Forty hung calls of one tool do not keep another from answering."""

    def weather() -> str:
        """Look up the weather."""
        bench.clock.block(3600)
        return "rain"

    def price() -> int:
        """Look up a price."""
        bench.clock.block(0.2)
        return 400

    bench.declare(weather, timeout_s=1.0, idempotent=True, attempts=1)
    bench.declare(price)
    answers = await bench.call_all(*[("weather", "{}")] * 40, ("price", "{}"))
    answers[-1].gives(400)
    expect(bench.clock.now() < 5, f"answered after {bench.clock.now():g} s")


@CASES.add("F18")
async def dead_tool(bench: Bench) -> None:
    """A tool that is down is left alone: twenty calls do not reach it twenty times."""
    _declare_dead(bench, attempts=1, idempotent=True)
    for _ in range(20):
        (await bench.call("search")).refuses()
    expect(bench.reached > 0, "the tool was never reached")
    expect(bench.reached <= 10, f"a dead tool was reached {bench.reached} times by 20 calls")


@CASES.add("F19")
async def one_probe(bench: Bench) -> None:
    """After a rest one call tries the tool, and the others wait for what it finds."""
    _declare_dead(bench, seconds=0.2, attempts=1, idempotent=True)
    for _ in range(20):
        await bench.call("search")
    await asyncio.sleep(3600)
    before = bench.reached
    await bench.call_all(*[("search", "{}")] * 20)
    expect(bench.reached - before <= 2, f"{bench.reached - before} of 20 callers tried a tool that was just down")


@CASES.add("F20")
async def fallback(bench: Bench) -> None:
    """Where a tool is down its fallback answers, and the answer says that it is one."""

    def cached() -> str:
        return "HT-002, of yesterday"

    _declare_dead(bench, idempotent=True, attempts=1, fallback=cached)
    told = await bench.call("search")
    expect("of yesterday" in told.content, f"the fallback was not asked: {told.content}")
    expect("degraded" in told.content, f"yesterday's hotels are told as today's: {told.content}")


@CASES.add("F21.rate")
async def rate(bench: Bench) -> None:
    """Of five calls at once under a limit of three a second, three run."""
    _declare_search(bench, idempotent=True, rate_limit=RateLimit(3, 1.0))
    expect_equal(_refused(await bench.call_all(*[("search", "{}")] * 5)), 2, "calls refused")
    bench.expect_reached(3)


@CASES.add("F21.at_once")
async def at_once(bench: Bench) -> None:
    """Of five calls at once of a tool that bears two, two run."""
    _declare_search(bench, seconds=0.1, idempotent=True, concurrency=2)
    expect_equal(_refused(await bench.call_all(*[("search", "{}")] * 5)), 3, "calls refused")
    bench.expect_reached(2)


@CASES.add("S12")
async def ceiling_of_a_session(bench: Bench) -> None:
    """An agent that goes round in circles ends at a ceiling."""
    _declare_search(bench, idempotent=True, max_calls=5)
    answers = [await bench.call("search") for _ in range(50)]
    expect_equal(_refused(answers), 45, "calls refused")
    bench.expect_reached(5)


@CASES.add("T14.together")
async def calls_of_a_turn_run_together(bench: Bench) -> None:
    """Five calls of one turn take as long as one of them."""
    _declare_search(bench, seconds=1.0, idempotent=True)
    expect_equal([told.value for told in await bench.call_all(*[("search", "{}")] * 5)], ["HT-002"] * 5, "the answers")
    bench.expect_within(0, 1.0)
