"""What many runs cost: 100,000 runs from a file of lines, here and in two processes, with the memory they take.

Run it alone: `python tests/benchmarks/bench_scale.py [RUNS]`.
"""

from __future__ import annotations

import json
import resource
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import Executor, ProcessPoolExecutor
from pathlib import Path

from toolkit.hotel import HOTEL_POLICY
from toolkit.hotel.controls import CONTROLS, load_control
from toolkit.trajectory.many import evaluate_many

RUNS = 100_000
GOAL_SECONDS = 20
PROCESSES = 2


def written(folder: Path, runs: int) -> Path:
    """The five controls again and again, a run to a line."""
    path = folder / "runs.jsonl"
    lines = [json.dumps({"messages": load_control(name)}) + "\n" for name in CONTROLS]
    with path.open("w", encoding="utf-8") as file:
        for index in range(runs):
            file.write(lines[index % len(lines)])
    return path


def megabytes() -> float:
    """The most memory this process has taken so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main(runs: int) -> None:
    """Print seconds and memory, one line for each way."""
    with tempfile.TemporaryDirectory() as folder:
        path = written(Path(folder), runs)
        print(f"{runs} runs, {path.stat().st_size / 1e6:.0f} MB, goal {GOAL_SECONDS} s; {megabytes():.0f} MB before")
        judged("one process", path, None)
        with ProcessPoolExecutor(PROCESSES) as pool:
            judged(f"{PROCESSES} processes", path, pool)


def judged(name: str, path: Path, executor: Executor | None) -> None:
    """Judge all runs and print what it took; processor time is that of this process."""
    start, started = time.perf_counter(), time.process_time()
    verdicts = Counter(str(each.report.verdict) for each in evaluate_many(path, HOTEL_POLICY, executor))
    seconds, busy = time.perf_counter() - start, time.process_time() - started
    print(f"{name:14}{seconds:6.1f} s ({busy:.1f} s of processor time), at most {megabytes():.0f} MB  {dict(verdicts)}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else RUNS)
