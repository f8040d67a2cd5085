"""The 90-minute route: the marked cells of the lessons, and the minutes they take.

python -m tools.route            a row per lesson: cells, minutes on the route, minutes of the whole lesson

A heading that ends with the mark opens a marked section: its text and its cells, up to the next heading, belong to the
route. So does a lesson's opening (title and imports) once any section is marked. An exercise never belongs.

Minutes, by this rule:

- prose and questions, 200 words a minute. Adults read English non-fiction silently at 238 words a minute:
  M. Brysbaert, "How many words do we read per minute? A review and meta-analysis of reading rate", Journal of Memory
  and Language 109 (2019), 104047. A sixth less here, for a text with code words in it;
- code, 4 s a line that is neither blank, nor a comment, nor an import; an output, 1.5 s a line, at most twelve lines of
  it, and 10 s for a figure; 2 s to run a cell; 15 s to choose an answer; 15 s to try what a cell moves in a panel.
  These are ours: with them a whole lesson without its exercises takes about what its first cell says.
"""

from __future__ import annotations

import ast
import math
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from toolkit.lessons.route import ROUTE_MARK
from tools.notebooks import find_sources, targets

WORDS_A_MINUTE = 200
CODE_LINE_S, OUTPUT_LINE_S, OUTPUT_LINES_READ, FIGURE_S = 4.0, 1.5, 12, 10.0
RUN_S, CHOOSE_S, MOVE_S = 2.0, 15.0, 15.0
HEADING = re.compile(r"^(#{1,6}) .*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Part:
    """A code cell, or the text that one section has in one Markdown cell."""

    section: str
    cell: NotebookNode
    text: str
    marked: bool
    exercise: bool

    @property
    def seconds(self) -> float:
        """How long it takes to read, and to run and look at where it is code."""
        if self.cell.cell_type == "markdown":
            return 60 * _words(self.text) / WORDS_A_MINUTE
        return _code_seconds(self.cell)


@dataclass(frozen=True, slots=True)
class Lesson:
    """A learner's notebook, taken apart."""

    number: str
    parts: tuple[Part, ...]

    @property
    def on_route(self) -> tuple[Part, ...]:
        return tuple(part for part in self.parts if part.marked)

    @property
    def code(self) -> list[NotebookNode]:
        """The code cells of the route, in order."""
        return [part.cell for part in self.on_route if part.cell.cell_type == "code"]

    @property
    def sections(self) -> list[str]:
        """The marked headings, without the mark."""
        marked = dict.fromkeys(part.section for part in self.parts if part.section.endswith(ROUTE_MARK))
        return [section.removesuffix(ROUTE_MARK).strip("# ") for section in marked]

    @property
    def route_min(self) -> float:
        return sum(part.seconds for part in self.on_route) / 60

    @property
    def whole_min(self) -> float:
        """The lesson without its exercises."""
        return sum(part.seconds for part in self.parts if not part.exercise) / 60


def read_lessons() -> list[Lesson]:
    """Every learner's notebook there is, in order."""
    paths = [path for script in find_sources([]) for path, solved in targets(script) if not solved]
    return [read_lesson(path) for path in paths if path.exists()]


def read_lesson(path: Path) -> Lesson:
    """Take one notebook apart, by its headings."""
    return Lesson(path.stem[:2], tuple(_parts(nbformat.read(path, as_version=4))))


def shown_minutes(lesson: Lesson) -> int:
    """What the map of lesson 00 says: whole minutes, rounded up."""
    return math.ceil(lesson.route_min)


def _parts(notebook: NotebookNode) -> Iterator[Part]:
    cells = notebook.cells
    exercises = _exercise_places(cells)
    any_marked = any(_is_marked(text) for cell in cells if cell.cell_type == "markdown" for text in _split(cell.source))
    section = ""
    for place, cell in enumerate(cells):
        exercise = place in exercises
        for text in _split(cell.source) if cell.cell_type == "markdown" else [cell.source]:
            if cell.cell_type == "markdown" and (heading := HEADING.match(text)):
                section = heading[0].rstrip()
            opening = section.startswith("# ") and any_marked
            yield Part(section, cell, text, (opening or _is_marked(section)) and not exercise, exercise)


def _split(markdown: str) -> list[str]:
    """The text above the first heading, and each heading with its text; a `#` line in a code block is no heading."""
    outside = re.sub(
        r"^```.*?^```", lambda block: re.sub(r"^#", " ", block[0], flags=re.M), markdown, flags=re.M | re.S
    )
    starts = [heading.start() for heading in HEADING.finditer(outside)]
    edges = [0, *(start for start in starts if start), len(markdown)]
    return [markdown[start:end] for start, end in pairwise(edges)]


def _is_marked(text: str) -> bool:
    heading = HEADING.match(text)
    return heading is not None and heading[0].rstrip().endswith(ROUTE_MARK)


def _exercise_places(cells: list[NotebookNode]) -> set[int]:
    """Task, stub and check of every exercise; the build puts them around the stub, which has the tag."""
    stubs = [place for place, cell in enumerate(cells) if "exercise" in cell.metadata.get("tags", [])]
    return {place + step for place in stubs for step in (-1, 0, 1)}


def _words(markdown: str) -> int:
    shown = re.sub(r"\]\([^)]*\)", "]", markdown)  # of a link its words are read, not its address
    return len(re.findall(r"[\w'’-]*\w[\w'’-]*", shown))


def _code_seconds(cell: NotebookNode) -> float:
    seconds = RUN_S + CODE_LINE_S * _code_lines(cell.source)
    seconds += CHOOSE_S * cell.source.count("predict(")
    seconds += MOVE_S * bool(re.search(r"\.value = |\.value, .* = |\.click\(\)", cell.source))
    for output in cell.outputs:
        data = output.get("data", {})
        lines = (output.get("text") or data.get("text/plain") or output.get("evalue") or "").strip().splitlines()
        if "image/png" in data:
            seconds += FIGURE_S
        elif "predict(" in cell.source and "(" in "".join(lines):
            seconds += 60 * _words(" ".join(lines)) / WORDS_A_MINUTE
        else:
            seconds += OUTPUT_LINE_S * min(len(lines), OUTPUT_LINES_READ)
    return seconds


def _code_lines(source: str) -> int:
    flags = ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    tree = compile(source, "<cell>", "exec", flags, dont_inherit=True)
    assert isinstance(tree, ast.Module)
    imports = {
        line
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    }
    lines = enumerate(source.splitlines(), 1)
    return sum(bool(line.strip()) and not line.lstrip().startswith("#") and at not in imports for at, line in lines)


def main() -> int:
    """Print the table."""
    lessons = read_lessons()
    print("lesson  cells  minutes  whole  sections")
    for lesson in lessons:
        row = f"{lesson.number:6}  {len(lesson.on_route):5}  {lesson.route_min:7.1f}  {lesson.whole_min:5.1f}"
        print(f"{row}  {' · '.join(lesson.sections)}")
    total, whole = (sum(getattr(lesson, name) for lesson in lessons) for name in ("route_min", "whole_min"))
    print(f"{'all':6}  {sum(len(lesson.on_route) for lesson in lessons):5}  {total:7.1f}  {whole:5.1f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
