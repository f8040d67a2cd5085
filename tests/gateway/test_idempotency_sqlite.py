"""Records in a SQLite file: they outlive the process, and processes share them. Real files, real processes."""

from __future__ import annotations

import asyncio
import contextlib
import json
import signal
import sqlite3
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from toolkit import Gateway, Registry, Status, tool
from toolkit.gateway.idempotency import MemoryStore, Record
from toolkit.gateway.idempotency_sqlite import SqliteStore

PROCESS = Path(__file__).with_name("booking_process.py")


def run_process(store, ledger, orders, seed, kill_at):
    command = [sys.executable, PROCESS, store, ledger, str(orders), str(seed), str(kill_at)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


def states(store):
    with contextlib.closing(sqlite3.connect(store)) as db:
        return dict(db.execute("SELECT key, state FROM orders"))


@pytest.mark.row("F26", "E6")
def test_a_process_killed_in_the_middle_of_a_booking(tmp_path):
    """After a restart the same key is `outcome_unknown`; there is one side effect."""
    store, ledger = tmp_path / "orders.db", tmp_path / "ledger"
    assert run_process(store, ledger, 1, 1, 1).returncode == -signal.SIGKILL
    registry = Registry()

    @tool(registry, idempotency_key="order_id")
    async def book_room(order_id: str) -> str:
        """Book a room."""
        with ledger.open("a") as file:
            file.write(order_id)
        return "booked"

    async def again():
        call = {"id": "c", "function": {"name": "book_room", "arguments": json.dumps({"order_id": "0"})}}
        with SqliteStore(store) as records:
            return await Gateway(registry, store=records, log_sink=None).call(call), await records.unsettled()

    result, unsettled = asyncio.run(again())
    assert (result.status, result.attempts, unsettled) == (Status.OUTCOME_UNKNOWN, 0, ["book_room/0"])
    assert ledger.read_text() == "0\n"


@pytest.mark.row("F26", "F24", "F22", "E6")
def test_a_thousand_bookings_leave_no_duplicate(tmp_path):
    """Random limits, callers that leave, and a process killed twice: read back, no order was booked twice."""
    store, ledger = tmp_path / "orders.db", tmp_path / "ledger"
    endings = [run_process(store, ledger, 1000, seed, kill_at) for seed, kill_at in ((1, 150), (2, 300), (3, 0))]
    assert [ending.returncode for ending in endings] == [-signal.SIGKILL, -signal.SIGKILL, 0], endings[-1].stderr
    booked = Counter(ledger.read_text().split())
    assert booked.most_common(1)[0][1] == 1
    assert len(booked) > 900
    kept = states(store)
    assert {f"book_room/{order}" for order in booked} <= set(kept)
    done = [key for key, state in kept.items() if state == "done"]
    assert len(done) > 200
    assert all(key.removeprefix("book_room/") in booked for key in done)
    assert Counter(kept.values())["running"] <= 2 * 20, "what was under way when a process was killed"


def each_store(tmp_path):
    return MemoryStore(), SqliteStore(tmp_path / "orders.db")


def test_both_stores_do_the_same(tmp_path):
    """One story of claims and endings, told to both, gives the same records."""

    async def story(store):
        seen = [await store.claim("a", "{}"), await store.claim("a", "{1}"), await store.get("b")]
        await store.finish("a", '"booked"')
        seen += [await store.get("a"), await store.claim("b", "{}")]
        await store.mark_unknown("b")
        seen += [await store.get("b")]
        await store.release("b")
        return [*seen, await store.get("b"), await store.claim("b", "{2}")]

    memory, file = each_store(tmp_path)
    expected = [None, Record("running", "{}"), None, Record("done", "{}", '"booked"'), None, Record("unknown", "{}")]
    assert asyncio.run(story(memory)) == asyncio.run(story(file)) == [*expected, None, None]
    file.close()


def test_a_record_is_there_for_another_store(tmp_path):
    """Two stores on one file, as in two processes: of ten claims at once exactly one gets the order."""
    stores = [SqliteStore(tmp_path / "orders.db") for _ in range(2)]

    async def claims():
        return await asyncio.gather(*(stores[number % 2].claim("a", "{}") for number in range(10)))

    claimed = asyncio.run(claims())
    assert Counter(claimed) == {None: 1, Record("running", "{}"): 9}
    for store in stores:
        store.close()


def test_the_loop_does_not_wait_for_the_disk(tmp_path):
    """Another process holds the file; the loop ticks on, and the claim comes through afterwards."""
    blocker = sqlite3.connect(tmp_path / "orders.db", isolation_level=None)

    async def main():
        with SqliteStore(tmp_path / "orders.db") as store:
            blocker.execute("BEGIN EXCLUSIVE")
            claim = asyncio.create_task(store.claim("a", "{}"))
            for _ in range(100):
                await asyncio.sleep(0)
            waited = not claim.done()
            blocker.execute("COMMIT")
            return waited, await claim

    assert asyncio.run(main()) == (True, None)
    blocker.close()


def test_what_was_begun_is_done_although_the_caller_left(tmp_path):
    """A cancelled caller does not take back what it had told the store, be it under way or still waiting."""
    blocker = sqlite3.connect(tmp_path / "orders.db", isolation_level=None)

    async def main():
        with SqliteStore(tmp_path / "orders.db") as store:
            await asyncio.gather(store.claim("a", "{}"), store.claim("b", "{}"))
            blocker.execute("BEGIN EXCLUSIVE")
            tasks = [asyncio.create_task(store.mark_unknown(key)) for key in "ab"]
            await asyncio.sleep(0)
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks)
            blocker.execute("COMMIT")
            return [task.cancelled() for task in tasks], await store.get("a"), await store.get("b")

    unknown = Record("unknown", "{}")
    assert asyncio.run(main()) == ([True, True], unknown, unknown)
    blocker.close()


def test_an_error_leaves_the_file_usable(tmp_path):
    """What fails is rolled back, and the next change goes through."""

    async def main():
        with SqliteStore(tmp_path / "orders.db") as store:
            with pytest.raises(sqlite3.Error):
                await store.claim("a", object())
            return await store.claim("a", "{}")

    assert asyncio.run(main()) is None


def test_a_claim_is_on_disk_before_the_tool_runs(tmp_path):
    """The settings that make it so: a write-ahead log, and a flush at every commit."""

    def pragma(name):
        return lambda db: db.execute(f"PRAGMA {name}").fetchone()[0]

    async def main():
        with SqliteStore(tmp_path / "orders.db") as store:
            return [await store._do(pragma(name)) for name in ("journal_mode", "synchronous")]

    assert asyncio.run(main()) == ["wal", 2]
