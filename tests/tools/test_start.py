"""start.py, with a recorder in the place of the commands it would run."""

from __future__ import annotations

import pytest

import start


class Recorder:
    """Notes each command and gives the exit code wanted for the first whose words hold a key."""

    def __init__(self, **codes):
        self.codes = codes
        self.ran = []

    def __call__(self, *command):
        words = " ".join(str(part) for part in command)
        self.ran.append(words)
        if "venv" in words.split():
            start.PYTHON.parent.mkdir(parents=True)
            start.PYTHON.touch()
        return next((code for key, code in self.codes.items() if key in words), 0)


@pytest.fixture
def fresh(tmp_path, monkeypatch):
    """A fresh machine: no .venv yet, and CI is not set. Returns a way to start with a recorder."""
    monkeypatch.setattr(start, "VENV", tmp_path / "venv")
    monkeypatch.setattr(start, "PYTHON", tmp_path / "venv" / "bin" / "python")
    monkeypatch.delenv("CI", raising=False)

    def begin(*words, **codes):
        recorder = Recorder(**codes)
        monkeypatch.setattr(start, "run", recorder)
        return start.main(list(words)), [command.replace(str(start.PYTHON), "PYTHON") for command in recorder.ran]

    return begin


PIP = "PYTHON -m pip --disable-pip-version-check install --quiet --constraint constraints.txt --editable"


def test_the_first_start_installs_judges_and_opens_the_notebooks(fresh, monkeypatch):
    """Environment, package, control table, JupyterLab, in this order."""
    monkeypatch.setattr(start, "open_notebooks", lambda: start.run("open"))
    code, ran = fresh()
    assert (code, ran[1:]) == (0, [f"{PIP} .", "PYTHON -m toolkit.cli check", "open"])
    assert ran[0].endswith(f"-m venv {start.VENV}")


def test_a_second_start_installs_nothing(fresh):
    """What was installed is remembered until the project file or the constraints change."""
    fresh("test")
    assert fresh("test") == (0, ["PYTHON -m pytest --nbval -n auto --maxprocesses 4"])
    assert fresh("check") == (0, ["PYTHON -m tools.check"])


def test_the_tests_need_more_than_the_lessons(fresh):
    """After the lessons alone, the developer's packages are still missing."""
    fresh("lessons", toolkit=1)
    assert fresh("test") == (0, [f"{PIP} .[dev]", "PYTHON -m pytest --nbval -n auto --maxprocesses 4"])


def test_the_browser_needs_more_than_the_tests(fresh):
    """Only this word brings playwright, and whoever has it has what the tests need."""
    fresh("test")
    wanted = "PYTHON -m pytest -p no:nbval tests/browser"
    assert fresh("browser") == (0, [f"{PIP} .[dev,browser]", wanted])
    assert fresh("browser") == (0, [wanted])
    assert fresh("check") == (0, ["PYTHON -m tools.check"])


def test_in_ci_the_browser_opens_a_handful(fresh, monkeypatch):
    """All lessons take longer than CI should."""
    fresh("browser")
    monkeypatch.setenv("CI", "1")
    assert fresh("browser")[1] == ["PYTHON -m pytest -p no:nbval tests/browser --lessons 00,02,11,12"]


@pytest.mark.parametrize("table", [0, 1])
def test_in_ci_it_ends_with_the_table(fresh, monkeypatch, table):
    """With CI set no server is started, and the table's exit code counts."""
    monkeypatch.setenv("CI", "1")
    code, ran = fresh(toolkit=table)
    assert code == table
    assert ran[-1] == "PYTHON -m toolkit.cli check"


@pytest.mark.parametrize(("failing", "said"), [("venv", "apt install python3-venv"), ("pip", "pip said stands above")])
def test_a_failed_set_up_is_told_and_tried_again(fresh, capsys, failing, said):
    """What failed is named, nothing runs on top of it, and the next start begins anew."""
    code, _ = fresh("test", **{failing: 1})
    assert code == 1
    assert said in capsys.readouterr().out
    assert not (start.VENV / "installed.txt").exists()


def test_an_unknown_word_prints_the_usage(fresh, capsys):
    """Nothing is installed for a mistyped word."""
    assert fresh("tests") == (2, [])
    assert "python3 start.py test" in capsys.readouterr().out


def test_an_old_python_is_told_what_is_needed(fresh, capsys, monkeypatch):
    """The reason, not a syntax error."""
    monkeypatch.setattr(start.sys, "version_info", (3, 10, 4))
    assert fresh() == (2, [])
    assert capsys.readouterr().out.startswith("Python 3.11 or newer is needed; this is ")
