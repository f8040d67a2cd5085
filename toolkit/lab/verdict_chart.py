"""Verdicts as a chart: a box each, its word inside. Fills differ in lightness, so they part in grey too.

The same boxes are drawn twice: by matplotlib for a notebook, and as an SVG of plain text for a README.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING

from toolkit.lab.figure import Chart, draw

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Rows = Mapping[str, Sequence[str]]

FILLS = {  # verdict: fill and ink
    "pass": ("#d3e6f7", "#10324f"),
    "fail": ("#a63a00", "#ffffff"),
    "not_judgeable": ("#767676", "#ffffff"),
    "not_applicable": ("#ffffff", "#555555"),
}
_LABEL, _BOX, _LINE, _HEAD = 190, 128, 36, 40  # SVG, in pixels: row names, box width, box height, column names


def chart_of(columns: Sequence[str], rows: Rows, *, heads: Sequence[str] | None = None) -> Chart:
    """Draw the verdicts of each row, one box a column; `heads` stand over the columns in the place of their names.

    >>> chart_of(["ok", "skip"], {"plan_first": ["pass", "pass"], "no_skipped_step": ["pass", "fail"]})
    Figure: ok: pass throughout; skip: fail at no_skipped_step
    """
    width, height = 2.1 + 1.2 * len(columns), 0.5 + 0.34 * len(rows)
    return draw(lambda axes: _paint(axes, heads or columns, rows), in_words(columns, rows), width=width, height=height)


def in_words(columns: Sequence[str], rows: Rows) -> str:
    """What the chart shows, column by column: where it is not pass."""
    return "; ".join(
        f"{column}: {_column_in_words({name: verdicts[place] for name, verdicts in rows.items()})}"
        for place, column in enumerate(columns)
    )


def _column_in_words(verdicts: Mapping[str, str]) -> str:
    places: dict[str, list[str]] = {}
    for name, verdict in verdicts.items():
        if verdict != "pass":
            places.setdefault(verdict, []).append(name)
    return ", and ".join(f"{verdict} at {', '.join(names)}" for verdict, names in places.items()) or "pass throughout"


def _paint(axes: Axes, columns: Sequence[str], rows: Rows) -> None:
    from matplotlib.patches import Rectangle

    for row, verdicts in enumerate(rows.values()):
        for column, verdict in enumerate(verdicts):
            fill, ink = FILLS[verdict]
            axes.add_patch(Rectangle((column + 0.02, row + 0.06), 0.96, 0.88, facecolor=fill, edgecolor="#888888"))
            axes.text(column + 0.5, row + 0.5, verdict, ha="center", va="center", color=ink, fontsize=9)
    axes.set_xlim(0, len(columns))
    axes.set_ylim(len(rows), 0)
    axes.set_xticks([column + 0.5 for column in range(len(columns))], columns)
    axes.set_yticks([row + 0.5 for row in range(len(rows))], list(rows))
    axes.xaxis.tick_top()
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)


def svg_of(columns: Sequence[str], rows: Rows) -> str:
    """Draw the same boxes as an SVG whose words are text. White behind, for pages that are dark."""
    width, height = _LABEL + _BOX * len(columns) + 10, _HEAD + _LINE * len(rows) + 10
    words = escape(in_words(columns, rows))
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}"',
        '     role="img" font-family="Verdana, DejaVu Sans, sans-serif" font-size="13">',
        f"<title>{words}</title>",
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
    ]
    for column, name in enumerate(columns):
        lines.append(_text(_LABEL + _BOX * (column + 0.5), _HEAD - 14, name, "#222222", weight="bold"))
    for row, (name, verdicts) in enumerate(rows.items()):
        top = _HEAD + _LINE * row
        lines.append(_text(_LABEL - 12, top + 22, name, "#222222", anchor="end"))
        for column, verdict in enumerate(verdicts):
            lines += _box(_LABEL + _BOX * column, top, verdict)
    return "\n".join([*lines, "</svg>", ""])


def _box(left: int, top: int, verdict: str) -> list[str]:
    fill, ink = FILLS[verdict]
    return [
        f'<rect x="{left + 2}" y="{top + 2}" width="{_BOX - 4}" height="{_LINE - 4}" rx="3" '
        f'fill="{fill}" stroke="#888888"/>',
        _text(left + _BOX / 2, top + 22, verdict, ink, weight="bold" if verdict == "fail" else "normal"),
    ]


def _text(x: float, y: float, words: str, ink: str, *, anchor: str = "middle", weight: str = "normal") -> str:
    style = f'text-anchor="{anchor}" fill="{ink}" font-weight="{weight}"'
    return f'<text x="{x:g}" y="{y:g}" {style}>{escape(words)}</text>'
