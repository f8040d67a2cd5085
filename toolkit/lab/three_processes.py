"""Tools that remember something, behind one process and behind three: real processes, told the same calls.

With one process a dict is memory enough. With three, each call may meet another dict. A store that all share (here a
SQLite file) is right again. Run as a program it is one such process: calls come in as lines, results go out as lines.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator, MutableMapping
from pathlib import Path
from typing import Literal, NamedTuple

from toolkit.decorator import tool
from toolkit.errors import ToolError
from toolkit.gateway import Gateway
from toolkit.registry import Registry

Memory = Literal["local", "shared"]
ROOMS = ("101", "102", "103", "104", "105")


class Count(NamedTuple):
    """How many answers were right."""

    processes: int
    memory: Memory
    right: int
    answers: int

    @property
    def share(self) -> float:
        return self.right / self.answers


def try_processes(processes: int, memory: Memory, *, calls: int = 400, seed: int = 0) -> Count:
    """Guests take and leave rooms; now and then somebody asks who has one. Which process answers is left to chance."""
    rng, chance, holds = random.Random(seed), random.Random(seed + 1), dict.fromkeys(ROOMS, "nobody")
    right = answers = 0
    with tempfile.TemporaryDirectory() as directory, _started(processes, memory, Path(directory)) as workers:
        for number in range(calls):
            room, worker = rng.choice(ROOMS), chance.choice(workers)
            if rng.random() < 0.3:
                holds[room] = f"guest {number}"
                _ask(worker, "hold_room", {"room": room, "guest": holds[room]})
            else:
                answers += 1
                right += _ask(worker, "who_holds", {"room": room}) == holds[room]
    return Count(processes, memory, right, answers)


def comparison(calls: int = 400) -> list[Count]:
    """One process, three with a memory each, three with one memory."""
    setups: tuple[tuple[int, Memory], ...] = ((1, "local"), (3, "local"), (3, "shared"))
    return [try_processes(processes, memory, calls=calls) for processes, memory in setups]


@contextlib.contextmanager
def _started(processes: int, memory: Memory, directory: Path) -> Iterator[list[subprocess.Popen[str]]]:
    command = [sys.executable, "-m", __name__, memory, str(directory / "rooms.db")]
    workers = [
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _ in range(processes)
    ]
    try:
        yield workers
    finally:
        for worker in workers:
            worker.communicate(timeout=30)  # closes its input, and so ends it


def _ask(worker: subprocess.Popen[str], tool: str, arguments: dict[str, str]) -> str:
    assert worker.stdin is not None
    assert worker.stdout is not None
    call = {"id": "c", "function": {"name": tool, "arguments": json.dumps(arguments)}}
    worker.stdin.write(json.dumps(call) + "\n")
    worker.stdin.flush()
    answer: str = json.loads(worker.stdout.readline())["content"]
    return answer


# -- in each process ---------------------------------------------------------------------------------------


def room_registry(rooms: MutableMapping[str, str]) -> Registry:
    """Two tools over a memory. They do not know whether it is theirs alone."""
    registry = Registry()

    def hold_room(room: str, guest: str) -> str:
        """Hold a room for a guest."""
        if room not in ROOMS:
            raise ToolError(f"There is no room {room}. Rooms: {', '.join(ROOMS)}.")
        rooms[room] = guest
        return f"{room} is held for {guest}"

    def who_holds(room: str) -> str:
        """Say who holds a room."""
        return rooms.get(room, "nobody")

    for func in (hold_room, who_holds):
        tool(registry)(func)
    return registry


class SharedRooms(MutableMapping[str, str]):
    """The same memory in a file. Every read asks the file, every write is there for all at once."""

    def __init__(self, path: str) -> None:
        self._db = sqlite3.connect(path, timeout=10, isolation_level=None, check_same_thread=False)
        self._db.execute("CREATE TABLE IF NOT EXISTS rooms (room TEXT PRIMARY KEY, guest TEXT NOT NULL)")

    def __getitem__(self, room: str) -> str:
        row = self._db.execute("SELECT guest FROM rooms WHERE room = ?", (room,)).fetchone()
        if row is None:
            raise KeyError(room)
        return str(row[0])

    def __setitem__(self, room: str, guest: str) -> None:
        self._db.execute("INSERT OR REPLACE INTO rooms VALUES (?, ?)", (room, guest))

    def __delitem__(self, room: str) -> None:
        self._db.execute("DELETE FROM rooms WHERE room = ?", (room,))

    def __iter__(self) -> Iterator[str]:
        return (room for (room,) in self._db.execute("SELECT room FROM rooms ORDER BY room").fetchall())

    def __len__(self) -> int:
        return int(self._db.execute("SELECT COUNT(*) FROM rooms").fetchone()[0])


async def _serve(memory: str, path: str) -> None:
    rooms: MutableMapping[str, str] = SharedRooms(path) if memory == "shared" else {}
    async with Gateway(room_registry(rooms), log_sink=None) as gateway:
        while line := await asyncio.to_thread(sys.stdin.readline):
            result = await gateway.call(json.loads(line))
            print(json.dumps(result.to_message()), flush=True)


if __name__ == "__main__":
    asyncio.run(_serve(*sys.argv[1:]))
