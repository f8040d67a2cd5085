"""The list of rows that have a test."""

from __future__ import annotations

import pytest

from tools import rows

TEST = """
import pytest
pytestmark = pytest.mark.row("K3")

@pytest.mark.row("F1", "F2")
def test_two(): ...

@pytest.mark.parametrize("x", [pytest.param(1, marks=pytest.mark.row(row)) for row in ("S1", "S2")])
def test_parameter(x): ...

class TestGroup:
    @pytest.mark.row("F1")
    def test_inside(self): ...
"""


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A project with one test file."""
    root = tmp_path_factory.mktemp("project")
    (root / "tests").mkdir()
    (root / "tests" / "test_faults.py").write_text(TEST)
    (root / "pyproject.toml").write_text("[tool.pytest.ini_options]\nmarkers = ['row(*ids): a row']\n")
    return root


@pytest.fixture
def proofs(project, monkeypatch):
    """The command, looking at that project."""
    found = rows.collect(project)
    monkeypatch.setattr(rows, "collect", lambda root: found)
    return found


def test_marks_are_found_wherever_they_stand(proofs):
    """On a function, in a class, on a parameter made in a loop; the module's mark is on all."""
    path = "tests/test_faults.py"
    everything = [f"{path}::test_two", f"{path}::test_parameter", f"{path}::TestGroup::test_inside"]
    assert proofs == {
        "K3": everything,
        "F1": [f"{path}::test_two", f"{path}::TestGroup::test_inside"],
        "F2": [f"{path}::test_two"],
        "S1": [f"{path}::test_parameter"],
        "S2": [f"{path}::test_parameter"],
    }


def test_the_table_names_rows_without_a_test(proofs, capsys):
    """One line per letter with the gaps, then the sum; strict turns a gap into exit 1."""
    assert rows.main(["--strict"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[4] == "K   1 of  5  the kit itself                      none: K1 K2 K4 K5"
    assert lines[-1] == "5 of 204 rows have a test"


def test_one_row_lists_its_tests(proofs, capsys):
    """Asking for a row gives its tests, or says that there is none."""
    assert rows.main(["F2", "F3"]) == 0
    assert capsys.readouterr().out == "F2\n  tests/test_faults.py::test_two\nF3\n  no test\n"


def test_a_row_that_does_not_exist_is_refused(proofs, capsys):
    """A mistyped mark would prove nothing."""
    proofs["F31"] = ["tests/test_typo.py::test_x"]
    assert rows.main([]) == 2
    assert capsys.readouterr().err == "no such row: F31\n"


def test_a_test_file_that_does_not_import_is_told(tmp_path):
    """A table over half of the tests would mislead."""
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_broken.py").write_text("import nothing_of_this_name")
    with pytest.raises(RuntimeError, match="nothing_of_this_name"):
        rows.collect(tmp_path)


def test_every_mark_in_this_session_names_a_row(request):
    """No test claims a row that nobody promised."""
    claimed = {row for item in request.session.items for mark in item.iter_markers("row") for row in mark.args}
    assert claimed <= set(rows.all_rows())
