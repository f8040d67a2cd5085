"""From one percent script to two notebooks: the learner's and the solved one.

A cell tagged `exercise` holds only the exercise's id, as in `# 01.dispatch`. It becomes three cells: the
task in words, the stub (or, in the solved notebook, the solution), and the call of the checker. Both codes
stand in `toolkit/lessons/lesson_NN.py`, where a test proves the checker on them.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import jupytext
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell

if TYPE_CHECKING:
    from toolkit.lessons.exercise import Exercise

EXERCISE_ID = re.compile(r"#\s*(\d\d\.\w+)\s*\Z")


class SourceError(Exception):
    """A source cannot be made into a notebook; the text names the file, the cell and the rule."""


def read_source(script: Path, *, solved: bool) -> NotebookNode:
    """The notebook that `script` describes, not yet executed.

    Raises:
        SourceError: an exercise cell holds something else than an id, or an id that no lesson declares.
    """
    notebook = jupytext.read(script, fmt="py:percent")
    cells: list[NotebookNode] = []
    for cell in notebook.cells:
        if "exercise" in cell.metadata.get("tags", []):
            cells += _exercise_cells(cell.source, script.name, solved=solved)
        else:
            cells.append(cell)
    notebook.cells = cells
    return notebook


def shape(notebook: NotebookNode) -> list[tuple[str, str, list[str]]]:
    """What has to be equal in the source and in the notebook: kind, text and tags of each cell."""
    return [
        (cell.cell_type, cell.source.rstrip("\n"), sorted(cell.metadata.get("tags", []))) for cell in notebook.cells
    ]


def _exercise_cells(source: str, where: str, *, solved: bool) -> list[NotebookNode]:
    from toolkit.lessons.catalogue import find_exercise

    found = EXERCISE_ID.match(source.strip())
    if found is None:
        raise SourceError(f"{where}: an exercise cell holds its id and nothing else, not {source.strip()!r}")
    try:
        exercise = find_exercise(found[1])
    except LookupError as error:
        raise SourceError(f"{where}: {error}") from None
    code = exercise.solution if solved else exercise.stub
    return [
        new_markdown_cell(_task(exercise)),
        new_code_cell(code.strip("\n"), metadata={"tags": ["exercise"]}),
        new_code_cell(f'check("{exercise.id}", {exercise.name})'),
    ]


def _task(exercise: Exercise) -> str:
    minutes = "1 minute" if exercise.minutes == 1 else f"{exercise.minutes} minutes"
    clock = f'`start("{exercise.id}")` starts the clock. ' if exercise.rubric else ""
    return (
        f"**{'Timed build' if exercise.rubric else 'Exercise'} {exercise.id}** · {minutes} · {exercise.difficulty}\n\n"
        f"{exercise.task.strip()}\n\n"
        f'{clock}Stuck? `hint("{exercise.id}", 1)` is the first of {len(exercise.hints)}; '
        f'last comes `solution("{exercise.id}")`.'
    )
