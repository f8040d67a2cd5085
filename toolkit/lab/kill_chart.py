"""The kill matrix as a figure: one row for each way to change a run, one column for each check."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from toolkit.lab.figure import Chart, draw_grid
from toolkit.lab.panel import Picture
from toolkit.lab.verdict_chart import FILLS
from toolkit.trajectory.mutate import KillMatrix
from toolkit.trajectory.records import Verdict

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LETTERS = {
    Verdict.PASS: "",
    Verdict.FAIL: "F",
    Verdict.NOT_JUDGEABLE: "?",
    Verdict.NOT_APPLICABLE: "n/a",
    None: "mixed",
}


def kill_chart(matrix: KillMatrix) -> Chart:
    """Draw who notices what; an empty box is a pass. Rows stand in two columns."""
    operators = list(matrix.made)
    half = -(-len(operators) // 2)
    parts = [part for part in (operators[:half], operators[half:]) if part]
    paints = {f"{place}": partial(_paint, matrix=matrix, operators=part) for place, part in enumerate(parts, 1)}
    titled = {f"F fail, ? not judgeable ({place} of {len(parts)})": paint for place, paint in paints.items()}
    return draw_grid(titled, in_words(matrix), columns=len(parts), width=13, height=0.8 + 0.17 * half)


def in_words(matrix: KillMatrix) -> str:
    """How many operators turn each check, and how many turn none."""
    found = dict.fromkeys(matrix.checks, 0)
    for operator in matrix.made:
        for check in matrix.killed_by(operator):
            found[check] += 1
    harmless = sum(not matrix.killed_by(operator) for operator in matrix.made)
    turned = ", ".join(f"{check} turns at {count}" for check, count in found.items())
    return f"{sum(matrix.made.values())} mutants of {len(matrix.made)} operators: {turned}; {harmless} turn nothing"


def kill_table(matrix: KillMatrix, operators: Sequence[str]) -> Picture:
    """Some rows of the matrix as a table, with the number of mutants."""
    rows = [
        [name, matrix.made[name], *(str(matrix.verdict(name, check) or "mixed") for check in matrix.checks)]
        for name in operators
    ]
    return Picture(in_words(matrix), ["change", "mutants", *matrix.checks], rows)


def _paint(axes: Axes, matrix: KillMatrix, operators: Sequence[str]) -> None:
    from matplotlib.patches import Rectangle

    for row, operator in enumerate(operators):
        for column, check in enumerate(matrix.checks):
            verdict = matrix.verdict(operator, check)
            fill, ink = FILLS[str(verdict)] if verdict is not None else ("#ffffff", "#000000")
            axes.add_patch(Rectangle((column, row), 1, 1, facecolor=fill, edgecolor="#ffffff"))
            axes.text(column + 0.5, row + 0.55, LETTERS[verdict], ha="center", va="center", color=ink, fontsize=7)
    axes.set_xlim(0, len(matrix.checks))
    axes.set_ylim(len(operators), 0)
    axes.set_xticks(
        [column + 0.5 for column in range(len(matrix.checks))],
        [check.replace("_", "\n") for check in matrix.checks],
        fontsize=7,
    )
    axes.set_yticks([row + 0.5 for row in range(len(operators))], operators, fontsize=7)
    axes.tick_params(length=0)
    axes.grid(False)
    axes.spines[:].set_visible(False)
