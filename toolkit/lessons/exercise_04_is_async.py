"""Exercise 04.is_async: on the loop or in a thread? Asked without calling the tool."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from toolkit.lessons.exercise import Exercise, WrongAnswer
from toolkit.lessons.expect import expect, expect_equal

CALLED: list[str] = []


def plain() -> str:
    CALLED.append("plain")
    return "rain"


async def coroutine() -> str:
    CALLED.append("coroutine")
    return "rain"


class AsyncTool:
    """Has no `async def` of its own to be seen from outside but its `__call__`."""

    async def __call__(self) -> str:
        CALLED.append("object")
        return "rain"

    async def method(self) -> str:
        return "rain"


class SyncTool:
    """Has both ways, as a base class would give every tool; calling it is the sync one."""

    def __call__(self) -> str:
        CALLED.append("object")
        return "rain"

    async def aexecute(self) -> str:
        raise NotImplementedError


def cases() -> list[tuple[Callable[..., Any], bool, str]]:
    """A callable, whether it is async, and the case in words."""
    return [
        (plain, False, "a plain function"),
        (coroutine, True, "an async function"),
        (AsyncTool().method, True, "an async method"),
        (functools.partial(coroutine), True, "a partial of an async function"),
        (functools.partial(plain), False, "a partial of a plain function"),
        (AsyncTool(), True, "an object whose __call__ is async"),
        (SyncTool(), False, "an object that has an aexecute, and a sync __call__"),
        (functools.partial(AsyncTool()), True, "a partial of an object whose __call__ is async"),
    ]


def check_is_async(is_async: Callable[[Callable[..., Any]], bool]) -> None:
    """True for what gives a coroutine, False for the rest, and no tool is called to find out."""
    for func, wanted, case in cases():
        CALLED.clear()
        got = is_async(func)
        expect(not CALLED, f"{case}: the tool was called to find out; had it been a booking, it would stand now")
        expect_equal(got, wanted, case)


IS_ASYNC = Exercise(
    id="04.is_async",
    task=(
        "Say whether calling `func` gives a coroutine, without calling it. True belongs on the loop, False into a "
        "thread. A tool may be a function, a method, a `functools.partial` of one, or an object with `__call__`."
    ),
    minutes=6,
    difficulty="medium",
    hints=(
        "`inspect.iscoroutinefunction` knows functions, methods and partials of those.",
        "An object is called through its type: look at `type(func).__call__`, or at `func.__call__`.",
        "A partial holds what it calls in `.func`, and that may be a partial again: `while isinstance(...)`.",
    ),
    setup="import functools\nimport inspect",
    stub='''\
def is_async(func) -> bool:
    """Whether calling `func` gives a coroutine, as far as can be seen without calling it.

    >>> is_async(asyncio.sleep), is_async(time.sleep)
    (True, False)
    """
    raise NotImplementedError''',
    solution='''\
def is_async(func) -> bool:
    """Whether calling `func` gives a coroutine, as far as can be seen without calling it."""
    while isinstance(func, functools.partial):
        func = func.func
    return inspect.iscoroutinefunction(func) or inspect.iscoroutinefunction(type(func).__call__)''',
    alternatives=(
        """\
def is_async(func):
    if isinstance(func, functools.partial):
        return is_async(func.func)
    return any(map(inspect.iscoroutinefunction, (func, getattr(func, "__call__", None))))""",
        """\
def is_async(func):
    while hasattr(func, "func"):
        func = func.func
    code = getattr(func, "__code__", None) or getattr(type(func).__call__, "__code__", None)
    return code is not None and bool(code.co_flags & inspect.CO_COROUTINE)""",
    ),
    wrong=(
        WrongAnswer(
            "knows functions only",
            "def is_async(func):\n    return inspect.iscoroutinefunction(func)",
            "an object whose __call__ is async",
        ),
        WrongAnswer(
            "knows objects only",
            "def is_async(func):\n    return inspect.iscoroutinefunction(type(func).__call__)",
            "an async function",
        ),
        WrongAnswer(
            "calls it and looks",
            "def is_async(func):\n    return inspect.isawaitable(func())",
            "was called to find out",
        ),
        WrongAnswer(
            "looks for a name that every tool has",
            "def is_async(func):\n"
            "    named = hasattr(func, 'aexecute')\n"
            "    return named or inspect.iscoroutinefunction(func) or inspect.iscoroutinefunction(type(func).__call__)",
            "an object that has an aexecute",
        ),
        WrongAnswer(
            "does not look into a partial of an object",
            "def is_async(func):\n"
            "    return inspect.iscoroutinefunction(func) or inspect.iscoroutinefunction(type(func).__call__)",
            "a partial of an object",
        ),
        WrongAnswer(
            "asks whether the function itself can be awaited",
            "def is_async(func):\n    return hasattr(func, '__await__')",
            "an async function",
        ),
    ),
    checker=check_is_async,
)
