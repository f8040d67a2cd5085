"""A recorded run, and how runs are found in a parsed document or in the lines of a log."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

from toolkit.errors import ToolkitError
from toolkit.trajectory.extract import extract_calls
from toolkit.trajectory.formats.exchanges import parts_in
from toolkit.trajectory.pointers import pointer_to
from toolkit.trajectory.reading import kind_of
from toolkit.trajectory.recognition import MessageFormat, is_item
from toolkit.trajectory.records import Anomaly, Trace

Format: TypeAlias = Literal["auto", "chat", "responses", "anthropic", "log"]
FORMATS: tuple[Format, ...] = get_args(Format)

LIST_KEYS = ("messages", "history", "traj")  # where recorders keep the messages of one run
_RUN_KEYS = ("run", "run_id")
_ROLES = frozenset({"system", "developer", "user", "assistant", "tool", "function"})


class RecordingError(ToolkitError):
    """A file is no recording. The text is one sentence that says why."""


class Run(NamedTuple):
    """One recorded run.

    Args:
        name: The run's id, or the name of its file.
        messages: Chat messages.
        at: Pointer to the list, or one pointer for each message where they stand in the lines of a log.
        missing_before: Index of a message to what is known to be missing right before it.
        notes: What was odd about the file.
        format: What the messages are; None where that is to be recognised.
        assembled: Pointer to the chunks a message was put together from; nothing inside it has a place of its own.
    """

    name: str
    messages: list[Any]
    at: str | Sequence[str] = ""
    missing_before: Mapping[int, str] = {}
    notes: tuple[Anomaly, ...] = ()
    format: MessageFormat | None = None
    assembled: str | None = None


def trace_of(run: Run) -> Trace:
    """The calls of a run, with pointers into its file."""
    trace = extract_calls(run.messages, at=run.at, missing_before=run.missing_before, format=run.format)
    if run.assembled is not None:
        trace = _placed(trace, run.assembled)
    return replace(trace, anomalies=trace.anomalies + run.notes) if run.notes else trace


def _placed(trace: Trace, place: str) -> Trace:
    """The trace with every pointer into an assembled message cut off at the chunks it came from."""

    def outer(at: str) -> str:
        return place if at.startswith(place + "/") else at

    def moved(anomaly: Anomaly) -> Anomaly:
        return anomaly._replace(at=outer(anomaly.at))

    calls = [
        call._replace(
            at=outer(call.at),
            result_at=None if call.result_at is None else outer(call.result_at),
            content_at=None if call.content_at is None else outer(call.content_at),
        )
        for call in trace.calls
    ]
    gaps = tuple((turn, moved(gap)) for turn, gap in trace.gaps)
    return replace(trace, calls=tuple(calls), anomalies=tuple(map(moved, trace.anomalies)), gaps=gaps)


def is_message(value: Any) -> bool:
    """True for an object with a role that messages have, and for a Responses item."""
    if not isinstance(value, dict):
        return False
    role = value.get("role")
    return (isinstance(role, str) and role in _ROLES) or is_item(value)


def runs_in(document: Any, name: str, at: str = "", format: Format = "auto") -> Iterator[Run]:
    """The runs a document holds: one run, a bare list of messages, or a list of runs.

    Raises:
        RecordingError: it holds none.
    """
    run = run_in(document, name, at, format)
    if run is not None:
        yield run
        return
    if not isinstance(document, list) or not document:
        raise RecordingError(f"no messages: {_what(document)}")
    for index, part in enumerate(document):
        run = run_in(part, f"{name}[{index}]", f"{at}/{index}", format)
        if run is None:
            raise RecordingError(f"no messages: {_what(document)}" if index == 0 else f"no messages in run {index}")
        yield run


def run_in(value: Any, name: str, at: str, format: Format = "auto") -> Run | None:
    """The run a value is, or None where it is none."""
    kind = None if format == "auto" or format == "log" else format
    key = list_key(value)
    if key is not None and any(map(is_message, value[key])):
        return Run(run_id(value) or name, value[key], at + pointer_to(key), format=kind)
    if isinstance(value, list) and any(map(is_message, value)):
        return Run(name, value, at, format=kind)
    parts = parts_in(value, at)
    if parts is None:
        return None
    named = run_id(value) if isinstance(value, dict) else None
    return Run(named or name, parts.messages, parts.at, parts.missing_before, format=kind, assembled=parts.assembled)


def list_key(value: Any) -> str | None:
    """Under which key an object keeps the messages of a run."""
    if not isinstance(value, dict):
        return None
    return next((key for key in LIST_KEYS if isinstance(value.get(key), list)), None)


def run_id(value: Mapping[str, Any]) -> str | None:
    """The id an object gives for its run, itself or under `meta`."""
    meta = value.get("meta")
    for place in (value, meta if isinstance(meta, dict) else {}):
        for key in _RUN_KEYS:
            if isinstance(place.get(key), str | int):
                return str(place[key])
    return None


def _what(value: Any) -> str:
    """What stands there instead of messages."""
    if isinstance(value, dict):
        keys = ", ".join(map(repr, list(value)[:5])) or "no keys"
        return f'an object with {keys}, where a run has "messages"'
    if isinstance(value, list) and value:
        return f"a list that begins with {kind_of(value[0])}, where a run has objects with a role"
    return "the list is empty" if isinstance(value, list) else f"the file holds {kind_of(value)}"
