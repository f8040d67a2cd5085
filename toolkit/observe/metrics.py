"""Metrics in Prometheus' format, from the log records of a gateway.

Labels come from fixed lists: registered tools, statuses, kinds of error. A model that calls ten thousand made-up
names adds one series. Calls into which a lab put a fault are counted apart and left out of everything else.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest

from toolkit.records import Status

KINDS = frozenset(
    [
        "bug",
        "busy",
        "cancelled_by_tool",
        "circuit_open",
        "conflict",
        "denied",
        "gateway",
        "hook_crashed",
        "invalid_arguments",
        "key_missing",
        "malformed_arguments",
        "malformed_result",
        "needs_confirmation",
        "outcome_unknown",
        "rate_limited",
        "refused",
        "session_cap",
        "timeout",
        "tool_error",
        "tool_timeout",
        "truncated",
        "unavailable",
        "unknown_tool",
    ]
)
STATUSES = frozenset(status.value for status in Status)
_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)
_SCORES = tuple(tenth / 10 for tenth in range(11))


class Metrics:
    """A log sink that counts. Give it to `Gateway(log_sink=...)`, alone or beside another with `log.tee`."""

    def __init__(self, registry: CollectorRegistry | None = None) -> None:
        self.registry = registry if registry is not None else CollectorRegistry()
        self._calls = Counter("tool_calls", "Calls by how they ended", ["tool", "status"], registry=self.registry)
        self._errors = Counter("tool_errors", "Calls with an error", ["tool", "kind"], registry=self.registry)
        self._attempts = Counter("tool_attempts", "Attempts, the first included", ["tool"], registry=self.registry)
        self._injected = Counter("tool_injected_faults", "Faults a lab put in", ["tool"], registry=self.registry)
        self._seconds = Histogram(
            "tool_call_duration_seconds", "Time of a call", ["tool"], buckets=_SECONDS, registry=self.registry
        )
        self._scores = Histogram(
            "tool_call_score", "Score of a call, 0 to 1", ["tool"], buckets=_SCORES, registry=self.registry
        )

    def __call__(self, record: Mapping[str, Any]) -> None:
        """Count one record."""
        tool = record["tool"]  # a registered name, or the one word for all others
        if record.get("injected"):
            self._injected.labels(tool).inc()
            return
        status, kind = record["status"], record.get("error_kind")
        self._calls.labels(tool, status if status in STATUSES else "other").inc()
        if kind is not None:
            self._errors.labels(tool, kind if kind in KINDS else "other").inc()
        self._attempts.labels(tool).inc(record["attempts"])
        self._seconds.labels(tool).observe(record["duration_ms"] / 1000)
        if record.get("score") is not None:
            self._scores.labels(tool).observe(record["score"])

    def text(self) -> str:
        """All metrics as Prometheus reads them."""
        return generate_latest(self.registry).decode()
