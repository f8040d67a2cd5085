"""Mistakes in writing down what happened."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from toolkit.errors import TransientError
from toolkit.lab.virtual_time import VirtualTime
from toolkit.lessons.bug_hunt.card import Card
from toolkit.lessons.bug_hunt.probing import RETRY_SETUP, Search


def _recovered(retry: Callable[..., Any]) -> object:
    record = VirtualTime().run(retry(Search(2)))
    return {"status": record["status"], "error": record["error"], "value": record["value"]}


def _timed(run_timed: Callable[..., Any]) -> list[float]:
    seconds = []
    for failures in (0, 1):
        clock, search = VirtualTime(), Search(failures)

        async def slow(search: Search = search) -> str:
            await asyncio.sleep(2)
            return await search()

        seconds.append(clock.run(run_timed(slow, clock.now))["seconds"])
    return seconds


class _Response:
    def __init__(self, status_code: int, body: dict[str, str]) -> None:
        self.status_code, self._body = status_code, body

    def json(self) -> dict[str, str]:
        return self._body


def _statuses(condition: Callable[..., Any]) -> list[str]:
    said = []
    for response in (_Response(200, {"condition": "rain"}), _Response(503, {"detail": "maintenance"})):
        try:
            said.append(condition(response))
        except (KeyError, TransientError) as error:
            said.append(type(error).__name__)
    return said


CARDS = (
    Card(
        id="B26",
        topic="repeating",
        title="A record of what happened",
        name="recorded",
        setup=RETRY_SETUP,
        broken="""
async def recorded(work):
    record = {"status": "failed", "error": None, "value": None}
    for _ in range(3):
        try:
            record["value"] = await work()
            record["status"] = "success"
            break
        except TransientError as error:
            record["error"] = str(error)
    return record
""",
        mended="""
async def recorded(work):
    record = {"status": "failed", "error": None, "value": None}
    for _ in range(3):
        try:
            return {"status": "success", "error": None, "value": await work()}
        except TransientError as error:
            record["error"] = str(error)
    return record
""",
        probe=_recovered,
        fails={"status": "success", "error": "down", "value": "3 hotels"},
        works={"status": "success", "error": None, "value": "3 hotels"},
        asks="A search fails twice and then works. What does its record say?",
        predicted=("Success, with an error", "The error of the second attempt was never taken back."),
        others=(
            ("Success, without an error", "Who sets the error back to None?"),
            ("Failed, with an error", "The third attempt sets the status."),
            ("Failed, with a value", "Value and status are set together."),
        ),
        cause="The error of an attempt is kept as the error of the call; who looks there first throws a value away.",
    ),
    Card(
        id="B28",
        topic="repeating",
        title="How long did it take?",
        name="timed",
        setup=RETRY_SETUP,
        broken="""
async def timed(work, clock):
    record, began = {"seconds": 0.0}, clock()
    try:
        record["value"] = await work()
        record["seconds"] = clock() - began
    except TransientError as error:
        record["error"] = type(error).__name__
    return record
""",
        mended="""
async def timed(work, clock):
    record, began = {"seconds": 0.0}, clock()
    try:
        record["value"] = await work()
    except TransientError as error:
        record["error"] = type(error).__name__
    finally:
        record["seconds"] = clock() - began
    return record
""",
        probe=_timed,
        fails=[2.0, 0.0],
        works=[2.0, 2.0],
        asks="Two calls of 2 s; the second fails at the end. Which seconds are recorded?",
        predicted=("2.0 and 0.0", "The line that computes the time is not reached by what fails."),
        others=(
            ("2.0 and 2.0", "So it should be. Which line is skipped by an exception?"),
            ("0.0 and 0.0", "The first call reaches that line."),
            ("2.0 and 4.0", "Each call has its own beginning."),
        ),
        cause="The duration is taken on the way of success only, so the slowest calls look like the fastest.",
    ),
    Card(
        id="B29",
        topic="repeating",
        title="The weather service answered",
        name="condition",
        setup=RETRY_SETUP,
        broken="""
def condition(response):
    return response.json()["condition"]
""",
        mended="""
def condition(response):
    if response.status_code >= 500:
        raise TransientError(f"the weather service says {response.status_code}")
    return response.json()["condition"]
""",
        probe=_statuses,
        fails=["rain", "KeyError"],
        works=["rain", "TransientError"],
        asks='The service is down for maintenance: status 503, body {"detail": "maintenance"}. What does the tool do?',
        predicted=("It raises a KeyError", "An outage looks like a bug, and is not tried again."),
        others=(
            ("It raises an HTTP error", "Nobody looks at the status."),
            ("It returns maintenance", "That stands under another key."),
            ("It returns None", "Square brackets do not return None."),
        ),
        cause="The body is read without a look at the status, so what would pass by itself is told as a bug.",
    ),
)
