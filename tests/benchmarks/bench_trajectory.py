"""What judging costs: extraction and the four checks beside parsing the same JSON, in one run, as ratios.

Rounds of the paths are interleaved and the median taken, so that whatever else the machine does hits all alike.
Run it alone: `python tests/benchmarks/bench_trajectory.py`.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from statistics import median

from toolkit.hotel import HOTEL_POLICY
from toolkit.hotel.controls import load_control
from toolkit.trajectory import evaluate, extract_calls

ROUNDS, REPEATS = 101, 50
GOAL_MS = 0.10  # extraction and four checks of 13 messages
SIZES = (100, 1_000, 10_000)


def thirteen_messages() -> list[dict]:
    """The control `ok` with one step marked: 13 messages, 5 calls."""
    messages = load_control("ok")
    mark = next(index for index, message in enumerate(messages) if len(message.get("tool_calls") or []) == 3)
    messages[mark]["tool_calls"] = messages[mark]["tool_calls"][:1]
    return [*messages[: mark + 2], *messages[mark + 4 :]]


def long_run(length: int) -> list[dict]:
    """A run of about this many messages: the steps of `ok` again and again, ids used again and again."""
    messages = thirteen_messages()
    steps = messages[2:-1]
    rounds = (length - 3) // len(steps)
    return [*messages[:2], *steps * rounds, messages[-1]]


def interleaved(paths: dict[str, Callable[[], object]], rounds: int, repeats: int) -> dict[str, float]:
    """Median milliseconds of processor time of one call of each path; waiting for others does not count."""
    times: dict[str, list[float]] = {name: [] for name in paths}
    for _ in range(rounds):
        for name, path in paths.items():
            start = time.process_time()
            for _ in range(repeats):
                path()
            times[name].append((time.process_time() - start) * 1e3 / repeats)
    return {name: median(each) for name, each in times.items()}


def main() -> None:
    """Print the table of one trajectory, then how the time grows with its length."""
    messages = thirteen_messages()
    text = json.dumps(messages)
    trace = extract_calls(messages)
    paths: dict[str, Callable[[], object]] = {
        "json.loads of the 13 messages": lambda: json.loads(text),
        "extract_calls": lambda: extract_calls(messages),
        **{check.name: (lambda check=check: check.judge(trace)) for check in HOTEL_POLICY.checks},
        "extract and four checks": lambda: evaluate(messages, HOTEL_POLICY),
    }
    found = interleaved(paths, ROUNDS, REPEATS)
    floor = found["json.loads of the 13 messages"]
    for name, milliseconds in found.items():
        print(f"{name:32}{milliseconds:9.4f} ms {milliseconds / floor:7.2f} x")
    print(f"goal: at most {GOAL_MS} ms\n")
    for size in SIZES:
        run = long_run(size)
        paths = {"judge": lambda run=run: evaluate(run, HOTEL_POLICY)}
        milliseconds = interleaved(paths, 5, max(1, 2_000 // size))["judge"]
        print(f"{len(run):6} messages{milliseconds:10.3f} ms {milliseconds / len(run) * 1e3:8.2f} µs a message")


if __name__ == "__main__":
    main()
