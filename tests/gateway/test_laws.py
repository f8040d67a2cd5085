"""Laws: whatever a model sends and whatever tools do, every call is answered, once, in order."""

from __future__ import annotations

import asyncio
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolkit import Gateway, Registry, Status, ToolError, ToolResult, TransientError, tool
from toolkit.gateway import Settings
from toolkit.lab.virtual_time import VirtualTime

ANY_TEXT = st.text(st.characters(), max_size=30)  # half surrogate pairs and control characters included
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | ANY_TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(ANY_TEXT, inner, max_size=4),
    max_leaves=12,
)
NAMES = st.sampled_from(["book_room", "functions.book_room", "by_hand", "book_room<|x|>"]) | ANY_TEXT | JSON
ARGUMENTS = st.one_of(
    JSON,
    JSON.map(lambda value: json.dumps(value)),
    st.fixed_dictionaries({"hotel_id": ANY_TEXT, "nights": JSON}),
    st.fixed_dictionaries({"hotel_id": ANY_TEXT, "nights": JSON}).map(lambda value: json.dumps(value)),
    st.sampled_from(["{", "}", "[" * 5000, '{"a":' * 5000, "null", "", "```json\n{}\n```", "1" * 5000, '"\\ud800"']),
)
CALLS = JSON | st.fixed_dictionaries(
    {"id": JSON, "function": st.fixed_dictionaries({"name": NAMES, "arguments": ARGUMENTS})}
)


def small_registry():
    registry = Registry()

    @tool(registry)
    async def book_room(hotel_id: str, nights: int | list[int] = 1) -> str:
        """Book a room."""
        return hotel_id

    registry.register(
        name="by_hand",
        description="By hand.",
        parameters={"type": "object", "properties": {"nights": {"type": "integer"}}},
        func=lambda **keywords: len(keywords),
    )
    return registry


@pytest.mark.row("S5", "F1", "F3", "T3")
@settings(max_examples=300, deadline=None)
@given(calls=st.lists(CALLS, max_size=4))
def test_whatever_a_model_sends_is_answered(calls):
    """No exception, a known status, a message that can be sent, a log line of ASCII."""
    lines = []

    async def main():
        async with Gateway(small_registry(), log_sink=lambda record: lines.append(record)) as gateway:
            return await gateway.call_all(calls)

    results = asyncio.run(main())
    assert len(results) == len(lines) == len(calls)
    for result in results:
        assert isinstance(result, ToolResult)
        assert result.status in Status
        json.loads(json.dumps(result.to_message()))
        assert (result.error is None) is (result.status is Status.SUCCESS)
        assert (result.attempts > 0) is (result.status is Status.SUCCESS)


async def hang():
    await asyncio.sleep(1e6)


async def hang_and_swallow():
    while True:
        try:
            await asyncio.sleep(1e6)
        except asyncio.CancelledError:
            await asyncio.sleep(5)
            return


BEHAVIOURS = {
    "works": None,
    "bug": KeyError("x"),
    "refusal": ToolError("No."),
    "outage": TransientError("down"),
    "refused": ConnectionRefusedError(),
    "own timeout": TimeoutError(),
    "own cancellation": asyncio.CancelledError(),
    "ends the program": SystemExit(1),
    "group": BaseExceptionGroup("x", [SystemExit(1)]),
    "hangs": hang,
    "swallows its cancellation": hang_and_swallow,
    "answers nonsense": float("nan"),
}
PLANS = st.lists(st.lists(st.sampled_from(sorted(BEHAVIOURS)), min_size=1, max_size=3), min_size=1, max_size=6)


def acting_tool(registry, plans, **policy):
    """A tool that does, for call number n, what the n-th plan says, attempt by attempt."""

    @tool(registry, timeout_s=2.0, **policy)
    async def act(number: int) -> object:
        """Act."""
        plan = plans[number]
        behaviour = BEHAVIOURS[plan.pop(0) if len(plan) > 1 else plan[0]]
        if isinstance(behaviour, BaseException):
            raise behaviour.with_traceback(None)
        return await behaviour() if callable(behaviour) else behaviour or number


@pytest.mark.row("F5", "F13", "F16", "F17", "P69")
@settings(max_examples=150, deadline=None)
@given(plans=PLANS, idempotent=st.booleans(), keyed=st.booleans())
def test_every_call_is_answered_once_in_order_within_its_deadline(plans, idempotent, keyed):
    """Whatever the siblings do: same ids, same order, nobody later than the deadline, nothing run twice blindly."""
    registry, clock, calls_made = Registry(), VirtualTime(), []
    acting_tool(registry, [list(plan) for plan in plans], idempotent=idempotent, idempotency_key=keyed or None)
    raw = [
        {"id": f"call {number}", "function": {"name": "act", "arguments": json.dumps({"number": number})}}
        for number in range(len(plans))
    ]
    settings = Settings(deadline_s=5.0, breaker=None)
    gateway = Gateway(registry, settings, clock=clock.now, log_sink=calls_made.append)
    results = clock.run(gateway.call_all(raw))
    assert [result.call_id for result in results] == [call["id"] for call in raw]
    assert len(calls_made) == len(raw)
    assert clock.now() <= 5.05
    for result, plan in zip(results, plans, strict=True):
        assert result.ok is (result.error is None) is (result.status is Status.SUCCESS)
        first_harmless = next((n for n, what in enumerate(plan) if what != "refused"), 0)
        if not idempotent:
            assert result.attempts <= first_harmless + 1 or plan[-1] == "refused"


@settings(max_examples=100, deadline=None)
@given(
    values=st.fixed_dictionaries(
        {
            "city": ANY_TEXT,
            "nights": st.integers(-(2**63), 2**63 - 1),
            "price": st.floats(allow_nan=False, allow_infinity=False),
            "tags": st.lists(ANY_TEXT, max_size=3),
            "extra": st.dictionaries(st.text(max_size=5), st.integers(0, 9), max_size=3),
        }
    )
)
def test_the_arguments_of_a_result_are_those_the_tool_got(values):
    """Equal to what the function was called with, and no shared list: the tool may do with its own as it likes."""
    registry, got = Registry(), []

    @tool(registry)
    async def book_room(city: str, nights: int, price: float, tags: list[str], extra: dict[str, int]) -> str:
        """Book a room."""
        got.append({"city": city, "nights": nights, "price": price, "tags": list(tags), "extra": dict(extra)})
        tags.append("changed")
        extra.clear()
        return "booked"

    call = {"id": "c", "function": {"name": "book_room", "arguments": json.dumps(values)}}
    result = asyncio.run(Gateway(registry, log_sink=None).call(call))
    if result.ok:
        assert got == [result.arguments]
        assert got[0] == values
    else:
        assert (result.status, got) == (Status.VALIDATION_ERROR, [])
