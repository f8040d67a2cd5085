"""A `toolkit` command run from a notebook."""

from __future__ import annotations

import pytest

from toolkit.lab.shell import shell
from toolkit.resources import data_path


@pytest.mark.row("J5")
def test_a_command_shows_its_text_and_its_exit_code(monkeypatch):
    """What was printed, without colours even where a kernel asks for them, and the code that CI reads."""
    monkeypatch.setenv("FORCE_COLOR", "1")
    done = shell("toolkit check skip.en.json", data_path("controls"))
    assert done.code == 1
    assert "\x1b" not in done.text
    assert "fail no_skipped_step" in done.text
    assert repr(done).endswith("\n[exit code 1]")


def test_what_a_command_says_on_stderr_is_shown_too():
    """A usage error is text as well."""
    done = shell("toolkit check --format odd skip.en.json", data_path("controls"))
    assert done.code == 2
    assert "'odd' is none of" in done.text


def test_only_toolkit_commands_are_run():
    """Nothing else is ever started."""
    with pytest.raises(ValueError, match="only toolkit commands are run here, not 'ls'"):
        shell("ls", data_path("controls"))
