"""What stands between a model's call and a tool, as it grows from lesson to lesson."""

from __future__ import annotations

import inspect
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from datetime import date
from functools import wraps
from typing import Any, TypeAlias

from toolkit.errors import ToolError
from toolkit.gateway import Gateway
from toolkit.hotel.policy import HOTEL_POLICY
from toolkit.hotel.quality import HOTEL_SCORECARD, hotel_hooks
from toolkit.hotel.tools import hotel_registry
from toolkit.hotel.world import World
from toolkit.lab.recorded_judge import objected
from toolkit.quality import Pipeline
from toolkit.records import CallError, Context, Status, ToolCall, ToolResult
from toolkit.registry import Registry
from toolkit.trajectory.hook import Hook, provenance_hook
from toolkit.validation import Rejected, validate
from toolkit.wire import read_call

Message: TypeAlias = dict[str, Any]
Run: TypeAlias = Callable[[Message, Sequence[Message]], Awaitable[ToolResult]]  # a call, the history so far
Opener: TypeAlias = Callable[[Registry], AbstractAsyncContextManager[Run]]

_RUNNING: ContextVar[str] = ContextVar("id of the call that is being replayed")


@dataclass(slots=True)
class Replayed:
    """A control's calls once more: the new history, its results, and the ids of calls that reached their tool."""

    messages: list[Message] = field(default_factory=list)
    results: list[ToolResult] = field(default_factory=list)
    reached: set[str] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class Protection:
    """One column of the matrix. `judges`: the trajectory checks are asked after the run.

    `objects` is asked after the run, too: it names what it has found in the messages.
    """

    title: str
    open: Opener
    judges: bool = False
    objects: Callable[[Sequence[Message]], Sequence[str]] | None = None

    async def replay(self, recorded: Sequence[Message], world: World) -> Replayed:
        """Send the calls of a recording through this protection to a new world, with the texts as they are."""
        replayed = Replayed()
        async with self.open(_watched(hotel_registry(world), replayed.reached)) as run:
            for message in recorded:
                if message["role"] == "tool":
                    continue  # what came back then; it comes back anew
                replayed.messages.append(message)
                history, results = tuple(replayed.messages), []
                for call in message.get("tool_calls") or ():
                    _RUNNING.set(call["id"])
                    results.append(await run(call, history))
                replayed.results += results
                replayed.messages += [result.to_message() for result in results]
        return replayed


def _watched(registry: Registry, reached: set[str]) -> Registry:
    """The same tools, each noting the call that reached it."""
    for tool in registry.snapshot().values():
        registry.replace(replace(tool, func=_watch(tool.func, reached)))
    return registry


def _watch(func: Callable[..., Any], reached: set[str]) -> Callable[..., Any]:
    if inspect.iscoroutinefunction(func):

        @wraps(func)
        async def noted_async(*arguments: Any, **named: Any) -> Any:
            reached.add(_RUNNING.get())
            return await func(*arguments, **named)

        return noted_async

    @wraps(func)
    def noted(*arguments: Any, **named: Any) -> Any:
        reached.add(_RUNNING.get())
        return func(*arguments, **named)

    return noted


@asynccontextmanager
async def _registry(registry: Registry) -> AsyncIterator[Run]:
    """Layer 1: the naive dispatch of tools that were declared by hand and get what the JSON holds."""
    plain = Registry()
    for tool in registry.snapshot().values():
        func = _taking_text(tool.func)
        plain.register(name=tool.name, description=tool.description, parameters=tool.parameters, func=func)

    async def run(call: Message, history: Sequence[Message]) -> ToolResult:
        asked = read_call(call)
        return await _outcome(asked, lambda: plain.dispatch(asked.name, str(asked.arguments)))

    yield run


def _taking_text(func: Callable[..., Any]) -> Callable[..., Any]:
    """JSON has no dates: a tool of layer 1 gets a text and reads it itself."""

    def by_hand(**arguments: Any) -> Any:
        dates = arguments.keys() & {"date", "check_in"}
        return func(**{**arguments, **{name: date.fromisoformat(arguments[name]) for name in dates}})

    return by_hand


@asynccontextmanager
async def _schema(registry: Registry) -> AsyncIterator[Run]:
    """Layer 2: the arguments are validated against the contract first."""

    async def run(call: Message, history: Sequence[Message]) -> ToolResult:
        asked = read_call(call)
        tool = registry[asked.name]
        try:
            model, _ = validate(tool, asked.arguments)
        except Rejected as error:
            return _refused(asked, Status.VALIDATION_ERROR, error)
        return await _outcome(asked, lambda: tool.func(**model.__dict__))

    yield run


async def _outcome(asked: ToolCall, call: Callable[[], Any]) -> ToolResult:
    try:
        value = call()
        value = await value if inspect.isawaitable(value) else value
    except ToolError as error:
        return _refused(asked, Status.EXECUTION_ERROR, error)
    return ToolResult(Status.SUCCESS, value, call_id=asked.id, tool=asked.name)


def _refused(asked: ToolCall, status: Status, error: ToolError) -> ToolResult:
    told = CallError("refused", error.message, next_step=error.next_step)
    return ToolResult(status, error=told, call_id=asked.id, tool=asked.name)


def _gateway(*hooks: Hook) -> Opener:
    """Layer 3, with these hooks."""

    @asynccontextmanager
    async def opened(registry: Registry) -> AsyncIterator[Run]:
        async with Gateway(registry, hooks=hooks, log_sink=None) as gateway:

            async def run(call: Message, history: Sequence[Message]) -> ToolResult:
                return await gateway.call(call, Context(messages=history))

            yield run

    return opened


@asynccontextmanager
async def _asks(registry: Registry) -> AsyncIterator[Run]:
    """Layer 3 where a booking waits for the user's word, which a recording cannot give."""
    booking = registry["book_hotel"]
    registry.replace(replace(booking, policy=replace(booking.policy, confirm=True)))
    async with _gateway()(registry) as run:
        yield run


@asynccontextmanager
async def _pipeline(registry: Registry) -> AsyncIterator[Run]:
    """Before, during, after: the hotel's hooks, the gateway, the hotel's rules."""
    async with Pipeline(registry, before=hotel_hooks(), after=HOTEL_SCORECARD, log_sink=None) as pipeline:

        async def run(call: Message, history: Sequence[Message]) -> ToolResult:
            return await pipeline.call(call, Context(messages=history))

        yield run


PROTECTIONS: dict[str, Protection] = {
    "registry": Protection("1 registry", _registry),
    "schema": Protection("2 schema", _schema),
    "gateway": Protection("3 gateway", _gateway()),
    "hook": Protection("3 gateway, provenance hook", _gateway(provenance_hook(HOTEL_POLICY))),
    "checks": Protection("3 gateway, trajectory checks", _gateway(), judges=True),
}
# Not in the table by default: a question to the user stops good runs and bad ones alike, until a person decides; the
# pipeline stops what its provenance hook stops; and the model is the small one of lesson 09, as it was recorded.
ON_REQUEST: dict[str, Protection] = {
    "confirm": Protection("3 gateway, asks the user", _asks),
    "pipeline": Protection("before, during, after", _pipeline),
    "model": Protection("3 gateway, validating model", _gateway(), objects=objected),
}
