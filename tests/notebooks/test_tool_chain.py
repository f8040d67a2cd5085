"""The chain from a source to its two notebooks."""

from __future__ import annotations

import nbformat
import pytest


def code_cell(notebook, source):
    """The code cell of this source."""
    return next(cell for cell in notebook.cells if cell.source == source)


@pytest.mark.row("K3")
def test_what_was_built_is_green(built):
    """A fresh build passes `check`, and nbval re-runs every code cell of both notebooks."""
    checked, ran = built.run("tools.notebooks", "check"), built.nbval("notebooks")
    assert (checked.returncode, checked.stdout) == (0, "1 lessons are what their sources say\n")
    assert ran.returncode == 0, ran.stdout
    assert "38 passed" in ran.stdout


def test_building_again_gives_the_same_bytes(checkout):
    """A rebuild changes nothing: no time, no id, no address is stored."""
    paths = [checkout.notebook(), checkout.notebook(solved=True)]
    before = [path.read_bytes() for path in paths]
    assert checkout.run("tools.notebooks", "build", "99").returncode == 0
    assert [path.read_bytes() for path in paths] == before


@pytest.mark.row("X5")
@pytest.mark.parametrize(
    ("solved", "last_line", "verdict"),
    [
        (False, "    raise NotImplementedError", "○ not attempted: 99.double"),
        (True, "    return 2 * number", "✓ right: 99.double"),
    ],
)
def test_one_source_gives_the_stub_and_the_solution(built, solved, last_line, verdict):
    """The learner's notebook holds the stub, not attempted; the other the solution, right."""
    notebook = nbformat.read(built.notebook(solved=solved), as_version=4)
    answer = next(cell.source for cell in notebook.cells if "def double" in cell.source)
    check = code_cell(notebook, 'check("99.double", double)')
    assert answer.splitlines()[-1] == last_line
    assert check.outputs[0].data["text/plain"].splitlines()[0] == verdict


@pytest.mark.row("X1")
def test_a_kernel_is_refused_the_network(built):
    """A cell that leaves the machine raises the guard's own error, in the build and under nbval."""
    notebook = nbformat.read(built.notebook(), as_version=4)
    errors = [output for cell in notebook.cells for output in cell.get("outputs", []) if "ename" in output]
    assert [error.ename for error in errors] == ["ZeroDivisionError", "BeyondLoopback"]


def test_a_source_that_raises_is_not_written(checkout):
    """A build with an error leaves the old notebook, and says which cell failed."""
    before = checkout.notebook().read_bytes()
    checkout.source().write_text(checkout.source().read_text().replace("assert 5 + 5 == 2 * 5", "assert 5 == 6"))
    done = checkout.run("tools.notebooks", "build")
    assert done.returncode == 1
    assert "assert 5 == 6" in done.stderr
    assert checkout.notebook().read_bytes() == before


def test_a_picked_cell_brings_the_cells_before_it(built):
    """The node id of one cell runs the cells it needs too, so it does not end in a NameError."""
    ran = built.nbval("notebooks/solutions/99_double.ipynb::Cell 6")  # check("99.double", double)
    assert ran.returncode == 0, ran.stdout
    assert "7 passed" in ran.stdout
