"""Figures without pyplot: no global state, no stray picture in a cell, nothing told by colour alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# One of each per series, beside the colour.
MARKERS = ("o", "s", "^", "D", "v", "X")
HATCHES = ("", "///", "...", "xxx", "\\\\\\", "+++")
LINES = ("-", "--", ":", "-.", (0, (5, 1)), (0, (1, 1)))
STYLE = "petroff6"  # its six colours stay apart for colour-blind readers too


@dataclass(frozen=True, slots=True)
class Chart:
    """A drawn figure and the same in words. A notebook shows the picture, a screen reader the words."""

    words: str
    png: bytes

    def __repr__(self) -> str:
        return f"Figure: {self.words}"

    def _repr_png_(self) -> bytes:
        return self.png


def draw(
    paint: Callable[[Axes], None], words: str, *, width: float = 6.0, height: float = 2.6, dpi: int = 100
) -> Chart:
    """Paint on fresh axes; `width` and `height` in inches. `words` say what the figure shows.

    >>> draw(lambda axes: axes.bar(["first"], [1]), "one bar, of height 1")
    Figure: one bar, of height 1
    """
    return draw_grid({"": paint}, words, columns=1, width=width, height=height, dpi=dpi)


def draw_grid(
    paints: Mapping[str, Callable[[Axes], None]],
    words: str,
    *,
    columns: int = 2,
    width: float = 9.0,
    height: float = 2.4,
    dpi: int = 100,
) -> Chart:
    """Paint several axes in one figure, each under its title; `height` is that of a row, in inches.

    >>> draw_grid({"one": lambda axes: axes.bar(["first"], [1]), "two": lambda axes: axes.plot([1, 2])}, "two panels")
    Figure: two panels
    """
    import matplotlib.style
    from matplotlib.figure import Figure

    rows = -(-len(paints) // columns)
    with matplotlib.style.context(STYLE):
        figure = Figure(figsize=(width, height * rows), layout="constrained")
        for place, (title, paint) in enumerate(paints.items(), 1):
            axes = figure.add_subplot(rows, columns, place)
            paint(axes)
            if title:
                axes.set_title(title, loc="left", fontsize="medium")
        picture = BytesIO()
        # No library version inside: the same figure gives the same bytes.
        figure.savefig(picture, format="png", dpi=dpi, metadata={"Software": None})
    return Chart(words, picture.getvalue())
