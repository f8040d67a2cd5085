"""The failure lab: the control run `ok` is replayed through one layer while one tool is struck by a fault.

What happens is written down as events in virtual seconds, so the same arguments give the same events, and a
panel shows what a test has seen.
"""

from __future__ import annotations

import asyncio
import inspect
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any, Literal, TypeAlias, get_args

from toolkit.hotel.controls import load_control
from toolkit.hotel.tools import hotel_registry
from toolkit.hotel.world import World
from toolkit.lab.faults import Attempt, Faults
from toolkit.lab.three_layers import LAYERS, SETTINGS, DictOfTools, Executor, OneSource
from toolkit.lab.virtual_time import Hang, VirtualTime
from toolkit.records import Tool, ToolCall

Message: TypeAlias = dict[str, Any]
Target: TypeAlias = Literal["book_hotel", "search_hotels", "get_weather"]
Where: TypeAlias = Literal["model", "layer", "tool", "store"]

TARGETS: tuple[Target, ...] = get_args(Target)
PLACES: tuple[Where, ...] = get_args(Where)
LAYER_TITLES = tuple(layer.title for layer in LAYERS)
LAB_SETTINGS = replace(SETTINGS, timeout_s=5.0, deadline_s=20.0)
WORK_S = 0.1  # from reaching a tool to its effect, and from there to its answer
# What a fault is switched on with where nothing else is said: `true` for a number of nights is the wrong type that
# looks right.
_OPTIONS: dict[tuple[str, str], dict[str, Any]] = {("wrong_type", "book_hotel"): {"field": "nights", "value": True}}
_NOT_SHOWN = ("event", "session", "version", "phase", "input_hash", "frames")  # the same on every line, or a new key


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened to the struck tool's call, in seconds since the run began."""

    at_s: float
    where: Where
    what: str


@dataclass(slots=True)
class Course:
    """One run: its events, what the model was told, what stands in the store, and the history for the checks.

    `told` are the contents of the answers to the struck tool's calls; `wanted` is the answer of the undisturbed run.
    `stopped` says why the run did not come to its end, and is empty where it did.
    """

    layer: str
    tool: Target
    wanted: str = ""
    events: list[Event] = field(default_factory=list)
    told: list[str] = field(default_factory=list)
    log: list[dict[str, Any]] = field(default_factory=list)
    messages: list[Message] = field(default_factory=list)
    bookings: int = 0
    struck: int = 0
    stopped: str = ""
    stuck: bool = False


def run_fault(
    layer: str,
    fault: str,
    *,
    tool: Target = "book_hotel",
    probability: float = 1.0,
    count: int | None = 1,
    seed: int = 0,
    runs: int = 1,
    key: bool = True,
    **options: Any,
) -> list[Course]:
    """Replay the control `ok` so many times, each run in a new hotel, with the fault switched on for one tool.

    Args:
        layer: One of `LAYER_TITLES`.
        fault: One of `toolkit.lab.faults.FAULTS`.
        tool: Whose calls are struck.
        probability: Of each call or attempt of that tool, 0..1.
        count: At most so often in all the runs together; None: no limit.
        seed: Of the probability.
        runs: How often the control is replayed.
        key: Layer 3 only: bookings have an idempotency key.
        options: What the fault takes, such as `seconds`.

    Raises:
        ValueError: there is no such layer or fault, or the probability is none.
    """
    if layer not in LAYER_TITLES:
        raise ValueError(f"There is no layer {layer!r}. Layers: {', '.join(LAYER_TITLES)}.")
    faults = _Watched(seed)
    faults.switch_on(
        fault, tool=tool, probability=probability, count=count, **{**_OPTIONS.get((fault, tool), {}), **options}
    )
    courses = [_run(layer, tool, faults, key=key) for _ in range(runs)]
    faults.reset()
    return courses


class _Watched(Faults):
    """Faults that tell of each attempt. Every layer asks them before it begins one."""

    tell: Callable[[Tool, str], None] = staticmethod(lambda tool, what: None)

    def fault_for(self, tool: Tool) -> tuple[str, Callable[[Attempt], Any]] | None:
        found = super().fault_for(tool)
        self.tell(tool, "begins an attempt" + (f", struck by {found[0]}" if found else ""))
        return found


