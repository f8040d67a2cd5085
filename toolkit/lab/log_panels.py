"""The dashboard's panels drawn from a log, under the titles they have in data/dashboard/tools.json."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import cycle
from typing import TYPE_CHECKING, TypeAlias

from toolkit.lab.figure import HATCHES, LINES, MARKERS, Chart, draw_grid
from toolkit.observe.lines import Line, real, span_s
from toolkit.observe.series import (
    Series,
    error_share,
    failure_times,
    latency,
    score_counts,
    success_share,
    throughput,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Paint: TypeAlias = "Callable[[Axes], None]"
SUCCESS_TARGET = 0.995
_MOST_ERRORS = 5  # series that one panel can hold and still be read


def draw_dashboard(lines: Sequence[Line], step_s: float = 300.0) -> Chart:
    """Draw six panels of a log, in steps of so many seconds.

    Raises:
        ValueError: there is no line to draw.
    """
    if not real(lines):
        raise ValueError("There is no call in this log, so there is nothing to draw.")
    paints = {title: make(lines, step_s) for title, make in PANELS.items()}
    return draw_grid(paints, words_of(lines), width=10.5, height=2.5)


def words_of(lines: Sequence[Line]) -> str:
    """What the panels show, in a sentence."""
    found = real(lines)
    outcomes = [line.outcome for line in found]
    minutes = round(span_s(found) / 60)
    return (
        f"six panels over {minutes} minutes: {len(found)} calls, {outcomes.count('answered')} answered, "
        f"{outcomes.count('refused')} refused, {outcomes.count('failed')} failed"
    )


def _throughput(lines: Sequence[Line], step_s: float) -> Paint:
    return _lines_of(throughput(lines, step_s), "calls per second")


def _success(lines: Sequence[Line], step_s: float) -> Paint:
    def paint(axes: Axes) -> None:
        axes.axhline(SUCCESS_TARGET, linestyle="--", color="0.3", label=f"target {SUCCESS_TARGET:.1%}")
        _lines_of({"success rate": success_share(lines, step_s)}, "share")(axes)

    return paint


def _latency(lines: Sequence[Line], step_s: float) -> Paint:
    series = {
        name if any(one.values) else f"{name}: too few calls in a step": Series(
            one.times_s, tuple(None if value is None else value / 1000 for value in one.values)
        )
        for name, one in latency(lines, step_s).items()
    }
    return _lines_of(series, "seconds")


def _errors(lines: Sequence[Line], step_s: float) -> Paint:
    shares = error_share([line for line in lines if line.version is not None], step_s)  # of an unknown tool it is 1
    found = list(shares.items())[:_MOST_ERRORS]
    return _lines_of({f"{tool} {kind}": series for (tool, kind), series in found}, "share of the tool's calls")


def _scores(lines: Sequence[Line], _: float) -> Paint:
    counts = score_counts(lines)

    def paint(axes: Axes) -> None:
        middles = [(number + 0.5) / len(counts) for number in range(len(counts))]
        axes.bar(middles, counts, width=0.9 / len(counts), hatch=HATCHES[1], facecolor="none", edgecolor="C0")
        axes.set_yscale("symlog", linthresh=10)
        axes.set_xlabel("score")
        axes.set_ylabel("answers")

    return paint


def _failing(lines: Sequence[Line], _: float) -> Paint:
    found = failure_times(lines)

    def paint(axes: Axes) -> None:
        for row, ((tool, failures), marker) in enumerate(zip(found.items(), cycle(MARKERS), strict=False)):
            minutes = [at_s / 60 for at_s, _ in failures]
            axes.plot(minutes, [row] * len(minutes), marker, markerfacecolor="none", label=tool)
        axes.set_yticks(range(len(found)), list(found))
        axes.set_ylim(max(len(found), 1) - 0.5, -0.5)
        axes.set_xlim(0, max(span_s(lines), 60) / 60)
        axes.set_xlabel("minutes")

    return paint


PANELS: dict[str, Callable[[Sequence[Line], float], Paint]] = {
    "Throughput": _throughput,
    "Success rate": _success,
    "Latency of answers": _latency,
    "Error rate by tool and kind": _errors,
    "Scores": _scores,
    "Failing calls": _failing,
}


def _lines_of(series: dict[str, Series], unit: str) -> Paint:
    def paint(axes: Axes) -> None:
        for (label, (times_s, values)), style, marker in zip(
            series.items(), cycle(LINES), cycle(MARKERS), strict=False
        ):
            gaps = [float("nan") if value is None else value for value in values]
            minutes = [time_s / 60 for time_s in times_s]
            axes.plot(minutes, gaps, linestyle=style, marker=marker, markersize=3, label=label)
        axes.set_ylabel(unit)
        axes.set_xlabel("minutes")
        if series:
            axes.legend(loc="best", fontsize="small")
        else:
            axes.text(0.5, 0.5, "none", transform=axes.transAxes)

    return paint
