"""Trying again: only where it is safe, affordable, and fits the deadline."""

from __future__ import annotations

import random

import pytest

from toolkit import Status, ToolError, TransientError, tool
from toolkit.gateway import Backoff, BreakerSettings, Settings


class TooManyRequests(Exception):
    """As an HTTP client raises it: the answer is an attribute."""

    def __init__(self, retry_after, status_code=429):
        super().__init__("429 from https://user:sk-secret@api.internal")
        self.response = type("Response", (), {"status_code": status_code, "headers": {"retry-after": retry_after}})()


def failing_tool(registry, errors, **policy):
    """A tool that raises the errors in turn and works afterwards."""
    reached = []

    @tool(registry, **policy)
    async def find_room() -> str:
        """Find a room."""
        reached.append(1)
        if len(reached) <= len(errors):
            raise errors[len(reached) - 1].with_traceback(None)  # one and the same may be raised again
        return "found"

    return reached


@pytest.mark.row("F7", "T3")
async def test_two_failures_then_success(registry, gateway_for, raw, records):
    """`success` after three attempts, and no trace of the old error in the result."""
    failing_tool(registry, [ConnectionResetError(), TransientError("down")], idempotent=True)
    result = await gateway_for(registry).call(raw("find_room"))
    assert (result.status, result.value, result.attempts, result.error) == (Status.SUCCESS, "found", 3, None)
    assert (records[0]["attempts"], records[0].get("error_kind")) == (3, None)


@pytest.mark.row("F10")
async def test_retry_after_is_waited_for(registry, gateway_for, raw, clock):
    """429 with Retry-After 0.15: `success` after two attempts and at least that long."""
    failing_tool(registry, [TooManyRequests("0.15")])
    result = await gateway_for(registry, Settings(backoff=Backoff(base_s=0.01))).call(raw("find_room"))
    assert (result.status, result.attempts) == (Status.SUCCESS, 2)
    assert 0.15 <= clock.now() < 0.2


@pytest.mark.row("F11")
@pytest.mark.parametrize("error", [TooManyRequests("60"), TransientError("busy", retry_after_s=60)])
async def test_a_wait_that_does_not_fit_the_deadline_fails_at_once(registry, gateway_for, raw, clock, error):
    """Retry-After 60 under a deadline of 30 s: no waiting, and the model is told the seconds."""
    reached = failing_tool(registry, [error] * 9, idempotent=True)
    result = await gateway_for(registry, Settings(deadline_s=30)).call(raw("find_room"))
    assert (result.status, len(reached), clock.now()) == (Status.EXECUTION_ERROR, 1, 0.0)
    assert (result.error.kind, result.error.retryable, result.error.retry_after_s) == ("unavailable", True, 60)
    assert "secret" not in str(result)


@pytest.mark.row("F25", "P57")
@pytest.mark.parametrize(
    "error", [ConnectionRefusedError(), TransientError("no route", sent=False), TooManyRequests("0")]
)
async def test_a_write_is_repeated_where_nothing_was_sent(registry, gateway_for, raw, error):
    """Refused before anything was sent: a second attempt is safe even for a booking."""
    reached = failing_tool(registry, [error])
    result = await gateway_for(registry).call(raw("find_room"))
    assert (result.status, result.attempts, len(reached), result.error) == (Status.SUCCESS, 2, 2, None)


@pytest.mark.row("P57", "E6")
@pytest.mark.parametrize(
    "error", [ConnectionError(), ConnectionResetError(), TimeoutError(), TransientError("x"), TooManyRequests("0", 503)]
)
async def test_a_write_that_may_have_happened_is_not_repeated(registry, gateway_for, raw, records, error):
    """The effect came first, the failure after it: one attempt, one effect, and the text says so."""
    reached = failing_tool(registry, [error] * 9)
    result = await gateway_for(registry).call(raw("find_room"))
    assert (result.ok, result.attempts, records[0]["attempts"], len(reached)) == (False, 1, 1, 1)
    assert result.error.message.endswith("; it may still have taken effect, so check before you repeat it.")
    assert result.error.retryable is False


async def test_no_sleep_after_the_last_attempt(registry, gateway_for, raw):
    """Three attempts need two waits, each at most twice as long as the one before."""
    waits = []

    async def sleep(seconds):
        waits.append(seconds)

    failing_tool(registry, [ConnectionError()] * 9, idempotent=True)
    settings = Settings(backoff=Backoff(base_s=1.0, cap_s=50), attempts=5)
    result = await gateway_for(registry, settings, sleep=sleep).call(raw("find_room"))
    assert (result.attempts, len(waits)) == (5, 4)
    assert all(0 <= wait <= 2**index for index, wait in enumerate(waits))


def test_the_wait_is_a_random_part_of_a_growing_ceiling():
    """Full jitter: spread over the whole of 0 to ceiling, so that callers do not come back together."""
    backoff, rng = Backoff(base_s=1, cap_s=8), random.Random(1)
    for attempt, ceiling in ((1, 1), (2, 2), (3, 4), (4, 8), (9, 8)):
        waits = [backoff.wait_s(attempt, rng) for _ in range(2000)]
        assert 0 <= min(waits) < 0.05 * ceiling
        assert 0.95 * ceiling < max(waits) <= ceiling


@pytest.mark.row("F7")
async def test_the_retry_budget_spares_a_dead_tool(registry, gateway_for, raw):
    """On a dead tool at most 1.1 attempts per call over 1,000 calls, with the breaker out of the way."""
    reached = failing_tool(registry, [ConnectionError()] * 9999, idempotent=True)
    gateway = gateway_for(registry, Settings(breaker=None, backoff=Backoff(base_s=0.001)))
    results = [await gateway.call(raw("find_room")) for _ in range(1000)]
    assert len(reached) == sum(result.attempts for result in results)
    assert 1050 < len(reached) <= 1100


@pytest.mark.row("F8")
async def test_a_refusal_of_the_tool_is_not_repeated(registry, gateway_for, raw):
    """A business error stays the same however often it is asked."""
    reached = failing_tool(registry, [ToolError("No suite at HT-001. It has: standard, deluxe.")] * 9, idempotent=True)
    result = await gateway_for(registry).call(raw("find_room"))
    assert (result.status, result.attempts, len(reached)) == (Status.EXECUTION_ERROR, 1, 1)
    assert result.error.message == "No suite at HT-001. It has: standard, deluxe."


@pytest.mark.parametrize("header", ["-5", "nan", "inf", "Wed, 21 Oct 2026 07:28:00 GMT", "", "1e999"])
async def test_a_strange_retry_after_breaks_nothing(registry, gateway_for, raw, clock, header):
    """What is no number of seconds is no wait; what is too long does not fit the deadline."""
    failing_tool(registry, [TooManyRequests(header)])
    result = await gateway_for(registry).call(raw("find_room"))
    assert result.attempts in (1, 2)
    assert clock.now() < 1


async def test_a_breaker_that_opens_between_attempts_leaves_the_first_error(registry, gateway_for, raw):
    """What the tool said is worth more than that it is now left alone."""
    failing_tool(registry, [ConnectionResetError()] * 9, idempotent=True)
    settings = Settings(breaker=BreakerSettings(minimum=1), attempts=3)
    result = await gateway_for(registry, settings).call(raw("find_room"))
    assert (result.status, result.attempts) == (Status.EXECUTION_ERROR, 1)
    assert result.error.message == "find_room cannot reach something it needs (ConnectionResetError)."
