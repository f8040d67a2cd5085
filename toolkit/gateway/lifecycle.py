"""Resources that tools share: opened on first use, once per opener, closed with the gateway, last opened first."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AsyncExitStack
from typing import Any

from toolkit.gateway.outcome import failure_of
from toolkit.gateway.prepared import Prepared
from toolkit.records import Context


class Lifecycle:
    """The open resources of one gateway."""

    def __init__(self) -> None:
        self._stack = AsyncExitStack()
        self._open: dict[Callable[[], Any], Any] = {}
        self._opening = asyncio.Lock()

    async def fill_in(self, prepared: Prepared, keywords: dict[str, Any], context: Context) -> dict[str, Any]:
        """The keywords with what the model never sees: the call's context and shared resources.

        Raises:
            Failure: a resource could not be opened; nothing was sent.
        """
        filled = dict(keywords)
        if prepared.context_parameter is not None:
            filled[prepared.context_parameter] = context
        for name, resource in prepared.resources.items():
            try:
                filled[name] = await self._get(resource.opener)
            except Exception as error:  # noqa: BLE001 - an opener is the tool author's own code
                failure = failure_of(error, prepared.tool)
                failure.sent = False
                raise failure from None
        return filled

    async def _get(self, opener: Callable[[], Any]) -> Any:
        async with self._opening:  # two calls at once must not open two pools
            if opener not in self._open:
                manager = opener()
                if hasattr(manager, "__aenter__"):
                    self._open[opener] = await self._stack.enter_async_context(manager)
                else:
                    self._open[opener] = self._stack.enter_context(manager)
        return self._open[opener]

    async def close(self) -> None:
        """Leave every context manager; an error of one does not keep the others open."""
        self._open.clear()
        await self._stack.aclose()
