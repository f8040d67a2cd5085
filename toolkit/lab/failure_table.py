"""The failure lab's table: every fault on every layer, and how it ended. Produced by running them, never written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from toolkit.lab.failure_course import LAYER_TITLES, Target, run_fault
from toolkit.lab.failure_ending import ENDINGS, MEANINGS, WELL, Ending, ending_of
from toolkit.lab.faults import FAULTS
from toolkit.lab.figure import Chart, draw
from toolkit.lab.panel import Picture

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MARKERS = ("o", "s", "D", "<", "X", "^", "P", "v", "x")  # one for each ending; the colour only says well or badly


@dataclass(frozen=True, slots=True)
class FailureTable:
    """Faults by layers; `table["hang", "3 gateway"]` is one ending."""

    tool: Target
    cells: Mapping[tuple[str, str], Ending]

    def __getitem__(self, key: tuple[str, str]) -> Ending:
        return self.cells[key]

    @property
    def picture(self) -> Picture:
        """A row per fault, a column per layer; the summary counts those that end well: done, refused, unsure."""
        rows = [
            [name, fault.description, *(self.cells[name, title] for title in LAYER_TITLES)]
            for name, fault in FAULTS.items()
        ]
        counts = ", ".join(f"{title} {self.well(title)}" for title in LAYER_TITLES)
        said = f"{self.tool}: of {len(FAULTS)} faults end well: {counts}."
        return Picture(said, ["fault", "what it is", *LAYER_TITLES], rows, self.chart)

    @property
    def chart(self) -> Chart:
        """A line per layer, a mark per fault."""
        words = "; ".join(f"{title}: {self._counts(title)}" for title in LAYER_TITLES)
        return draw(self._paint, f"how {len(FAULTS)} faults of {self.tool} end. {words}", width=9, height=3.2)

    def well(self, title: str) -> int:
        """How many faults this layer brings to a good end."""
        return sum(self.cells[name, title] in WELL for name in FAULTS)

    def _counts(self, title: str) -> str:
        found = [self.cells[name, title] for name in FAULTS]
        return ", ".join(f"{found.count(ending)} {ending}" for ending in ENDINGS if ending in found)

    def _paint(self, axes: Axes) -> None:
        for ending, marker in zip(ENDINGS, _MARKERS, strict=True):
            at = [
                (x, y)
                for y, title in enumerate(LAYER_TITLES)
                for x, name in enumerate(FAULTS)
                if self.cells[name, title] == ending
            ]
            if at:
                color = "C0" if ending in WELL else "C1"
                axes.scatter([x for x, _ in at], [y for _, y in at], marker=marker, s=70, color=color, label=ending)
        axes.set_xticks(range(len(FAULTS)), [name.replace("_", " ") for name in FAULTS], rotation=40, ha="right")
        axes.set_yticks(range(len(LAYER_TITLES)), LAYER_TITLES)
        axes.set_ylim(len(LAYER_TITLES) - 0.5, -0.5)
        axes.legend(loc="center left", bbox_to_anchor=(1, 0.5), frameon=False)

    def __repr__(self) -> str:
        return repr(self.picture)

    def _repr_html_(self) -> str:
        return self.picture._repr_html_()


def failure_table(tool: Target = "book_hotel") -> FailureTable:
    """Put every fault on every layer, once, and say how each ended."""
    cells = {
        (fault, title): ending_of(run_fault(title, fault, tool=tool)[0]) for fault in FAULTS for title in LAYER_TITLES
    }
    return FailureTable(tool, cells)


def meanings() -> Picture:
    """The words for an ending."""
    rows = [[ending, MEANINGS[ending], "well" if ending in WELL else "badly"] for ending in ENDINGS]
    return Picture("Nine ways to end.", ["word", "what it means", "ends"], rows)
