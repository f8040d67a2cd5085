"""Metrics in Prometheus' format, from the log records of a gateway.

Labels come from fixed lists: registered tools, statuses, kinds of error. A model that calls ten thousand made-up
names adds one series. Calls into which a lab put a fault are counted apart and left out of everything else.

A failure carries the id of its call as an exemplar, so that a dashboard leads to the line in the log. Ids are no
labels: each would be a series of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from threading import Thread
from typing import Any, Self, get_args
from wsgiref.simple_server import WSGIServer

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest, start_http_server

from toolkit.observe.lines import Outcome, outcome_of
from toolkit.records import Status

REFUSALS = frozenset(
    {
        "conflict",
        "denied",
        "invalid_arguments",
        "key_missing",
        "malformed_arguments",
        "needs_confirmation",
        "rate_limited",
        "refused",
        "session_cap",
        "tool_error",
        "truncated",
        "unknown_tool",
    }
)
FAILURES = frozenset(
    {
        "bug",
        "busy",
        "cancelled_by_tool",
        "circuit_open",
        "gateway",
        "hook_crashed",
        "malformed_result",
        "outcome_unknown",
        "timeout",
        "tool_timeout",
        "unavailable",
    }
)
KINDS = REFUSALS | FAILURES
STATUSES = frozenset(status.value for status in Status)
OTHER, NOT_AN_ID = "other", "(not an id)"
_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)
_SCORES = tuple(tenth / 10 for tenth in range(11))


class Metrics:
    """A log sink that counts. Give it to `Gateway(log_sink=...)`, alone or beside another with `log.tee`.

    Args:
        tools: Names whose series stand at 0 from the start; without that `rate()` does not see the first failure.
        registry: Where the metrics live; one of their own if not given.
    """

    def __init__(self, tools: Iterable[str] = (), registry: CollectorRegistry | None = None) -> None:
        self.registry = registry if registry is not None else CollectorRegistry()
        more: dict[str, Any] = {"namespace": "toolkit", "registry": self.registry}
        self._calls = Counter("tool_calls", "Calls by how they ended.", ["tool", "status"], **more)
        self._errors = Counter(
            "tool_errors",
            "Calls with an error, by its kind and what it made of the call.",
            ["tool", "kind", "outcome"],
            **more,
        )
        self._attempts = Counter("tool_attempts", "Attempts, the first included.", ["tool"], **more)
        self._injected = Counter("tool_injected_faults", "Faults that a failure lab put in.", ["tool"], **more)
        self._seconds = Histogram(
            "tool_call_duration_seconds",
            "Time of a call, its attempts and waits included; replays left out.",
            ["tool", "outcome"],
            buckets=_SECONDS,
            **more,
        )
        self._scores = Histogram("tool_score_ratio", "Score of an answer.", ["tool"], buckets=_SCORES, **more)
        for tool in tools:
            self._begin(tool)

    def _begin(self, tool: str) -> None:
        for status in sorted(STATUSES):
            self._calls.labels(tool, status)
        for kind in sorted(KINDS):
            self._errors.labels(tool, kind, "refused" if kind in REFUSALS else "failed")
        self._attempts.labels(tool)
        for outcome in get_args(Outcome):
            self._seconds.labels(tool, outcome)

    def __call__(self, record: Mapping[str, Any]) -> None:
        """Count one record."""
        tool = record["tool"]  # a registered name, or the one word for all others
        if record.get("injected"):
            self._injected.labels(tool).inc()
            return
        status, kind = record["status"], record.get("error_kind")
        self._calls.labels(tool, status if status in STATUSES else OTHER).inc()
        outcome = outcome_of(Status(status), kind) if status in STATUSES else "failed"
        if kind is not None:
            sample = _sample(record) if outcome == "failed" else None
            self._errors.labels(tool, kind if kind in KINDS else OTHER, outcome).inc(exemplar=sample)
        self._attempts.labels(tool).inc(record["attempts"])
        if not record.get("replayed"):
            self._seconds.labels(tool, outcome).observe(record["duration_ms"] / 1000)
        if record.get("score") is not None:
            self._scores.labels(tool).observe(record["score"])

    def text(self) -> str:
        """All metrics as Prometheus reads them; without exemplars, which only the server's OpenMetrics format has."""
        return generate_latest(self.registry).decode()

    def serve(self, port: int = 0, address: str = "127.0.0.1") -> MetricsServer:
        """Serve the metrics to Prometheus at `/metrics`, in a thread; port 0 takes a free one. Close it in the end."""
        server, thread = start_http_server(port, addr=address, registry=self.registry)
        return MetricsServer(server, thread)


class MetricsServer:
    """The running server; `port` is where it listens."""

    def __init__(self, server: WSGIServer, thread: Thread) -> None:
        self._server, self._thread = server, thread
        self.port: int = server.server_port

    def close(self) -> None:
        """Stop serving and wait for the thread."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _sample(record: Mapping[str, Any]) -> dict[str, str] | None:
    """What to show beside a failure: the id by which its line is found in the log."""
    call_id = record.get("call_id")
    return {"call_id": call_id} if call_id and call_id != NOT_AN_ID else None
