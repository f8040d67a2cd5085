"""Ten calls as models send them, nine of them wrong somewhere: how many end well grows from layer to layer.

Each call runs in a fresh world, so what was booked there is that call's doing.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Iterable, Mapping
from datetime import date
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

from toolkit.errors import ToolError
from toolkit.hotel.tools import hotel_registry
from toolkit.hotel.world import World
from toolkit.lab.figure import MARKERS, draw
from toolkit.lab.panel import Picture
from toolkit.lab.waiting import finish
from toolkit.registry import Registry
from toolkit.validation import validate

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Run: TypeAlias = Callable[[str, str], Any]
"""Runs one call, given the tool's name and the arguments as text. Returns the value or raises."""

Way: TypeAlias = Callable[[World], Run]
"""Makes a `Run` whose tools act on this world."""

Ending: TypeAlias = Literal["right", "told", "wrong", "died"]
"""The value that was meant; an error for the model and nothing done; something else done; an exception."""

ENDINGS: tuple[Ending, ...] = ("right", "told", "wrong", "died")


class Sent(NamedTuple):
    """A call as it was sent, and the arguments that were plainly meant; None where it can only be refused."""

    what: str
    name: str
    arguments: str
    meant: Mapping[str, Any] | None = None

    @property
    def should(self) -> Ending:
        """Right where something was meant, told where there is nothing to do but refuse."""
        return "told" if self.meant is None else "right"


class Ended(NamedTuple):
    """How a call ended; `detail` is the value as JSON, the error as told, or the exception."""

    sent: Sent
    ending: Ending
    detail: str
    bookings: int

    @property
    def as_it_should(self) -> bool:
        """True where the call ended as `Sent.should` says."""
        return self.ending == self.sent.should


_WEATHER = {"city": "Xi'an", "date": "2026-10-01"}
_STAY = {"hotel_id": "HT-002", "room_type": "suite", "check_in": "2026-10-01", "nights": 2}


def _but(**changes: object) -> str:
    return json.dumps({**_STAY, **changes})


CALLS = (
    Sent("nothing is wrong", "get_weather", json.dumps(_WEATHER), _WEATHER),
    Sent("no such tool", "get_wether", json.dumps(_WEATHER)),
    Sent("an argument is missing", "get_weather", '{"city": "Xi\'an"}'),
    Sent("an argument too many", "get_weather", json.dumps({**_WEATHER, "unit": "C"})),
    Sent("cut off in the middle", "book_hotel", _but()[:-20]),
    Sent("a number as text", "book_hotel", _but(nights="2"), _STAY),
    Sent("another spelling", "book_hotel", _but().replace("check_in", "checkIn"), _STAY),
    Sent("true for a number", "book_hotel", _but(nights=True)),
    Sent("a key twice", "book_hotel", _but().replace("}", ', "nights": 14}')),
    Sent("no such room", "book_hotel", _but(hotel_id="HT-001")),
)


def naive(world: World) -> Run:
    """Layer 1: look up, parse, call. Nothing looks at the contract when a call comes."""
    return naive_registry(world).dispatch


def with_errors_told(world: World) -> Run:
    """Layer 1 that tells every error instead of raising it."""
    registry = naive_registry(world)
    return telling(registry.dispatch, registry)


def with_validation(world: World) -> Run:
    """Layer 2: the argument model reads the call before the function does."""
    registry = hotel_registry(world)

    def run(name: str, arguments: str) -> Any:
        model, _ = validate(registry[name], arguments)
        value = registry[name].func(**model.__dict__)
        return finish(value) if inspect.iscoroutine(value) else value

    return telling(run, registry)


WAYS: Mapping[str, Way] = {
    "bare dict": naive,
    "errors told": with_errors_told,
    "arguments validated": with_validation,
}


