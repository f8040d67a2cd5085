"""The notebooks of this repository: all there, what their sources say, and within the limits."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib import import_module

import nbformat
import pytest

from tools import notebook_rules, notebooks
from tools.environment import ROOT

LESSONS = ("00", "01", "02", "03", "04", "05", "06", "07", "08", "09", "10", "11", "12")
SCRIPTS = list(notebooks.find_sources([]))
STORED = [path for script in SCRIPTS for path, _ in notebooks.targets(script) if path.exists()]
each_lesson = pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
each_rule = pytest.mark.parametrize("rule", notebook_rules.RULES, ids=lambda rule: rule.__name__)
each_notebook = pytest.mark.parametrize("path", STORED, ids=lambda path: str(path.relative_to(ROOT / "notebooks")))


@pytest.mark.row("K1", "K3")
def test_pytest_collects_every_lesson_twice():
    """`pytest --nbval` finds the learner's and the solved notebook of each lesson, and nothing else."""
    command = [sys.executable, "-m", "pytest", "--nbval", "--collect-only", "-q", "notebooks"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60)
    collected = set(re.findall(r"^notebooks/(\S+)\.ipynb::", done.stdout, re.MULTILINE))
    names = {script.stem for script in SCRIPTS}
    assert tuple(sorted(name[:2] for name in names)) == LESSONS
    assert collected == names | {f"solutions/{name}" for name in names}


@pytest.mark.row("K3")
@each_lesson
def test_notebooks_are_what_the_source_says(script):
    """Same cells, same stubs and solutions, normal form, every solution right."""
    assert notebooks.problems(script) == []


@each_rule
@each_notebook
def test_notebook_keeps_the_rule(path, rule):
    """Run 1..n on the kernel python3, small cells, explained and checked, nothing foreign in it."""
    assert rule(nbformat.read(path, as_version=4)) == []


def test_nothing_is_left_over():
    """Every stored notebook has a source."""
    assert notebooks.orphans() == []


@pytest.mark.row("X5")
@each_lesson
def test_what_a_lesson_declares_stands_in_its_notebook(script):
    """Every exercise and every prediction, or nobody could finish the lesson. Cards ask their own quizzes."""
    source = script.read_text(encoding="utf-8")
    lesson = import_module(f"toolkit.lessons.lesson_{script.name[:2]}")
    asked = [question.id for question in lesson.QUESTIONS if not question.id.startswith("12.Q")]
    assert [each for each in asked if f'predict("{each}")' not in source] == []
    assert [each.id for each in lesson.EXERCISES if f"# {each.id}\n" not in source] == []
