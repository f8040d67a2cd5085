"""The base of every widget panel: a pure function decides what to show, the panel owns the widgets.

`show(**values) -> Picture` is called with the controls' values and is tested without any widget. The panel
calls it, writes the result into HTML and Image widgets, and shows an error where the reader looks; it
computes nothing. Without a kernel (on GitHub, in a stored notebook) the same sentence and table stand
there; the chart is shown by a cell of its own, `panel.picture.chart`.
"""

from __future__ import annotations

import logging
from base64 import b64encode
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any, NamedTuple

from toolkit.lab.figure import Chart

# With a handler of its own, an error is not printed into the cell as well; pytest still sees it.
logger = logging.getLogger(__name__)
logger.addHandler(logging.NullHandler())


@dataclass(frozen=True, slots=True)
class Picture:
    """What a panel shows: a sentence, a table, a chart.

    A picture shows its sentence and its table. The words of the chart stand where the chart is.
    """

    summary: str
    columns: Sequence[str] = ()
    rows: Sequence[Sequence[object]] = ()
    chart: Chart | None = None

    def __repr__(self) -> str:
        table = [self.columns, *self.rows] if self.columns else []
        return "\n".join([self.summary, *(" | ".join(str(cell) for cell in row) for row in table)])

    def to_html(self) -> str:
        """Summary and table as HTML, all text escaped; no colour, no script."""
        head = "".join(_cell("th", cell) for cell in self.columns)
        body = "".join(f"<tr>{''.join(_cell('td', cell) for cell in row)}</tr>" for row in self.rows)
        table = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>" if self.columns else ""
        return f"<p>{escape(self.summary)}</p>{table}"

    def _repr_html_(self) -> str:
        return self.to_html()


class Anchor(NamedTuple):
    """A cell's text that leads to a place in another notebook: its file, or file and heading."""

    text: str
    target: str

    def __str__(self) -> str:
        return self.text


def _cell(tag: str, content: object) -> str:
    """Left-aligned: a notebook's own style puts every cell of a table to the right, which is for numbers."""
    text = escape(str(content))
    if isinstance(content, Anchor):
        text = f'<a href="{escape(content.target)}">{text}</a>'
    return f'<{tag} style="text-align: left">{text}</{tag}>'


# JupyterLab's own class for what a cell shows: in a widget, lines and tables would be spaced as those of a form.
_OUTPUT_STYLE = "display: inline-block; max-width: 100%; padding: 0.5em 0 0; line-height: 1.4"


def _figure(chart: Chart) -> str:
    """The picture in its own size, at most as wide as the page; its words for the eye and for a screen reader."""
    source = f"data:image/png;base64,{b64encode(chart.png).decode('ascii')}"
    picture = f'<img alt="{escape(chart.words)}" src="{source}" style="max-width: 100%; height: auto">'
    caption = f"<figcaption><i>{escape(chart.words)}</i></figcaption>"
    return f'<figure style="margin: 0; line-height: 1.4">{picture}{caption}</figure>'


def _with_number(control: Any) -> list[Any]:
    """The control; for a slider a number field, and the slider beside it.

    The handle of a slider has no name for a screen reader, and ipywidgets gives no way to set one. The field has, it
    takes any value exactly, and both move together.
    """
    import ipywidgets

    if isinstance(control, ipywidgets.IntSlider):
        field = ipywidgets.BoundedIntText
    elif isinstance(control, ipywidgets.FloatSlider):
        field = ipywidgets.BoundedFloatText
    else:
        return [control]
    limits = {"min": control.min, "max": control.max, "step": control.step}
    number = field(value=control.value, description=control.description, tooltip="", **limits)
    control.description, control.readout, control.tooltip = "", False, ""  # no tooltip at all would say "null"
    # The front end's slider rounds to its steps and sends 15.000000000000002 for 15.
    ipywidgets.link(
        (number, "value"), (control, "value"), transform=(lambda value: value, lambda value: round(value, 9))
    )
    return [number, control]


def _align(controls: Sequence[Any]) -> None:
    """Labels of one width, so that the controls stand under each other; a number needs little room."""
    import ipywidgets

    width = max((len(each.description) for each in controls if not isinstance(each, ipywidgets.Checkbox)), default=0)
    for control in controls:
        control.style.description_width = f"{width}ch"
        if isinstance(control, ipywidgets.BoundedIntText | ipywidgets.BoundedFloatText):
            control.layout.width = f"calc({width}ch + 7em)"
        elif not control.layout.width:
            control.layout.width = f"calc({width}ch + 24em)"


class Panel:
    """Controls on top, the picture underneath.

    With `button`, the picture changes when it is pressed, else with each control. `panel["name"]` is the
    control of that name; `panel.picture` the last picture; `panel.error` what the last try raised.
    """

    def __init__(
        self,
        title: str,
        show: Callable[..., Picture],
        controls: Mapping[str, Any],
        *,
        button: str | None = None,
    ) -> None:
        import ipywidgets

        self.title = title
        rows = {name: _with_number(control) for name, control in controls.items()}
        self.controls = {name: control for name, (control, *_) in rows.items()}
        self.error: Exception | None = None
        self._show = show
        self.message = ipywidgets.HTML()
        self.chart = ipywidgets.HTML()
        self.run = ipywidgets.Button(description=button or "Run", tooltip=f"{button or 'Run'}: {title}")
        self.run.on_click(lambda _: self.refresh())
        if button is None:
            for control in self.controls.values():
                control.observe(lambda _: self.refresh(), names="value")
        for name, control in self.controls.items():
            control.description = control.description or name.replace("_", " ")
        _align(list(self.controls.values()))
        shown = [ipywidgets.HBox(row) if row[1:] else row[0] for row in rows.values()]
        heading = ipywidgets.HTML(f"<b>{escape(title)}</b>")
        buttons = [self.run] if button else []
        self.box = ipywidgets.VBox([heading, *shown, *buttons, self.message, self.chart])
        self.picture = Picture("not run yet")
        self.refresh()

    def __getitem__(self, name: str) -> Any:
        return self.controls[name]

    @property
    def values(self) -> dict[str, Any]:
        """What the controls say now: the arguments of the function."""
        return {name: control.value for name, control in self.controls.items()}

    def refresh(self) -> None:
        """Call the function with the controls' values and show what it returns, or what it raised."""
        try:
            picture = self._show(**self.values)
        except Exception as error:  # an exception in a handler shows nowhere unless it is shown here
            self.error = error
            self.message.value = f"<pre role='alert'>{escape(f'{type(error).__name__}: {error}')}</pre>"
            logger.exception("panel %r", self.title)
            return
        self.error, self.picture = None, picture
        self.message.value = f'<div class="jp-RenderedHTMLCommon" style="{_OUTPUT_STYLE}">{picture.to_html()}</div>'
        self.chart.value = _figure(picture.chart) if picture.chart else ""

    def __repr__(self) -> str:
        values = ", ".join(f"{name}={value!r}" for name, value in self.values.items())
        return f"{self.title} ({values})\n{self.picture!r}"

    def _repr_mimebundle_(self, **selection: Any) -> dict[str, Any]:
        """The live widgets; and, for a page without a kernel, the sentence and the table."""
        live = self.box._repr_mimebundle_(**selection) or {}
        values = ", ".join(f"{name.replace('_', ' ')} = {value}" for name, value in self.values.items())
        static = (
            f"<p><b>{escape(self.title)}</b> ({escape(values)}). Run the notebook to move the controls.</p>"
            f"{self.picture._repr_html_()}"
        )
        return {**live, "text/plain": repr(self), "text/html": static}
