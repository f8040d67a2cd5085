"""Resources that tools share: opened on first use, once per opener, closed with the gateway, last opened first."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AsyncExitStack
from typing import Any

from toolkit.gateway.outcome import failure_of
from toolkit.gateway.policy import Services, Step
from toolkit.gateway.trace import Trace
from toolkit.records import Tool


def fill_in(tool: Tool, services: Services, then: Step) -> Step:
    """Add what the model never sees: the call's context and shared resources."""
    signature = tool.signature
    if signature is None or not (signature.resources or signature.context_parameter):
        return then
    context_parameter, resources = signature.context_parameter, signature.resources
    lifecycle = services.lifecycle

    async def run(trace: Trace) -> Any:
        keywords = dict(trace.keywords)
        if context_parameter is not None:
            keywords[context_parameter] = trace.context
        for name, resource in resources.items():
            try:
                keywords[name] = await lifecycle.get(resource.opener)
            except Exception as error:  # noqa: BLE001 - an opener is the tool author's own code
                failure = failure_of(error, tool)
                failure.sent = False
                raise failure from None
        trace.keywords = keywords
        return await then(trace)

    return run


class Lifecycle:
    """The open resources of one gateway."""

    def __init__(self) -> None:
        self._stack = AsyncExitStack()
        self._open: dict[Callable[[], Any], Any] = {}
        self._opening = asyncio.Lock()

    async def get(self, opener: Callable[[], Any]) -> Any:
        """The open resource of an opener."""
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
