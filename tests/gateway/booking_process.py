"""A process that books rooms and may be killed in the middle: run by the tests of the SQLite store.

python booking_process.py STORE LEDGER ORDERS SEED KILL_AT

Each order is called three times at random moments, under a limit that half of the bookings pass, by callers that
leave at random. Bookings go to the ledger, one line each. At the KILL_AT-th booking the process kills itself, after
the effect and before the answer. 0: never.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import sys

from toolkit import Gateway, Registry, tool
from toolkit.gateway import Settings
from toolkit.gateway.idempotency_sqlite import SqliteStore


def booking_registry(ledger: int, rng: random.Random, kill_at: int) -> Registry:
    registry, booked = Registry(), []

    @tool(registry, idempotency_key="order_id", timeout_s=0.004)
    async def book_room(order_id: str) -> str:
        """Book a room."""
        await asyncio.sleep(rng.choice([0, 0.002]))
        if rng.random() < 0.1:
            raise ConnectionRefusedError
        os.write(ledger, f"{order_id}\n".encode())
        booked.append(order_id)
        if len(booked) == kill_at:
            os.kill(os.getpid(), signal.SIGKILL)
        await asyncio.sleep(rng.choice([0, 0.002, 0.008]))
        if rng.random() < 0.1:
            raise ConnectionResetError
        return "booked"

    return registry


async def main(store: str, ledger: str, orders: int, seed: int, kill_at: int) -> None:
    rng = random.Random(seed)
    out = os.open(ledger, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    settings = Settings(breaker=None, attempts=2)
    with SqliteStore(store) as records:
        async with Gateway(booking_registry(out, rng, kill_at), settings, store=records, log_sink=None) as gateway:
            gate = asyncio.Semaphore(20)

            async def call(order: int) -> None:
                async with gate:
                    raw = {
                        "id": "c",
                        "function": {"name": "book_room", "arguments": json.dumps({"order_id": str(order)})},
                    }
                    task = asyncio.create_task(gateway.call(raw))
                    if rng.random() < 0.2:
                        await asyncio.sleep(rng.random() * 0.006)
                        task.cancel()
                    await asyncio.wait({task})

            calls = [order for order in range(orders) for _ in range(3)]
            rng.shuffle(calls)
            await asyncio.gather(*map(call, calls))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2], *map(int, sys.argv[3:])))
