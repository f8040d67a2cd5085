"""Exercise 04.guarded: a call behind a breaker, reported once whatever happens."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from toolkit.errors import ToolError, TransientError
from toolkit.lab.breaker_run import CircuitOpen
from toolkit.lab.waiting import finish
from toolkit.lessons.exercise import Exercise, WrongAnswer
from toolkit.lessons.expect import Wrong, expect, expect_equal, expect_raises

Guarded = Callable[..., Coroutine[Any, Any, Any]]


class _Breaker:
    """Gives the permits it is told to, and remembers what was reported."""

    def __init__(self, permit: object = 7) -> None:
        self.permit = permit
        self.reports: list[tuple[object, object]] = []

    def admit(self) -> object:
        return self.permit

    def report(self, permit: object, failed: object) -> None:
        self.reports.append((permit, failed))


def check_guarded(guarded: Guarded) -> None:
    """The value or the exception passes; the breaker hears once of every permit it gave, and only of the tool."""
    breaker, called = _Breaker(None), list[int]()
    expect_raises(CircuitOpen, "an open breaker", finish, guarded(breaker, _work(called=called)))
    expect(not called, "an open breaker: the tool was called all the same")
    expect_equal(breaker.reports, [], "an open breaker gave no permit, so the reports")
    breaker = _Breaker()
    expect_equal(finish(guarded(breaker, _work())), "rain", "the value of a tool that works")
    _expect_report(breaker, False, "a tool that works")
    for error in (TransientError("down"), TimeoutError()):
        breaker, case = _Breaker(), f"a tool that raises {type(error).__name__}"
        expect_raises(type(error), case, finish, guarded(breaker, _work(error)))
        _expect_report(breaker, True, case)
    breaker = _Breaker()
    expect_raises(ToolError, "a business error", finish, guarded(breaker, _work(ToolError("No suite."))))
    _expect_report(breaker, None, "a business error (No suite) says nothing about the health of the tool")
    breaker = _Breaker()
    cancelled = guarded(breaker, _work(asyncio.CancelledError()))
    expect_raises(asyncio.CancelledError, "a cancelled call", finish, cancelled)
    _expect_report(breaker, None, "a cancelled call says nothing about the tool")
    _expect_zero_is_a_permit(guarded)


def _expect_zero_is_a_permit(guarded: Guarded) -> None:
    breaker = _Breaker(0)
    try:
        finish(guarded(breaker, _work()))
    except CircuitOpen:
        raise Wrong("the permit was the number 0, and it was refused; only None means no") from None
    expect_equal(breaker.reports, [(0, False)], "the reports of a permit that is the number 0")


def _work(
    error: BaseException | None = None, called: list[int] | None = None
) -> Callable[[], Coroutine[Any, Any, str]]:
    async def work() -> str:
        if called is not None:
            called.append(1)
        if error is not None:
            raise error
        return "rain"

    return work


def _expect_report(breaker: _Breaker, failed: bool | None, case: str) -> None:
    heard = len(breaker.reports)
    expect(heard > 0, f"{case}: the breaker never heard of its permit; if it was a probe, no other is let through")
    expect(heard == 1, f"{case}: one permit was reported {heard} times")
    expect_equal(breaker.reports[0], (7, failed), f"{case}: the report (permit, failed)")


_HEAD = """\
async def guarded(breaker, work):
    permit, failed = breaker.admit(), {}
    if permit is None:
        raise CircuitOpen
"""

GUARDED = Exercise(
    id="04.guarded",
    task=(
        "Run `work()` behind a breaker. Ask `breaker.admit()` first; None means no, so raise `CircuitOpen`. Afterwards "
        "call `breaker.report(permit, failed)` exactly once: False where it worked, True after a `TransientError` or a "
        "`TimeoutError`, None after anything else, for that is not the tool's illness. The value or the exception goes "
        "to the caller."
    ),
    minutes=10,
    difficulty="hard",
    hints=(
        "Begin with `failed = None` and change it where you know better.",
        "`finally` is reached by a value, an error and a cancellation alike.",
        "`try:` await and set False; `except (TransientError, TimeoutError):` set True and `raise`; `finally:` report.",
    ),
    setup=(
        "import asyncio\nfrom toolkit import ToolError, TransientError\nfrom toolkit.lab.breaker_run import CircuitOpen"
    ),
    stub='''\
async def guarded(breaker, work):
    """The value of `work()`, if the breaker gives leave; the breaker hears how it went.

    Raises:
        CircuitOpen: no leave was given, and `work` was not called.
    """
    raise NotImplementedError''',
    solution="""\
async def guarded(breaker, work):
    if (permit := breaker.admit()) is None:
        raise CircuitOpen
    failed = None
    try:
        value, failed = await work(), False
        return value
    except (TransientError, TimeoutError):
        failed = True
        raise
    finally:
        breaker.report(permit, failed)""",
    alternatives=(
        """\
async def guarded(breaker, work):
    if (permit := breaker.admit()) is None:
        raise CircuitOpen("left alone")
    try:
        value = await work()
    except BaseException as error:
        breaker.report(permit, True if isinstance(error, (TransientError, TimeoutError)) else None)
        raise
    breaker.report(permit, False)
    return value""",
        """\
from contextlib import contextmanager


@contextmanager
def reported(breaker, permit):
    health = {"failed": None}
    try:
        yield
    except (TransientError, TimeoutError):
        health["failed"] = True
        raise
    else:
        health["failed"] = False
    finally:
        breaker.report(permit, health["failed"])


async def guarded(breaker, work):
    permit = breaker.admit()
    if permit is None:
        raise CircuitOpen
    with reported(breaker, permit):
        return await work()""",
    ),
    wrong=(
        WrongAnswer(
            "loses the permit of a cancelled call",
            """\
async def guarded(breaker, work):
    permit = breaker.admit()
    if permit is None:
        raise CircuitOpen
    try:
        value = await work()
    except Exception as error:
        breaker.report(permit, True if isinstance(error, (TransientError, TimeoutError)) else None)
        raise
    breaker.report(permit, False)
    return value""",
            "never heard of its permit",
        ),
        WrongAnswer(
            "takes a business error for illness",
            _HEAD.format(None)
            + """\
    try:
        value = await work()
        failed = False
    except Exception:
        failed = True
        raise
    finally:
        breaker.report(permit, failed)
    return value""",
            "a business error",
        ),
        WrongAnswer(
            "takes a cancelled call for a success",
            _HEAD.format(False)
            + """\
    try:
        return await work()
    except (TransientError, TimeoutError):
        failed = True
        raise
    except ToolError:
        failed = None
        raise
    finally:
        breaker.report(permit, failed)""",
            "a cancelled call",
        ),
        WrongAnswer(
            "does not ask",
            """\
async def guarded(breaker, work):
    value = await work()
    breaker.report(breaker.admit(), False)
    return value""",
            "an open breaker",
        ),
        WrongAnswer(
            "asks whether the permit is true",
            """\
async def guarded(breaker, work):
    permit, failed = breaker.admit(), None
    if not permit:
        raise CircuitOpen
    try:
        value = await work()
        failed = False
    except (TransientError, TimeoutError):
        failed = True
        raise
    finally:
        breaker.report(permit, failed)
    return value""",
            "only None means no",
        ),
        WrongAnswer(
            "reports twice",
            _HEAD.format(None)
            + """\
    try:
        value = await work()
        failed = False
    except (TransientError, TimeoutError):
        failed = True
        breaker.report(permit, True)
        raise
    finally:
        breaker.report(permit, failed)
    return value""",
            "reported 2 times",
        ),
    ),
    checker=check_guarded,
)
