"""What is learnt of one call while it is under way."""

from __future__ import annotations

from typing import Any

from toolkit.gateway.idempotency import canonical
from toolkit.records import CallError, Context, Status, ToolCall


class Trace:
    """Handed from policy to policy; `Gateway.call` turns it into the result and the log line.

    Defaults stand on the class, so that a call pays only for what it sets. `tool` is the model's word until a
    registered tool is found; `version` is set once it is. `arguments` are what the model sent, checked; `keywords`
    are the same, ready to be passed on. `reached` is False while an attempt still opens what it needs; `fell_back`
    says that a fallback was begun. `deadline` is in seconds of the gateway's clock. `cause` holds type and frames of
    the last exception, `fields` the refused parameters, `injected` the name of a fault that a lab put in.
    """

    version: str | None = None
    status: Status = Status.SUCCESS
    error: CallError | None = None
    arguments: dict[str, Any] | None = None
    keywords: dict[str, Any]
    input_hash: str | None = None
    attempts: int = 0
    reached: bool = True
    fell_back: bool = False
    deadline: float | None = None
    key: str | None = None
    fields: tuple[str, ...] = ()
    cause: dict[str, Any] | None = None
    injected: str | None = None
    replayed: bool = False
    score: float | None = None
    _canonical: str | None = None

    def __init__(self, call: ToolCall, context: Context) -> None:
        self.call = call
        self.context = context
        self.tool = call.name
        self.notes = call.notes

    @property
    def canonical(self) -> str:
        """The arguments as one text, made when first asked for."""
        if self._canonical is None:
            self._canonical = canonical(self.arguments or {})
        return self._canonical
