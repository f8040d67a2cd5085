"""Judging many runs: file by file, a large file of lines piece by piece, here or in the processes of an executor.

Whatever the executor, results come in the order of the files, and no more than a few pieces are in memory.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Executor, Future
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from toolkit.trajectory.formats import Format, RecordingError, trace_of
from toolkit.trajectory.formats.files import has_runs_to_a_line, read_piece
from toolkit.trajectory.judging import Judged, Unreadable, files_in, judge_file
from toolkit.trajectory.policy import Policy, evaluate

PIECE = 1 << 20  # bytes of lines judged in one go
_AHEAD = 32  # pieces handed out before the first of them is taken back


class Piece(NamedTuple):
    """A file, or these bytes of its lines; `line` is the number of the first of them."""

    path: Path
    start: int = 0
    end: int | None = None
    line: int = 0


def evaluate_many(
    source: Path | Iterable[Path],
    policy: Policy,
    executor: Executor | None = None,
    *,
    format: Format = "auto",
    piece: int = PIECE,
) -> Iterator[Judged | Unreadable]:
    """Judge every run in these files and folders, in order. A file that cannot be read stops no other.

    Args:
        source: Files and folders.
        executor: Where the work is done: a `ProcessPoolExecutor`, a Dask client's `get_executor()`; here for None.
        piece: Bytes of a file with a run to a line that are judged in one go.
    """
    paths = [source] if isinstance(source, Path) else source
    pieces = _pieces(paths, format, piece)
    if executor is None:
        for each in pieces:
            yield from _judge(each, policy, format)
        return
    waiting: deque[Future[list[Judged | Unreadable]]] = deque()
    try:
        for each in islice(pieces, _AHEAD):
            waiting.append(executor.submit(judge_piece, each, policy, format))
        while waiting:
            outcomes = waiting.popleft().result()
            waiting.extend(executor.submit(judge_piece, each, policy, format) for each in islice(pieces, 1))
            yield from outcomes
    finally:
        for future in waiting:
            future.cancel()


def judge_piece(piece: Piece, policy: Policy, format: Format) -> list[Judged | Unreadable]:
    """Judge the runs of one piece; what goes back to another process is made light."""
    return [_light(each) for each in _judge(piece, policy, format)]


def _light(outcome: Judged | Unreadable) -> Judged | Unreadable:
    """The same without what checks have looked up, which can be looked up again."""
    if isinstance(outcome, Unreadable):
        return outcome
    report = outcome.report
    return outcome._replace(report=replace(report, trace=replace(report.trace, indexes={})))


def _judge(piece: Piece, policy: Policy, format: Format) -> Iterator[Judged | Unreadable]:
    path, start, end, line = piece
    if end is None:
        yield from judge_file(path, policy, format)
        return
    try:
        for run in read_piece(path, start, end, line, format):
            yield Judged(str(path), run.name, evaluate(trace_of(run), policy))
    except RecordingError as error:
        yield Unreadable(str(path), str(error))


def _pieces(paths: Iterable[Path], format: Format, size: int) -> Iterator[Piece]:
    for path in paths:
        for file in (files_in(path) or [path]) if path.is_dir() else [path]:
            if file.is_file() and file.stat().st_size > size and has_runs_to_a_line(file, format):
                yield from _cut(file, size)
            else:
                yield Piece(file)


def _cut(path: Path, size: int) -> Iterator[Piece]:
    """Pieces of about this many bytes, each ending with a line."""
    start = line = 0
    with path.open("rb") as file:
        while text := file.read(size):
            text += file.readline()
            end = start + len(text)
            yield Piece(path, start, end, line)
            start, line = end, line + text.count(b"\n")
