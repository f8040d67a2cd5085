"""The gateway's records written through structlog, as lines of JSON. `toolkit.gateway.log.tee` joins several sinks."""

from __future__ import annotations

import time
from collections.abc import Callable, MutableMapping, Sequence
from datetime import UTC, datetime
from typing import Any, TextIO

import structlog
from structlog.typing import FilteringBoundLogger, Processor

from toolkit.gateway.policy import Sink
from toolkit.observe.fields import FIELDS

DEBUG_FIELDS = ("timestamp", "level", "event", "tool", "traceback")


def json_logger(
    file: TextIO, fields: Sequence[str] = FIELDS, *, wall_clock: Callable[[], float] = time.time
) -> FilteringBoundLogger:
    """Make a structlog logger that writes one ASCII JSON object per line, of these fields and no others.

    It is a logger of its own: what an application configures for its own logs changes nothing here.

    Args:
        file: Gets the lines; each is flushed.
        fields: What may stand in a line.
        wall_clock: Seconds since 1970, for the timestamps. Durations do not come from it.
    """

    def stamp(_: object, level: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
        moment = datetime.fromtimestamp(wall_clock(), UTC).isoformat(timespec="microseconds")
        return {"timestamp": moment.replace("+00:00", "Z"), "level": level, **event}

    def only_allowed(_: object, __: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
        return {name: event[name] for name in fields if name in event}

    processors: list[Processor] = [stamp, only_allowed, structlog.processors.JSONRenderer()]
    logger: FilteringBoundLogger = structlog.wrap_logger(
        structlog.WriteLogger(file),
        processors=processors,
        wrapper_class=structlog.make_filtering_bound_logger(0),
        context_class=dict,
        cache_logger_on_first_use=True,
    )
    return logger


def structlog_sink(logger: FilteringBoundLogger) -> Sink:
    """Make a sink that writes each record through structlog, at level INFO: the course of things, a line per call.

    >>> import io
    >>> sink = structlog_sink(json_logger(file := io.StringIO(), wall_clock=lambda: 0.0))
    >>> sink({"event": "tool_call", "tool": "add", "api_key": "sk-1"})
    >>> print(file.getvalue(), end="")
    {"timestamp": "1970-01-01T00:00:00.000000Z", "level": "info", "event": "tool_call", "tool": "add"}
    """

    def sink(record: dict[str, Any]) -> None:
        logger.info(**record)

    return sink


def structlog_debug_sink(logger: FilteringBoundLogger) -> Sink:
    """Make a sink for `Gateway(debug_sink=...)`, at level DEBUG: the details, which are the whole texts of exceptions.

    Such texts carry addresses, paths and keys. Switch it on to look for a bug, not for good, and give it a file of its
    own: `json_logger(file, DEBUG_FIELDS)`.
    """

    def sink(record: dict[str, Any]) -> None:
        logger.debug(**{"event": "tool_exception", **record})

    return sink
