"""What widgets and background tasks only log fails the test in which it happened."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys

import pytest

from tools.environment import ROOT

SILENT = """
import asyncio, gc
import ipywidgets, pytest
from toolkit.lab.panel import Panel, Picture

def fails(**values):
    raise ValueError("broken")

def test_button():
    button = ipywidgets.Button()
    button.on_click(lambda _: fails())
    button.click()

def test_panel():
    Panel("A panel", fails, {})

def test_task():
    async def forget():
        asyncio.get_running_loop().create_task(raising())
        await asyncio.sleep(0)
    async def raising():
        fails()
    asyncio.run(forget())
    gc.collect()

@pytest.mark.callback_errors_ok
def test_on_purpose():
    Panel("A panel", fails, {})

def test_in_order():
    Panel("A panel", lambda: Picture("fine"), {})
"""


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    """The result of running these tests under this repository's conftest."""
    folder = tmp_path_factory.mktemp("silent")
    for name in ("conftest.py", "pyproject.toml"):
        shutil.copy(ROOT / name, folder / name)
    (folder / "test_silent.py").write_text(SILENT)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:nbval", "-p", "no:cacheprovider", "test_silent.py"]
    variables = {"PYTHONPATH": str(ROOT), "PATH": ""}
    done = subprocess.run(command, cwd=folder, env=variables, capture_output=True, text=True, timeout=60)
    return done.stdout


@pytest.mark.row("K2")
def test_an_error_in_a_callback_or_task_fails_the_test(report):
    """A button's handler, a panel's function and a forgotten task are each found; nothing else fails."""
    assert re.findall(r"^(?:ERROR|FAILED) test_silent.py::(\w+)", report, re.MULTILINE) == [
        "test_button",
        "test_panel",
        "test_task",
    ]


def test_the_report_says_which_callback(report):
    """The message that was logged stands in the failure."""
    assert "a callback raised: panel 'A panel'" in report
    assert "a callback raised: Task exception was never retrieved" in report
