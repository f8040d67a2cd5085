"""What a case works with: an implementation made for it alone, in virtual time, and a count of what was reached."""

from __future__ import annotations

import functools
import inspect
import json
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from toolkit.lab.virtual_time import Hang, VirtualTime
from toolkit.lessons.conformance.implementation import Implementation, taken
from toolkit.lessons.expect import Wrong, expect, expect_equal
from toolkit.schema import read_signature

LATE_S = 0.05  # what an answer may come after its limit


class Died(Exception):
    """An exception got out of the implementation: the run is over."""


class NotOffered(Exception):
    """The implementation has nothing that this case could ask."""


@dataclass(frozen=True, slots=True)
class Told:
    """What the model reads: the content of a tool message, and the id it answers."""

    content: str
    call_id: object = None

    @property
    def value(self) -> Any:
        """The content as JSON, or as the text it is."""
        try:
            return json.loads(self.content, parse_constant=_no_json)
        except json.JSONDecodeError:
            return self.content

    @property
    def error(self) -> str | None:
        """The text under `error`, or None."""
        value = self.value
        return str(value["error"]) if isinstance(value, dict) and "error" in value else None

    @property
    def status(self) -> str | None:
        """The word under `status` beside an error, where the implementation gives one."""
        value = self.value
        return value.get("status") if isinstance(value, dict) and "error" in value else None

    def gives(self, wanted: object) -> None:
        """Expect this value."""
        expect(self.error is None, f"told an error: {self.error}")
        expect_equal(self.value, wanted, "the value")

    def refuses(self, *words: str) -> None:
        """Expect an error whose text holds each of these words."""
        expect(self.error is not None, f"told a value: {self.content}")
        for word in words:
            expect(word in str(self.error), f"the error does not say {word!r}: {self.error}")


