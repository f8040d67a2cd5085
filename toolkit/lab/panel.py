"""The base of every widget panel: a pure function decides what to show, the panel owns the widgets.

`show(**values) -> Picture` is called with the controls' values and is tested without any widget. The panel
calls it, writes the result into HTML and Image widgets, and shows an error where the reader looks; it
computes nothing. Without a kernel (on GitHub, in a stored notebook) the same sentence and table stand
there; the chart is shown by a cell of its own, `panel.picture.chart`.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

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


def _cell(tag: str, content: object) -> str:
    """Left-aligned: a notebook's own style puts every cell of a table to the right, which is for numbers."""
    return f'<{tag} style="text-align: left">{escape(str(content))}</{tag}>'


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
        self.controls = dict(controls)
        self.error: Exception | None = None
        self._show = show
        self.message = ipywidgets.HTML()
        self.image = ipywidgets.Image(format="png")
        self.caption = ipywidgets.HTML()
        self.run = ipywidgets.Button(description=button or "Run", tooltip=f"{button or 'Run'}: {title}")
        self.run.on_click(lambda _: self.refresh())
        if button is None:
            for control in self.controls.values():
                control.observe(lambda _: self.refresh(), names="value")
        for name, control in self.controls.items():
            control.description = control.description or name.replace("_", " ")
            control.style.description_width = "initial"
        heading = ipywidgets.HTML(f"<b>{escape(title)}</b>")
        buttons = [self.run] if button else []
        self.box = ipywidgets.VBox([heading, *self.controls.values(), *buttons, self.message, self.image, self.caption])
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
        self.message.value = picture.to_html()
        self.image.value = picture.chart.png if picture.chart else b""
        self.image.layout.display = "" if picture.chart else "none"
        self.caption.value = f"<i>{escape(picture.chart.words)}</i>" if picture.chart else ""

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
