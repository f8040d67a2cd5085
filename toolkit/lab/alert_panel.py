"""Lesson 10's panel: one alert rule, tried on a day that is over."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

from toolkit.lab.busy_day import DOWN_S, OPENS_S, busy_day
from toolkit.lab.figure import HATCHES, draw
from toolkit.lab.panel import Picture
from toolkit.observe.alerts import Alert, Incident, failure_share, incidents
from toolkit.observe.lines import Line, read_log
from toolkit.observe.series import success_share

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLUMNS = ("from", "to", "worst", "the outage?")


@cache
def lines_of_the_day() -> tuple[Line, ...]:
    """The log of the busy day, read once."""
    return read_log(busy_day().log.splitlines()).lines


def show_alert(threshold: float, window_min: float, at_least: int) -> Picture:
    """Try the rule "calls fail" on the busy day.

    Args:
        threshold: The share of failures from which on it holds, 0..1.
        window_min: The window, in minutes.
        at_least: Calls it takes to decide anything.
    """
    rule = Alert(name="calls fail", of=failure_share, threshold=threshold, window_s=window_min * 60, at_least=at_least)
    found = incidents([rule], lines_of_the_day())
    rows = [[_clock(one.began_s), _clock(one.ended_s), f"{one.worst:.0%}", _is_outage(one)] for one in found]
    return Picture(
        _summary(found), COLUMNS, rows, draw(lambda axes: _paint(axes, threshold, found), _words(found), width=8)
    )


def _summary(found: Sequence[Incident]) -> str:
    true = [one for one in found if _is_outage(one) == "yes"]
    told = f"It woke somebody {_times(len(found))}"
    if not true:
        return f"{told}, and never for the outage." if found else "It woke nobody, the outage went unnoticed."
    delay_s = true[0].began_s - OPENS_S - DOWN_S[0]
    which = "" if len(found) == 1 else f"{_times(len(true))} "
    return f"{told}, {which}for the outage, {delay_s:.0f} s after it began."


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


def _is_outage(incident: Incident) -> str:
    """Whether any of the outage lay within the time of the incident."""
    ended_s = float("inf") if incident.ended_s is None else incident.ended_s - OPENS_S
    return "yes" if incident.began_s - OPENS_S < DOWN_S[1] and ended_s > DOWN_S[0] else "no"


def _clock(moment_s: float | None) -> str:
    if moment_s is None:
        return "it lasts"
    minutes, seconds = divmod(int(moment_s - OPENS_S), 60)
    return f"{8 + minutes // 60:02d}:{minutes % 60:02d}:{seconds:02d}"


def _words(found: Sequence[Incident]) -> str:
    return f"share of failures by the minute, with the threshold; the rule held {_times(len(found))}"


def _paint(axes: Axes, threshold: float, found: Sequence[Incident]) -> None:
    series = success_share(lines_of_the_day(), step_s=60)
    minutes = [time_s / 60 for time_s in series.times_s]
    failures = [float("nan") if value is None else 1 - value for value in series.values]
    axes.plot(minutes, failures, drawstyle="steps", color="C0", label="failures, by the minute")
    axes.axhline(threshold, linestyle="--", color="0.3", label="threshold")
    for number, one in enumerate(found):
        end_s = series.times_s[-1] if one.ended_s is None else one.ended_s - OPENS_S
        axes.axvspan(
            (one.began_s - OPENS_S) / 60,
            max(end_s, one.began_s - OPENS_S + 20) / 60,
            facecolor="none",
            edgecolor="C1",
            hatch=HATCHES[1],
            label="the rule holds" if number == 0 else None,
        )
    axes.set_ylim(0, 1)
    axes.set_xlabel("minutes since 08:00")
    axes.set_ylabel("share of failures")
    axes.legend(loc="upper left", bbox_to_anchor=(1, 1), frameon=False)
