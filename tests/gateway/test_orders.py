"""One order, one effect: idempotency keys, within one process."""

from __future__ import annotations

import asyncio
from datetime import date
from uuid import UUID

import pytest
from pydantic import BaseModel

from toolkit import Context, Status, ToolError, tool
from toolkit.gateway import MemoryStore, Settings
from toolkit.gateway.idempotency import canonical


@pytest.fixture
def bookings(registry):
    """Bookings made. The tool takes a second, then writes, and raises what stands in `errors` after that."""
    made = []
    made_errors = []

    @tool(registry, idempotency_key="order_id")
    async def book_room(order_id: str, nights: int) -> dict[str, int]:
        """Book a room."""
        await asyncio.sleep(1)
        if made_errors and isinstance(made_errors[0], ToolError):
            raise made_errors.pop(0)
        made.append(order_id)
        if made_errors:
            raise made_errors.pop(0)
        return {"nights": nights}

    made_errors_of[id(made)] = made_errors
    return made


made_errors_of = {}


@pytest.mark.row("F22", "E6")
async def test_ten_calls_of_one_order(bookings, registry, gateway_for, raw, clock):
    """One execution, ten equal values, nine marked as replays."""
    gateway = gateway_for(registry)
    calls = [raw("book_room", f"call_{number}", order_id="A", nights=2) for number in range(10)]
    results = await gateway.call_all(calls)
    assert [result.status for result in results] == [Status.SUCCESS] * 10
    assert [result.value for result in results] == [{"nights": 2}] * 10
    assert (bookings, [result.replayed for result in results]) == (["A"], [False] + [True] * 9)
    assert [result.attempts for result in results] == [1] + [0] * 9
    assert clock.now() == 1.0


@pytest.mark.row("F22")
async def test_a_replay_comes_before_limits_and_questions(registry, gateway_for, raw):
    """What is done needs no second word from the user and uses up no limit."""

    @tool(registry, idempotency_key=True, confirm=True, max_calls=1)
    async def book_room(nights: int) -> int:
        """Book a room."""
        return nights

    gateway = gateway_for(registry)
    asked = await gateway.call(raw("book_room", nights=2))
    agreed = Context(confirmed={asked.error.confirmation})
    assert (await gateway.call(raw("book_room", nights=2), agreed)).value == 2
    replay = await gateway.call(raw("book_room", nights=2))
    assert (replay.status, replay.replayed, replay.value) == (Status.SUCCESS, True, 2)


@pytest.mark.row("F23")
async def test_the_same_key_with_other_arguments_is_a_conflict(bookings, registry, gateway_for, raw):
    """Neither run nor answered with the other order's value."""
    gateway = gateway_for(registry)
    await gateway.call(raw("book_room", order_id="A", nights=2))
    result = await gateway.call(raw("book_room", order_id="A", nights=3))
    assert (result.status, result.value, bookings) == (Status.CONFLICT, None, ["A"])
    assert result.error.message == (
        "book_room was called under this key before, with other arguments. Use a new key for a new order."
    )


@pytest.mark.row("F23")
async def test_a_key_that_is_required_and_missing(registry, gateway_for, raw):
    """An empty key names no order, so nothing runs."""

    @tool(registry, idempotency_key="order_id")
    async def book_room(order_id: str | None = None) -> str:
        """Book a room."""
        return "booked"

    @tool(registry, idempotency_key=lambda arguments: arguments["order_id"])
    async def book_flat(order_id: str = "") -> str:
        """Book a flat."""
        return "booked"

    gateway = gateway_for(registry)
    for call, message in (
        (raw("book_room"), "book_room needs order_id, which names the order."),
        (raw("book_room", order_id=""), "book_room needs order_id, which names the order."),
        (raw("book_flat"), "book_flat needs its idempotency key, which names the order."),
    ):
        result = await gateway.call(call)
        assert (result.status, result.error.kind) == (Status.VALIDATION_ERROR, "key_missing")
        assert (result.error.message, result.attempts) == (message, 0)


@pytest.mark.row("F24", "E6")
async def test_a_caller_that_left_in_the_middle(bookings, registry, gateway_for, raw):
    """Cancelled mid-booking, then the same key: nobody knows, and it is not run again."""
    gateway = gateway_for(registry)
    call = raw("book_room", order_id="A", nights=2)
    task = asyncio.create_task(gateway.call(call))
    await asyncio.sleep(0.5)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    again = await gateway.call(call)
    assert (again.status, again.attempts, bookings) == (Status.OUTCOME_UNKNOWN, 0, [])
    assert again.to_content() == (
        '{"error": "book_room was started under this key before and nobody knows whether it took effect.", '
        '"status": "outcome_unknown", "next_step": "check whether it took effect"}'
    )


@pytest.mark.row("F24")
async def test_a_caller_that_left_while_it_waited_for_its_turn(bookings, registry, gateway_for, raw):
    """It waits for the first caller of the same key; leaving changes nothing for the others."""
    gateway = gateway_for(registry)
    call = raw("book_room", order_id="A", nights=2)
    tasks = [asyncio.create_task(gateway.call(call)) for _ in range(3)]
    await asyncio.sleep(0.5)
    tasks[1].cancel()
    await asyncio.wait(tasks)
    assert (tasks[0].result().replayed, tasks[1].cancelled(), tasks[2].result().replayed) == (False, True, True)
    assert bookings == ["A"]


