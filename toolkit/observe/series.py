"""A log cut into steps of time: the series that the dashboard's panels draw. Injected faults are left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, TypeVar

from toolkit.observe.lines import Line, real
from toolkit.observe.percentiles import percentile
from toolkit.observe.questions import latencies_ms

Key = TypeVar("Key")


class Series(NamedTuple):
    """A value per step. `times_s` are the steps' ends, in seconds since the first step began; None: no value."""

    times_s: tuple[float, ...]
    values: tuple[float | None, ...]


def throughput(lines: Iterable[Line], step_s: float) -> dict[str, Series]:
    """Calls per second of each tool, however they ended."""
    return _per_key(lines, step_s, lambda line: line.tool, lambda mine, _: len(mine) / step_s)


def latency(lines: Iterable[Line], step_s: float, shares: Sequence[float] = (0.5, 0.95, 0.99)) -> dict[str, Series]:
    """Percentiles of the answers' latency, in milliseconds. A step with too few answers for one has no value."""
    steps = _steps(lines, step_s)
    found: dict[str, Series] = {}
    for share in shares:
        each = [percentile(latencies_ms(step), share) for step in steps]
        values = tuple(one.value if one.enough else None for one in each)
        found[f"p{share * 100:g}"] = Series(_ends(steps, step_s), values)
    return found


def error_share(lines: Iterable[Line], step_s: float) -> dict[tuple[str, str], Series]:
    """Errors of each tool and kind, over all calls of the tool in the step."""

    def key(line: Line) -> tuple[str, str] | None:
        return (line.tool, line.error_kind) if line.error_kind else None

    def share(mine: list[Line], step: list[Line]) -> float:
        return len(mine) / sum(line.tool == mine[0].tool for line in step) if mine else 0.0

    return _per_key(lines, step_s, key, share)


def success_share(lines: Iterable[Line], step_s: float) -> Series:
    """Answers over answers and failures; a step without either has no value."""
    steps = _steps(lines, step_s)
    values: list[float | None] = []
    for step in steps:
        outcomes = Counter(line.outcome for line in step)
        told = outcomes["answered"] + outcomes["failed"]
        values.append(outcomes["answered"] / told if told else None)
    return Series(_ends(steps, step_s), tuple(values))


def score_counts(lines: Iterable[Line], bins: int = 10) -> list[int]:
    """How many scores lie in each of so many equal parts of 0..1, the upper end of a part included.

    >>> from toolkit.records import Status
    >>> score_counts([Line(0.0, "add", Status.SUCCESS, 1.0, score=score) for score in (0.0, 0.5, 0.95, 1.0)], bins=2)
    [2, 2]
    """
    counts = [0] * bins
    for line in real(lines):
        if line.score is not None:
            counts[max(0, -int(-line.score * bins // 1) - 1)] += 1
    return counts


def failure_times(lines: Iterable[Line]) -> dict[str, list[tuple[float, str]]]:
    """When each tool failed, in seconds since the log's first step, and the id to look for in the log."""
    ordered = sorted(real(lines), key=lambda line: line.ended_s)
    found: dict[str, list[tuple[float, str]]] = {}
    for line in ordered:
        if line.outcome == "failed":
            found.setdefault(line.tool, []).append((line.ended_s - ordered[0].ended_s, line.call_id))
    return found


def _steps(lines: Iterable[Line], step_s: float) -> list[list[Line]]:
    """The lines of each step, empty steps included.

    Raises:
        ValueError: a step of no time.
    """
    if step_s <= 0:
        raise ValueError(f"step_s is {step_s}, but must be above 0 seconds.")
    ordered = sorted(real(lines), key=lambda line: line.ended_s)
    if not ordered:
        return []
    begin_s = ordered[0].ended_s
    steps: list[list[Line]] = [[] for _ in range(int((ordered[-1].ended_s - begin_s) // step_s) + 1)]
    for line in ordered:
        steps[int((line.ended_s - begin_s) // step_s)].append(line)
    return steps


def _ends(steps: Sequence[object], step_s: float) -> tuple[float, ...]:
    return tuple((number + 1) * step_s for number in range(len(steps)))


def _per_key(
    lines: Iterable[Line],
    step_s: float,
    key_of: Callable[[Line], Key | None],
    value: Callable[[list[Line], list[Line]], float],
) -> dict[Key, Series]:
    """A series for each key that occurs, the most frequent first."""
    steps = _steps(lines, step_s)
    keys = Counter(key for step in steps for line in step if (key := key_of(line)) is not None)
    ends = _ends(steps, step_s)
    return {
        key: Series(ends, tuple(value([line for line in step if key_of(line) == key], step) for step in steps))
        for key, _ in keys.most_common()
    }
