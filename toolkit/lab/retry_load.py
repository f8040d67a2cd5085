"""What retries do to a tool that is down: when the callers come back, and how often the tool is reached."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from toolkit.gateway.retry import Backoff
from toolkit.lab.figure import LINES, Chart, draw
from toolkit.lab.virtual_time import VirtualTime

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Wait = Callable[[int, random.Random], float]
"""Seconds to wait after a failed attempt, the first being attempt 1."""


class Budget(Protocol):
    """Says whether one more retry is affordable."""

    def earn(self) -> None: ...

    def spend(self) -> bool: ...


def attempt_times(wait_s: Wait, *, callers: int = 200, attempts: int = 4, seed: int = 7) -> list[float]:
    """When callers that all call at 0 s reach a tool that is down, in seconds, sorted.

    >>> attempt_times(lambda attempt, rng: 1.0 * attempt, callers=2, attempts=3)
    [0.0, 0.0, 1.0, 1.0, 3.0, 3.0]
    """
    rng = random.Random(seed)
    times = []
    for _ in range(callers):
        now = 0.0
        for attempt in range(1, attempts + 1):
            times.append(now)
            now += wait_s(attempt, rng)
    return sorted(times)


def fullest(times: Sequence[float], width_s: float = 0.1) -> int:
    """The most attempts in any tenth of a second after the first attempts, which nothing can spread."""
    counts = Counter(int(time / width_s) for time in times if time > 0)
    return max(counts.values(), default=0)


def draw_attempts(**ways: Sequence[float]) -> Chart:
    """Attempts per tenth of a second against time, one line for each way to wait."""
    named = {name.replace("_", " "): times for name, times in ways.items()}
    words = "; ".join(f"{name}: at most {fullest(times)} in a tenth of a second" for name, times in named.items())

    def paint(axes: Axes) -> None:
        last = max(max(times) for times in named.values())
        bins = [number / 10 for number in range(int(last * 10) + 2)]
        for (name, times), line in zip(named.items(), LINES, strict=False):
            axes.hist(
                [time for time in times if time > 0], bins=bins, histtype="step", linestyle=line, lw=2, label=name
            )
        axes.set_xlabel("seconds after the first attempts")
        axes.set_ylabel("attempts per 0.1 s")
        axes.legend(loc="upper left", bbox_to_anchor=(1, 1), frameon=False)

    return draw(paint, f"retries after a common failure. {words}", width=7.5)


def storm(
    budget: Budget | None,
    *,
    calls_per_s: int = 10,
    seconds: int = 60,
    down: tuple[float, float] = (20.0, 40.0),
    attempts: int = 3,
    seed: int = 7,
) -> list[float]:
    """When a tool is reached that is down for a while, by callers who retry as far as the budget allows.

    Args:
        budget: Shared by all callers; None: every caller retries as often as it likes.
        calls_per_s: Calls that begin each second.
        seconds: How long calls begin.
        down: The tool fails from the first to the second moment, in seconds.
        attempts: Attempts of one call, the first included.
        seed: Of the jitter.
    """
    clock, rng, reached, backoff = VirtualTime(), random.Random(seed), list[float](), Backoff()

    async def one_call(begins_s: float) -> None:
        await asyncio.sleep(begins_s)
        if budget is not None:
            budget.earn()
        for attempt in range(1, attempts + 1):
            reached.append(clock.now())
            if not down[0] <= clock.now() < down[1] or attempt == attempts:
                return
            if budget is not None and not budget.spend():
                return
            await asyncio.sleep(backoff.wait_s(attempt, rng))

    async def all_calls() -> None:
        await asyncio.gather(*(one_call(number / calls_per_s) for number in range(seconds * calls_per_s)))

    clock.run(all_calls())
    return reached


def draw_storm(ways: Mapping[str, Sequence[float]], down: tuple[float, float] = (20.0, 40.0)) -> Chart:
    """How often the tool is reached per second, against time, one line for each way to retry."""

    def per_second(times: Sequence[float]) -> list[int]:
        counts = Counter(int(time) for time in times)
        return [counts[second] for second in range(int(max(times)) + 1)]

    loads = {name: per_second(times) for name, times in ways.items()}
    words = "; ".join(f"{name}: at most {max(load)} a second" for name, load in loads.items())

    def paint(axes: Axes) -> None:
        axes.axvspan(*down, facecolor="0.9", hatch="//", edgecolor="0.8", label="the tool is down")
        for (name, load), line in zip(loads.items(), LINES, strict=False):
            axes.plot(load, linestyle=line, lw=2, label=name)
        axes.set_ylim(bottom=0)
        axes.set_xlabel("seconds")
        axes.set_ylabel("attempts a second")
        axes.legend(loc="upper left", bbox_to_anchor=(1, 1), frameon=False)

    return draw(
        paint, f"attempts a second at a tool that is down from {down[0]:g} to {down[1]:g} s. {words}", width=7.5
    )