@pytest.mark.row("F22")
async def test_a_caller_that_comes_in_the_middle_waits(bookings, registry, gateway_for, raw, clock):
    """The order is under way: the second caller gets its value, not an unknown outcome."""
    gateway = gateway_for(registry)
    call = raw("book_room", order_id="A", nights=2)
    first = asyncio.create_task(gateway.call(call))
    await asyncio.sleep(0.5)
    second = await gateway.call(call)
    assert (second.status, second.replayed, (await first).replayed) == (Status.SUCCESS, True, False)
    assert (bookings, clock.now()) == (["A"], 1.0)


@pytest.mark.row("F24")
async def test_an_idempotent_order_may_be_run_again_after_a_cancel(registry, gateway_for, raw):
    """Running it twice does no harm, so its key is given back."""
    begun = []

    @tool(registry, idempotency_key=True, idempotent=True)
    async def set_plan() -> str:
        """Set the plan."""
        begun.append(1)
        await asyncio.sleep(1)
        return "set"

    gateway = gateway_for(registry)
    task = asyncio.create_task(gateway.call(raw("set_plan")))
    await asyncio.sleep(0.5)
    task.cancel()
    await asyncio.wait({task})
    assert ((await gateway.call(raw("set_plan"))).value, len(begun)) == ("set", 2)


@pytest.mark.row("E6", "F25")
async def test_after_an_outage_in_which_nothing_was_sent_the_key_is_free(registry, gateway_for, raw):
    """All attempts were refused before anything was sent; the order can be placed later."""
    down = [ConnectionRefusedError()] * 3

    @tool(registry, idempotency_key=True)
    async def book_room() -> str:
        """Book a room."""
        if down:
            raise down.pop()
        return "booked"

    gateway = gateway_for(registry)
    assert (await gateway.call(raw("book_room"))).attempts == 3
    assert (await gateway.call(raw("book_room"))).value == "booked"


@pytest.mark.row("E6")
async def test_after_a_settled_refusal_the_key_is_free(bookings, registry, gateway_for, raw):
    """A `ToolError` says that nothing was written, so the order may be placed again."""
    made_errors_of[id(bookings)].append(ToolError("No room on that day."))
    gateway = gateway_for(registry)
    call = raw("book_room", order_id="A", nights=2)
    assert (await gateway.call(call)).error.message == "No room on that day."
    assert ((await gateway.call(call)).status, bookings) == (Status.SUCCESS, ["A"])


@pytest.mark.row("E6")
@pytest.mark.parametrize("error", [ConnectionResetError(), KeyError("x"), TimeoutError(), asyncio.CancelledError()])
async def test_after_a_failure_that_settles_nothing_the_key_is_not_free(bookings, registry, gateway_for, raw, error):
    """The effect may have come before the error, so the same key is not run again."""
    made_errors_of[id(bookings)].append(error)
    gateway = gateway_for(registry)
    call = raw("book_room", order_id="A", nights=2)
    assert not (await gateway.call(call)).ok
    assert ((await gateway.call(call)).status, bookings) == (Status.OUTCOME_UNKNOWN, ["A"])


@pytest.mark.row("E6")
async def test_what_never_ran_leaves_the_key_free(registry, gateway_for, raw, clock):
    """Refused for want of a thread or a place: the order can be placed a moment later."""

    @tool(registry, idempotency_key="order_id", concurrency=1)
    async def book_room(order_id: str) -> str:
        """Book a room."""
        await asyncio.sleep(1)
        return order_id

    gateway = gateway_for(registry)
    first, second = await gateway.call_all([raw("book_room", order_id="A"), raw("book_room", order_id="B")])
    assert (first.status, second.status) == (Status.SUCCESS, Status.BUSY)
    assert (await gateway.call(raw("book_room", order_id="B"))).value == "B"


@pytest.mark.row("P58", "E6")
async def test_the_models_own_retry_is_the_same_order(registry, gateway_for, raw):
    """A fresh id and another order of keys: still the same call, so one execution and one replay."""
    cents_paid = []

    @tool(registry, idempotency_key=True)
    async def top_up(account: str, cents: int) -> int:
        """Top up."""
        cents_paid.append(cents)
        return sum(cents_paid)

    gateway = gateway_for(registry)
    first = await gateway.call(raw("top_up", "call_1", account="a1", cents=500))
    second = await gateway.call(raw("top_up", "call_2", cents=500, account="a1"))
    assert (first.value, second.value, second.replayed, second.call_id) == (500, 500, True, "call_2")
    other = await gateway.call(raw("top_up", account="a1", cents=500), Context(session="another user"))
    assert (other.replayed, cents_paid) == (False, [500, 500])


class Guest(BaseModel):
    name: str
    nights: int = 1


