"""Sixty runs of the simulated agent on the goal, with a spread of faults; `data/runs/simulated` is what came out.

    python -m toolkit.hotel.simulated_runs data/runs/simulated

makes them again, byte for byte, in a second. They are simulated, and every one says so.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from toolkit.hotel.catalogue import Language
from toolkit.hotel.run import run_simulated
from toolkit.hotel.simulated import FAULTS, Fault

SEEDS: dict[Language, range] = {"en": range(30), "zh": range(30, 60)}
PROBABILITY: Mapping[Fault, float] = {**dict.fromkeys(FAULTS, 0.2), "loop": 0.1}
"""How likely each agent has each fault; drawn by its seed, each by itself."""


def write(folder: Path) -> None:
    """Run every agent and write one file of lines for each language."""
    for language, seeds in SEEDS.items():
        recordings = [asyncio.run(run_simulated(seed, PROBABILITY, language)) for seed in seeds]
        lines = [
            json.dumps({"meta": each["meta"], "messages": each["messages"]}, ensure_ascii=False) for each in recordings
        ]
        (folder / f"{language}.jsonl").write_text("".join(f"{line}\n" for line in lines), "utf-8")


def main(arguments: Sequence[str]) -> None:
    """Write the runs into the folder given."""
    write(Path(*arguments))


if __name__ == "__main__":
    main(sys.argv[1:])
