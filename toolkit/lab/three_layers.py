"""The three layers as three classes with the same four methods, so that one experiment runs on each of them.

`declare` says what a tool is, `call` answers one call with one tool message, `call_all` the calls of a turn,
`tools` gives the list for `tools=`. Layers 1 and 2 are what lessons 01 and 02 end with: every error is told.
"""

from __future__ import annotations

import inspect
import json
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar, TypeAlias

from pydantic import BaseModel

from toolkit.decorator import tool
from toolkit.errors import ToolError
from toolkit.gateway import Gateway, Settings
from toolkit.gateway.breaker import BreakerSettings
from toolkit.gateway.policy import Injector, Sink
from toolkit.gateway.retry import Backoff
from toolkit.lab.virtual_time import VirtualTime
from toolkit.records import Context, Tool, ToolResult
from toolkit.registry import Registry
from toolkit.validation import validate
from toolkit.wire import calls_from

Message: TypeAlias = dict[str, Any]
SETTINGS = Settings(breaker=BreakerSettings(minimum=5), backoff=Backoff(base_s=0.5))


class _TellsErrors:
    """What layers 1 and 2 share: look up, read the arguments, call, and tell every error."""

    def __init__(self, faults: Injector | None = None) -> None:
        self.registry, self._faults = Registry(), faults

    async def call(self, raw: Mapping[str, Any]) -> Message:
        name, arguments = raw["function"]["name"], raw["function"]["arguments"]
        return {"role": "tool", "tool_call_id": raw["id"], "content": await self._content(name, arguments)}

    async def call_all(self, raws: Iterable[Mapping[str, Any]]) -> list[Message]:
        return [await self.call(raw) for raw in raws]

    def _read(self, found: Tool, arguments: str) -> dict[str, Any]:
        """The arguments as the function takes them."""
        raise NotImplementedError

    async def _content(self, name: str, arguments: str) -> str:
        if name not in self.registry:
            return _error(f"There is no tool {name!r}. Available: {', '.join(self.registry)}.")
        try:
            found = self.registry[name]
            return json.dumps(await self._run(found, self._read(found, arguments)), ensure_ascii=False)
        except ToolError as error:
            return _error(error.message)
        except json.JSONDecodeError as error:
            return _error(f"The arguments are not valid JSON: {error}.")
        except Exception as error:  # noqa: BLE001 - a bug; its text is for a log, not for a model
            return _error(f"{name} failed because of an error in the tool ({type(error).__name__}).")

    async def _run(self, found: Tool, arguments: Mapping[str, Any]) -> Any:
        async def attempt() -> Any:
            value = found.func(**arguments)
            return await value if inspect.isawaitable(value) else value

        fault = self._faults.fault_for(found) if self._faults is not None else None
        return await (attempt() if fault is None else fault[1](attempt))


class DictOfTools(_TellsErrors):
    """Layer 1: a dict of tools with schemas written by hand, which nothing holds a call against."""

    title: ClassVar[str] = "1 dict of tools"

    def declare(self, *, name: str, description: str, parameters: dict[str, Any], func: Callable[..., Any]) -> None:
        self.registry.register(name=name, description=description, parameters=parameters, func=func)

    def tools(self) -> list[Message]:
        return self.registry.openai_tools()

    def _read(self, found: Tool, arguments: str) -> dict[str, Any]:
        return dict(**json.loads(arguments))


class OneSource(_TellsErrors):
    """Layer 2: schema and argument model come from the function, and arguments are held against them first."""

    title: ClassVar[str] = "2 one source"

    def declare(self, func: Callable[..., Any], name: str | None = None, model: type[BaseModel] | None = None) -> None:
        tool(self.registry, name=name, model=model)(func)

    def tools(self, strict: bool = False) -> list[Message]:
        return self.registry.openai_tools(strict=strict)

    def _read(self, found: Tool, arguments: str) -> dict[str, Any]:
        return validate(found, arguments)[0].__dict__


class Executor:
    """Layer 3: the gateway around the same tools, reading the whole choice of a model."""

    title: ClassVar[str] = "3 gateway"

    def __init__(
        self,
        clock: VirtualTime,
        faults: Injector | None = None,
        log_sink: Sink | None = None,
        settings: Settings = SETTINGS,
    ) -> None:
        self.registry = Registry()
        self.gateway = Gateway(
            self.registry, settings, clock=clock.now, injector=faults, log_sink=log_sink, rng=random.Random(7)
        )
        clock.watch(self.gateway.services.workers)

    def declare(self, func: Callable[..., Any], **options: Any) -> None:
        tool(self.registry, **options)(func)

    def tools(self, strict: bool = False, role: str | None = None) -> list[Message]:
        return self.registry.openai_tools(strict=strict, role=role)

    async def call(self, raw: object, role: str | None = None) -> Message:
        return (await self.gateway.call(raw, Context(role=role))).to_message()

    async def call_all(self, raws: Sequence[object], role: str | None = None) -> list[Message]:
        results: list[ToolResult] = await self.gateway.call_all(raws, Context(role=role))
        return [result.to_message() for result in results]

    async def answer(self, choice: object) -> list[Message]:
        """One tool message for each call of a whole choice."""
        return await self.call_all(calls_from(choice))

    async def close(self) -> None:
        await self.gateway.close()


LAYERS = (DictOfTools, OneSource, Executor)


def _error(message: str) -> str:
    return json.dumps({"error": message}, ensure_ascii=False)
