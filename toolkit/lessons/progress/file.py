"""The file of a reader's progress: SQLite, events appended and never changed, several kernels at once.

A lesson goes on whatever becomes of its record. An event that cannot be written waits in this process for the next one
that can; a file that is no database is renamed, and a new one begun; the file of a newer version is left alone.
"""

from __future__ import annotations

import json
import logging
import os
import sqlite3
import time
from collections.abc import Callable, Mapping
from contextlib import closing
from itertools import count
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple, TypeVar

logger = logging.getLogger(__name__)

VERSION = 1
_BROKEN = (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT)
_LOCKED_S = 1.0  # how long a write waits for another kernel's
Found = TypeVar("Found")


class Event(NamedTuple):
    """Something a reader did. `at` is in seconds since 1970, UTC, by the computer's clock."""

    at: float
    kind: str
    id: str
    outcome: str
    detail: Mapping[str, Any]


class UnusableFile(Exception):
    """The file is a database, but not one to write into."""


class ProgressFile:
    """Events, in the order they were appended. Without a path they live as long as this object."""

    def __init__(self, path: Path | None, clock: Callable[[], float] = time.time) -> None:
        self.path, self.clock = path, clock
        self.problem = ""  # why something is not kept
        self._waiting: list[Event] = []
        self._lock = Lock()
        self._said = False

    def append(self, kind: str, id: str, outcome: str, **detail: Any) -> None:
        """Keep an event. Never raises; what cannot be written is said once, and kept in this process."""
        with self._lock:
            self._waiting.append(Event(self.clock(), kind, id, outcome, detail))
            if self.path is not None:
                self._tried(lambda path: _using(path, self._write), None)

    def events(self) -> list[Event]:
        """Everything that was kept, and what still waits to be written. Never raises, and makes no file."""
        with self._lock:
            stored: list[Event] = []
            if self.path is not None:
                stored = self._tried(lambda path: _using(path, _read) if path.exists() else [], stored)
            return [*stored, *self._waiting]

    def _write(self, connection: sqlite3.Connection) -> None:
        rows = [(*event[:4], json.dumps(event.detail, ensure_ascii=False, default=str)) for event in self._waiting]
        with connection:
            connection.executemany("INSERT INTO event (at, kind, id, outcome, detail) VALUES (?, ?, ?, ?, ?)", rows)
        self._waiting.clear()

    def _tried(self, work: Callable[[Path], Found], otherwise: Found) -> Found:
        assert self.path is not None
        try:
            found = work(self.path)
        except Exception as error:  # noqa: BLE001 - a lesson goes on whatever becomes of its record
            self.problem = f"{self.path}: {error}"
            if not self._said:
                self._said = True
                logger.warning(
                    "Progress is not kept (%s). Until it can be, it lives in this session only; "
                    "TOOLKIT_PROGRESS may name another file.",
                    self.problem,
                )
            return otherwise
        if not self._waiting:  # else reading went well, but writing did not
            self.problem = ""
        return found


def set_aside(path: Path, word: str) -> Path:
    """Rename the file, and the journal that may stand beside it, to the first free `name.word-N.suffix`.

    Raises:
        OSError: it cannot be renamed, or is gone.
    """
    for number in count(1):
        kept = path.with_name(f"{path.stem}.{word}-{number}{path.suffix}")
        try:
            os.close(os.open(kept, os.O_CREAT | os.O_EXCL))  # ours now: no other process takes the same name
        except FileExistsError:
            continue
        try:
            path.replace(kept)
        except OSError:
            kept.unlink()
            raise
        journal = Path(f"{path}-journal")
        if journal.exists():
            journal.replace(Path(f"{kept}-journal"))
        return kept
    raise AssertionError("unreachable: there is always another number")


def _using(path: Path, work: Callable[[sqlite3.Connection], Found]) -> Found:
    """Work on the file, once more after one that is no database was set aside."""
    before = _identity(path)
    try:
        return _opened(path, work)
    except sqlite3.DatabaseError as error:
        if getattr(error, "sqlite_errorcode", 0) & 0xFF not in _BROKEN:
            raise
    if _identity(path) == before:  # else another kernel has set it aside already
        kept = set_aside(path, "broken")
        logger.warning("The progress file was no database; it stands beside the new one as %s.", kept.name)
    return _opened(path, work)


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    return found.st_dev, found.st_ino


def _opened(path: Path, work: Callable[[sqlite3.Connection], Found]) -> Found:
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(path, timeout=_LOCKED_S)) as connection:
        if _version(connection) == 0:
            _begin(connection)
        if _version(connection) > VERSION:
            raise UnusableFile("it was written by a newer toolkit-lessons; update this one")
        return work(connection)


def _version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def _begin(connection: sqlite3.Connection) -> None:
    """Make the table in a new file. The lock is taken first: two kernels may begin at once."""
    connection.execute("BEGIN IMMEDIATE")
    with connection:
        if _version(connection):
            return
        if connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
            raise UnusableFile("it is the database of another program")
        connection.execute(
            "CREATE TABLE event (number INTEGER PRIMARY KEY, at REAL NOT NULL, kind TEXT NOT NULL, "
            "id TEXT NOT NULL, outcome TEXT NOT NULL, detail TEXT NOT NULL)"
        )
        connection.execute(f"PRAGMA user_version = {VERSION}")


def _read(connection: sqlite3.Connection) -> list[Event]:
    rows = connection.execute("SELECT at, kind, id, outcome, detail FROM event ORDER BY number").fetchall()
    return [Event(at, kind, id, outcome, json.loads(detail)) for at, kind, id, outcome, detail in rows]
