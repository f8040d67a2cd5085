"""What may be made again, when, and what must never happen twice."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from toolkit.errors import TransientError
from toolkit.lessons.conformance.bench import Bench
from toolkit.lessons.conformance.case import Cases
from toolkit.lessons.expect import expect, expect_equal

CASES = Cases("repeat")


def _declare_failing(bench: Bench, failures: int, make: Callable[[], Exception], **options: Any) -> None:
    """A search that fails so often, and then works."""

    def search() -> str:
        """Search hotels."""
        if len(bench.given["search"]) <= failures:
            raise make()
        return "HT-002"

    bench.declare(search, **options)


def _declare_booking(bench: Bench, seconds: float = 0.0, **options: Any) -> None:
    """A booking that takes effect when it is reached, and answers later."""

    def book(order_id: str, nights: int = 1) -> str:
        """Book a room."""
        return f"BK-{len(bench.given['book'])}"

    async def book_slowly(order_id: str, nights: int = 1) -> str:
        """Book a room."""
        answer = book(order_id, nights)
        await asyncio.sleep(seconds)
        return answer

    bench.declare(book_slowly if seconds else book, name="book", **options)


@CASES.add("F5")
async def slow_and_harmless(bench: Bench) -> None:
    """A search over its limit is tried again, so often and no more."""

    async def slow() -> str:
        """Take an hour."""
        await asyncio.sleep(3600)
        return "done"

    bench.declare(slow, timeout_s=1.0, idempotent=True, attempts=3)
    told = await bench.call("slow")
    told.refuses()
    expect(bench.clock.now() < 30, f"answered after {bench.clock.now():g} s")
    bench.expect_reached(3)


@CASES.add("F6")
async def slow_and_not_harmless(bench: Bench) -> None:
    """A booking over its limit is made once, and the model is told that nobody knows."""
    _declare_booking(bench, seconds=3600, timeout_s=1.0, idempotency_key="order_id", attempts=3)
    for id in ("call_1", "call_2"):
        told = await bench.call("book", '{"order_id": "7"}', id=id)
        told.refuses()
        expect(told.status == "outcome_unknown", f"told as {told.status}, but it may have been booked")
    bench.expect_within(0, 1.0)
    bench.expect_reached(1)


@CASES.add("F7")
async def down_for_a_moment(bench: Bench) -> None:
    """What failed twice for a moment works at the third attempt."""
    _declare_failing(bench, 2, lambda: TransientError("down"), idempotent=True, attempts=3)
    (await bench.call("search")).gives("HT-002")
    bench.expect_reached(3)


@CASES.add("F10")
async def told_when_to_come_back(bench: Bench) -> None:
    """After a 429 it waits at least as long as it was told."""
    _declare_failing(bench, 1, lambda: TransientError("429", retry_after_s=2.5), idempotent=True, attempts=3)
    (await bench.call("search")).gives("HT-002")
    expect(bench.clock.now() >= 2.5, f"it came back after {bench.clock.now():g} s, not after 2.5")


@CASES.add("F11")
async def told_to_come_back_too_late(bench: Bench) -> None:
    """A wait that is longer than anybody waits is not begun."""
    _declare_failing(bench, 9, lambda: TransientError("429", retry_after_s=600), idempotent=True, attempts=3)
    (await bench.call("search")).refuses()
    bench.expect_within(0, 1.0)
    bench.expect_reached(1)


@CASES.add("F25")
async def nothing_was_sent(bench: Bench) -> None:
    """A refused connection may be tried again even for a booking, as nothing was sent."""
    _declare_failing(bench, 1, ConnectionRefusedError, idempotent=False, attempts=3)
    (await bench.call("search")).gives("HT-002")
    bench.expect_reached(2)


@CASES.add("P57", "MervinPraison/PraisonAI#4256")
async def effect_and_then_an_error(bench: Bench) -> None:
    """A tool that has done its work and then fails is not run again."""
    _declare_failing(bench, 9, ConnectionResetError, idempotent=False, attempts=3)
    (await bench.call("search")).refuses()
    bench.expect_reached(1)


@CASES.add("P58", "openai/openai-agents-python#4254")
async def same_order_new_call(bench: Bench) -> None:
    """The model's own repetition, under a new call id, books once."""
    _declare_booking(bench, idempotency_key=True)
    first = await bench.call("book", '{"order_id": "7", "nights": 2}', id="call_1")
    second = await bench.call("book", '{"nights": 2, "order_id": "7"}', id="call_2")
    expect_equal(second.value, first.value, "the second answer")
    bench.expect_reached(1)


@CASES.add("P59", "PrefectHQ/fastmcp#4735")
async def orders_that_only_look_alike(bench: Bench) -> None:
    """1, true and "1" are different orders; keys in another order are the same one."""

    def order(items: dict[str, Any]) -> str:
        """Order items."""
        return str(len(bench.given["order"]))

    bench.declare(order, idempotency_key=True)
    same = ('{"items": {"a": 5, "b": {"x": 1, "y": 2}}}', '{"items": {"b": {"y": 2, "x": 1}, "a": 5}}')
    other = ('{"items": {"a": 1}}', '{"items": {"a": true}}', '{"items": {"a": "1"}}')
    for arguments in same:
        await bench.call("order", arguments)
    bench.expect_reached(1)
    for arguments in other:
        await bench.call("order", arguments)
    bench.expect_reached(4)


@CASES.add("F22")
async def ten_at_once(bench: Bench) -> None:
    """Ten callers with one order get one booking, and the same answer."""
    _declare_booking(bench, seconds=0.1, idempotency_key=True)
    answers = await bench.call_all(*[("book", '{"order_id": "7"}')] * 10)
    expect_equal([told.value for told in answers], ["BK-1"] * 10, "the answers")
    bench.expect_reached(1)


@CASES.add("F23.other")
async def key_used_for_something_else(bench: Bench) -> None:
    """The same order number with another number of nights is refused."""
    _declare_booking(bench, idempotency_key="order_id")
    (await bench.call("book", '{"order_id": "7", "nights": 2}')).gives("BK-1")
    (await bench.call("book", '{"order_id": "7", "nights": 3}')).refuses()
    bench.expect_reached(1)


@CASES.add("F23.missing")
async def key_left_empty(bench: Bench) -> None:
    """An order without its number is refused."""
    _declare_booking(bench, idempotency_key="order_id")
    (await bench.call("book", '{"order_id": ""}')).refuses("order_id")
    bench.expect_reached(0)


@CASES.add("F24")
async def caller_gone_in_the_middle(bench: Bench) -> None:
    """A caller leaves while it books; the same order later is not made again."""
    _declare_booking(bench, seconds=5, timeout_s=30, idempotency_key="order_id")
    task = asyncio.ensure_future(bench.call("book", '{"order_id": "7"}'))
    await asyncio.sleep(1)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    await bench.call("book", '{"order_id": "7"}', id="call_2")
    bench.expect_reached(1)
