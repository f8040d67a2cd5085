"""Run a coroutine to its end from code that is not async itself."""

from __future__ import annotations

import asyncio
import contextvars
import threading
from collections.abc import Coroutine
from typing import Any, TypeVar

Value = TypeVar("Value")


def finish(coroutine: Coroutine[Any, Any, Value]) -> Value:
    """Run `coroutine` in a thread and a loop of its own, and return its value or raise its exception.

    A notebook's loop is running already, so `asyncio.run` is refused there; a widget's handler and an
    exercise's checker cannot await. Context variables are those of the caller.

    >>> async def double(number: int) -> int:
    ...     return 2 * number
    >>> finish(double(21))
    42
    """
    outcome: list[Value] = []
    raised: list[BaseException] = []

    def run() -> None:
        try:
            outcome.append(asyncio.run(coroutine))
        except BaseException as error:  # noqa: BLE001 - handed on to the caller just below
            raised.append(error)

    thread = threading.Thread(target=contextvars.copy_context().run, args=(run,), name="finish")
    thread.start()
    thread.join()
    if raised:
        raise raised[0]
    return outcome[0]
