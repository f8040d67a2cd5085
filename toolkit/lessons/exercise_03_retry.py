"""Exercise 03.retry: repeat what failed for now, and nothing else."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

from toolkit.errors import ToolError, TransientError
from toolkit.lab.waiting import finish
from toolkit.lessons.exercise import Exercise, WrongAnswer
from toolkit.lessons.expect import Wrong, expect, expect_equal, expect_raises

Retry = Callable[..., Coroutine[Any, Any, Any]]


class _Tool:
    """Raises what it is given, one exception per call, and then answers."""

    def __init__(self, *errors: BaseException) -> None:
        self.errors = list(errors)
        self.calls = 0
        self.slept: list[float] = []

    async def __call__(self) -> str:
        self.calls += 1
        if self.errors:
            raise self.errors.pop(0)
        return "BK-0001"

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)


def check_retry(retry: Retry) -> None:
    """As many attempts as said, the waits between them, and nothing swallowed."""
    _expect_answer(retry, _Tool(), [], "a tool that works at once")
    _expect_answer(retry, _Tool(TransientError("one"), TransientError("two")), [1, 2], "a tool that fails twice")
    dead = _Tool(*(TransientError(f"failure {number}") for number in range(1, 9)))
    _expect_one_error(retry, dead, TransientError, "a tool that stays down", holds="failure 3")
    expect(len(dead.slept) < 3, f"it slept after the last attempt, for nobody: {dead.slept}")
    expect_equal((dead.calls, dead.slept), (3, [1, 2]), "calls and waits of a tool that stays down")
    refusing = _Tool(ToolError("No suite."), ToolError("No suite."))
    _expect_one_error(retry, refusing, ToolError, "a business error")
    expect_equal(refusing.calls, 1, "a business error is not repeated, so the number of calls")
    cancelled = _Tool(asyncio.CancelledError(), asyncio.CancelledError())
    _expect_one_error(retry, cancelled, asyncio.CancelledError, "the caller's cancellation")
    expect_equal(cancelled.calls, 1, "a cancelled call is not repeated, so the number of calls")
    once = _Tool(*(TransientError("again") for _ in range(3)))
    expect_raises(TransientError, "no waits mean one attempt", finish, retry(once, [], once.sleep))


def _expect_answer(retry: Retry, tool: _Tool, waits: Sequence[float], case: str) -> None:
    try:
        value = finish(retry(tool, [1, 2], tool.sleep))
    except TransientError:
        raise Wrong(f"{case}: two waits mean three attempts, but it gave up after {tool.calls}") from None
    expect_equal(value, "BK-0001", f"the value of {case}")
    expect_equal((tool.calls, tool.slept), (len(waits) + 1, list(waits)), f"calls and waits of {case}")


def _expect_one_error(retry: Retry, tool: _Tool, kind: type[BaseException], case: str, holds: str = "") -> None:
    expect_raises(kind, case, finish, retry(tool, [1, 2], tool.sleep), holds=holds)


RETRY = Exercise(
    id="03.retry",
    task=(
        "Await `work()` until it works and return its value. Repeat it after a `TransientError` only, and before each "
        "repeat wait as `waits` says (`await sleep(seconds)`): two waits mean three attempts. When the last attempt "
        "fails, its own error goes to the caller."
    ),
    minutes=12,
    difficulty="hard",
    hints=(
        "There is one attempt more than there are waits. The waits stand *between* the attempts.",
        "`for wait_s in waits:` try, and sleep where it failed. Then one last attempt, outside of the loop.",
        "`except TransientError:` and nothing wider. A business error is a `ToolError`, a cancellation a "
        "`BaseException`: both pass by themselves.",
    ),
    setup="import asyncio\nfrom toolkit import ToolError, TransientError",
    stub='''\
async def retry(work, waits, sleep):
    """The value of the first attempt of `work()` that works; `waits` in seconds.

    With waits [1, 2] a dead tool is called at 0, 1 and 3 seconds, and then its error is raised.
    """
    raise NotImplementedError''',
    solution='''\
async def retry(work, waits, sleep):
    """The value of the first attempt of `work()` that works; `waits` in seconds."""
    for wait_s in waits:
        try:
            return await work()
        except TransientError:
            await sleep(wait_s)
    return await work()''',
    alternatives=(
        """\
async def retry(work, waits, sleep):
    left = list(waits)
    while True:
        try:
            return await work()
        except TransientError:
            if not left:
                raise
        await sleep(left.pop(0))""",
        """\
async def retry(work, waits, sleep):
    try:
        return await work()
    except TransientError:
        if not waits:
            raise
    await sleep(waits[0])
    return await retry(work, waits[1:], sleep)""",
    ),
    wrong=(
        WrongAnswer(
            "sleeps after the last attempt",
            """\
async def retry(work, waits, sleep):
    for wait_s in [*waits, 4]:
        try:
            return await work()
        except TransientError as error:
            last = error
            await sleep(wait_s)
    raise last""",
            "after the last attempt",
        ),
        WrongAnswer(
            "makes one attempt too few",
            """\
async def retry(work, waits, sleep):
    last = None
    for wait_s in waits:
        try:
            return await work()
        except TransientError as error:
            last = error
            await sleep(wait_s)
    raise last""",
            "gave up after 2",
        ),
        WrongAnswer(
            "returns nothing in the end",
            """\
async def retry(work, waits, sleep):
    for wait_s in [0, *waits]:
        if wait_s:
            await sleep(wait_s)
        try:
            return await work()
        except TransientError:
            pass""",
            "got the value None",
        ),
        WrongAnswer(
            "repeats a business error",
            """\
async def retry(work, waits, sleep):
    for wait_s in waits:
        try:
            return await work()
        except Exception:
            await sleep(wait_s)
    return await work()""",
            "a business error",
        ),
        WrongAnswer(
            "takes the caller's cancellation for a failure",
            """\
async def retry(work, waits, sleep):
    for wait_s in waits:
        try:
            return await work()
        except (TransientError, asyncio.CancelledError):
            await sleep(wait_s)
    return await work()""",
            "the caller's cancellation",
        ),
        WrongAnswer(
            "raises the first error, not the last",
            """\
async def retry(work, waits, sleep):
    first = None
    for wait_s in waits:
        try:
            return await work()
        except TransientError as error:
            first = first or error
            await sleep(wait_s)
    try:
        return await work()
    except TransientError:
        raise first""",
            "failure 3",
        ),
    ),
    checker=check_retry,
)
