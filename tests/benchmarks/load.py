"""Many mixed calls through one gateway: `python tests/benchmarks/load.py [CALLS] [WORKERS]`.

Good calls, sync ones, orders under a key, retries, refusals, bugs, broken arguments, made-up names, rate limits: from
200 workers at once. Prints calls a second, growth of memory and what became of the calls; exits with 1 where a goal
is missed or a call is not accounted for.
"""

from __future__ import annotations

import asyncio
import gc
import random
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

from toolkit import Context, Gateway, RateLimit, Registry, ToolError, TransientError, tool
from toolkit.gateway import Backoff, Settings
from toolkit.gateway.log import line

GOAL_PER_S, GOAL_GROWTH_MB = 5_000, 20
SETTINGS = Settings(timeout_s=5.0, deadline_s=30.0, backoff=Backoff(base_s=0.0001), breaker=None)


def busy_registry(reached: Counter[str]) -> Registry:
    """The tools of the run; each counts how often it was reached."""
    registry = Registry()

    @tool(registry, idempotent=True)
    async def get_weather(city: str, day: int) -> dict[str, Any]:
        """Weather."""
        reached["get_weather"] += 1
        return {"city": city, "day": day, "condition": "rain"}

    @tool(registry)
    def search_hotels(city: str) -> list[str]:
        """Hotels."""
        reached["search_hotels"] += 1
        return [f"HT-00{number}" for number in range(3)]

    @tool(registry, idempotency_key="order")
    async def book_hotel(order: str, nights: int) -> dict[str, Any]:
        """Book."""
        reached["book_hotel"] += 1
        return {"order": order, "total": 400 * nights}

    @tool(registry, idempotent=True, attempts=3)
    async def flaky(number: int) -> int:
        """Fails once in ten."""
        reached["flaky"] += 1
        if reached["flaky"] % 10 == 0:
            raise TransientError("down")
        return number

    @tool(registry, fallback=lambda city: "yesterday's rain")
    async def broken(city: str) -> str:
        """A bug."""
        reached["broken"] += 1
        raise KeyError(city)

    @tool(registry)
    async def refuse(city: str) -> str:
        """A refusal."""
        reached["refuse"] += 1
        raise ToolError("No such city.")

    @tool(registry, rate_limit=RateLimit(5, 1.0))
    async def limited() -> str:
        """Limited."""
        reached["limited"] += 1
        return "ok"

    return registry


def mixed_call(number: int, rng: random.Random) -> dict[str, Any]:
    """One call of the mix, as a model sends it."""
    kind = rng.random()
    name, arguments = "get_weather", f'{{"city": "Xi\'an", "day": {number % 30}}}'
    if kind < 0.10:
        name, arguments = "search_hotels", '{"city": "Xi\'an"}'
    elif kind < 0.25:
        name, arguments = "book_hotel", f'{{"order": "{number // 2}", "nights": 2}}'
    elif kind < 0.35:
        name, arguments = "flaky", f'{{"number": {number}}}'
    elif kind < 0.38:
        name, arguments = "broken", '{"city": "Xi\'an"}'
    elif kind < 0.43:
        name, arguments = "refuse", '{"city": "Mars"}'
    elif kind < 0.50:
        arguments = '{"city": "Xi\'an", "day": "soon"}'
    elif kind < 0.53:
        arguments = '{"city": "Xi\'an", "day": '
    elif kind < 0.56:
        name = f"made_up_{number}"
    elif kind < 0.60:
        name, arguments = "limited", "{}"
    return {"id": f"call_{number}", "type": "function", "function": {"name": name, "arguments": arguments}}


async def run(calls: int, workers: int, seed: int = 1) -> dict[str, Any]:
    """Run the mix; what was counted, and whether every call is accounted for."""
    rng, reached = random.Random(seed), Counter[str]()
    statuses, logged, attempts, answered = Counter[str](), Counter[str](), Counter[str](), Counter[str]()

    def sink(record: dict[str, Any]) -> None:
        line(record)  # formatted as for a file, and thrown away
        logged[record["status"]] += 1
        attempts[record["tool"]] += record["attempts"]

    async with Gateway(busy_registry(reached), SETTINGS, log_sink=sink, rng=rng) as gateway:
        numbers = iter(range(calls))

        async def worker(session: str) -> None:
            context = Context(session=session)
            for number in numbers:
                result = await gateway.call(mixed_call(number, rng), context)
                statuses[result.status.value] += 1
                answered[result.call_id] += 1

        before, started = memory_mb(), time.perf_counter()
        await asyncio.gather(*(worker(f"s{number % 10}") for number in range(workers)))
        seconds = time.perf_counter() - started
        growth = memory_mb() - before
    attempts.pop("(unknown)", None)
    accounted = statuses == logged and len(answered) == calls == statuses.total() and +attempts == reached
    return {
        "per_s": calls / seconds,
        "growth_mb": growth,
        "statuses": dict(statuses.most_common()),
        "accounted": accounted,
    }


def memory_mb() -> float:
    """Memory this process holds now, in MB; 0 where the system does not tell."""
    gc.collect()
    statm = Path("/proc/self/statm")
    return int(statm.read_text().split()[1]) * 4096 / 1e6 if statm.exists() else 0.0


def main(calls: int = 20_000, workers: int = 200) -> int:
    """Warm up, run, print; 0 where all goals are met."""
    asyncio.run(run(1_000, workers))
    found = asyncio.run(run(calls, workers))
    print(f"{calls} calls, {workers} workers")
    print(f"calls a second   {found['per_s']:>8.0f}   goal at least {GOAL_PER_S}")
    print(f"memory growth    {found['growth_mb']:>8.1f}   MB, goal at most {GOAL_GROWTH_MB}")
    print(f"accounted for    {'all' if found['accounted'] else 'NOT ALL':>8}")
    for status, count in found["statuses"].items():
        print(f"  {status:<18}{count:>6}")
    met = found["per_s"] >= GOAL_PER_S and found["growth_mb"] <= GOAL_GROWTH_MB and found["accounted"]
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
