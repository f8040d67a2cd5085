"""Figures without pyplot: no global state, no stray picture in a cell, nothing told by colour alone.

A label may be Chinese: what DejaVu Sans cannot draw is drawn in a Chinese font of the machine. Where there is none, the
picture says so in a line of its own, and no warning lands in the cell.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# One of each per series, beside the colour.
MARKERS = ("o", "s", "^", "D", "v", "X")
HATCHES = ("", "///", "...", "xxx", "\\\\\\", "+++")
LINES = ("-", "--", ":", "-.", (0, (5, 1)), (0, (1, 1)))
STYLE = "petroff6"  # its six colours stay apart for colour-blind readers too
LATIN_FONT = "DejaVu Sans"  # comes with matplotlib
# The first that is installed draws what LATIN_FONT lacks. Debian, Noto and Adobe, macOS, Windows.
CHINESE_FONTS = (
    "WenQuanYi Micro Hei",
    "WenQuanYi Zen Hei",
    "Noto Sans CJK SC",
    "Noto Sans SC",
    "Noto Sans CJK JP",  # what matplotlib calls the collection file of all Noto CJK fonts before 3.11
    "Source Han Sans SC",
    "Source Han Sans CN",
    "PingFang SC",
    "Hiragino Sans GB",
    "Heiti TC",
    "Arial Unicode MS",
    "Microsoft YaHei",
    "SimHei",
    "Droid Sans Fallback",
)
NO_CHINESE_FONT = "No font here draws the boxes. On Debian: apt install fonts-wqy-microhei, restart the kernel."


@dataclass(frozen=True, slots=True)
class Chart:
    """A drawn figure and the same in words. A notebook shows the picture, a screen reader the words.

    `note` is what the picture says of its own lettering: empty, or `NO_CHINESE_FONT`. It is no part of the stored
    text, which is the same on every machine.
    """

    words: str
    png: bytes
    note: str = ""

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
    chinese = chinese_font()
    families = {"font.family": [LATIN_FONT, chinese] if chinese else [LATIN_FONT]}
    with matplotlib.style.context([STYLE, families]):
        figure = Figure(figsize=(width, height * rows), layout="constrained")
        for place, (title, paint) in enumerate(paints.items(), 1):
            axes = figure.add_subplot(rows, columns, place)
            paint(axes)
            if title:
                axes.set_title(title, loc="left", fontsize="medium")
        png, undrawn = _save(figure, dpi)
        if not undrawn:
            return Chart(words, png)
        figure.supxlabel(NO_CHINESE_FONT, x=0.01, ha="left", fontsize="small")
        return Chart(words, _save(figure, dpi)[0], NO_CHINESE_FONT)


def chinese_font() -> str | None:
    """The installed font that draws Chinese in figures; None where there is none.

    A font that was installed after matplotlib made its list of fonts is found too.
    """
    from matplotlib.font_manager import findSystemFonts, fontManager

    known = {entry.name for entry in fontManager.ttflist}
    if known.isdisjoint(CHINESE_FONTS):
        for path in sorted(set(findSystemFonts()) - {entry.fname for entry in fontManager.ttflist}):
            try:
                fontManager.addfont(path)
            except (OSError, RuntimeError):  # a file that is no font it can read
                continue
        known = {entry.name for entry in fontManager.ttflist}
    return next((name for name in CHINESE_FONTS if name in known), None)


def _save(figure: Figure, dpi: int) -> tuple[bytes, bool]:
    """The figure as PNG, and whether a character of it has no glyph in any font of the list."""
    picture = BytesIO()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        # No library version inside: the same figure gives the same bytes.
        figure.savefig(picture, format="png", dpi=dpi, metadata={"Software": None})
    undrawn = [warning for warning in caught if str(warning.message).startswith("Glyph ")]
    for warning in caught:
        if warning not in undrawn:
            warnings.warn_explicit(warning.message, warning.category, warning.filename, warning.lineno)
    return picture.getvalue(), bool(undrawn)
