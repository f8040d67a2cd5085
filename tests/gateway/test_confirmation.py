"""S3: a write waits for the user's word, bound to one tool and its arguments, good for one call."""

from __future__ import annotations

import pytest

from toolkit import Context, Status, tool
from toolkit.gateway import MemoryStore


@pytest.fixture
def written(registry):
    done = []

    @tool(registry, confirm=True)
    async def book_room(hotel_id: str, nights: int = 1) -> str:
        """Book a room."""
        done.append((hotel_id, nights))
        return "booked"

    @tool(registry, confirm=True)
    async def cancel_room(hotel_id: str, nights: int = 1) -> str:
        """Cancel a room."""
        done.append("cancelled")
        return "cancelled"

    return done


@pytest.mark.row("S3", "J10")
async def test_a_write_asks_first(written, registry, gateway_for, raw):
    """It is not run; the caller gets a token, the model does not."""
    result = await gateway_for(registry).call(raw("book_room", hotel_id="HT-001"))
    assert (result.status, result.attempts, written) == (Status.NEEDS_CONFIRMATION, 0, [])
    assert result.to_content() == (
        '{"error": "book_room changes something, so the user has to agree first. It was not run.", '
        '"status": "needs_confirmation", "next_step": "ask the user"}'
    )
    assert result.error.confirmation not in str(result.to_message())


@pytest.mark.row("S3")
async def test_with_the_users_word_it_runs_once(written, registry, gateway_for, raw):
    """The same token a second time is refused."""
    gateway = gateway_for(registry)
    call = raw("book_room", hotel_id="HT-001")
    agreed = Context(confirmed={(await gateway.call(call)).error.confirmation})
    assert (await gateway.call(call, agreed)).status is Status.SUCCESS
    assert (await gateway.call(call, agreed)).status is Status.NEEDS_CONFIRMATION
    assert written == [("HT-001", 1)]


@pytest.mark.row("S3")
async def test_a_token_is_good_for_what_was_asked_and_nothing_else(written, registry, gateway_for, raw):
    """Another argument, another tool, another session, a made-up token: refused, and the token stays good."""
    gateway = gateway_for(registry)
    token = (await gateway.call(raw("book_room", hotel_id="HT-001"))).error.confirmation
    nonce, signature = token.split(".")
    tries = [
        (raw("book_room", hotel_id="HT-002"), Context(confirmed={token})),
        (raw("book_room", hotel_id="HT-001", nights=14), Context(confirmed={token})),
        (raw("cancel_room", hotel_id="HT-001"), Context(confirmed={token})),
        (raw("book_room", hotel_id="HT-001"), Context(confirmed={token}, session="other")),
        (
            raw("book_room", hotel_id="HT-001"),
            Context(confirmed={"", ".", "x", f"0.{signature}", f"{nonce}.0", "西.安"}),
        ),
    ]
    for call, context in tries:
        assert (await gateway.call(call, context)).status is Status.NEEDS_CONFIRMATION
    assert written == []
    spelled_out = raw("book_room", nights=1, hotel_id="HT-001")  # the default, said aloud, is the same call
    assert (await gateway.call(spelled_out, Context(confirmed={token}))).ok


@pytest.mark.row("S3")
async def test_two_equal_writes_need_two_words(written, registry, gateway_for, raw):
    """One agreement does not cover the same call twice in one turn."""
    gateway = gateway_for(registry)
    call = raw("book_room", hotel_id="HT-001")
    agreed = Context(confirmed={(await gateway.call(call)).error.confirmation})
    results = await gateway.call_all([call, call], agreed)
    assert sorted(result.status for result in results) == ["needs_confirmation", "success"]


@pytest.mark.row("S3")
async def test_a_used_word_stays_used_after_a_restart(written, registry, gateway_for, raw):
    """With the same key and the same store, a second process does not take the token again."""
    store, call = MemoryStore(), raw("book_room", hotel_id="HT-001")
    before, after = (gateway_for(registry, store=store, confirmation_key=b"k" * 32) for _ in range(2))
    agreed = Context(confirmed={(await before.call(call)).error.confirmation})
    assert (await before.call(call, agreed)).ok
    assert (await after.call(call, agreed)).status is Status.NEEDS_CONFIRMATION
    assert len(written) == 1


@pytest.mark.row("S3")
async def test_a_question_survives_a_restart_where_the_key_does(written, registry, gateway_for, raw):
    """With the same key the next process takes the token; with a key of its own it does not."""
    call = raw("book_room", hotel_id="HT-001")
    asked = await gateway_for(registry, confirmation_key=b"k" * 32).call(call)
    agreed = Context(confirmed={asked.error.confirmation})
    assert not (await gateway_for(registry).call(call, agreed)).ok
    assert (await gateway_for(registry, confirmation_key=b"k" * 32).call(call, agreed)).ok
