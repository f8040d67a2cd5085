"""A recorded run, and how runs are found in a parsed document or in the lines of a log."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

from toolkit.errors import ToolkitError
from toolkit.trajectory.extract import extract_calls
from toolkit.trajectory.pointers import pointer_to
from toolkit.trajectory.reading import kind_of
from toolkit.trajectory.records import Anomaly, Trace

Format: TypeAlias = Literal["auto", "chat", "log"]
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
    """

    name: str
    messages: list[Any]
    at: str | Sequence[str] = ""
    missing_before: Mapping[int, str] = {}
    notes: tuple[Anomaly, ...] = ()


def trace_of(run: Run) -> Trace:
    """The calls of a run, with pointers into its file."""
    trace = extract_calls(run.messages, at=run.at, missing_before=run.missing_before)
    return replace(trace, anomalies=trace.anomalies + run.notes) if run.notes else trace


def is_message(value: Any) -> bool:
    """True for an object with a role that chat messages have."""
    role = value.get("role") if isinstance(value, dict) else None
    return isinstance(role, str) and role in _ROLES


def runs_in(document: Any, name: str, at: str = "") -> Iterator[Run]:
    """The runs a document holds: one run, a bare list of messages, or a list of runs.

    Raises:
        RecordingError: it holds none.
    """
    run = run_in(document, name, at)
    if run is not None:
        yield run
        return
    if not isinstance(document, list) or not document:
        raise RecordingError(f"no messages: {_what(document)}")
    for index, part in enumerate(document):
        run = run_in(part, f"{name}[{index}]", f"{at}/{index}")
        if run is None:
            raise RecordingError(f"no messages: {_what(document)}" if index == 0 else f"no messages in run {index}")
        yield run


def run_in(value: Any, name: str, at: str) -> Run | None:
    """The run a value is, or None where it is none."""
    if isinstance(value, list):
        return Run(name, value, at) if any(map(is_message, value)) else None
    key = list_key(value)
    if key is None or not any(map(is_message, value[key])):
        return None
    return Run(run_id(value) or name, value[key], at + pointer_to(key))


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
