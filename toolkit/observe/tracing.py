"""A span per tool call, by OpenTelemetry's conventions for generative AI (the extra `otel`).

The names are those of the `execute_tool` span of the repository semantic-conventions-genai, where they moved from the
general conventions. Their status is "development", so they stand in one place here. Arguments and results are opt-in
there, because they may hold secrets; here they are not recorded at all.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from toolkit.gateway import Gateway, Settings
from toolkit.gateway.gateway import DEFAULTS, NOBODY
from toolkit.gateway.log import standard_sink, tee
from toolkit.gateway.policy import Sink
from toolkit.records import Context, Status, ToolResult
from toolkit.registry import Registry

if TYPE_CHECKING:
    from opentelemetry.trace import Tracer

OPERATION = "execute_tool"
ATTRIBUTES = {
    "tool": "gen_ai.tool.name",
    "call_id": "gen_ai.tool.call.id",
    "session": "gen_ai.conversation.id",
    "error_kind": "error.type",
    "status": "toolkit.status",
    "attempts": "toolkit.attempts",
    "input_hash": "toolkit.input_hash",
    "replayed": "toolkit.replayed",
    "score": "toolkit.score",
    "injected": "toolkit.injected",
}
"""Field of the log record to attribute of the span. What the conventions have no name for stands under `toolkit.`."""


class TracedGateway(Gateway):
    """A gateway whose every call is a span; spans that a tool opens hang below it.

    Args:
        registry: As for `Gateway`, and so are `settings`, `log_sink` and `options`.
        tracer: Makes the spans; that of the global tracer provider if not given.
    """

    def __init__(
        self,
        registry: Registry,
        settings: Settings = DEFAULTS,
        *,
        tracer: Tracer | None = None,
        log_sink: Sink | None = standard_sink,
        **options: Any,
    ) -> None:
        from opentelemetry import trace

        sink = self._annotate if log_sink is None else tee(self._annotate, log_sink)
        super().__init__(registry, settings, log_sink=sink, **options)
        self._tracer = tracer or trace.get_tracer("toolkit")

    async def call(self, raw: object, context: Context = NOBODY) -> ToolResult:
        """Run one call inside a span of its own."""
        from opentelemetry.trace import SpanKind, StatusCode

        # Exceptions are not recorded: their texts carry secrets.
        with self._tracer.start_as_current_span(
            OPERATION, kind=SpanKind.INTERNAL, record_exception=False, set_status_on_exception=False
        ) as span:
            try:
                return await super().call(raw, context)
            except asyncio.CancelledError:
                span.set_attribute("error.type", "cancelled")
                span.set_status(StatusCode.ERROR)
                raise

    def _annotate(self, record: Mapping[str, Any]) -> None:
        """Write the log record onto the span the call runs in: nothing gets on it that may not get into the log."""
        from opentelemetry.trace import StatusCode, get_current_span

        span = get_current_span()
        span.update_name(f"{OPERATION} {record['tool']}")
        span.set_attributes(
            {"gen_ai.operation.name": OPERATION, "gen_ai.tool.type": "function"}
            | {name: record[field] for field, name in ATTRIBUTES.items() if record.get(field) is not None}
        )
        if not Status(record["status"]).has_value:
            span.set_status(StatusCode.ERROR, record["status"])
