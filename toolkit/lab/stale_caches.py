"""Tools that remember: right in one process, wrong in three, right again with a shared store. With real processes."""

from __future__ import annotations

import contextlib
import inspect
import random
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from toolkit.lab.figure import HATCHES, Chart, draw

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Memory = Literal["local", "shared"]
FIRST_PRICE = 400


def serve(path: str, memory: str) -> None:
    """One server process. A line "?" asks for the price of a suite, any other line sets it; the price is written back.

    The truth is in a SQLite file. With `local` memory a price that was read once is remembered.
    """
    store = sqlite3.connect(path, isolation_level=None)
    store.execute("PRAGMA synchronous = OFF")  # nothing here has to survive a power cut
    remembered = None
    for line in sys.stdin:
        if line != "?\n":
            remembered = int(line)
            store.execute("UPDATE price SET usd = ?", (remembered,))
        elif remembered is None or memory == "shared":
            (remembered,) = store.execute("SELECT usd FROM price").fetchone()
        print(remembered, flush=True)


# The process gets this function alone: to import this package would take longer than all it has to do.
_PROGRAM = f"import sqlite3, sys\n{inspect.getsource(serve)}\nserve(*sys.argv[1:])"


def share_right(processes: int, memory: Memory, *, requests: int = 400, seed: int = 7) -> float:
    """Share of price questions that are answered rightly, 0..1.

    Every tenth request or so changes the price; each goes to one of the processes, by chance, as behind a load
    balancer.
    """
    rng = random.Random(seed)
    true_price, right, asked = FIRST_PRICE, 0, 0
    with _servers(processes, memory) as servers:
        for _ in range(requests):
            server = rng.choice(servers)
            if rng.random() < 0.1:
                true_price += 1
                _send(server, str(true_price))
            else:
                asked += 1
                right += _send(server, "?") == true_price
    return right / asked


def _send(server: subprocess.Popen[str], line: str) -> int:
    assert server.stdin is not None
    assert server.stdout is not None
    server.stdin.write(f"{line}\n")
    server.stdin.flush()
    return int(server.stdout.readline())


@contextlib.contextmanager
def _servers(count: int, memory: Memory) -> Iterator[list[subprocess.Popen[str]]]:
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder, "prices.sqlite"))
        with contextlib.closing(sqlite3.connect(path)) as store, store:
            store.execute("CREATE TABLE price (usd INTEGER)")
            store.execute("INSERT INTO price VALUES (?)", (FIRST_PRICE,))
        command = [sys.executable, "-c", _PROGRAM, path, memory]
        with contextlib.ExitStack() as ends:
            pipe = subprocess.PIPE
            yield [
                ends.enter_context(subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True)) for _ in range(count)
            ]


def compare_caches() -> dict[str, float]:
    """Share of right answers for one process, three with memories of their own, and three that ask the store."""
    return {
        "one process, remembers": share_right(1, "local"),
        "three processes, each remembers": share_right(3, "local"),
        "three processes, shared store": share_right(3, "shared"),
    }


def draw_caches(shares: dict[str, float]) -> Chart:
    """One bar for each way, with its percentage written beside it."""
    words = "; ".join(f"{name}: {share:.1%} right" for name, share in shares.items())
    return draw(partial(_paint, shares=shares), words, width=7.5, height=2.0)


def _paint(axes: Axes, shares: dict[str, float]) -> None:
    for number, ((name, share), hatch) in enumerate(zip(shares.items(), HATCHES, strict=False)):
        axes.barh(number, share * 100, hatch=hatch, edgecolor="0.2", facecolor="0.85")
        axes.text(share * 100 + 1, number, f"{share:.1%}", va="center")
        axes.text(-2, number, name, va="center", ha="right")
    axes.set_yticks([])
    axes.invert_yaxis()
    axes.set_xlim(0, 115)
    axes.set_xlabel("price questions answered rightly, per cent")
