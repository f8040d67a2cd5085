"""The runs and labels that come with the kit: of a small real model, of the simulated agent, and their verdicts."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Literal, TypeAlias

from toolkit.resources import data_path
from toolkit.trajectory import Verdict
from toolkit.trajectory.formats import Run, read_runs

Kind: TypeAlias = Literal["real", "simulated"]
Labelling: TypeAlias = Literal["first", "second", "final"]


def recordings(kind: Kind) -> Iterator[dict[str, Any]]:
    """Every recording of a kind as it stands in its file, `meta` and `messages`."""
    for file in sorted(data_path("runs", kind).glob("*.jsonl")):
        for line in file.read_text("utf-8").splitlines():
            yield json.loads(line)


def recorded_runs(kind: Kind) -> list[Run]:
    """Every recorded run of a kind, file by file.

    >>> run = recorded_runs("simulated")[0]
    >>> run.name, run.messages[2]["tool_calls"][0]["function"]["name"]
    ('simulated-en-0-skip_weather', 'set_plan')
    """
    files = sorted(data_path("runs", kind).glob("*.jsonl"))
    return [run for file in files for run in read_runs(file)]


def read_labels(labelling: Labelling = "final") -> dict[str, dict[str, Verdict]]:
    """The verdict each check should give on each recorded run, by its name; `data/labels/README.md` tells how made."""
    recorded = json.loads(data_path("labels", f"{labelling}.json").read_text("utf-8"))
    checks = recorded["checks"]
    return {
        name: dict(zip(checks, map(Verdict, verdicts), strict=True)) for name, verdicts in recorded["labels"].items()
    }
