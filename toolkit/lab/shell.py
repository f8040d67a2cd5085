"""A `toolkit` command run from a notebook as in a shell, with the same output on every machine."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

_COLOURS = ("FORCE_COLOR", "CLICOLOR_FORCE")  # a kernel sets them for its children


@dataclass(frozen=True, slots=True)
class Finished:
    """What a command printed, and its exit code."""

    text: str
    code: int

    def __repr__(self) -> str:
        return f"{self.text.rstrip()}\n[exit code {self.code}]".lstrip("\n")


def shell(command: str, folder: Path) -> Finished:
    """Run a `toolkit` command in a folder.

    >>> shell("toolkit check no-such-file.json", Path()).code
    2

    Raises:
        ValueError: a command of another program.
    """
    program, *arguments = shlex.split(command)
    if program != "toolkit":
        raise ValueError(f"only toolkit commands are run here, not {program!r}")
    environment = {name: value for name, value in os.environ.items() if name not in _COLOURS}
    done = subprocess.run(
        [sys.executable, "-m", "toolkit.cli", *arguments],
        cwd=folder,
        env={**environment, "NO_COLOR": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
    )
    lines = (line.rstrip() for line in done.stdout.splitlines())
    return Finished("\n".join(lines), done.returncode)
