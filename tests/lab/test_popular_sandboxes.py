"""What popular in-process sandboxes let through, tried in processes that can be killed."""

from __future__ import annotations

import pytest

from toolkit.lab.popular_sandboxes import ATTACKS, SANDBOXES, attempt, try_all

pytest.importorskip("RestrictedPython")
ENDINGS = {
    "arithmetic": ("ran", "ran"),
    "comprehension": ("ran", "refused"),
    "indexing": ("ran", "refused"),
    "endless loop": ("killed", "killed"),
    "power": ("killed", "killed"),
    "memory bomb": ("out of memory", "out of memory"),
    "attribute escape": ("ran", "refused"),
    "frame escape": ("ran", "refused"),
    "format string": ("ran", "refused"),
    "import": ("refused", "refused"),
}


@pytest.mark.row("T10", "S4")
@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name)
def test_what_each_lets_through(attack):
    """`exec` lets the attributes through; RestrictedPython refuses honest work; neither stops an endless loop."""
    stuck = ENDINGS[attack.name][0] == "killed"
    outcomes = [attempt(attack, sandbox, seconds=0.7 if stuck else 30) for sandbox in SANDBOXES[:2]]
    assert tuple(outcome.ending for outcome in outcomes) == ENDINGS[attack.name]


@pytest.mark.row("T10")
def test_the_frame_escape_reads_a_variable_of_the_program():
    """No name was given to the snippet, and it has one of ours."""
    attack = next(each for each in ATTACKS if each.name == "frame escape")
    assert attempt(attack, "exec", seconds=30).detail == "'a variable of the program'"


@pytest.mark.row("T10", "S4")
def test_the_real_sandbox_beside_them():
    """The same attacks: honest work runs, everything else is refused."""
    pytest.importorskip("pydantic_monty")
    honest = [attack for attack in ATTACKS if attack.shows == "honest work"]
    escape = [attack for attack in ATTACKS if attack.name in ("endless loop", "attribute escape")]
    endings = [outcome.ending for outcome in try_all([*honest, *escape], ["pydantic-monty"], seconds=30)]
    assert endings == ["ran", "ran", "ran", "refused", "refused"]
