"""The 90-minute route: the marked cells of the lessons, and the minutes they take.

python -m tools.route     a row per lesson: cells and minutes of the route, minutes of the whole lesson, its sections

A heading that ends with the mark opens a marked section: its text and its cells, up to the next heading, belong to the
route. So does a lesson's opening (title and imports) once any section is marked. An exercise never belongs. The minutes
are those of `tools.reading_time`; the whole lesson is without its exercises. `tools.route_run` runs the route.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from toolkit.lessons.route import ROUTE_MARK, without_mark
from tools.notebooks import find_sources, targets
from tools.reading_time import code_seconds, prose_seconds

HEADING = re.compile(r"^(#{1,6}) (.*)$", re.MULTILINE)
CODE_BLOCK = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Part:
    """A code cell, or the text that one section has in one Markdown cell."""

    section: str
    cell: NotebookNode
    text: str
    on_route: bool
    is_exercise: bool

    @property
    def seconds(self) -> float:
        """How long it takes a reader."""
        return prose_seconds(self.text) if self.cell.cell_type == "markdown" else code_seconds(self.cell)


@dataclass(frozen=True, slots=True)
class Lesson:
    """A learner's notebook, taken apart."""

    number: str
    parts: tuple[Part, ...]

    @property
    def cells(self) -> list[NotebookNode]:
        """The cells of the route, in order; a Markdown cell may belong in part."""
        return list({part.cell["id"]: part.cell for part in self.parts if part.on_route}.values())

    @property
    def sections(self) -> list[str]:
        """The marked headings, without the mark."""
        marked = dict.fromkeys(part.section for part in self.parts if part.section.endswith(ROUTE_MARK))
        return [without_mark(section) for section in marked]

    @property
    def route_min(self) -> float:
        return sum(part.seconds for part in self.parts if part.on_route) / 60

    @property
    def whole_min(self) -> float:
        """The lesson without its exercises."""
        return sum(part.seconds for part in self.parts if not part.is_exercise) / 60


def read_lessons() -> list[Lesson]:
    """Every learner's notebook there is, in order."""
    paths = [path for script in find_sources([]) for path, solved in targets(script) if not solved]
    return [read_lesson(path) for path in paths if path.exists()]


def read_lesson(path: Path) -> Lesson:
    """Take one notebook apart, by its headings."""
    return Lesson(path.stem[:2], tuple(_parts(nbformat.read(path, as_version=4).cells)))


def _parts(cells: list[NotebookNode]) -> Iterator[Part]:
    texts = [_split(cell.source) if cell.cell_type == "markdown" else [("", cell.source)] for cell in cells]
    any_marked = any(heading.endswith(ROUTE_MARK) for pieces in texts for heading, _ in pieces)
    exercises = _exercise_places(cells)
    section, is_opening = "", True
    for place, cell in enumerate(cells):
        for heading, text in texts[place]:
            if heading:
                section, is_opening = heading.lstrip("# "), heading.startswith("# ")
            belongs = section.endswith(ROUTE_MARK) or (is_opening and any_marked)
            yield Part(section, cell, text, belongs and place not in exercises, place in exercises)


def _split(markdown: str) -> list[tuple[str, str]]:
    """The text above the first heading, then each heading with its text; a `#` in a code block begins no heading."""
    outside = CODE_BLOCK.sub(lambda block: block[0].replace("#", " "), markdown)
    headings = {found.start(): found[0].rstrip() for found in HEADING.finditer(outside)}
    edges = sorted({0, *headings, len(markdown)})
    return [(headings.get(start, ""), markdown[start:end]) for start, end in pairwise(edges)]


def _exercise_places(cells: list[NotebookNode]) -> set[int]:
    """Task, stub and check of every exercise: the build puts them around the stub, which has the tag."""
    stubs = [place for place, cell in enumerate(cells) if "exercise" in cell.metadata.get("tags", [])]
    return {place + step for place in stubs for step in (-1, 0, 1)}


def table(lessons: list[Lesson]) -> str:
    """A row per lesson, and one for all."""
    rows = ["lesson  cells  minutes  whole  sections"]
    for each in lessons:
        row = f"{each.number:6}  {len(each.cells):5}  {each.route_min:7.1f}  {each.whole_min:5.1f}"
        rows.append(f"{row}  {' · '.join(each.sections)}")
    cells = sum(len(each.cells) for each in lessons)
    minutes, whole = sum(each.route_min for each in lessons), sum(each.whole_min for each in lessons)
    return "\n".join([*rows, f"{'all':6}  {cells:5}  {minutes:7.1f}  {whole:5.1f}"])


if __name__ == "__main__":
    print(table(read_lessons()))
