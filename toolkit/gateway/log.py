"""One structured line per call. The fields are a fixed list; nothing else gets in, so no secret can.

A list of forbidden names would have to know every secret's name. A list of allowed fields only has to know ours.
"""

from __future__ import annotations

import hashlib
import json
import logging
import re
from collections.abc import Callable, Mapping
from typing import Any

from pydantic_core import to_json

from toolkit.gateway.trace import Trace
from toolkit.records import Context, ToolResult

FIELDS = (
    "event",
    "call_id",
    "session",
    "tool",
    "version",
    "phase",
    "status",
    "input_hash",
    "duration_ms",
    "attempts",
    "error_kind",
    "error_type",
    "fields",
    "frames",
    "notes",
    "replayed",
    "score",
    "injected",
)
_ALLOWED = frozenset(FIELDS)
_encode = json.JSONEncoder(
    default=str, separators=(",", ":")
).encode  # made once: `json.dumps` with options makes one per call
_ID = re.compile(r"[A-Za-z0-9_.:-]{1,64}")
_logger = logging.getLogger("toolkit.gateway")
_logger.addHandler(logging.NullHandler())


def standard_sink(record: Mapping[str, Any]) -> None:
    """Write a record to the logger `toolkit.gateway`, as one line of ASCII JSON, at level INFO."""
    if _logger.isEnabledFor(logging.INFO):
        _logger.info(line(record))


def line(record: Mapping[str, Any]) -> str:
    """A record as one line: JSON in ASCII, so no text a model sends can start a line of its own."""
    allowed = record if record.keys() <= _ALLOWED else {n: v for n, v in record.items() if n in _ALLOWED}
    text = to_json(allowed, fallback=str).decode()  # four times as fast as the encoder below, which does the rest
    return text if text.isascii() else _encode(allowed)


def tee(*sinks: Callable[[dict[str, Any]], None]) -> Callable[[dict[str, Any]], None]:
    """One sink that writes to several. Where one fails, the others get the record all the same.

    Raises:
        ExceptionGroup: what they raised; the gateway counts such a line as lost.
    """

    def write(record: dict[str, Any]) -> None:
        errors = []
        for sink in sinks:
            try:
                sink(record)
            except Exception as error:  # noqa: BLE001 - raised together below
                errors.append(error)
        if errors:
            raise ExceptionGroup("log sinks that failed", errors)

    return write


def record(result: ToolResult, trace: Trace, context: Context) -> dict[str, Any]:
    """The record of one call. Text a model sent gets in nowhere but in `call_id`, if it looks like an id."""
    fields: dict[str, Any] = {
        "event": "tool_call",
        "call_id": _id(result.call_id),
        "session": _id(context.session),
        "tool": result.tool if trace.version is not None else "(unknown)",
        "version": trace.version,
        "phase": "end",
        "status": result.status.value,
        "input_hash": result.input_hash,
        "duration_ms": round(result.duration_ms, 3),
        "attempts": result.attempts,
    }
    if result.error is not None:
        fields["error_kind"] = result.error.kind
        fields["fields"] = list(trace.fields) or None
    if trace.cause:
        fields.update(trace.cause)
    if trace.notes:
        fields["notes"] = [note.split(":", 1)[0] for note in trace.notes]
        if trace.notes[0].startswith("injected:"):  # a lab spoiled the call before it arrived
            fields["injected"] = trace.notes[0].split(":", 1)[1]
    for name in ("replayed", "score", "injected"):
        if (value := getattr(trace, name)) is not None and value is not False:
            fields[name] = value
    return fields


def _id(text: object) -> str:
    return text if isinstance(text, str) and _ID.fullmatch(text) else "(not an id)"


def input_hash(key: bytes, tool: str, arguments: str) -> str:
    """A keyed hash of the canonical arguments: equal inputs can be found in one run's log, none can be guessed.

    An unkeyed hash of a phone number is reversed by trying all numbers.
    """
    return hashlib.blake2b(f"{tool}\0{arguments}".encode(), key=key, digest_size=12).hexdigest()
