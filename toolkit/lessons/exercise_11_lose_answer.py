"""Exercise 11.lose_answer: a fault that lets the effect happen and loses the answer."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from toolkit.errors import ToolError
from toolkit.lab.waiting import finish
from toolkit.lessons.exercise import Exercise, WrongAnswer
from toolkit.lessons.expect import expect, expect_equal, expect_raises

LoseAnswer = Callable[..., Coroutine[Any, Any, Any]]


class _Attempt:
    """A booking that is made when it is awaited, and may fail by itself."""

    def __init__(self, error: BaseException | None = None) -> None:
        self.bookings, self.error = 0, error

    async def __call__(self) -> str:
        await asyncio.sleep(0)
        if self.error is not None:
            raise self.error
        self.bookings += 1
        return "BK-0001"


class _Strikes:
    """Strikes as often as it is told, and counts how often it was asked."""

    def __init__(self, times: int) -> None:
        self.left, self.asked = times, 0

    def __call__(self) -> bool:
        self.asked += 1
        self.left -= 1
        return self.left >= 0


def check_lose_answer(lose_answer: LoseAnswer) -> None:
    """The effect happens once, the answer is lost where it strikes, and the tool's own error is not replaced."""
    attempt, strikes = _Attempt(), _Strikes(0)
    expect_equal(finish(lose_answer(attempt, strikes)), "BK-0001", "a fault that does not strike: the value")
    expect_equal(attempt.bookings, 1, "a fault that does not strike: bookings")
    attempt, strikes = _Attempt(), _Strikes(1)
    expect_raises(ConnectionResetError, "a fault that strikes", finish, lose_answer(attempt, strikes))
    expect(attempt.bookings > 0, "a fault that strikes: nothing was booked, so nothing but an error was put in")
    expect(attempt.bookings == 1, f"a fault that strikes: {attempt.bookings} bookings were made")
    expect_equal(strikes.asked, 1, "one attempt asks once whether it strikes; it asked")
    _expect_passed(lose_answer, ToolError("No suite."), "the tool's own refusal was replaced by the fault")
    _expect_passed(lose_answer, asyncio.CancelledError(), "a cancellation was replaced by the fault")
    strikes = _Strikes(1)
    expect_raises(ConnectionResetError, "the first of two attempts", finish, lose_answer(_Attempt(), strikes))
    expect_equal(finish(lose_answer(_Attempt(), strikes)), "BK-0001", "a count of one: the second attempt")


def _expect_passed(lose_answer: LoseAnswer, error: BaseException, wrong: str) -> None:
    try:
        finish(lose_answer(_Attempt(error), _Strikes(1)))
    except BaseException as raised:  # noqa: BLE001 - a cancellation is one of the cases
        expect(type(raised) is type(error), f"{wrong}: {type(raised).__name__}")
        return
    expect(False, f"{wrong}: a value came back")


LOSE_ANSWER = Exercise(
    id="11.lose_answer",
    task=(
        "Write the fault that hurts most. `attempt()` runs the tool once, `strikes()` says whether the fault strikes "
        "this time. Where it strikes, the tool runs and its answer is lost: raise `ConnectionResetError`. Where it "
        "does not, the value comes back. What the tool raises by itself passes through, for then there was no answer "
        "to lose. Ask `strikes` once."
    ),
    minutes=8,
    difficulty="medium",
    hints=(
        "Ask first, and keep the answer.",
        "The tool runs in both cases. Where is the `await`?",
        "`struck = strikes()`, `value = await attempt()`, and only then the `if`. No `try` is needed.",
    ),
    setup="import asyncio",
    stub='''\
async def lose_answer(attempt, strikes):
    """The value of `attempt()`, unless the fault strikes: then the effect happens and the answer is lost.

    Raises:
        ConnectionResetError: the fault struck.
    """
    raise NotImplementedError''',
    solution='''\
async def lose_answer(attempt, strikes):
    """The value of `attempt()`, unless the fault strikes: then the effect happens and the answer is lost."""
    struck = strikes()
    value = await attempt()
    if struck:
        raise ConnectionResetError("put in: the answer was lost")
    return value''',
    alternatives=(
        """\
async def lose_answer(attempt, strikes):
    if not strikes():
        return await attempt()
    await attempt()
    raise ConnectionResetError""",
        """\
async def lose_answer(attempt, strikes):
    value = await attempt()
    if strikes():
        raise ConnectionResetError("lost")
    return value""",
    ),
    wrong=(
        WrongAnswer(
            "raises instead of running the tool",
            """\
async def lose_answer(attempt, strikes):
    if strikes():
        raise ConnectionResetError
    return await attempt()""",
            "nothing was booked",
        ),
        WrongAnswer(
            "runs the tool twice",
            """\
async def lose_answer(attempt, strikes):
    await attempt()
    if strikes():
        raise ConnectionResetError
    return await attempt()""",
            "a fault that does not strike: bookings: expected 1, got 2",
        ),
        WrongAnswer(
            "replaces the tool's own error",
            """\
async def lose_answer(attempt, strikes):
    if not strikes():
        return await attempt()
    try:
        await attempt()
    finally:
        raise ConnectionResetError""",
            "the tool's own refusal was replaced",
        ),
        WrongAnswer(
            "replaces a cancellation",
            """\
async def lose_answer(attempt, strikes):
    struck = strikes()
    try:
        value = await attempt()
    except asyncio.CancelledError:
        raise ConnectionResetError from None
    if struck:
        raise ConnectionResetError
    return value""",
            "a cancellation was replaced",
        ),
        WrongAnswer(
            "asks twice",
            """\
async def lose_answer(attempt, strikes):
    if strikes():
        await attempt()
        raise ConnectionResetError("lost" if not strikes() else "lost again")
    return await attempt()""",
            "one attempt asks once",
        ),
        WrongAnswer(
            "forgets to await",
            """\
async def lose_answer(attempt, strikes):
    value = attempt()
    if strikes():
        value.close()
        raise ConnectionResetError
    return await value""",
            "nothing was booked",
        ),
    ),
    checker=check_lose_answer,
)
