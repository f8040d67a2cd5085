"""Snippets of Python that a model wrote, run by `pydantic-monty`: an interpreter of its own, in a process of its own.

It knows no files, no network, no environment and no import but a few harmless ones. Time, memory and depth are
limited inside; a process that does not answer is killed from outside. Needs the extra `sandbox`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

import pydantic_monty as monty
from pydantic_core import to_jsonable_python

from toolkit.arguments import check_plain
from toolkit.errors import ToolError

MAX_LENGTH = 10_000


class SnippetSandbox:
    """A pool of sandbox processes: enter it, `run`, leave it.

    Args:
        seconds: One snippet may take.
        memory_bytes: One snippet may use.
        processes: Snippets that may run at once.
    """

    def __init__(self, *, seconds: float = 1.0, memory_bytes: int = 50_000_000, processes: int = 2) -> None:
        self._limits = monty.ResourceLimits(
            max_feed_duration_secs=seconds, max_memory=memory_bytes, max_recursion_depth=200
        )
        # The process limits itself. One that does not is killed half a second later.
        self._pool = monty.AsyncMonty(
            max_processes=processes, request_timeout=seconds + 0.5, checkout_timeout=seconds + 0.5
        )

    async def __aenter__(self) -> Self:
        await self._pool.__aenter__()
        return self

    async def __aexit__(self, *details: object) -> None:
        await self._pool.__aexit__(*details)

    async def run(self, code: str, inputs: Mapping[str, Any] | None = None) -> Any:
        """The value of the snippet's last expression.

        Raises:
            ToolError: the snippet is too long, fails, or passes a limit. The text is about the snippet only.
        """
        if len(code) > MAX_LENGTH:
            raise ToolError(f"The snippet is {len(code)} characters long; the limit is {MAX_LENGTH}.")
        printed = monty.CollectString(max_bytes=MAX_LENGTH)
        try:
            async with self._pool.checkout(limits=self._limits) as session:
                value = await session.feed_run(code, inputs=dict(inputs or {}), print_callback=printed)
        except monty.MontyCrashedError:
            raise ToolError("The snippet was stopped because it passed its limits.") from None
        except (monty.MontyError, UnicodeEncodeError) as error:
            last = str(error).strip().splitlines()[-1:] or ["it failed"]
            raise ToolError(f"The snippet failed: {last[0][:300]}.") from None
        return _plain(value)


def _plain(value: Any) -> Any:
    """Plain JSON values only: an object of the sandbox's own is of no use outside."""
    try:
        plain = to_jsonable_python(value)
        check_plain(plain)
    except (ValueError, RecursionError, ToolError):
        raise ToolError(
            "The snippet's value is no plain data. End it with a number, a text, a list or a dict."
        ) from None
    return plain
