"""Judging files: every run in them against one policy, and what became of the files that could not be read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from toolkit.trajectory.formats import Format, RecordingError, read_runs, trace_of
from toolkit.trajectory.policy import Policy, evaluate
from toolkit.trajectory.records import Report, Verdict

SUFFIXES = (".json", ".jsonl", ".ndjson")


class Judged(NamedTuple):
    """A run, where it came from, and what the policy says of it."""

    file: str
    run: str
    report: Report


class Unreadable(NamedTuple):
    """A file that could not be read, and one sentence why."""

    file: str
    reason: str


def judge_files(paths: Iterable[Path], policy: Policy, format: Format = "auto") -> Iterator[Judged | Unreadable]:
    """Judge every run in these files and folders, in order. A file that cannot be read stops no other."""
    for path in paths:
        files = files_in(path) if path.is_dir() else [path]
        if not files:
            yield Unreadable(str(path), f"{path}: the folder holds no {' or '.join(SUFFIXES)} file.")
        for file in files:
            yield from judge_file(file, policy, format)


def judge_file(path: Path, policy: Policy, format: Format = "auto") -> Iterator[Judged | Unreadable]:
    """Judge every run in one file."""
    try:
        for run in read_runs(path, format):
            yield Judged(str(path), run.name, evaluate(trace_of(run), policy))
    except RecordingError as error:
        yield Unreadable(str(path), str(error))


def exit_code(outcomes: Iterable[Judged | Unreadable]) -> int:
    """What a run of many says to a shell.

    2 where a file could not be read, else 1 where a run fails, else 3 where one is not judgeable or nothing
    applied to any, else 0.
    """
    verdicts = {each.report.verdict if isinstance(each, Judged) else None for each in outcomes}
    if None in verdicts:
        return 2
    if Verdict.FAIL in verdicts:
        return 1
    return 3 if Verdict.NOT_JUDGEABLE in verdicts or Verdict.PASS not in verdicts else 0


def files_in(folder: Path) -> list[Path]:
    """The recordings in a folder and in the folders below it, sorted."""
    return sorted(path for path in folder.rglob("*") if path.suffix in SUFFIXES and path.is_file())
