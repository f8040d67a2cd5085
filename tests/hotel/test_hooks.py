"""A trajectory check asked before the call: the same function, on the history so far."""

from __future__ import annotations

import asyncio
import json

import pytest

from toolkit.errors import ToolError
from toolkit.gateway import Gateway
from toolkit.hotel import World, hotel_registry
from toolkit.hotel.controls import load_control
from toolkit.hotel.hooks import hotel_id_was_found
from toolkit.records import Context, Status

STAY = {"room_type": "suite", "check_in": "2026-10-01", "nights": 2}


def history_before_booking(name="ok"):
    """The messages of a control up to, and with, the turn that books."""
    messages = load_control(name)
    books = next(at for at, message in enumerate(messages) if "book_hotel" in json.dumps(message.get("tool_calls")))
    return messages[: books + 1]


def asked(hotel_id, messages):
    """Ask the hook about a booking."""
    hotel_id_was_found("book_hotel", {"hotel_id": hotel_id, **STAY}, Context(messages=messages))


@pytest.mark.row("E1")
def test_an_id_from_the_search_passes():
    """What stands in a result seen before may be booked."""
    asked("HT-002", history_before_booking())


@pytest.mark.row("E1")
def test_an_invented_id_is_refused_with_the_nearest():
    """The model is told where an id must come from, and which one is near."""
    with pytest.raises(ToolError) as refused:
        asked("HT-022", history_before_booking("fabricated_id"))
    assert refused.value.message == (
        "book_hotel was not run: hotel_id 'HT-022' stands in no result it could have seen. "
        "Searched: hotels[*].id of search_hotels. Nearest: 'HT-002'."
    )
    assert refused.value.next_step == "call search_hotels for the user's city and copy an id from its result"


@pytest.mark.row("E1")
def test_a_sibling_s_search_is_no_source():
    """Calls of the turn that is running have not seen each other's results."""
    search = {"function": {"name": "search_hotels", "arguments": '{"city": "Xi\'an", "check_in": "2026-10-01"}'}}
    turn = {"role": "assistant", "tool_calls": [{"id": "a", **search}]}
    with pytest.raises(ToolError, match="There was none"):
        asked("HT-002", [{"role": "user", "content": "Book."}, turn])


def test_other_tools_are_not_asked_about_hotels():
    """A check that does not apply refuses nothing, also on an empty history."""
    hotel_id_was_found("get_weather", {"city": "Xi'an", "date": "2026-10-01"}, Context())


def test_a_history_that_was_cut_refuses_nothing():
    """What cannot be judged is left to the check after the run."""
    compacted = {"_compacted": True}
    messages = history_before_booking()
    messages[-2] = {**messages[-2], "content": json.dumps(compacted)}
    asked("HT-002", messages)


def test_a_mistake_made_before_does_not_refuse_its_correction():
    """Only the call about to run is judged: after an invented id the right one may be booked."""
    asked("HT-002", load_control("fabricated_id")[:-1])


@pytest.mark.row("E1")
def test_in_the_gateway_nothing_is_booked():
    """The refusal is a context_error, no attempt is made and the store stays empty."""
    world = World()
    call = {"id": "c", "function": {"name": "book_hotel", "arguments": json.dumps({"hotel_id": "HT-022", **STAY})}}

    async def run():
        async with Gateway(hotel_registry(world), hooks=[hotel_id_was_found], log_sink=None) as gateway:
            return await gateway.call(call, Context(messages=history_before_booking("fabricated_id")))

    result = asyncio.run(run())
    assert (result.status, result.attempts, world.bookings) == (Status.CONTEXT_ERROR, 0, [])
