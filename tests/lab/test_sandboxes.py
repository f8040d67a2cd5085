"""Snippets in sandboxes, each in a process that can be killed."""

from __future__ import annotations

import json
from importlib.metadata import version

import pytest

from toolkit.lab.sandboxes import SANDBOXES, SNIPPETS, is_installed, outcomes_of, recorded_outcomes, try_sandbox
from toolkit.resources import data_path

RECORDED = {
    each["sandbox"]: each for each in json.loads(data_path("sandboxes", "outcomes.json").read_text(encoding="utf-8"))
}


@pytest.mark.row("T10", "X12")
@pytest.mark.parametrize("name", SANDBOXES)
def test_outcomes_are_as_recorded(name):
    """What the lesson's table says of a sandbox is what happens, where its library is installed in that version."""
    needs = SANDBOXES[name].needs
    if not is_installed(name):
        pytest.skip(f"{needs} is not installed")
    if needs is not None and version(needs) != RECORDED[name]["version"]:
        pytest.skip(f"{needs} {version(needs)} is installed, {RECORDED[name]['version']} was recorded")
    assert outcomes_of(name) == RECORDED[name]["outcomes"]


def test_every_sandbox_and_snippet_is_recorded():
    """The table has a column for each sandbox and a row for each snippet, in order."""
    picture = recorded_outcomes()
    assert list(RECORDED) == list(SANDBOXES)
    assert [row[0] for row in picture.rows] == [snippet.what for snippet in SNIPPETS]
    assert picture.columns[-1] == "pydantic-monty 1.4.0"


@pytest.mark.row("T10", "S4")
def test_an_in_process_sandbox_lets_snippets_through():
    """It refuses what is harmless, and cannot stop what is not."""
    picture = try_sandbox("allow-list of syntax")
    outcomes = dict(picture.rows)
    assert outcomes["a comprehension"] == "refused"
    assert outcomes["an endless loop"] == "killed after 1 s"
    assert outcomes["goes up the attributes"] == "got the secret"
    assert picture.summary == (
        "allow-list of syntax: 4 of 8 snippets could only be stopped from outside, or got the secret."
    )
