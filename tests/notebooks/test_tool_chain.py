"""The chain from a source to its notebooks, and that CI turns red where it must."""

from __future__ import annotations

import nbformat
import pytest
from nbformat.v4 import new_output


def code_cell(notebook, source):
    """The code cell of this source."""
    return next(cell for cell in notebook.cells if cell.source == source)


def nbval(checkout):
    """`pytest --nbval` on the checkout's notebooks."""
    return checkout.run("pytest", "--nbval", "-q", "-p", "no:cacheprovider", "notebooks")


@pytest.mark.row("K3")
def test_an_unchanged_checkout_is_green(checkout):
    """What was just built passes `check`, and nbval re-runs every code cell of both notebooks."""
    checked, ran = checkout.run("tools.notebooks", "check"), nbval(checkout)
    assert (checked.returncode, checked.stdout) == (0, "1 lessons are what their sources say\n")
    assert ran.returncode == 0, ran.stdout
    assert "36 passed" in ran.stdout


def test_building_twice_gives_the_same_bytes(checkout):
    """A rebuild changes nothing: no time, no id, no address is stored."""
    before = [checkout.notebook.read_bytes(), checkout.solved.read_bytes()]
    assert checkout.run("tools.notebooks", "build", "99").returncode == 0
    assert [checkout.notebook.read_bytes(), checkout.solved.read_bytes()] == before


def test_one_source_gives_the_stub_and_the_solution(built):
    """The learner's notebook holds the stub, not attempted; the other the solution, right."""
    answers = []
    for path in (built.notebook, built.solved):
        notebook = nbformat.read(path, as_version=4)
        stub = next(cell.source for cell in notebook.cells if "def double" in cell.source)
        check = code_cell(notebook, 'check("99.double", double)')
        answers.append((stub.splitlines()[-1], check.outputs[0].data["text/plain"].splitlines()[0]))
    assert answers == [
        ("    raise NotImplementedError", "○ not attempted: 99.double"),
        ("    return 2 * number", "✓ right: 99.double"),
    ]


@pytest.mark.row("K3")
def test_a_changed_output_turns_nbval_red(checkout):
    """A stored output that the code no longer gives fails, and is shown."""

    def change(notebook):
        code_cell(notebook, 'print({"red", "green", "blue"})').outputs[0].text = "{'red'}\n"

    checkout.edit(checkout.notebook, change)
    ran = nbval(checkout)
    assert ran.returncode == 1, ran.stdout
    assert "1 failed" in ran.stdout
    assert "+ {'red'}" in ran.stdout.replace("\x1b", "")


@pytest.mark.row("K3")
def test_an_error_cell_turns_nbval_and_check_red(checkout):
    """A cell that raises without the tag fails in both, even where the error is stored as its output."""

    def change(notebook):
        cell = code_cell(notebook, "assert 3 + 3 == 2 * 3")
        cell.source = "assert 3 + 3 == 7"
        cell.outputs = [new_output("error", ename="AssertionError", evalue="", traceback=[])]

    checkout.edit(checkout.notebook, change)
    ran, checked = nbval(checkout), checkout.run("tools.notebooks", "check")
    assert ran.returncode == 1, ran.stdout
    assert "1 failed" in ran.stdout
    assert checked.returncode == 1
    assert "holds an error, but no tag raises-exception" in checked.stdout


@pytest.mark.row("X5")
def test_a_stale_solution_turns_check_red(checkout):
    """A solution changed in the lesson but not rebuilt is found, without a kernel."""
    lesson = checkout.root / "toolkit" / "lessons" / "lesson_99.py"
    lesson.write_text(lesson.read_text().replace("return 2 * number", "return number + number"))
    checked = checkout.run("tools.notebooks", "check")
    assert checked.returncode == 1
    assert checked.stdout == (
        "notebooks/solutions/99_double.ipynb: differs from its source; run: python -m tools.notebooks build\n"
    )


@pytest.mark.row("X5")
def test_a_solution_that_is_not_right_turns_check_red(checkout):
    """A wrong solution builds, for a checker never raises, but `check` refuses it."""
    lesson = checkout.root / "toolkit" / "lessons" / "lesson_99.py"
    lesson.write_text(lesson.read_text().replace("return 2 * number", "return 3 * number"))
    assert checkout.run("tools.notebooks", "build").returncode == 0
    checked = checkout.run("tools.notebooks", "check")
    assert checked.returncode == 1
    assert 'not solved: check("99.double", double)' in checked.stdout


def test_a_source_that_raises_is_not_written(checkout):
    """A build with an error leaves the old notebook, and says which cell failed."""
    before = checkout.notebook.read_bytes()
    checkout.source.write_text(checkout.source.read_text().replace("assert 5 + 5 == 2 * 5", "assert 5 == 6"))
    done = checkout.run("tools.notebooks", "build")
    assert done.returncode == 1
    assert "assert 5 == 6" in done.stderr
    assert checkout.notebook.read_bytes() == before


def test_a_notebook_without_a_source_turns_check_red(checkout):
    """A leftover of a renamed lesson does not stay unnoticed."""
    checkout.notebook.rename(checkout.notebook.with_name("98_old.ipynb"))
    checked = checkout.run("tools.notebooks", "check")
    assert checked.returncode == 1
    assert "notebooks/98_old.ipynb: no source makes it" in checked.stdout
    assert "notebooks/99_double.ipynb: missing" in checked.stdout


def test_an_editor_s_file_is_brought_back(checkout):
    """`normalise` undoes what saving in JupyterLab adds, byte for byte."""
    before = checkout.notebook.read_bytes()

    def change(notebook):
        notebook.metadata.widgets = {"state": {}}
        notebook.cells[1].metadata.execution = {"iopub.status.busy": "2026-09-15T00:00:00Z"}
        notebook.cells[1].id = "0f1e2d3c"

    checkout.edit(checkout.notebook, change)
    assert "not in normal form" in checkout.run("tools.notebooks", "check").stdout
    assert checkout.run("tools.notebooks", "normalise").returncode == 0
    assert checkout.notebook.read_bytes() == before


def test_a_picked_cell_brings_the_cells_before_it(checkout):
    """The node id of one cell runs the cells it needs too, so it does not end in a NameError."""
    picked = "notebooks/solutions/99_double.ipynb::Cell 5"  # check("99.double", double)
    ran = checkout.run("pytest", "--nbval", "-q", "-p", "no:cacheprovider", picked)
    assert ran.returncode == 0, ran.stdout
    assert "6 passed" in ran.stdout
