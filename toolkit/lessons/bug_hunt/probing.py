"""What the probes of several cards share: how an end is told, a search that fails, the imports of a card's cell."""

from __future__ import annotations

from collections.abc import Callable

from pydantic import BaseModel, PydanticUserError

from toolkit.errors import TransientError
from toolkit.lab.virtual_time import VirtualTime

ASYNC_SETUP = (
    "import asyncio\nimport inspect\nfrom collections.abc import Awaitable, Callable, Iterable\nfrom typing import Any"
)
CLOCK_SETUP = ASYNC_SETUP + "\nfrom collections import deque\nVirtualTime = Work = Clock = object"
RETRY_SETUP = """
import asyncio
from collections.abc import Awaitable, Callable
from typing import Any
from toolkit import TransientError


Work = object
"""


def ended(clock: VirtualTime, outcome: object) -> str:
    """What came of it, and when."""
    said = type(outcome).__name__ if isinstance(outcome, BaseException) else str(outcome)
    return f"{said} after {clock.now():g} s"


class Search:
    """Fails so often, and then works."""

    def __init__(self, failures: int) -> None:
        self.left, self.calls = failures, 0

    async def __call__(self) -> str:
        self.calls += 1
        if self.left:
            self.left -= 1
            raise TransientError("down")
        return "3 hotels"


def made(make: Callable[[], type[BaseModel]]) -> object:
    """The fields of a model, or the error that came instead."""
    try:
        model = make()
    except PydanticUserError as error:
        return f"PydanticUserError: {error.code}"
    return "made: " + ", ".join(model.model_fields)