@pytest.mark.row("P59", "S7")
@pytest.mark.parametrize(
    ("left", "right", "equal"),
    [
        ({"a": 5, "b": {"x": 1, "y": 2}}, {"b": {"y": 2, "x": 1}, "a": 5}, True),
        ({"a": 5, "b": 6}, {"b": 6, "a": 5}, True),
        ({"a": 1}, {"a": True}, False),
        ({"a": "1"}, {"a": 1}, False),
        ({"a": 0.0}, {"a": -0.0}, False),
        ({"a": [1, 23]}, {"a": [12, 3]}, False),
        ({"a": None}, {}, False),
        ({"a": {"b", "c", "dd", "ee"}}, {"a": {"ee", "dd", "c", "b"}}, True),
        ({"a": {1, 2}}, {"a": {1, 3}}, False),
        ({"a": Guest(name="x")}, {"a": Guest(name="x", nights=1)}, True),
        ({"a": Guest(name="x")}, {"a": Guest(name="y")}, False),
        ({"a": date(2026, 10, 1)}, {"a": date(2026, 10, 2)}, False),
        ({"a": {UUID(int=1): 1}}, {"a": {UUID(int=2): 1}}, False),
        pytest.param({"a": object()}, {"a": object()}, False, id="objects without a JSON form"),
    ],
    ids=str,
)
def test_equal_arguments_are_one_text_and_others_are_not(left, right, equal):
    """Order of keys and members does not matter; the type of a value does."""
    assert (canonical(left) == canonical(right)) is equal


def test_a_set_has_one_text_in_every_process():
    """Its order in memory differs from process to process; a record must be read by the next one."""
    assert canonical({"tags": {"sea", "city", "quiet", "old"}}) == '{"tags":["city","old","quiet","sea"]}'


class BrokenStore(MemoryStore):
    """A store whose named method fails."""

    def __init__(self, method):
        super().__init__()

        async def fail(*_):
            raise OSError("disk full at /var/lib/sk-secret")

        setattr(self, method, fail)


@pytest.mark.row("F4")
@pytest.mark.parametrize("method", ["get", "claim"])
async def test_a_store_that_cannot_be_read_stops_the_call(bookings, registry, gateway_for, raw, records, method):
    """Without a record nothing may run; the call ends in a result that says so."""
    result = await gateway_for(registry, store=BrokenStore(method)).call(raw("book_room", order_id="A", nights=2))
    assert (result.status, result.error.kind, result.attempts) == (Status.EXECUTION_ERROR, "gateway", 0)
    assert result.error.message == "book_room was not run, because something around it failed."
    assert (records[0]["error_type"], bookings) == ("OSError", [])
    assert "sk-secret" not in f"{result} {records}"


async def test_a_success_that_cannot_be_recorded_is_a_success(bookings, registry, gateway_for, raw):
    """The value is not lost; the same key is told afterwards that nobody knows, which is safe."""
    gateway = gateway_for(registry, store=BrokenStore("finish"))
    call = raw("book_room", order_id="A", nights=2)
    result = await gateway.call(call)
    assert (result.status, result.value, result.notes) == (Status.SUCCESS, {"nights": 2}, ("not_recorded",))
    assert ((await gateway.call(call)).status, bookings) == (Status.OUTCOME_UNKNOWN, ["A"])


@pytest.mark.parametrize("method", ["mark_unknown", "release"])
async def test_a_failure_that_cannot_be_recorded_keeps_its_own_words(bookings, registry, gateway_for, raw, method):
    """The tool's error reaches the model, not the store's; the key stays taken."""
    error = ToolError("No room.") if method == "release" else KeyError("x")
    made_errors_of[id(bookings)].append(error)
    gateway = gateway_for(registry, store=BrokenStore(method))
    call = raw("book_room", order_id="A", nights=2)
    assert (await gateway.call(call)).error.kind in ("tool_error", "bug")
    assert (await gateway.call(call)).status is Status.OUTCOME_UNKNOWN


class SlowStore(MemoryStore):
    """Takes a second to claim."""

    async def claim(self, key, arguments):
        record = await super().claim(key, arguments)
        await asyncio.sleep(1)
        return record


async def test_a_caller_that_left_while_the_order_was_claimed(bookings, registry, gateway_for, raw):
    """Nothing had begun, so the key is given back."""
    gateway = gateway_for(registry, store=SlowStore())
    call = raw("book_room", order_id="A", nights=2)
    task = asyncio.create_task(gateway.call(call))
    await asyncio.sleep(0.5)
    task.cancel()
    await asyncio.wait({task})
    assert ((await gateway.call(call)).status, bookings) == (Status.SUCCESS, ["A"])


async def test_a_keyed_result_has_a_json_form_whatever_the_settings(registry, gateway_for, raw):
    """An answer that will be given again must be kept as text."""

    @tool(registry, idempotency_key=True)
    async def when() -> date:
        """When."""
        return date(2026, 10, 1)

    gateway = gateway_for(registry, Settings(check_results=False))
    assert [(await gateway.call(raw("when"))).value for _ in range(2)] == ["2026-10-01"] * 2
