"""A log read back: one `Line` per call, and what could not be read is counted, not hidden."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias

from toolkit.records import Status

Outcome: TypeAlias = Literal["answered", "refused", "failed"]

_REFUSED = frozenset(
    {
        Status.UNKNOWN_TOOL,
        Status.DENIED,
        Status.VALIDATION_ERROR,
        Status.CONTEXT_ERROR,
        Status.NEEDS_CONFIRMATION,
        Status.CONFLICT,
        Status.RATE_LIMITED,
    }
)
_OWN_WORDS, _OWN_FAULT = "tool_error", "hook_crashed"


class Line(NamedTuple):
    """One call, as its line in the log tells it. `ended_s` is in seconds since 1970, `session` is who called.

    `error_kind` is None where there was no error; a degraded answer has one. `injected` names the fault that a
    failure lab put in.
    """

    ended_s: float
    tool: str
    status: Status
    duration_ms: float
    error_kind: str | None = None
    error_type: str | None = None
    fields: tuple[str, ...] = ()
    attempts: int = 1
    input_hash: str | None = None
    session: str = "default"
    call_id: str = ""
    version: str | None = "1"
    replayed: bool = False
    score: float | None = None
    injected: str | None = None

    @property
    def started_s(self) -> float:
        return self.ended_s - self.duration_ms / 1000

    @property
    def outcome(self) -> Outcome:
        return outcome_of(self.status, self.error_kind)


def outcome_of(status: Status, error_kind: str | None) -> Outcome:
    """What a call says about its tool: it answered, it failed, or neither, for the call was refused.

    A refusal is a call that was not to be run, or that the tool declined in its own words ("no suite at HT-001"). It is
    to HTTP's 4xx what a failure is to 5xx: it tells of the caller, not of the tool.
    """
    if status.has_value:
        return "answered"
    refused = status in _REFUSED and error_kind != _OWN_FAULT
    return "refused" if refused or error_kind == _OWN_WORDS else "failed"


@dataclass(frozen=True, slots=True)
class Log:
    """The lines of a log in the order in which the calls ended, and why other lines could not be read."""

    lines: tuple[Line, ...]
    skipped: Counter[str] = field(default_factory=Counter)

    def __iter__(self) -> Iterator[Line]:
        return iter(self.lines)

    def __len__(self) -> int:
        return len(self.lines)


def read_log(source: Path | Iterable[str]) -> Log:
    """Read a log of JSON lines. A line of something else, or half a line, is skipped and counted by its reason.

    >>> log = read_log(['{"timestamp": "2026-09-15T08:00:00Z", "tool": "add", "status": "success"}', '{"time'])
    >>> len(log), log.skipped
    (1, Counter({'no JSON object': 1}))
    """
    if isinstance(source, Path):
        with source.open(encoding="utf-8", errors="replace") as lines:
            return read_log(lines)
    read: list[Line] = []
    skipped: Counter[str] = Counter()
    for text in source:
        if not text.strip():
            continue
        line = _read(text)
        if isinstance(line, str):
            skipped[line] += 1
        else:
            read.append(line)
    return Log(tuple(sorted(read, key=lambda line: line.ended_s)), skipped)


def line_of(record: Mapping[str, Any], ended_s: float) -> Line:
    """The line a gateway's record makes at this moment.

    Raises:
        KeyError, TypeError, ValueError: it is no record of a call.
    """
    return Line(
        ended_s=ended_s,
        tool=_text(record["tool"]),
        status=Status(record["status"]),
        duration_ms=float(record.get("duration_ms") or 0.0),
        error_kind=record.get("error_kind"),
        error_type=record.get("error_type"),
        fields=tuple(_text(name) for name in record.get("fields") or ()),
        attempts=int(record.get("attempts") or 0),
        input_hash=record.get("input_hash"),
        session=record.get("session") or "default",
        call_id=record.get("call_id") or "",
        version=record.get("version"),
        replayed=bool(record.get("replayed")),
        score=record.get("score"),
        injected=record.get("injected"),
    )


def real(lines: Iterable[Line]) -> list[Line]:
    """The lines without those of a failure lab, which say nothing of the real tools.

    >>> real([Line(0.0, "add", Status.SUCCESS, 1.0, injected="latency")])
    []
    """
    return [line for line in lines if line.injected is None]


def by_tool(lines: Iterable[Line]) -> dict[str, list[Line]]:
    """The real lines of each tool, tools in alphabetical order."""
    found: dict[str, list[Line]] = {}
    for line in real(lines):
        found.setdefault(line.tool, []).append(line)
    return dict(sorted(found.items()))


def span_s(lines: Sequence[Line]) -> float:
    """Seconds from the first call's start to the last call's end; 0 for no lines."""
    return max(line.ended_s for line in lines) - min(line.started_s for line in lines) if lines else 0.0


def _read(text: str) -> Line | str:
    """The line, or the reason why there is none."""
    try:
        record = json.loads(text)
    except (ValueError, RecursionError):
        record = None
    if not isinstance(record, dict):
        return "no JSON object"
    if record.get("event", "tool_call") != "tool_call":
        return "another event"
    try:
        ended_s = datetime.fromisoformat(record["timestamp"]).timestamp()
    except (KeyError, TypeError, ValueError, OverflowError):
        return "no timestamp"
    try:
        return line_of(record, ended_s)
    except (KeyError, TypeError, ValueError, OverflowError):
        return "no call"


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"a text was expected, not {type(value).__name__}")
    return value
