"""Run the code cells of the route and nothing else, and compare each output with the stored one.

python -m tools.route_run [NN ...]     a line per complaint; exit 1 where there is one. A notebook's file will do, too.

One process for all lessons, a fresh namespace for each. What nbval compares is compared: printed text, shown text and
HTML, the name and the text of an error; pictures are not.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output
from nbformat import NotebookNode

from tools import environment
from tools.notebook_form import ADDRESS
from tools.notebooks import NOTEBOOKS
from tools.route import Lesson, read_lesson, read_lessons

Shown = set[tuple[str, str]]  # kind and text
COMPARED = ("stdout", "error", "text/plain", "text/html")


def complaints(lesson: Lesson, shell: InteractiveShell) -> Iterator[str]:
    """What goes wrong, or comes out otherwise, when only the route's cells of a lesson run."""
    shell.reset(new_session=True)
    for cell in (cell for cell in lesson.cells if cell.cell_type == "code"):
        with capture_output() as captured:
            shell.display_trap.hook = sys.displayhook  # the capturing one; the shell's own prints `Out[0]:`
            done = shell.run_cell(cell.source, store_history=False, silent=False)
        error = done.error_before_exec or done.error_in_exec
        if error and "raises-exception" not in cell.metadata.get("tags", []):
            yield f"{_first_line(cell)} raised {type(error).__name__}: {error}"
            return  # what follows would only say that a name is missing
        fresh, stored = _fresh(captured, error), _stored(cell)
        if fresh != stored:
            yield f"{_first_line(cell)} shows {sorted(fresh - stored)}, stored is {sorted(stored - fresh)}"


def _fresh(captured: Any, error: BaseException | None) -> Shown:
    if error:  # the shell prints the traceback; nbval compares name and text
        return {("error", f"{type(error).__name__}: {error}")}
    shown = [item for output in captured.outputs for item in output.data.items()]
    return _comparable([("stdout", captured.stdout), *shown])


def _stored(cell: NotebookNode) -> Shown:
    shown = [item for output in cell.outputs for item in output.get("data", {}).items()]
    shown += [("error", f"{output.ename}: {output.evalue}") for output in cell.outputs if output.output_type == "error"]
    printed = "".join(output.text for output in cell.outputs if output.output_type == "stream")
    return _comparable([("stdout", printed), *shown])


def _comparable(shown: list[tuple[str, str]]) -> Shown:
    kept = [(kind, text) for kind, text in shown if kind in COMPARED and text]
    return {(kind, ADDRESS.sub("at 0x0", text)) for kind, text in kept}


def _first_line(cell: NotebookNode) -> str:
    return repr(cell.source.splitlines()[0])


def main(wanted: list[str]) -> int:
    """Run the lessons wanted, by number or by file; all when none is named."""
    if os.environ.get("PYTHONHASHSEED") != "0":  # it counts only from the start of a process
        environment.apply()
        return subprocess.run([sys.executable, "-m", "tools.route_run", *wanted], check=False).returncode
    lessons = [lesson for lesson in read_lessons() if not wanted or lesson.number in wanted]
    lessons += [read_lesson(Path(name)) for name in wanted if name.endswith(".ipynb")]
    os.chdir(NOTEBOOKS)  # where a kernel starts
    shell = InteractiveShell.instance()
    found = [f"{lesson.number}: {complaint}" for lesson in lessons for complaint in complaints(lesson, shell)]
    print("\n".join(found) or "the marked cells run by themselves, and show what is stored")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
