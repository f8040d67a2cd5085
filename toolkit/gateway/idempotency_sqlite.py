"""Idempotency records in a SQLite file: kept over a restart, shared by the processes of one machine.

Every change is on disk before the call goes on (WAL, `synchronous=FULL`): a claim that a power cut could take back
would let an order run twice. One thread of its own does the work, so the event loop never waits for a disk.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Self, TypeVar

from toolkit.gateway.idempotency import Record

T = TypeVar("T")
_TABLE = """
CREATE TABLE IF NOT EXISTS orders (
    key TEXT PRIMARY KEY, state TEXT NOT NULL, arguments TEXT NOT NULL, result TEXT,
    changed_at TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP
) WITHOUT ROWID
"""


class SqliteStore:
    """An `IdempotencyStore` in one file. Close it, or use it as a context manager.

    Args:
        path: The file; it is made where it does not exist.
        busy_timeout_s: How long to wait for another process that writes, in seconds.
    """

    def __init__(self, path: str | Path, *, busy_timeout_s: float = 5.0) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="toolkit-orders")
        self._connection = self._thread.submit(_open, str(path), busy_timeout_s).result()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Finish what was begun and close the file."""
        self._thread.submit(self._connection.close)
        self._thread.shutdown(wait=True)

    async def get(self, key: str) -> Record | None:
        """The record of a key, or None."""
        return await self._do(lambda db: _read(db, key))

    async def claim(self, key: str, arguments: str) -> Record | None:
        """Write a `running` record and return None, or return the record that is already there."""

        def claim(db: sqlite3.Connection) -> Record | None:
            db.execute("BEGIN IMMEDIATE")  # between the two statements no other process may write
            found = _read(db, key)
            if found is None:
                db.execute("INSERT INTO orders (key, state, arguments) VALUES (?, 'running', ?)", (key, arguments))
            return found

        return await self._do(claim)

    async def finish(self, key: str, result: str) -> None:
        """The call succeeded with this value."""
        await self._do(lambda db: _change(db, key, "done", result))

    async def mark_unknown(self, key: str) -> None:
        """The call may or may not have taken effect."""
        await self._do(lambda db: _change(db, key, "unknown", None))

    async def release(self, key: str) -> None:
        """Nothing was done; the key is free again. Also how a person settles an unknown outcome."""
        await self._do(lambda db: db.execute("DELETE FROM orders WHERE key = ?", (key,)).close())

    async def unsettled(self) -> list[str]:
        """Keys that nobody knows the outcome of: marked so, or begun and never finished. Oldest first, for a person."""
        query = "SELECT key FROM orders WHERE state != 'done' ORDER BY changed_at, key"
        return await self._do(lambda db: [key for (key,) in db.execute(query)])

    async def _do(self, work: Callable[[sqlite3.Connection], T]) -> T:
        # What was begun is done, also where the caller is cancelled meanwhile.
        return await asyncio.shield(asyncio.wrap_future(self._thread.submit(self._in_thread, work)))

    def _in_thread(self, work: Callable[[sqlite3.Connection], T]) -> T:
        db = self._connection
        try:
            value = work(db)
            if db.in_transaction:
                db.execute("COMMIT")
            return value
        except BaseException:
            if db.in_transaction:
                db.execute("ROLLBACK")
            raise


def _open(path: str, busy_timeout_s: float) -> sqlite3.Connection:
    db = sqlite3.connect(path, timeout=busy_timeout_s, isolation_level=None)
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = FULL")
    db.execute(_TABLE)
    return db


def _read(db: sqlite3.Connection, key: str) -> Record | None:
    row = db.execute("SELECT state, arguments, result FROM orders WHERE key = ?", (key,)).fetchone()
    return None if row is None else Record(*row)


def _change(db: sqlite3.Connection, key: str, state: str, result: str | None) -> None:
    statement = "UPDATE orders SET state = ?, result = ?, changed_at = CURRENT_TIMESTAMP WHERE key = ?"
    db.execute(statement, (state, result, key)).close()
