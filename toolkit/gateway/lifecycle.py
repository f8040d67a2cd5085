"""Resources that tools share: opened on first use, once per opener, closed with the gateway, last opened first."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from typing import Any

from toolkit.gateway.outcome import failure_of
from toolkit.gateway.trace import Trace
from toolkit.records import Tool


def filler(tool: Tool, lifecycle: Lifecycle) -> Callable[[dict[str, Any], Trace], Awaitable[dict[str, Any]]] | None:
    """A function that adds what the model never sees: the call's context and shared resources. None: nothing to add."""
    signature = tool.signature
    if signature is None or not (signature.resources or signature.context_parameter):
        return None
    context_parameter, resources = signature.context_parameter, signature.resources

    async def fill(keywords: dict[str, Any], trace: Trace) -> dict[str, Any]:
        keywords = dict(keywords)
        if context_parameter is not None:
            keywords[context_parameter] = trace.context
        trace.reached = False
        for name, resource in resources.items():
            try:
                keywords[name] = await lifecycle.get(resource.opener)
            except Exception as error:  # noqa: BLE001 - an opener is the tool author's own code
                failure = failure_of(error, tool)
                failure.sent = False
                raise failure from None
        trace.reached = True
        return keywords

    return fill


class Lifecycle:
    """The open resources of one gateway."""

    def __init__(self) -> None:
        self._kept: dict[Callable[[], Any], _Keeper] = {}

    async def get(self, opener: Callable[[], Any]) -> Any:
        """The open resource of an opener. A caller who leaves while it opens does not take it from the others."""
        keeper = self._kept.get(opener)
        if keeper is None or keeper.task.done():  # done: it could not be opened, or its event loop has ended
            keeper = self._kept[opener] = _Keeper(opener)
        return await asyncio.shield(keeper.ready)

    async def close(self) -> None:
        """Leave every context manager; an error of one does not keep the others open.

        Raises:
            ExceptionGroup: what they raised.
        """
        errors = [await keeper.close() for keeper in reversed(self._kept.values())]
        self._kept.clear()
        raised = [error for error in errors if error is not None]
        if raised:
            raise ExceptionGroup("resources that did not close", raised)


class _Keeper:
    """A task that enters a context manager and leaves it: many allow both only in one and the same task."""

    def __init__(self, opener: Callable[[], Any]) -> None:
        self.ready: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self.ready.add_done_callback(lambda ready: ready.cancelled() or ready.exception())  # read, if by nobody else
        self._closing = asyncio.Event()
        self.task = asyncio.create_task(self._keep(opener))

    async def _keep(self, opener: Callable[[], Any]) -> None:
        try:
            async with AsyncExitStack() as stack:
                manager = opener()
                if hasattr(manager, "__aenter__"):
                    value = await stack.enter_async_context(manager)
                else:
                    value = stack.enter_context(manager)
                self.ready.set_result(value)
                await self._closing.wait()
        except Exception as error:
            if self.ready.done():
                raise
            self.ready.set_exception(error)
        finally:
            self.ready.cancel()

    async def close(self) -> Exception | None:
        """Let the task leave the context manager, or give up opening it; the error that raised, if any."""
        self._closing.set()
        if not self.ready.done():
            self.task.cancel()
        await asyncio.wait({self.task})
        error = None if self.task.cancelled() else self.task.exception()
        return error if isinstance(error, Exception) else None
