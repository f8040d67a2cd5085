"""The dashboard's panels, drawn from a log."""

from __future__ import annotations

import json

import pytest
from matplotlib.figure import Figure

from toolkit.lab.alert_panel import lines_of_the_day
from toolkit.lab.figure import draw_grid
from toolkit.lab.log_panels import PANELS, draw_dashboard, words_of
from toolkit.observe.lines import Line
from toolkit.records import Status
from toolkit.resources import data_path


def painted(title, lines, step_s=60.0):
    axes = Figure().add_subplot()
    PANELS[title](lines, step_s)(axes)
    return axes


@pytest.mark.row("E8")
def test_the_panels_are_those_of_the_dashboard_file():
    """Same titles, same order; the file has a few more, about the gateway's inside."""
    titles = [panel["title"] for panel in json.loads(data_path("dashboard", "tools.json").read_text())["panels"]]
    assert titles[: len(PANELS)] == list(PANELS)


@pytest.mark.row("E8")
def test_a_panel_draws_the_numbers_of_the_log():
    """Sixty calls in the first minute, thirty in the second."""
    lines = [Line(second / 1, "add", Status.SUCCESS, 10.0) for second in range(60)]
    lines += [Line(60 + second * 2.0, "add", Status.SUCCESS, 10.0) for second in range(30)]
    (line,) = painted("Throughput", lines).lines
    assert [list(values) for values in line.get_data()] == [[1.0, 2.0], [1.0, 0.5]]


@pytest.mark.row("E8", "E9")
def test_a_percentile_without_its_sample_is_not_drawn():
    """The legend says why the line is missing."""
    axes = painted("Latency of answers", [Line(float(n), "add", Status.SUCCESS, 10.0) for n in range(20)])
    assert [line.get_label() for line in axes.lines] == [
        "p50",
        "p95: too few calls in a step",
        "p99: too few calls in a step",
    ]


@pytest.mark.row("E8")
def test_every_panel_draws_the_busy_day_and_a_single_call():
    """No panel needs a failure, a score or a second call."""
    assert draw_dashboard(lines_of_the_day()).words == words_of(lines_of_the_day())
    assert "1 calls, 1 answered, 0 refused, 0 failed" in repr(draw_dashboard([Line(0.0, "a", Status.SUCCESS, 1.0)]))


def test_an_empty_log_is_told():
    """There is nothing to draw, so the reader is told, not shown empty axes."""
    with pytest.raises(ValueError, match="no call in this log"):
        draw_dashboard([])


def test_a_grid_puts_each_title_over_its_axes():
    """Rows and columns as many as needed; the same figure gives the same bytes."""
    paints = {title: lambda axes: axes.plot([1, 2]) for title in ("one", "two", "three")}
    assert draw_grid(paints, "three").png == draw_grid(paints, "three").png
