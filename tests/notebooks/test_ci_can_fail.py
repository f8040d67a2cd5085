"""Everything that must turn CI red does. Each variant of the lesson is broken in one way, then judged once."""

from __future__ import annotations

import re
import shutil

import pytest
from nbformat.v4 import new_output


def cell_of(notebook, words):
    """The first code cell whose source holds these words."""
    return next(cell for cell in notebook.cells if cell.cell_type == "code" and words in cell.source)


def change_output(notebook):
    cell_of(notebook, "print(").outputs[0].text = "{'red'}\n"


def store_an_error(notebook):
    cell = cell_of(notebook, "assert 3 + 3")
    cell.source = "assert 3 + 3 == 7"
    cell.outputs = [new_output("error", ename="AssertionError", evalue="", traceback=[])]


def clear_the_run(notebook):
    cell = cell_of(notebook, "print(")
    cell.outputs, cell.execution_count = [], None


def keep_an_old_solution(notebook):
    cell_of(notebook, "def double").source = "def double(number: int) -> int:\n    return number + number"


def fail_the_check(notebook):
    cell_of(notebook, "check(").outputs[0].data["text/plain"] = "✗ wrong: 99.double"


def pass_the_check(notebook):
    cell_of(notebook, "check(").outputs[0].data["text/plain"] = "✓ right: 99.double"


def save_in_an_editor(notebook):
    notebook.metadata.widgets = {"state": {}}
    notebook.cells[1].metadata.execution = {"iopub.status.busy": "2026-09-15T00:00:00Z"}
    notebook.cells[1].id = "0f1e2d3c"


BROKEN = {  # name: (in the solved notebook, the change, what `check` says of it)
    "90_intact": (False, lambda notebook: None, None),
    "91_output": (False, change_output, None),  # only a run can tell
    "92_error": (False, store_an_error, "holds an error, but no tag raises-exception"),
    "93_never_run": (False, clear_the_run, "was never run, so nbval compares nothing"),
    "94_old_solution": (True, keep_an_old_solution, "differs from its source; run: python -m tools.notebooks build"),
    "95_not_right": (True, fail_the_check, 'check("99.double", double) should say ✓ right'),
    "89_stub_leaks": (False, pass_the_check, 'check("99.double", double) should say ○ not attempted'),
    "96_editor": (False, save_in_an_editor, "not in normal form; run: python -m tools.notebooks normalise"),
}


@pytest.fixture(scope="module")
def broken(built, tmp_path_factory):
    """A checkout with one variant of the lesson for each way to break it."""
    checkout = type(built)(tmp_path_factory.mktemp("broken") / "checkout")
    shutil.copytree(built.root, checkout.root)
    for name, (solved, change, _) in BROKEN.items():
        checkout.variant(name)
        checkout.edit(checkout.notebook(name, solved=solved), change)
    checkout.variant("97_no_source")
    checkout.source("97_no_source").unlink()
    checkout.variant("88_unknown_exercise")
    source = checkout.source("88_unknown_exercise")
    source.write_text(source.read_text().replace("# 99.double", "# 99.triple"))
    checkout.variant("98_no_notebook")
    checkout.notebook("98_no_notebook").unlink()
    return checkout


@pytest.fixture(scope="module")
def checked(broken):
    """What `check` says of it."""
    return broken.run("tools.notebooks", "check")


@pytest.fixture(scope="module")
def ran(broken):
    """What nbval says of the intact and of two broken variants."""
    return broken.nbval(*(f"notebooks/{name}.ipynb" for name in ("90_intact", "91_output", "92_error")))


@pytest.mark.row("K3")
def test_nbval_is_red_exactly_where_something_changed(ran):
    """A changed output and an error cell fail, one cell each; the intact notebook passes."""
    assert ran.returncode == 1
    failed = re.findall(r"^FAILED notebooks/(\w+)\.ipynb::Cell (\d+)", ran.stdout, re.MULTILINE)
    assert failed == [("91_output", "2"), ("92_error", "10")]
    assert "55 passed" in ran.stdout


@pytest.mark.row("K3")
def test_nbval_shows_the_stored_and_the_fresh_output(ran):
    """The report holds both sides, so that a reader of a CI log sees what changed."""
    assert "+ {'red'}" in ran.stdout
    assert "- {'red', 'blue', 'green'}" in ran.stdout


@pytest.mark.row("K3", "X5")
@pytest.mark.parametrize("name", BROKEN)
def test_check_names_what_is_wrong(checked, name):
    """Each broken file has its complaint, and an intact one none."""
    solved, _, complaint = BROKEN[name]
    path = f"notebooks/{'solutions/' if solved else ''}{name}.ipynb: "
    said = [line.removeprefix(path) for line in checked.stdout.splitlines() if name in line]
    assert checked.returncode == 1
    assert any(complaint in line for line in said) if complaint else not said, checked.stdout


def test_check_finds_leftovers_and_gaps(checked):
    """A notebook without a source, and a source without its notebook, do not stay unnoticed."""
    assert "notebooks/97_no_source.ipynb: no source makes it\n" in checked.stdout
    assert "notebooks/98_no_notebook.ipynb: missing; run: python -m tools.notebooks build\n" in checked.stdout


def test_check_names_an_exercise_that_is_not_declared(checked):
    """A mistyped id is a complaint with the ids there are, not a traceback."""
    said = "88_unknown_exercise.py: no exercise '99.triple'; lesson 99 has: 99.double\n"
    assert f"notebooks/88_unknown_exercise.ipynb: {said}" in checked.stdout
    assert checked.stderr == ""


def test_normalise_brings_an_editor_s_file_back(broken, checked):
    """`normalise` undoes what saving in JupyterLab adds, byte for byte."""
    assert broken.run("tools.notebooks", "normalise", "96").returncode == 0
    assert broken.notebook("96_editor").read_bytes() == broken.notebook("90_intact").read_bytes()
