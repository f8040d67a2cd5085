"""Who holds the threads of a pool while one sync tool hangs: run for real, in virtual time."""

from __future__ import annotations

import asyncio
import threading
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from toolkit.decorator import tool
from toolkit.gateway import Gateway, Settings
from toolkit.lab.figure import HATCHES, draw
from toolkit.lab.panel import Picture
from toolkit.lab.virtual_time import VirtualTime
from toolkit.registry import Registry

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SECONDS, HANGS_FROM_S, HANGS_UNTIL_S = 40, 5, 25
LIMIT_S, WORK_S, SAMPLE_S = 1.0, 0.2, 0.25
WEATHER_EVERY_S, PRICE_EVERY_S = 1.0, 0.5


@dataclass(slots=True)
class Occupancy:
    """Threads with the weather, sampled every quarter of a second; when a price was refused; how the calls ended."""

    weather: list[int] = field(default_factory=list)
    refused: list[float] = field(default_factory=list)
    ended: Counter[tuple[str, str]] = field(default_factory=Counter)


def occupancy(threads: int, per_tool: int, replacements: int, hang_s: float) -> Occupancy:
    """Call two sync tools for 40 s; from 5 to 25 s each new call of the weather tool hangs for `hang_s` seconds.

    Args:
        threads: Size of the gateway's pool.
        per_tool: Threads one tool may hold.
        replacements: Stuck threads that are replaced by new ones.
        hang_s: How long a call hangs; its limit is one second.
    """
    clock, seen, registry = VirtualTime(), Occupancy(), Registry()
    inside, lock = Counter[str](), threading.Lock()

    def count(change: int) -> None:
        with lock:
            inside["weather"] += change

    @tool(registry, idempotent=True)
    def get_weather() -> str:
        """Look up the weather, at a station that hangs for a while."""
        count(1)
        try:
            clock.block(hang_s if HANGS_FROM_S <= clock.now() < HANGS_UNTIL_S else WORK_S)
        finally:
            count(-1)
        return "rain"

    @tool(registry, idempotent=True)
    def get_price() -> int:
        """Look up a price, at a server that is well."""
        clock.block(WORK_S)
        return 400

    settings = Settings(
        threads=threads,
        threads_per_tool=per_tool,
        replacements=replacements,
        timeout_s=LIMIT_S,
        attempts=1,
        breaker=None,
    )
    gateway = Gateway(registry, settings, log_sink=None, clock=clock.now)
    clock.watch(gateway.services.workers)

    async def call(name: str, at_s: float) -> None:
        await asyncio.sleep(at_s)
        result = await gateway.call({"id": f"{name} {at_s}", "name": name, "arguments": "{}"})
        seen.ended[name, result.status.value] += 1
        if name == "get_price" and not result.ok:
            seen.refused.append(at_s)

    async def sample(at_s: float) -> None:
        await asyncio.sleep(at_s)
        seen.weather.append(inside["weather"])

    async def everything() -> None:
        weather = (call("get_weather", number * WEATHER_EVERY_S) for number in range(int(SECONDS / WEATHER_EVERY_S)))
        prices = (call("get_price", number * PRICE_EVERY_S) for number in range(int(SECONDS / PRICE_EVERY_S)))
        samples = (sample(0.1 + number * SAMPLE_S) for number in range(int(SECONDS / SAMPLE_S)))
        await asyncio.gather(*weather, *prices, *samples)

    clock.run(everything())
    gateway.services.workers.close()
    return seen


def show_occupancy(threads: int, per_tool: int, replacements: int, hang_s: float) -> Picture:
    """The panel's picture of `occupancy`."""
    seen = occupancy(threads, per_tool, replacements, hang_s)
    rows = [[name, status, count] for (name, status), count in sorted(seen.ended.items())]
    asked = sum(count for (name, _), count in seen.ended.items() if name == "get_price")
    answered = seen.ended["get_price", "success"]
    most = max(seen.weather)
    words = f"threads with the weather against time: up to {most} of {threads}; prices refused: {len(seen.refused)}"

    def paint(axes: Axes) -> None:
        times = [0.1 + number * SAMPLE_S for number in range(len(seen.weather))]
        axes.axvspan(HANGS_FROM_S, HANGS_UNTIL_S, facecolor="0.9", zorder=0, label="weather calls hang")
        axes.fill_between(times, seen.weather, step="post", hatch=HATCHES[1], facecolor="none", edgecolor="C0")
        axes.plot(times, seen.weather, drawstyle="steps-post", color="C0", lw=2, label="threads with the weather")
        axes.axhline(threads, linestyle="--", color="0.3", label="size of the pool")
        axes.plot(seen.refused, [threads + 0.5] * len(seen.refused), "x", color="C1", label="a price is refused")
        axes.set_ylim(0, threads + 1)
        axes.set_xlabel("seconds")
        axes.set_ylabel("threads")
        axes.legend(loc="upper left", bbox_to_anchor=(1, 1), frameon=False)

    summary = f"Prices answered: {answered} of {asked}. Threads with the weather: up to {most}."
    return Picture(summary, ["tool", "status", "calls"], rows, draw(paint, words, width=8))
