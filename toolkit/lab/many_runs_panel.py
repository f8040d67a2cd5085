"""Many runs of the simulated agent as a table, a figure, and a panel: rates, intervals, and what was not judged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from toolkit.hotel.many_runs import judge_many
from toolkit.lab.figure import LINES, MARKERS, Chart, draw
from toolkit.lab.panel import Panel, Picture
from toolkit.trajectory.statistics import Interval, Tally, first_failing_steps, pass_power, tally_checks

if TYPE_CHECKING:
    from matplotlib.axes import Axes

TEMPERATURES = (0.0, 0.25, 0.5, 1.0, 2.0, 4.0)
POWERS = (1, 4, 8)


def many_panel() -> Panel:
    """The panel: how hot the agent is, how many runs, and how much the recorder loses."""
    from ipywidgets import FloatSlider, IntSlider

    controls = {
        "temperature": FloatSlider(1, min=0, max=4, step=0.25),
        "runs": IntSlider(20, min=1, max=200),
        "lost_results": FloatSlider(0.2, min=0, max=1, step=0.1),
    }
    return Panel("Many runs of a simulated agent", show_many, controls)


def show_many(temperature: float, runs: int, lost_results: float) -> Picture:
    """Count so many runs, check by check; one run in twenty leaves no recording.

    >>> print(show_many(0, 4, 0.0).summary)
    Overall: 4 attempted = 4 judged (4 passed) + 0 not judgeable + 0 not applicable + 0 harness errors
    """
    reports = judge_many(temperature, range(runs), lost_results=lost_results, lost_runs=0.05)
    tallies = tally_checks(reports)
    steps = ", ".join(
        f"{step or 'none: the run ended'} {count}" for step, count in first_failing_steps(reports).items()
    )
    summary = f"Overall: {tallies['overall']}" + (f". First failing step: {steps}" if steps else "")
    rows = [[name, *_cells(tally)] for name, tally in tallies.items()]
    columns = ["check", "judged", "passed", "rate", "95 % interval", "bounds"]
    words = "; ".join(f"{name} {_percent(tally.rate)}, {_span(tally.interval)}" for name, tally in tallies.items())
    chart = draw(partial(_paint_checks, tallies=tallies), words, width=7.5, height=2.6)
    return Picture(summary, columns, rows, chart)


def temperature_chart(runs: int = 60, temperatures: Sequence[float] = TEMPERATURES) -> Chart:
    """Draw pass rate with its interval, and pass^k, over the temperature of the simulated agent."""
    tallies = {heat: tally_checks(judge_many(heat, range(runs)))["overall"] for heat in temperatures}
    powers = {k: [pass_power([tally], k) for tally in tallies.values()] for k in POWERS[1:]}
    words = "; ".join(
        f"temperature {heat:g}: rate {_percent(tally.rate)}, "
        + ", ".join(f"pass^{k} {_percent(values[place])}" for k, values in powers.items())
        for place, (heat, tally) in enumerate(tallies.items())
    )
    return draw(partial(_paint_heat, tallies=tallies, powers=powers), words, width=7, height=3)


def _cells(tally: Tally) -> list[object]:
    rate = _percent(tally.rate)
    return [tally.judged, tally.passed, rate, _span(tally.interval), _span(tally.bounds)]


def _percent(rate: float | None) -> str:
    return "none" if rate is None else f"{rate:.0%}"


def _span(interval: Interval | None) -> str:
    return "none" if interval is None else f"{interval.low:.0%} to {interval.high:.0%}"


def _paint_checks(axes: Axes, tallies: Mapping[str, Tally]) -> None:
    for place, tally in enumerate(tallies.values()):
        if tally.rate is None or tally.interval is None or tally.bounds is None:
            continue
        axes.barh(place, tally.bounds.high - tally.bounds.low, left=tally.bounds.low, height=0.5, color="#d9d9d9")
        low, high = tally.rate - tally.interval.low, tally.interval.high - tally.rate
        axes.errorbar(tally.rate, place, xerr=[[max(0, low)], [max(0, high)]], fmt="o", color="#10324f", capsize=4)
    axes.set_yticks(range(len(tallies)), list(tallies))
    axes.invert_yaxis()
    axes.set_xlim(-0.03, 1.03)
    axes.set_xlabel("pass rate: point and 95 % interval of the judged; grey: bounds over all attempted")


def _paint_heat(axes: Axes, tallies: Mapping[float, Tally], powers: Mapping[int, Sequence[float | None]]) -> None:
    heats = list(tallies)
    rates = [tally.rate or 0.0 for tally in tallies.values()]
    spans = [tally.interval or Interval(0.0, 1.0) for tally in tallies.values()]
    below = [max(0.0, rate - span.low) for rate, span in zip(rates, spans, strict=True)]
    above = [max(0.0, span.high - rate) for rate, span in zip(rates, spans, strict=True)]
    axes.errorbar(
        heats, rates, yerr=[below, above], marker=MARKERS[0], linestyle=LINES[0], capsize=4, label="pass rate"
    )
    for place, (k, values) in enumerate(powers.items(), 1):
        drawn = [float("nan") if value is None else value for value in values]
        axes.plot(heats, drawn, marker=MARKERS[place], linestyle=LINES[place], label=f"pass^{k}")
    axes.set_xlabel("temperature of the simulated agent (scales the probability of each fault)")
    axes.set_ylim(-0.03, 1.03)
    axes.legend(frameon=False)
