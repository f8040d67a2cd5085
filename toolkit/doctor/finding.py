"""One line of what the doctor found."""

from __future__ import annotations

import sys
from typing import Literal, NamedTuple

State = Literal["ok", "missing", "absent"]
SIGNS: dict[State, str] = {"ok": "✓", "missing": "✗", "absent": "–"}


class Finding(NamedTuple):
    """A requirement, what was found, and the command that mends it. `absent` is missing, but not needed."""

    name: str
    state: State
    found: str
    fix: str = ""

    def __str__(self) -> str:
        line = f"{SIGNS[self.state]} {self.name}: {self.found}"
        return f"{line}\n    {self.fix}" if self.fix else line


def python(*arguments: str) -> str:
    """A command of this very interpreter, to be typed in a shell; arguments with a special sign are quoted.

    >>> python("-m", "pip", "install", "pydantic>=2.12").partition(" -m ")[2]
    'pip install "pydantic>=2.12"'
    """
    return " ".join(f'"{word}"' if set(word) & set(" <>[]") else word for word in (sys.executable, *arguments))


def install(*requirements: str, again: bool = False) -> str:
    """The pip command for these; `again` puts back the files of one that is installed but broken."""
    return python("-m", "pip", "install", *(["--force-reinstall", "--no-deps"] if again else []), *requirements)
