"""A panel driven without a browser: by `.value` and `.click()`."""

from __future__ import annotations

import pytest
from ipywidgets import FloatSlider, IntSlider

from toolkit.lab.figure import draw
from toolkit.lab.panel import Panel, Picture

TH, TD = '<th style="text-align: left">', '<td style="text-align: left">'  # a notebook's own style says right


def show(calls: int, failure_rate: float) -> Picture:
    if failure_rate > 0.9:
        raise ValueError("nothing <works>")
    chart = draw(lambda axes: axes.bar(range(calls), [1] * calls, hatch="///"), f"{calls} bars")
    return Picture(f"{calls} calls", ["call", "ok"], [[number, "yes"] for number in range(calls)], chart)


def panel(button=None):
    controls = {"calls": IntSlider(2, 1, 5), "failure_rate": FloatSlider(0.1, min=0, max=1)}
    return Panel("Calls that fail", show, controls, button=button)


@pytest.mark.row("K2")
def test_a_moved_control_changes_the_picture():
    """Without a button, every change calls the function and shows what it returns."""
    lab = panel()
    before = lab.chart.value
    lab["calls"].value = 3
    assert lab.picture.summary == "3 calls"
    assert f"{TD}2</td>{TD}yes</td>" in lab.message.value
    assert '<img alt="3 bars" src="data:image/png;base64,iVBORw0KGgo' in lab.chart.value
    assert lab.chart.value.endswith("<figcaption><i>3 bars</i></figcaption></figure>")
    assert lab.chart.value != before


@pytest.mark.row("K2")
def test_with_a_button_only_the_press_counts():
    """With a button, controls can be set in peace."""
    lab = panel(button="Send")
    lab["calls"].value = 4
    assert lab.picture.summary == "2 calls"
    lab.run.click()
    assert lab.picture.summary == "4 calls"


@pytest.mark.callback_errors_ok
def test_an_error_is_shown_in_the_panel_and_logged(caplog):
    """An exception in a handler shows nowhere else, so it stands in the panel, escaped, until the next run."""
    lab = panel()
    lab["failure_rate"].value = 1.0
    assert lab.message.value == "<pre role='alert'>ValueError: nothing &lt;works&gt;</pre>"
    assert isinstance(lab.error, ValueError)
    assert caplog.records[0].getMessage() == "panel 'Calls that fail'"
    lab["failure_rate"].value = 0.5
    assert lab.error is None
    assert "2 calls" in lab.message.value


@pytest.mark.row("X8")
def test_the_static_twin_tells_what_the_panel_shows():
    """Without a kernel title, values, sentence and table remain; no words of a figure that is not there."""
    bundle = panel()._repr_mimebundle_()
    assert bundle["text/plain"] == ("Calls that fail (calls=2, failure_rate=0.1)\n2 calls\ncall | ok\n0 | yes\n1 | yes")
    assert bundle["text/html"] == (
        "<p><b>Calls that fail</b> (calls = 2, failure rate = 0.1). Run the notebook to move the controls.</p>"
        f"<p>2 calls</p><table><thead><tr>{TH}call</th>{TH}ok</th></tr></thead>"
        f"<tbody><tr>{TD}0</td>{TD}yes</td></tr><tr>{TD}1</td>{TD}yes</td></tr></tbody></table>"
    )
    assert repr(panel().picture.chart) == "Figure: 2 bars"
    assert "application/vnd.jupyter.widget-view+json" in bundle


def test_controls_are_labelled():
    """Each control carries a label that can be read aloud."""
    assert [control.description for control in panel().controls.values()] == ["calls", "failure rate"]


@pytest.mark.parametrize(("name", "moved", "typed"), [("calls", 1, 4), ("failure_rate", 0.2, 0.5)])
def test_a_slider_and_its_number_move_together(name, moved, typed):
    """The number has the label; the slider, whose handle can have none, stands beside it."""
    lab = panel()
    number, slider = next(row.children for row in lab.box.children if lab[name] in getattr(row, "children", ()))
    assert (number is lab[name], number.min, number.max) == (True, slider.min, slider.max)
    slider.value = moved * (1 + 1e-15) if name == "failure_rate" else moved  # as the front end sends it
    assert (number.value, lab.values[name]) == (moved, moved)
    number.value = typed
    assert slider.value == typed
    assert (slider.description, slider.readout) == ("", False)


def test_the_same_figure_gives_the_same_bytes():
    """A chart holds no date and no library version."""
    charts = [draw(lambda axes: axes.plot([1, 2], marker="o"), "a line") for _ in range(2)]
    assert charts[0].png == charts[1].png
    assert b"matplotlib" not in charts[0].png.lower()
    assert repr(charts[0]) == "Figure: a line"
