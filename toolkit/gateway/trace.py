"""What is learnt of one call while it is under way."""

from __future__ import annotations

from typing import Any

from toolkit.gateway.idempotency import canonical
from toolkit.records import CallError, Context, Status, ToolCall


class Trace:
    """Filled step by step; `Gateway.call` turns it into the result and the log line.

    `tool` is the model's word until a registered tool is found. `cause` holds type and frames of the last
    exception, `fields` the paths of refused arguments, `injected` the name of a fault put in by a lab.
    """

    __slots__ = (
        "_canonical",
        "arguments",
        "attempts",
        "cause",
        "error",
        "fields",
        "injected",
        "input_hash",
        "notes",
        "replayed",
        "role",
        "score",
        "status",
        "tool",
        "version",
    )

    def __init__(self, call: ToolCall, context: Context) -> None:
        self.tool = call.name
        self.role = context.role
        self.version: str | None = None
        self.status = Status.SUCCESS
        self.error: CallError | None = None
        self.arguments: dict[str, Any] | None = None
        self.input_hash: str | None = None
        self.attempts = 0
        self.notes = call.notes
        self.fields: tuple[str, ...] = ()
        self.cause: dict[str, Any] | None = None
        self.injected: str | None = None
        self.replayed = False
        self.score: float | None = None
        self._canonical: str | None = None

    @property
    def canonical(self) -> str:
        """The arguments as one text, made when first asked for."""
        if self._canonical is None:
            self._canonical = canonical(self.arguments or {})
        return self._canonical
