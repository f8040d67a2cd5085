"""F3: what breaks the contract never reaches the tool, and the model is told field, expectation and what came."""

from __future__ import annotations

from datetime import date
from typing import Annotated

import pytest
from pydantic import Field

from toolkit import Status, tool
from toolkit.gateway import BreakerSettings, Settings

REFUSED = {
    "wrong type": ('{"city": ["a"], "nights": 2}', 'city: expected a valid string, received ["a"].'),
    "out of range": ('{"city": "a", "nights": 99}', "nights: expected less than or equal to 14, received 99."),
    "missing": ('{"nights": 2}', "city: expected a value, received nothing."),
    "extra": (
        '{"city": "a", "nights": 2, "smoking": true}',
        "smoking: unknown argument. Accepted: city, nights, check_in.",
    ),
    "bool for int": ('{"city": "a", "nights": true}', "nights: expected a valid integer, received true."),
    "NaN": ('{"city": "a", "nights": NaN}', "nights: expected a valid integer, received NaN."),
    "date from a number": (
        '{"city": "a", "nights": 2, "check_in": "0"}',
        'check_in: expected a valid date in the format YYYY-MM-DD, a number is no date, received "0".',
    ),
}
MALFORMED = {
    "huge": ('{"city": "a", "nights": 1%s}' % ("0" * 5000), "An integer of 5001 digits does not fit into 64 bits."),
    "list": ("[1, 2]", "Arguments must be a JSON object, received a list."),
    "number": ("7", "Arguments must be a JSON object, received a number."),
    "truncated": ('{"city": "Xi', "The arguments end in the middle, as if cut off. Send the whole call again."),
    "twice": ('{"city": "a", "city": "b", "nights": 2}', "The key 'city' stands twice in one object."),
}


@pytest.fixture
def reached(registry):
    seen = []

    @tool(registry)
    async def book_room(city: str, nights: Annotated[int, Field(ge=1, le=14)], check_in: date | None = None) -> str:
        """Book a room."""
        seen.append(city)
        return "booked"

    return seen


@pytest.mark.row("F3")
@pytest.mark.parametrize(("arguments", "line"), REFUSED.values(), ids=REFUSED)
async def test_a_broken_rule_is_named(reached, registry, gateway_for, arguments, line):
    """`validation_error`, no attempt, and one line with path, expectation and what was received."""
    result = await gateway_for(registry).call({"id": "c", "function": {"name": "book_room", "arguments": arguments}})
    assert (result.status, result.attempts, reached) == (Status.VALIDATION_ERROR, 0, [])
    assert result.error.message == f"Invalid arguments for book_room. {line}"
    assert result.error.next_step == "correct the arguments and call again"


@pytest.mark.row("F3")
@pytest.mark.parametrize(("arguments", "message"), MALFORMED.values(), ids=MALFORMED)
async def test_what_is_no_plain_object_is_refused(reached, registry, gateway_for, arguments, message):
    """Broken JSON is never repaired; the message says what is wrong with it."""
    result = await gateway_for(registry).call({"id": "c", "function": {"name": "book_room", "arguments": arguments}})
    assert (result.status, result.attempts, reached) == (Status.VALIDATION_ERROR, 0, [])
    assert (result.error.kind, result.error.message) == ("malformed_arguments", message)


@pytest.mark.row("F3")
async def test_refused_arguments_leave_the_breaker_unchanged(reached, registry, gateway_for, raw):
    """A model's mistakes say nothing about the tool: after fifty of them the next good call runs."""
    gateway = gateway_for(registry, Settings(breaker=BreakerSettings(minimum=5)))
    for _ in range(50):
        await gateway.call(raw("book_room", city="a", nights=99))
    assert (await gateway.call(raw("book_room", city="a", nights=2))).status is Status.SUCCESS


async def test_a_call_that_was_cut_off_is_not_run(reached, registry, gateway_for):
    """Half a call may be valid JSON, so a reply that hit its length limit is refused as a whole."""
    from toolkit.wire import calls_from

    call = {"id": "c", "function": {"name": "book_room", "arguments": '{"city": "a", "nights": 2}'}}
    choice = {"finish_reason": "length", "message": {"tool_calls": [call]}}
    (result,) = await gateway_for(registry).call_all(calls_from(choice))
    assert (result.status, result.error.kind, reached) == (Status.VALIDATION_ERROR, "truncated", [])


@pytest.mark.row("F3", "T1")
async def test_a_schema_written_by_hand_is_held_too(registry, gateway_for, raw):
    """A tool of layer 1 has only its JSON Schema; its arguments are held against it."""
    schema = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}
    registry.register(name="double", description="Double.", parameters=schema, func=lambda a: 2 * a)
    gateway = gateway_for(registry)
    assert (await gateway.call(raw("double", a=21))).value == 42
    refused = await gateway.call(raw("double", a="x"))
    assert refused.error.message == 'Invalid arguments for double. a: expected a valid integer, received "x".'
    assert (await gateway.call(raw("double", a=1, b=2))).status is Status.VALIDATION_ERROR
