"""The measures of a log as a table: value, interval, target, sample, and what may be said of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from toolkit.lab.panel import Picture
from toolkit.observe.measures import Measure
from toolkit.trajectory.statistics import Interval

COLUMNS = ("measure", "value", "95 % interval", "target", "sample", "needed", "standing")


def show_measures(measures: Sequence[Measure]) -> Picture:
    """Put measures into a table.

    >>> from toolkit.observe.measures import rate
    >>> print(show_measures([rate("success rate", 20, 20, 0.995)]))
    1 open.
    measure | value | 95 % interval | target | sample | needed | standing
    success rate | 1.000 | 0.839 to 1.000 | 0.995 | 20 | 765 | open
    """
    standings = Counter(each.standing for each in measures)
    rows = [
        [
            each.name,
            "-" if each.value is None else _number(each.value),
            _told(each.interval),
            _number(each.target),
            each.sample,
            each.needed,
            each.standing,
        ]
        for each in measures
    ]
    return Picture(", ".join(f"{count} {name}" for name, count in standings.items()) + ".", COLUMNS, rows)


def _told(interval: Interval | None) -> str:
    return "-" if interval is None else f"{_number(interval.low)} to {_number(interval.high)}"


def _number(value: float) -> str:
    """Three digits after the point for a share, none for what is counted in hundreds."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3f}"