class Bench:
    """`clock` is virtual; `given` holds the arguments of every call that reached a tool, by the tool's name."""

    def __init__(self, made_from: Implementation) -> None:
        self.clock = VirtualTime()
        self.given: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
        self.sent = 0
        self._functions = made_from.make(self.clock)

    @property
    def reached(self) -> int:
        """How often a tool began."""
        return sum(map(len, self.given.values()))

    def declare(self, func: Callable[..., Any], *, name: str | None = None, **options: Any) -> None:
        """Make a function a tool. What the implementation's `declare` does not take, it does not get."""
        called = name or func.__name__
        declare, counted = self._functions["declare"], self._counted(func, called)
        counted.__name__ = called  # where `declare` takes no name
        parts = {**options, "func": counted, "name": called}
        if {"parameters", "description"} & inspect.signature(declare).parameters.keys():
            by_hand = read_signature(func, called, model=options.get("model"))
            parts |= {"parameters": by_hand.parameters, "description": by_hand.description}
        self._use(declare, **taken(declare, parts))

    def derives_schemas(self) -> None:
        """Go on only where schemas come from the function.

        Raises:
            NotOffered: they are written by hand, or cannot be seen.
        """
        if "tools" not in self._functions or "parameters" in inspect.signature(self._functions["declare"]).parameters:
            raise NotOffered("schemas are written by hand")

    def takes(self, function: str, *options: str) -> None:
        """Go on only where a function takes these options. Raises `NotOffered`."""
        for option in options:
            if option not in taken(self._functions.get(function, lambda: None), {option: None}):
                raise NotOffered(f"{function} takes no {option}")

    def parameters(self, name: str, *, strict: bool = False) -> dict[str, Any]:
        """The schema of a tool's parameters, as a model would get it."""
        self.derives_schemas()
        if strict:
            self.takes("tools", "strict")
        entries = self._use(self._functions["tools"], **({"strict": True} if strict else {}))
        functions = {entry["function"]["name"]: entry["function"] for entry in entries}
        return {"description": functions[name].get("description"), **functions[name]["parameters"]}

    async def call(self, name: object, arguments: object = "{}", *, id: object = "call_1", **caller: Any) -> Told:
        """Send one call, and give what the model is told."""
        self.sent += 1
        call = self._functions["call"]
        return _told(await self._awaited(call, _raw(name, arguments, id), **taken(call, caller)))

    async def call_all(self, *calls: Sequence[Any]) -> list[Told]:
        """Send the calls of one turn, each as (name, arguments) or (name, arguments, id)."""
        raws = [_raw(*(call if len(call) > 2 else (*call, f"call_{n}"))) for n, call in enumerate(calls)]
        self.sent += len(raws)
        if "call_all" in self._functions:
            return [_told(each) for each in await self._awaited(self._functions["call_all"], raws)]
        return [_told(await self._awaited(self._functions["call"], raw)) for raw in raws]

    async def answer(self, message: Mapping[str, Any], finish_reason: str = "tool_calls") -> list[Told]:
        """Send a whole choice of a completion; without an `answer`, only its `tool_calls` are looked at."""
        if "answer" in self._functions:
            choice = {"message": message, "finish_reason": finish_reason}
            answers = [_told(each) for each in await self._awaited(self._functions["answer"], choice)]
        else:
            raws = message.get("tool_calls") or []
            answers = [_told(await self._awaited(self._functions["call"], raw)) for raw in raws]
        self.sent += len(answers)
        return answers

    async def close(self) -> None:
        """Let the implementation put its things away."""
        if "close" in self._functions:
            await self._awaited(self._functions["close"])

    def expect_within(self, began_s: float, limit_s: float) -> None:
        """Expect that no more than `limit_s` seconds have passed since `began_s`."""
        took_s = self.clock.now() - began_s
        expect(took_s <= limit_s + LATE_S, f"answered after {took_s:g} s under a limit of {limit_s:g} s")

    def expect_reached(self, wanted: int) -> None:
        """Expect that the tools were reached so often."""
        expect(self.reached == wanted, f"the tool was reached {self.reached} times, not {wanted}")

    def _use(self, function: Callable[..., Any], *arguments: Any, **named: Any) -> Any:
        try:
            return function(*arguments, **named)
        except (Hang, Wrong, NotOffered):
            raise
        except (Exception, SystemExit) as error:
            raise Died(f"{type(error).__name__}: {error}") from error

    async def _awaited(self, function: Callable[..., Any], *arguments: Any, **named: Any) -> Any:
        value = self._use(function, *arguments, **named)
        try:
            return await value if inspect.isawaitable(value) else value
        except (Hang, Wrong, NotOffered):
            raise
        except (Exception, SystemExit) as error:
            raise Died(f"{type(error).__name__}: {error}") from error

    def _counted(self, func: Callable[..., Any], name: str) -> Callable[..., Any]:
        signature = inspect.signature(func)

        def note(*values: Any, **named: Any) -> None:
            bound = signature.bind(*values, **named)
            bound.apply_defaults()
            self.given[name].append(dict(bound.arguments))

        if inspect.iscoroutinefunction(func):

            @functools.wraps(func)
            async def counted_async(*values: Any, **named: Any) -> Any:
                note(*values, **named)
                return await func(*values, **named)

            return counted_async

        @functools.wraps(func)
        def counted(*values: Any, **named: Any) -> Any:
            note(*values, **named)
            return func(*values, **named)

        return counted


def _raw(name: object, arguments: object, id: object) -> dict[str, Any]:
    return {"id": id, "type": "function", "function": {"name": name, "arguments": arguments}}


def _told(answer: Any) -> Told:
    """A tool message, a result that makes one, a content, or a bare value."""
    message = answer.to_message() if hasattr(answer, "to_message") else answer
    if isinstance(message, Mapping) and "content" in message and message.get("role") == "tool":
        return Told(str(message["content"]), message.get("tool_call_id"))
    return Told(message if isinstance(message, str) else json.dumps(message))


def _no_json(word: str) -> Any:
    raise Wrong(f"the model reads {word}, which is no JSON")
