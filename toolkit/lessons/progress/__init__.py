"""A reader's progress, in one local file that survives restarts. Nothing is sent anywhere.

`TOOLKIT_PROGRESS` names another file, or `:memory:` to keep nothing beyond the session.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from toolkit.lessons.progress.file import Event, ProgressFile

VARIABLE = "TOOLKIT_PROGRESS"
MEMORY = ":memory:"

__all__ = ["MEMORY", "VARIABLE", "Event", "ProgressFile", "card_levels", "location", "reader_file", "record"]


def record(kind: str, id: str, outcome: str, **detail: Any) -> None:
    """Keep what the reader did, such as `record("card", "Q05", "senior")`. Never raises."""
    reader_file().append(kind, id, outcome, **detail)


def card_levels() -> dict[str, str]:
    """What the reader's answer to each card was worth, the last time it was said."""
    return {event.id: event.outcome for event in reader_file().events() if event.kind == "card"}


def reader_file() -> ProgressFile:
    """The file of whoever runs this."""
    return _file(location())


def location(environment: Mapping[str, str] = os.environ) -> Path | None:
    """Where the progress is kept; None where it lives in memory.

    >>> location({"TOOLKIT_PROGRESS": ":memory:"}) is None
    True
    """
    named = environment.get(VARIABLE, "").strip()
    if named == MEMORY or _shows_solutions():
        return None
    if named:
        return Path(os.path.expanduser(named))
    try:
        from platformdirs import user_data_path
    except ImportError:  # `toolkit doctor` tells; a lesson needs no record
        return None
    return user_data_path("toolkit-lessons", appauthor=False) / "progress.sqlite"


def _shows_solutions() -> bool:
    """Whether this is the kernel of a notebook in notebooks/solutions: what is right there is not the reader's work."""
    try:
        return "ipykernel" in sys.modules and Path.cwd().parts[-2:] == ("notebooks", "solutions")
    except OSError:  # the folder is gone
        return False


@cache
def _file(path: Path | None) -> ProgressFile:
    """One object for each place: what could not be written yet waits in it."""
    return ProgressFile(path)
