"""Faults put in on purpose: in the model's call, in an attempt, or in what comes back.

A fault is switched on for a tool, with a probability, a count and a seed, so that a lesson replays exactly; one
`reset` clears all. Every fault that was put in is counted here and marked in the log as `injected`, so that it is
left out of every measure of the real tool.
"""

from __future__ import annotations

import asyncio
import json
import random
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Literal

from toolkit.errors import TransientError
from toolkit.gateway.workers import PoolBusy
from toolkit.records import Tool, ToolCall
from toolkit.wire import read_call

Attempt = Callable[[], Awaitable[Any]]
Place = Literal["call", "attempt", "result"]


@dataclass(frozen=True, slots=True)
class Fault:
    """One kind of fault. `place` says where it strikes; `does` gets what is there and gives what comes of it."""

    name: str
    place: Place
    description: str
    does: Callable[..., Any]


@dataclass(slots=True)
class _Switch:
    fault: Fault
    tool: str | None
    probability: float
    left: int | None
    options: dict[str, Any]


class Faults:
    """The faults of one lab: pass it to `Gateway(injector=...)`, and calls through `deliver`.

    >>> faults = Faults(seed=7)
    >>> faults.switch_on("exception", count=1)
    >>> faults.reset()
    >>> faults.injected
    Counter()
    """

    def __init__(self, seed: int = 0) -> None:
        self._seed = seed
        self.reset()

    def reset(self) -> None:
        """Switch every fault off, forget the counts, begin the random numbers again."""
        self._switches: list[_Switch] = []
        self._rng = random.Random(self._seed)
        self.injected: Counter[str] = Counter()

    def switch_on(
        self,
        name: str,
        *,
        tool: str | None = None,
        probability: float = 1.0,
        count: int | None = None,
        **options: Any,
    ) -> None:
        """Let a fault strike.

        Args:
            name: One of `FAULTS`.
            tool: Only calls of this tool; None: of any.
            probability: Of each call or attempt, 0..1.
            count: At most so often; None: until `reset`.
            options: What the fault takes, such as `seconds`.

        Raises:
            ValueError: there is no such fault, or the probability is none.
        """
        if name not in FAULTS:
            raise ValueError(f"There is no fault {name!r}. Faults: {', '.join(FAULTS)}.")
        if not 0 <= probability <= 1:
            raise ValueError(f"probability is {probability!r}, but must be between 0 and 1.")
        self._switches.append(_Switch(FAULTS[name], tool, probability, count, options))

    def fault_for(self, tool: Tool) -> tuple[str, Callable[[Attempt], Awaitable[Any]]] | None:
        """What the gateway asks before each attempt: the fault's name and what happens instead, or None."""
        switch = self._strikes(tool.name, ("attempt", "result"))
        if switch is None:
            return None
        fault, options = switch.fault, switch.options

        async def instead(attempt: Attempt) -> Any:
            if fault.place == "result":
                return fault.does(await attempt(), **options)
            return await fault.does(attempt, **options)

        return fault.name, instead

    def deliver(self, raw: object) -> list[ToolCall]:
        """A model's call as it arrives: as it was sent, spoiled, or twice. A spoiled one is marked for the log."""
        call = read_call(raw)
        switch = self._strikes(call.name, ("call",))
        if switch is None:
            return [call]
        marked = call._replace(notes=(*call.notes, f"injected:{switch.fault.name}"))
        spoiled: list[ToolCall] = switch.fault.does(marked, **switch.options)
        return spoiled

    def _strikes(self, tool: str, places: tuple[Place, ...]) -> _Switch | None:
        for switch in self._switches:
            if switch.fault.place not in places or switch.tool not in (None, tool) or switch.left == 0:
                continue
            if self._rng.random() < switch.probability:
                if switch.left is not None:
                    switch.left -= 1
                self.injected[switch.fault.name] += 1
                return switch
        return None


# -- in the model's call -----------------------------------------------------------------------------------


def _arguments(call: ToolCall) -> dict[str, Any]:
    value = json.loads(call.arguments) if isinstance(call.arguments, str) else call.arguments
    return dict(value) if isinstance(value, dict) else {}


