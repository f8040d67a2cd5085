"""A small checkout of its own, with one throw-away lesson, in which a test may break what it likes."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import nbformat
import pytest

from tools.environment import ROOT
from tools.notebook_form import to_text

LESSON = '''
"""A throw-away lesson."""

from toolkit.lessons.exercise import Exercise
from toolkit.lessons.expect import expect_equal
from toolkit.lessons.prediction import Question


def _check_double(double):
    expect_equal(double(2), 4, "double(2)")


EXERCISES = (
    Exercise(
        id="99.double",
        task="Return twice the number.",
        minutes=1,
        difficulty="easy",
        hints=("Add it to itself.",),
        stub="def double(number: int) -> int:\\n    raise NotImplementedError",
        solution="def double(number: int) -> int:\\n    return 2 * number",
        alternatives=(),
        wrong=(),
        checker=_check_double,
    ),
)
QUESTIONS = (
    Question(id="99.sum", text="What is 1 + 1?", options={"2": "It is.", "3": "One too many."}, answer="2"),
)
'''
HEAD = """# %% [markdown]
# # Double a number

# %%
from toolkit.lessons import check, predict

# %% [markdown]
# Predict:

# %%
predict("99.sum")

# %% [markdown]
# A set, whose order repeats, and an error on purpose:

# %%
print({"red", "green", "blue"})

# %% tags=["raises-exception"]
1 / 0

# %% [markdown]
# A kernel is refused what lies beyond this machine:

# %% tags=["raises-exception"]
import socket

socket.create_connection(("192.0.2.1", 80), timeout=1)

# %% tags=["exercise"]
# 99.double
"""
PAIR = """
# %% [markdown]
# The number {number}:

# %%
assert {number} + {number} == 2 * {number}
"""
SOURCE = HEAD + "".join(PAIR.format(number=number) for number in range(12))


@dataclass(frozen=True)
class Checkout:
    """A folder with the tool-chain, the package and one lesson."""

    root: Path

    def source(self, name: str = "99_double") -> Path:
        return self.root / "notebooks" / "source" / f"{name}.py"

    def notebook(self, name: str = "99_double", *, solved: bool = False) -> Path:
        folder = self.root / "notebooks"
        return (folder / "solutions" if solved else folder) / f"{name}.ipynb"

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run `python -m ...` in the checkout, with the checkout's own code."""
        command = [sys.executable, "-m", *arguments]
        variables = {**os.environ, "PYTHONPATH": str(self.root)}
        return subprocess.run(command, cwd=self.root, env=variables, capture_output=True, text=True, timeout=180)

    def nbval(self, *picked: str) -> subprocess.CompletedProcess[str]:
        """Run `pytest --nbval` on what is picked."""
        return self.run("pytest", "--nbval", "-q", "--color=no", "-p", "no:cacheprovider", *picked)

    def variant(self, name: str) -> None:
        """Add a copy of the lesson under another name: source and both notebooks."""
        shutil.copy(self.source(), self.source(name))
        for solved in (False, True):
            shutil.copy(self.notebook(solved=solved), self.notebook(name, solved=solved))

    def edit(self, path: Path, change: Callable[[nbformat.NotebookNode], object]) -> None:
        """Change a stored notebook the way a careless hand does."""
        notebook = nbformat.read(path, as_version=4)
        change(notebook)
        path.write_text(to_text(notebook), encoding="utf-8")


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Checkout:
    """The checkout with its lesson built once; a test copies it before it changes anything."""
    checkout = Checkout(tmp_path_factory.mktemp("built") / "checkout")
    for folder in ("toolkit", "tools"):
        shutil.copytree(ROOT / folder, checkout.root / folder, ignore=shutil.ignore_patterns("__pycache__"))
    for lesson in (checkout.root / "toolkit" / "lessons").glob("lesson_*.py"):
        lesson.unlink()
    (checkout.root / "toolkit" / "lessons" / "lesson_99.py").write_text(LESSON, encoding="utf-8")
    checkout.source().parent.mkdir(parents=True)
    checkout.source().write_text(SOURCE, encoding="utf-8")
    for name in ("pyproject.toml", "conftest.py", "notebooks/sanitize.cfg"):
        shutil.copy(ROOT / name, checkout.root / name)
    done = checkout.run("tools.notebooks", "build")
    assert done.returncode == 0, done.stdout + done.stderr
    return checkout


@pytest.fixture
def checkout(built: Checkout, tmp_path: Path) -> Checkout:
    """A copy of the built checkout, to be broken."""
    shutil.copytree(built.root, tmp_path / "checkout")
    return Checkout(tmp_path / "checkout")
