"""Mistakes in trying again."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from itertools import pairwise
from typing import Any

from toolkit.errors import TransientError
from toolkit.lab.mistakes.deadlines import insist
from toolkit.lab.virtual_time import VirtualTime
from toolkit.lessons.bug_hunt.card import Card, source_of
from toolkit.lessons.bug_hunt.probing import RETRY_SETUP, Search

_UNSURE = re.compile(r"may|might|unknown|nobody knows|perhaps", re.IGNORECASE)


def _insisted(insist: Callable[..., Any]) -> dict[str, object]:
    bookings = []

    async def book() -> None:
        bookings.append("suite")
        await asyncio.sleep(60)

    told = VirtualTime().run(insist(book, limit_s=1, attempts=3))
    return {"bookings": len(bookings), "says that it may be booked": bool(_UNSURE.search(str(told)))}


def _waits(retry: Callable[..., Any]) -> list[float]:
    """The waits between four attempts at what stays down, and what is waited after the last."""
    moments: list[float] = []
    clock = VirtualTime()

    async def down() -> None:
        moments.append(clock.now())
        raise TransientError("down")

    clock.outcome(retry(down, attempts=4))
    moments.append(clock.now())
    return [later - earlier for earlier, later in pairwise(moments)]


def _without_retries(retry: Callable[..., Any]) -> list[object]:
    search = Search(0)
    outcome = VirtualTime().outcome(retry(search, retries=0))
    return [str(outcome) if isinstance(outcome, BaseException) else outcome, search.calls]


CARDS = (
    Card(
        id="B24",
        topic="repeating",
        title="Try again after a timeout",
        name="insist",
        setup=RETRY_SETUP,
        broken=source_of(insist),
        mended='''
async def insist(work, limit_s, attempts):
    """Book once; a booking may not be tried again."""
    try:
        return await asyncio.wait_for(work(), limit_s)
    except TimeoutError:
        return "No answer came; it may be booked all the same. Look it up before you repeat it."
''',
        probe=_insisted,
        fails={"bookings": 3, "says that it may be booked": False},
        works={"bookings": 1, "says that it may be booked": True},
        asks="A booking is written at once, its answer gets lost. Three attempts: what is told, and what stands there?",
        predicted=("Timed out, 3 bookings", "Each attempt wrote its booking before its answer was lost."),
        others=(
            ("Timed out, 0 bookings", "A limit undoes nothing."),
            ("Timed out, 1 booking", "Each attempt is a new booking."),
            ("Booked, 1 booking", "No answer ever came."),
        ),
        cause="A timeout is taken for a failure, although it only says that nobody waited any longer.",
    ),
    Card(
        id="B25",
        topic="repeating",
        title="Exponential backoff",
        name="retry",
        setup=RETRY_SETUP,
        broken='''
async def retry(work, attempts):
    """Retry with exponential backoff."""
    for attempt in range(attempts):
        try:
            return await work()
        except TransientError:
            await asyncio.sleep(1.0 * (attempt + 1))
''',
        mended='''
async def retry(work, attempts):
    """Retry with exponential backoff."""
    for attempt in range(attempts):
        try:
            return await work()
        except TransientError:
            if attempt == attempts - 1:
                raise
            await asyncio.sleep(1.0 * 2**attempt)
''',
        probe=_waits,
        fails=[1.0, 2.0, 3.0, 4.0],
        works=[1.0, 2.0, 4.0, 0.0],
        asks="Four attempts at a tool that stays down. How many seconds does it sleep, one after another?",
        predicted=("1, 2, 3 and 4", "It adds instead of doubling, and sleeps once more when all is over."),
        others=(
            ("1, 2 and 4", "That is exponential. Read the number again."),
            ("1, 2 and 3", "It also sleeps after the last attempt."),
            ("1, 2, 4 and 8", "It does sleep four times. Does it double?"),
        ),
        cause="The wait grows by addition, and the last one is for nothing.",
    ),
    Card(
        id="B27",
        topic="repeating",
        title="No retries, please",
        name="retry",
        setup=RETRY_SETUP,
        broken="""
async def retry(work, retries):
    last = None
    for _ in range(retries):
        try:
            return await work()
        except TransientError as error:
            last = error
    raise RuntimeError(f"The call failed: {last}")
""",
        mended="""
async def retry(work, retries):
    for left in range(retries, -1, -1):
        try:
            return await work()
        except TransientError:
            if left == 0:
                raise
""",
        probe=_without_retries,
        fails=["The call failed: None", 0],
        works=["3 hotels", 1],
        asks="A search that works, called with retries=0. What comes back?",
        predicted=("An error, and not a single call", "Zero retries became zero attempts."),
        others=(
            ("The hotels, after one call", "Count how often the loop is entered."),
            ("The hotels, without a call", "Somebody would have to know them."),
            ("An error, after one call", "The loop is not entered at all."),
        ),
        cause="Retries are counted as attempts; the first attempt is none of them.",
    ),
)
