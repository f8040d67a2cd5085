"""Each published mistake fails as the lesson says."""

from __future__ import annotations

import subprocess
import sys

import pytest

from toolkit.hotel import World
from toolkit.lab.front_desk import front_desk
from toolkit.lab.mistakes.production import book_if_confirmed, read_report, validate_first
from toolkit.records import Context
from tools.environment import ROOT


@pytest.mark.row("X12", "S2")
def test_arguments_before_roles_tell_the_fields():
    """A guest learns the name of the manager's parameter from the refusal."""
    told = validate_first(front_desk(World())["cancel_all"], "{}", Context(role="guest"))
    assert "reason" in told
    assert validate_first(front_desk(World())["cancel_all"], '{"reason": "x"}', Context(role="guest")) == (
        "guest may not call cancel_all."
    )


@pytest.mark.row("X12", "S3")
def test_a_confirmation_that_is_an_argument_is_given_by_the_model():
    """The booking stands, and no user was asked."""
    world = World()
    assert book_if_confirmed(world, 14, user_confirmed=False) == {"error": "Ask the user first."}
    assert book_if_confirmed(world, 14, user_confirmed=True)["nights"] == 14
    assert len(world.bookings) == 1


@pytest.mark.row("X12", "S10")
def test_a_path_that_begins_with_the_root_may_end_elsewhere(tmp_path):
    """The check compares texts, so `..` walks past it."""
    root = tmp_path / "reports"
    root.mkdir()
    (tmp_path / "keys.txt").write_text("a secret")
    assert read_report(root, "../keys.txt") == "a secret"


@pytest.mark.row("X12", "T5")
def test_a_registry_filled_by_imports_is_empty_until_then():
    """Nobody imports the module, so no tool is there; importing it is all that registers."""
    code = (
        "from toolkit.lab.mistakes import plugins; print(list(plugins.REGISTRY)); "
        "import toolkit.lab.mistakes.plugins.weather; print(list(plugins.REGISTRY))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n['get_weather']\n"