def _run(title: str, tool: Target, faults: _Watched, *, key: bool) -> Course:
    clock, world, course = VirtualTime(), World(), Course(title, tool)
    before = faults.injected.total()

    def tell(where: Where, what: str) -> None:
        course.events.append(Event(clock.now(), where, what))

    faults.tell = lambda asked, what: tell("layer", what) if asked.name == tool else None
    tools = [_watched(each, tool, tell) for each in hotel_registry(world).snapshot().values()]
    layer = _open(title, clock, faults, course.log, tools, key=key)
    outcome = clock.outcome(_replay(layer, faults, course, tell))
    if isinstance(outcome, BaseException):
        course.stuck = isinstance(outcome, Hang)
        course.stopped = "no answer comes, ever" if course.stuck else f"the run ends in {type(outcome).__name__}"
        tell("layer", course.stopped)
    course.bookings, course.struck = len(world.bookings), faults.injected.total() - before
    course.log = [_shown(record) for record in course.log if record["tool"] in (tool, "(unknown)")]
    return course


def _open(
    title: str, clock: VirtualTime, faults: Faults, log: list[dict[str, Any]], tools: Sequence[Tool], *, key: bool
) -> DictOfTools | OneSource | Executor:
    """The layer with the hotel's tools: by hand for layer 1, as they are for layer 2, with a key for layer 3."""
    if title == DictOfTools.title:
        by_hand = DictOfTools(faults)
        for tool in tools:
            by_hand.declare(
                name=tool.name, description=tool.description, parameters=tool.parameters, func=_reading_dates(tool.func)
            )
        return by_hand
    layer = OneSource(faults) if title == OneSource.title else Executor(clock, faults, log.append, LAB_SETTINGS)
    for tool in tools:
        keyed = key and tool.name == "book_hotel" and isinstance(layer, Executor)
        layer.registry.add(replace(tool, policy=replace(tool.policy, idempotency_key=True)) if keyed else tool)
    return layer


def _watched(tool: Tool, target: str, tell: Callable[[Where, str], None]) -> Tool:
    """The same tool, which takes its time and tells what it does."""

    async def work(**arguments: Any) -> Any:
        if tool.name == target:
            tell("tool", "is reached")
        await asyncio.sleep(WORK_S)
        value = tool.func(**arguments)
        value = await value if inspect.isawaitable(value) else value
        if tool.name == target == "book_hotel":
            tell("store", "a booking is written")
        await asyncio.sleep(WORK_S)
        if tool.name == target:
            tell("tool", "answers")
        return value

    return replace(tool, func=work)


def _reading_dates(func: Callable[..., Any]) -> Callable[..., Any]:
    """JSON has no dates: a tool of layer 1 gets a text and reads it itself."""

    def by_hand(**arguments: Any) -> Any:
        dates = arguments.keys() & {"date", "check_in"}
        return func(**{**arguments, **{name: date.fromisoformat(arguments[name]) for name in dates}})

    return by_hand


async def _replay(
    layer: DictOfTools | OneSource | Executor, faults: Faults, course: Course, tell: Callable[[Where, str], None]
) -> None:
    """Send the calls of the control, as the faults deliver them. The history holds what the model sent and was told."""
    recorded = load_control("ok")
    answers = {message["tool_call_id"]: message["content"] for message in recorded if message["role"] == "tool"}
    for message in recorded:
        if message["role"] == "tool":
            continue
        asked = message.get("tool_calls") or []
        delivered = [faults.deliver(call) for call in asked]
        sent = [_raw(calls[0]) for calls in delivered]
        course.messages.append({**message, "tool_calls": sent} if sent else message)
        for call, calls in zip(asked, delivered, strict=True):
            struck = call["function"]["name"] == course.tool
            if struck:
                course.wanted = answers[call["id"]]
            for number, each in enumerate(calls):
                if struck:
                    tell("model", f"calls {each.name}" + _struck(each))
                answer = await _sent(layer, each)
                if struck:
                    course.told.append(answer["content"])
                    tell("model", f"is told {_short(answer['content'])}")
                if number == 0:  # a second delivery is not in the model's history
                    course.messages.append(answer)


async def _sent(layer: DictOfTools | OneSource | Executor, call: ToolCall) -> Message:
    """The gateway takes the call with its mark, so that its log line carries it."""
    return await (layer.call(call) if isinstance(layer, Executor) else layer.call(_raw(call)))


def _raw(call: ToolCall) -> Message:
    return {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}


def _struck(call: ToolCall) -> str:
    return next((f", struck by {note.split(':', 1)[1]}" for note in call.notes if note.startswith("injected:")), "")


def _short(text: str) -> str:
    """The beginning of an answer: an error's own words, or the value."""
    try:
        value = json.loads(text)
    except json.JSONDecodeError:
        value = text
    said = value["error"] if isinstance(value, dict) and "error" in value else text
    return said if len(said) <= 60 else f"{said[:57]}..."


def _shown(record: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in record.items() if name not in _NOT_SHOWN and value is not None}
