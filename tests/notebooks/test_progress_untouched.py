"""The reader's own progress file stays as it is, whatever the kit builds and tests."""

from __future__ import annotations

import subprocess
import sys

import nbformat
import pytest

RECORD = 'from toolkit.lessons.progress import record\n\nrecord("card", "Q01", "junior")'
FIRST_PAIR = "# %% [markdown]\n# The number 0:\n"


@pytest.mark.row("X9")
def test_builds_and_test_runs_never_write_into_the_readers_file(checkout, tmp_path, monkeypatch):
    """Building and nbval leave the reader's data folder alone; the same cell in a plain Python writes into it."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("TOOLKIT_PROGRESS", raising=False)
    source = checkout.source().read_text()
    cell = f"# %% [markdown]\n# What would be kept:\n\n# %%\n{RECORD}\n\n"
    checkout.source().write_text(source.replace(FIRST_PAIR, cell + FIRST_PAIR))
    built, tested = checkout.run("tools.notebooks", "build"), checkout.nbval("notebooks/99_double.ipynb")
    assert (built.returncode, tested.returncode) == (0, 0), built.stderr + tested.stdout
    assert RECORD in [each.source for each in nbformat.read(checkout.notebook(), as_version=4).cells]
    assert not list(tmp_path.rglob("progress*.sqlite"))
    subprocess.run([sys.executable, "-c", RECORD], cwd=checkout.root, timeout=60, check=True)
    assert len(list(tmp_path.rglob("progress.sqlite"))) == 1