def _with_arguments(call: ToolCall, arguments: dict[str, Any]) -> list[ToolCall]:
    return [call._replace(arguments=json.dumps(arguments))]


def _wrong_type(call: ToolCall, field: str | None = None, value: Any = None) -> list[ToolCall]:
    arguments = _arguments(call)
    name = field or next(iter(arguments), "value")
    wrong = {"unexpected": arguments.get(name)} if value is None else value
    return _with_arguments(call, {**arguments, name: wrong})


def _missing_field(call: ToolCall, field: str | None = None) -> list[ToolCall]:
    arguments = _arguments(call)
    arguments.pop(field or next(iter(arguments), ""), None)
    return _with_arguments(call, arguments)


def _extra_field(call: ToolCall, field: str = "priority") -> list[ToolCall]:
    return _with_arguments(call, {**_arguments(call), field: "high"})


def _malformed_json(call: ToolCall) -> list[ToolCall]:
    return [call._replace(arguments=json.dumps(_arguments(call))[:-1])]


def _unknown_tool(call: ToolCall) -> list[ToolCall]:
    return [call._replace(name=f"{call.name}s")]


def _duplicate_delivery(call: ToolCall) -> list[ToolCall]:
    return [call, call]


# -- in an attempt -----------------------------------------------------------------------------------------


async def _latency(attempt: Attempt, seconds: float = 1.0) -> Any:
    await asyncio.sleep(seconds)
    return await attempt()


async def _hang(attempt: Attempt) -> Any:
    await asyncio.Event().wait()


async def _exception(attempt: Attempt, error: BaseException | None = None) -> Any:
    raise error if error is not None else RuntimeError("put in by the failure lab")


async def _flaky(attempt: Attempt) -> Any:
    raise TransientError("put in by the failure lab")


async def _result_lost(attempt: Attempt) -> Any:
    await attempt()
    raise ConnectionResetError("put in by the failure lab, after the side effect")


async def _rate_limit(attempt: Attempt, seconds: float = 1.0) -> Any:
    raise TransientError("429, put in by the failure lab", retry_after_s=seconds, sent=False)


async def _pool_exhausted(attempt: Attempt) -> Any:
    raise PoolBusy


async def _cancellation(attempt: Attempt) -> Any:
    raise asyncio.CancelledError


async def _secret_in_error(attempt: Attempt, secret: str = "sk-not-a-real-key") -> Any:
    raise ValueError(f"GET https://api.invalid/rooms?key={secret} 401")


async def _runs_twice(attempt: Attempt) -> Any:
    await attempt()
    return await attempt()


# -- in what comes back ------------------------------------------------------------------------------------


def _malformed_result(value: Any) -> Any:
    return float("nan")


FAULTS: dict[str, Fault] = {
    fault.name: fault
    for fault in (
        Fault("wrong_type", "call", "an argument arrives with another type", _wrong_type),
        Fault("missing_field", "call", "an argument is missing", _missing_field),
        Fault("extra_field", "call", "an argument nobody asked for", _extra_field),
        Fault("malformed_json", "call", "the arguments end in the middle", _malformed_json),
        Fault("unknown_tool", "call", "a name no tool has", _unknown_tool),
        Fault("duplicate_delivery", "call", "the same call arrives twice", _duplicate_delivery),
        Fault("latency", "attempt", "the tool answers late", _latency),
        Fault("hang", "attempt", "the tool never answers", _hang),
        Fault("exception", "attempt", "a bug in the tool", _exception),
        Fault("flaky", "attempt", "what the tool needs is down for a moment", _flaky),
        Fault("result_lost", "attempt", "the effect happens, the answer is lost", _result_lost),
        Fault("rate_limit", "attempt", "the other side says 429 and how long to wait", _rate_limit),
        Fault("pool_exhausted", "attempt", "no thread is free", _pool_exhausted),
        Fault("cancellation", "attempt", "the tool is cancelled inside", _cancellation),
        Fault("secret_in_error", "attempt", "the exception's text holds a key", _secret_in_error),
        Fault("runs_twice", "attempt", "a client repeats the request by itself", _runs_twice),
        Fault("malformed_result", "result", "the answer is no JSON value", _malformed_result),
    )
}
