"""Each published mistake fails as the lesson says."""

from __future__ import annotations

import asyncio
from functools import partial

import pytest

from toolkit.lab.callers import Flaky, leave_early
from toolkit.lab.mistakes.deadlines import CheckedAfterwards, insist, keep_trying, retry_with_backoff
from toolkit.lab.virtual_time import Hang, VirtualTime


@pytest.mark.row("X12")
def test_a_limit_that_only_looks_at_the_clock_interrupts_nothing():
    """One second under a limit of 0.1 s takes one second; a hang is never noticed."""
    clock = VirtualTime()

    async def search(wait):
        async with CheckedAfterwards(0.1, clock):
            await wait

    assert str(clock.outcome(search(asyncio.sleep(1)))) == "more than 0.1 s"
    assert clock.now() == 1.0
    assert isinstance(clock.outcome(search(asyncio.Event().wait())), Hang)


@pytest.mark.row("X12")
def test_a_cancellation_taken_for_a_timeout_is_retried_and_succeeds():
    """The user has left, and the booking is made nevertheless."""
    call = keep_trying(partial(asyncio.sleep, 1, "booked"), limit_s=2)
    assert VirtualTime().outcome(leave_early(call)) == "booked"


@pytest.mark.row("X12")
def test_a_timeout_told_as_a_failure_hides_what_was_done():
    """Told once that it timed out, done three times."""
    done = []

    async def book():
        done.append(1)
        await asyncio.sleep(60)

    assert VirtualTime().run(insist(book, limit_s=1, attempts=3)) == "The booking timed out."
    assert len(done) == 3


@pytest.mark.row("X12")
def test_the_published_retry_records_and_waits_wrongly():
    """The old error in a success, a retry too many, no duration, waits by addition, a sleep at the end."""
    clock = VirtualTime()
    recovered = clock.run(retry_with_backoff(Flaky(2), clock))
    assert (recovered["status"], recovered["error"]) == ("success", "the hotels' server is down")
    assert clock.now() == 3.0
    dead = clock.run(retry_with_backoff(Flaky(9), clock, max_retries=4))
    assert (dead["retry_count"], dead["seconds"]) == (4, 0.0)
    assert clock.now() == 3.0 + 1 + 2 + 3 + 4


@pytest.mark.row("X12")
def test_zero_retries_are_zero_attempts():
    """A tool that always works fails without having been called, and without an error."""
    clock = VirtualTime()
    assert clock.run(retry_with_backoff(Flaky(0), clock, max_retries=0))["error"] is None
