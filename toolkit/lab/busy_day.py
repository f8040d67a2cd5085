"""Three hours at the hotel's desk, for a log that is worth reading: made in virtual time, the same on every machine.

Twelve hundred guests are served by an agent that makes the mistakes agents make. Three things go wrong with the tools,
one of them on purpose: from 08:30 to 08:50 the weather is slow, from 09:40 to 09:50 the hotels' server is down, and
from 10:30 to 10:36 a drill puts faults into the weather. All along, a booking of 13 nights meets a bug.
"""

from __future__ import annotations

import asyncio
import io
import json
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import cache
from typing import Any

from toolkit.errors import TransientError
from toolkit.gateway import BreakerSettings, Gateway, Settings
from toolkit.gateway.log import tee
from toolkit.hotel.tools import hotel_registry
from toolkit.hotel.world import World
from toolkit.lab.faults import Faults
from toolkit.lab.virtual_time import VirtualTime
from toolkit.observe.metrics import Metrics
from toolkit.observe.sinks import json_logger, structlog_sink
from toolkit.quality import Scorecard, complete, well_formed
from toolkit.records import Context
from toolkit.registry import Registry

OPENS_S = 1_789_459_200.0  # 2026-09-15, 08:00 UTC
HOURS, GUESTS = 3.0, 1200
SLOW_S, DOWN_S, DRILL_S = (1800, 3000), (6000, 6600), (9000, 9360)  # seconds after opening
TOOLS = ("get_weather", "search_hotels", "book_hotel")
_USUALLY_S = {"get_weather": 0.25, "search_hotels": 0.5, "book_hotel": 0.7}
_SCORECARD = Scorecard(
    {
        "get_weather": [complete("condition", "high")],
        "search_hotels": [
            complete("id", "name", each="hotels"),
            well_formed("price_per_night", bool, expected="a price", each="hotels"),
        ],
    },
    threshold=0.8,
)


@dataclass(frozen=True, slots=True)
class BusyDay:
    """What is left of the day: the log as text, a line a call, and the metrics as Prometheus would read them."""

    log: str
    metrics: Metrics


@cache
def busy_day(guests: int = GUESTS, seed: int = 10) -> BusyDay:
    """Serve so many guests, spread over three hours. The same guests and seed give the same day."""
    clock, file, faults = VirtualTime(), io.StringIO(), Faults(seed)
    metrics = Metrics(TOOLS)
    sink = structlog_sink(json_logger(file, wall_clock=lambda: OPENS_S + clock.now()))
    gateway = Gateway(
        _desk(World(), clock, random.Random(seed)),
        Settings(timeout_s=4.0, breaker=BreakerSettings(minimum=10, rest_s=60.0)),
        scorer=_SCORECARD,
        injector=faults,
        log_sink=tee(sink, metrics),
        clock=clock.now,
        rng=random.Random(seed),
    )
    rng = random.Random(seed)
    arrivals = sorted(rng.uniform(0, HOURS * 3600) for _ in range(guests))
    served = [_guest(gateway, number, at_s, random.Random(f"{seed} {number}")) for number, at_s in enumerate(arrivals)]
    clock.run(_all_of(*served, _drill(faults)))
    return BusyDay(file.getvalue(), metrics)


async def _all_of(*work: Awaitable[None]) -> None:
    await asyncio.gather(*work)


async def _drill(faults: Faults) -> None:
    begins_s, ends_s = DRILL_S
    await asyncio.sleep(begins_s)
    faults.switch_on("exception", tool="get_weather", probability=0.3)
    await asyncio.sleep(ends_s - begins_s)
    faults.reset()


def _desk(world: World, clock: VirtualTime, rng: random.Random) -> Registry:
    """The hotel's tools on servers that take their time and have their bad hours."""
    registry = hotel_registry(world)
    for name in TOOLS:
        tool = registry[name]
        policy = replace(tool.policy, fallback=_yesterdays_forecast) if name == "get_weather" else tool.policy
        registry.replace(replace(tool, func=_served(name, tool.func, clock, rng), policy=policy))
    return registry


def _served(name: str, func: Callable[..., Any], clock: VirtualTime, rng: random.Random) -> Callable[..., Any]:
    async def call(**arguments: Any) -> Any:
        moment = clock.now()
        if name == "search_hotels" and DOWN_S[0] <= moment < DOWN_S[1]:
            await asyncio.sleep(0.05)
            raise TransientError("the hotels' server does not answer")
        slow = 8.0 if name == "get_weather" and SLOW_S[0] <= moment < SLOW_S[1] else 1.0
        await asyncio.sleep(_USUALLY_S[name] * slow * rng.lognormvariate(0, 0.5))
        if arguments.get("nights") == 13:
            raise KeyError(13)  # the bug
        value = func(**arguments)
        value = await value if asyncio.iscoroutine(value) else value
        if name == "search_hotels" and rng.random() < 0.1:
            value["hotels"][-1]["price_per_night"] = {}  # the price list was not loaded
        return value

    return call


async def _yesterdays_forecast(city: str, date: date) -> dict[str, Any]:
    return {"city": city, "date": date.isoformat(), "condition": "clear", "high": 22}


async def _guest(gateway: Gateway, number: int, at_s: float, rng: random.Random) -> None:
    """One conversation: weather, search, booking, with the slips of an agent."""
    await asyncio.sleep(at_s)
    context = Context(session=f"guest-{number}")
    day = (date(2026, 9, 16) + timedelta(days=rng.randrange(25))).isoformat()
    city = rng.choice(["Xi'an", "Shanghai"])
    hotel, room = ("HT-002", "standard") if city == "Xi'an" else ("HT-004", "suite")
    stay = {
        "hotel_id": hotel,
        "room_type": room,
        "check_in": day,
        "nights": 13 if rng.random() < 0.012 else rng.randint(1, 4),
    }
    wanted: list[tuple[str, dict[str, Any]]] = [
        ("get_weather", {"city": city, "date": day}),
        ("search_hotels", {"city": city, "check_in": day}),
        ("book_hotel", stay),
    ]
    made = 0
    for name, arguments in wanted:
        for sent_name, sent in [*_slips(name, arguments, rng), (name, arguments)]:
            call = {"id": f"call_{number}_{made}", "function": {"name": sent_name, "arguments": json.dumps(sent)}}
            result = await gateway.call(call, context)
            made += 1
            await asyncio.sleep(rng.uniform(1.0, 3.0))  # the model thinks
        if not result.ok:
            return


def _slips(name: str, arguments: dict[str, Any], rng: random.Random) -> list[tuple[str, dict[str, Any]]]:
    """What an agent sends before it sends the right thing; most often nothing."""
    dice = rng.random()
    if name == "get_weather":
        return [(name, arguments)] * (3 if dice < 0.02 else 1 if dice < 0.08 else 0)  # it asks again
    if name == "search_hotels":
        if dice < 0.015:
            return [("search_hotel", arguments)]
        return [(name, {**arguments, "check_in": "1 October"})] if dice < 0.09 else []
    wrong = {"check_in": "tomorrow"} if dice < 0.05 else {"room_type": "double"} if dice < 0.08 else None
    wrong = {"nights": "two"} if 0.08 <= dice < 0.10 else {"room_type": "deluxe suite"} if dice > 0.99 else wrong
    return [(name, {**arguments, **wrong})] if wrong else []
