"""A tool that is down for a while, behind a circuit breaker: what reaches it, what is refused, in which state."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from toolkit.lab.figure import HATCHES, Chart, draw
from toolkit.lab.virtual_time import VirtualTime

if TYPE_CHECKING:
    from matplotlib.axes import Axes

STATES = ("closed", "open", "half_open")
SECONDS, CALLS_PER_S, DOWN, FAILS_AFTER_S = 60, 2, (10.0, 40.0), 1.0


class SomeBreaker(Protocol):
    """What a lesson's breaker and the package's have in common."""

    @property
    def state(self) -> str: ...

    def admit(self) -> Any: ...

    def report(self, permit: Any, failed: bool | None) -> None: ...


Make = Callable[[Callable[[], float]], SomeBreaker]
"""Makes a breaker from a clock."""


@dataclass(slots=True)
class BreakerRun:
    """Moments in seconds; `states` holds each change as (moment, new state)."""

    reached: list[float] = field(default_factory=list)
    refused: list[float] = field(default_factory=list)
    states: list[tuple[float, str]] = field(default_factory=list)


def run_breaker(make: Make | None) -> BreakerRun:
    """Call a tool twice a second for 60 s. From 10 to 40 s it fails, each time after a second. None: no breaker."""
    clock, run = VirtualTime(), BreakerRun()
    breaker = make(clock.now) if make is not None else None

    def note() -> None:
        state = breaker.state if breaker is not None else "closed"
        if not run.states or run.states[-1][1] != state:
            run.states.append((clock.now(), state))

    async def call(at_s: float) -> None:
        await asyncio.sleep(at_s)
        note()
        permit = breaker.admit() if breaker is not None else 0
        if permit is None:
            run.refused.append(clock.now())
            return
        run.reached.append(clock.now())
        down = DOWN[0] <= clock.now() < DOWN[1]
        await asyncio.sleep(FAILS_AFTER_S if down else 0)
        if breaker is not None:
            breaker.report(permit, down)
        note()

    async def calls() -> None:
        await asyncio.gather(*(call(number / CALLS_PER_S) for number in range(SECONDS * CALLS_PER_S)))

    clock.run(calls())
    return run


def draw_breaker(run: BreakerRun) -> Chart:
    """Calls that reach the tool, calls refused, and the breaker's state below, against time."""
    down = sum(DOWN[0] <= time < DOWN[1] for time in run.reached)
    words = f"the tool is down from 10 to 40 s and is reached {down} times meanwhile; states: {_in_words(run.states)}"

    def paint(axes: Axes) -> None:
        axes.axvspan(*DOWN, facecolor="0.9", zorder=0, label="the tool is down")
        axes.plot(run.reached, [2] * len(run.reached), "o", label="reaches the tool")
        axes.plot(run.refused, [1] * len(run.refused), "x", label="refused at once")
        ends = [*(at for at, _ in run.states[1:]), SECONDS]
        for state, hatch in zip(STATES, HATCHES, strict=False):
            bars = [(at, end - at) for (at, name), end in zip(run.states, ends, strict=True) if name == state]
            axes.broken_barh(bars, (-0.35, 0.7), hatch=hatch, facecolor="white", edgecolor="0.2", label=state)
        axes.set_yticks([0, 1, 2], ["breaker", "refused", "reached"])
        axes.set_ylim(-0.7, 2.5)
        axes.set_xlabel("seconds")
        axes.legend(loc="upper left", bbox_to_anchor=(1, 1), frameon=False)

    return draw(paint, words, width=8.5, height=2.8)


def _in_words(states: Sequence[tuple[float, str]]) -> str:
    return ", ".join(f"{state} from {at:g} s" for at, state in states)


def share_that_opens(make: Make, failure_rate: float, *, calls: int = 200, runs: int = 1000, seed: int = 1) -> float:
    """Share of runs in which a breaker opens, for a tool that fails now and then by chance, 0..1."""
    rng = random.Random(seed)

    def opens() -> bool:
        breaker = make(lambda: 0.0)
        for _ in range(calls):
            permit = breaker.admit()
            if permit is None:
                return True
            breaker.report(permit, rng.random() < failure_rate)
        return breaker.state != "closed"

    return sum(opens() for _ in range(runs)) / runs


class CircuitOpen(Exception):
    """The breaker gives no permit: the tool is left alone for now."""