def naive_registry(world: World) -> Registry:
    """Three tools of the hotel: their contracts, and functions that believe whatever comes."""
    contracts, registry = hotel_registry(world), Registry()
    for func in (get_weather, search_hotels, book_hotel):
        tool = contracts[func.__name__]
        registry.register(
            name=tool.name, description=tool.description, parameters=tool.parameters, func=partial(func, world)
        )
    return registry


def get_weather(world: World, /, city: str, date: str) -> Any:
    """Look up the forecast, the day given as text."""
    return world.weather(city, _day(date))


def search_hotels(world: World, /, city: str, check_in: str) -> Any:
    """List the hotels, the day given as text."""
    return world.search(city, _day(check_in))


def book_hotel(world: World, /, hotel_id: str, room_type: Any, check_in: str, nights: int) -> Any:
    """Book a room, the day given as text."""
    return world.book(hotel_id, room_type, _day(check_in), nights)


_day = date.fromisoformat


def telling(run: Run, names: Iterable[str]) -> Run:
    """Turn what `run` raises into an error for the model. Only the text of a `ToolError` was written for it."""
    known = list(names)

    def told(name: str, arguments: str) -> Any:
        if name not in known:
            return {"error": f"There is no tool {name!r}. Available: {', '.join(known)}."}
        try:
            return run(name, arguments)
        except ToolError as error:
            return {"error": error.message}
        except json.JSONDecodeError as error:
            return {"error": f"The arguments are not valid JSON: {error}."}
        except Exception as error:  # noqa: BLE001 - a bug; its text is for a log, not for a model
            return {"error": f"{name} failed because of an error in the tool ({type(error).__name__})."}

    return told


def run_one(sent: Sent, way: Way) -> Ended:
    """Send one call in a fresh world and say how it ended."""
    world = World()
    try:
        value = way(world)(sent.name, sent.arguments)
    except Exception as error:  # noqa: BLE001 - dying is one of the endings
        return Ended(sent, "died", f"{type(error).__name__}: {error}", len(world.bookings))
    if isinstance(value, dict) and "error" in value:
        return Ended(sent, "told", str(value["error"]), len(world.bookings))
    meant = None if sent.meant is None else with_validation(World())(sent.name, json.dumps(sent.meant))
    ending: Ending = "right" if value == meant else "wrong"
    return Ended(sent, ending, json.dumps(value, ensure_ascii=False), len(world.bookings))


def survival(way: Way) -> list[Ended]:
    """Send all ten."""
    return [run_one(sent, way) for sent in CALLS]


def compare_ways(**ways: Way) -> Picture:
    """The ten calls by ways of running them, a column each, and a figure; all of `WAYS` when none is given."""
    named = {name.replace("_", " "): way for name, way in ways.items()} or WAYS
    ended = {name: survival(way) for name, way in named.items()}
    scores = ", ".join(f"{name} {sum(one.as_it_should for one in ten)}" for name, ten in ended.items())
    rows = [
        [sent.what, sent.should, *(ten[number].ending for ten in ended.values())] for number, sent in enumerate(CALLS)
    ]
    words = f"of {len(CALLS)} calls, this many end as they should: {scores}"
    chart = draw(partial(_paint, ended=ended), words, width=7.5, height=1.6 + 0.5 * len(ended))
    return Picture(words[0].upper() + words[1:], ["call", "should end", *ended], rows, chart)


def _paint(axes: Axes, ended: Mapping[str, list[Ended]]) -> None:
    for ending, marker in zip(ENDINGS, MARKERS, strict=False):
        at = [(x, y) for y, ten in enumerate(ended.values()) for x, one in enumerate(ten) if one.ending == ending]
        axes.scatter([x for x, _ in at], [y for _, y in at], marker=marker, s=90, label=ending)
    axes.set_xticks(range(len(CALLS)), [sent.what for sent in CALLS], rotation=30, ha="right")
    axes.set_yticks(range(len(ended)), list(ended))
    axes.set_ylim(len(ended) - 0.5, -0.5)
    axes.legend(loc="center left", bbox_to_anchor=(1, 0.5), frameon=False)
