"""Looking at calls from outside: the log written and read back, measures with their definitions, alerts, metrics."""

from toolkit.observe.lines import Line, Log, read_log
from toolkit.observe.sinks import json_logger, structlog_sink

__all__ = ["Line", "Log", "json_logger", "read_log", "structlog_sink"]
