"""What a call through the gateway costs, as ratios to the floor: `python tests/benchmarks/bench_gateway.py`.

The floor is `Model.model_validate_json` and awaiting the function, for the same model and the same text. Rounds of
all paths are interleaved and the median of their ratios is shown, so that a busy machine slows all alike.
"""

from __future__ import annotations

import asyncio
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from datetime import date
from typing import Annotated, Any, Literal

import pydantic
from pydantic import BaseModel, Field, ValidationError, create_model

from toolkit import Context, Gateway, RateLimit, Registry, tool
from toolkit.gateway import BARE, Settings
from toolkit.gateway.log import line

TEXT = '{"hotel_id": "HT-002", "room_type": "suite", "check_in": "%s", "nights": 2}'
GOOD = {"id": "call_1", "type": "function", "function": {"name": "book_hotel", "arguments": TEXT % "2026-10-01"}}
BAD = {"id": "call_1", "type": "function", "function": {"name": "book_hotel", "arguments": TEXT % "soon"}}
ANSWER = {"status": "ok", "booking_id": "BK-1", "hotel_id": "HT-002", "total": 800, "currency": "USD"}
Room = Literal["standard", "suite", "deluxe"]


class Arguments(BaseModel):
    """The same arguments, declared by hand for the floor."""

    hotel_id: str = Field(description="Id from search_hotels")
    room_type: Room
    check_in: date
    nights: int = Field(ge=1, le=14)


async def book_hotel(
    hotel_id: Annotated[str, Field(description="Id from search_hotels")],
    room_type: Room,
    check_in: date,
    nights: Annotated[int, Field(ge=1, le=14)],
) -> dict[str, Any]:
    """Book a room."""
    return ANSWER


def gateway(settings: Settings, **policy: Any) -> Gateway:
    registry = Registry()
    tool(registry, **policy)(book_hotel)
    lines: list[str] = []
    sink = None if settings is BARE else lambda record: lines.append(line(record)) if len(lines) < 10 else line(record)
    return Gateway(registry, settings, log_sink=sink)


async def timed(work: Callable[[], Awaitable[object]], times: int) -> float:
    started = time.perf_counter()
    for _ in range(times):
        await work()
    return (time.perf_counter() - started) / times


async def calls(rounds: int = 31, times: int = 400) -> dict[str, list[float]]:
    """Seconds per call, by path, one figure a round."""
    bare = gateway(BARE)
    full = gateway(
        Settings(), idempotent=True, timeout_s=5, attempts=3, rate_limit=RateLimit(10**9, 1), concurrency=1000
    )
    full.services.quotas._limiter = Unlimited()
    good, bad = GOOD["function"]["arguments"], BAD["function"]["arguments"]

    async def floor() -> object:
        return await book_hotel(**Arguments.model_validate_json(good).__dict__)

    async def floor_rejection() -> object:
        try:
            return Arguments.model_validate_json(bad)
        except ValidationError as error:
            return str(error)

    async def rejected() -> object:
        return (await bare.call(BAD)).to_content()

    async def hundred_floor() -> object:
        return await asyncio.gather(*(floor() for _ in range(100)))

    async def hundred() -> object:
        return await bare.call_all([GOOD] * 100)

    paths: dict[str, tuple[Callable[[], Awaitable[object]], int]] = {
        "floor": (floor, times),
        "bare call": (lambda: bare.call(GOOD), times),
        "everything on": (lambda: full.call(GOOD, Context(role="guest")), times),
        "floor, rejected": (floor_rejection, times),
        "a rejection with its text": (rejected, times),
        "floor, 100 at once": (hundred_floor, times // 50),
        "100 at once": (hundred, times // 50),
    }
    seconds: dict[str, list[float]] = {name: [] for name in paths}
    for _ in range(rounds):
        for name, (work, repeat) in paths.items():
            seconds[name].append(await timed(work, repeat))
    return seconds


class Unlimited:
    """A limiter that counts nothing: the library behind the real one is measured in its own row."""

    def take(self, limit: RateLimit, *key: str) -> float | None:
        return None


def declarations(rounds: int = 41) -> dict[str, list[float]]:
    """Seconds to declare a tool and make its schema, beside `create_model` and `model_json_schema`."""
    seconds: dict[str, list[float]] = {"create_model and schema": [], "declare a tool and its schema": []}
    for _ in range(rounds):
        started = time.perf_counter()
        create_model(
            "book_hotel",
            hotel_id=(str, Field(description="Id from search_hotels")),
            room_type=(Room, ...),
            check_in=(date, ...),
            nights=(int, Field(ge=1, le=14)),
        ).model_json_schema()
        middle = time.perf_counter()
        registry = Registry()
        tool(registry)(book_hotel)
        registry.openai_tools()
        seconds["create_model and schema"].append(middle - started)
        seconds["declare a tool and its schema"].append(time.perf_counter() - middle)
    return seconds


def imports(rounds: int = 15) -> dict[str, list[float]]:
    """CPU seconds of an import, each in a fresh interpreter."""
    script = "import time; t = time.process_time(); import {}; print(time.process_time() - t)"
    seconds: dict[str, list[float]] = {"pydantic": [], "toolkit": []}
    for _ in range(rounds):
        for name in seconds:
            code = "from pydantic import BaseModel" if name == "pydantic" else "from toolkit import Registry, tool"
            text = script.replace("import {}", code)
            out = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True).stdout
            seconds[name].append(float(out))
    return seconds


def ratio(over: list[float], under: list[float]) -> float:
    return statistics.median(a / b for a, b in zip(over, under, strict=True))


def main() -> None:
    found = asyncio.run(calls())
    declared, imported = declarations(), imports()
    floor_us = statistics.median(found["floor"]) * 1e6
    rows = [
        ("bare call", ratio(found["bare call"], found["floor"]), 1.7),
        ("everything on", ratio(found["everything on"], found["floor"]), 5.5),
        ("100 at once", ratio(found["100 at once"], found["floor, 100 at once"]), 3.0),
        ("a rejection with its text", ratio(found["a rejection with its text"], found["floor, rejected"]), 2.0),
        ("declare a tool and its schema", ratio(*reversed(list(declared.values()))), 1.15),
        ("import", ratio(imported["toolkit"], imported["pydantic"]), 1.35),
    ]
    print(f"Python {platform.python_version()}, pydantic {pydantic.VERSION}, floor {floor_us:.2f} µs a call")
    print(f"{'path':32} {'times the floor':>16} {'goal':>6}")
    for name, value, goal in rows:
        print(f"{name:32} {value:>15.2f}x {goal:>5}x{'' if value <= goal else '  above the goal'}")


if __name__ == "__main__":
    main()
