"""Guards of the loop: what stops a run before a call is executed."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from toolkit.arguments import MalformedArguments, parse_arguments
from toolkit.records import CallError, Status, ToolCall, ToolResult


def fingerprint(call: ToolCall) -> tuple[str, str]:
    """Name and arguments in one form, whatever the spacing and the order of keys.

    >>> one, other = ToolCall("1", "f", '{"a": 1, "b": 2}'), ToolCall("2", "f", '{"b":2,"a":1}')
    >>> fingerprint(one) == fingerprint(other)
    True
    """
    try:
        arguments, _ = parse_arguments(call.arguments)
    except MalformedArguments:
        return call.name, repr(call.arguments)
    return call.name, json.dumps(arguments, sort_keys=True)


class RepeatGuard:
    """Notices the same call with the same arguments twice in a row: in two turns that follow, or in one turn.

    A call whose answer invited another try may be repeated.
    """

    def __init__(self) -> None:
        self._settled: set[tuple[str, str]] = set()

    def repeated(self, calls: Iterable[ToolCall]) -> ToolCall | None:
        """The first call that repeats one just made, or None."""
        seen = set(self._settled)
        for call in calls:
            if fingerprint(call) in seen:
                return call
            seen.add(fingerprint(call))
        return None

    def settle(self, calls: Sequence[ToolCall], results: Sequence[ToolResult]) -> None:
        """Remember the turn that was just run."""
        self._settled = {
            fingerprint(call)
            for call, result in zip(calls, results, strict=True)
            if result.error is None or not result.error.retryable
        }


def not_run(calls: Iterable[ToolCall], repeated: ToolCall) -> list[ToolResult]:
    """Answer every call of a turn that is not run, because one of them repeats."""
    text = f"Not run: {repeated.name} was just called with the same arguments. The run ends here."
    error = CallError("repeated_call", text)
    return [ToolResult(Status.CONTEXT_ERROR, error=error, call_id=call.id, tool=call.name) for call in calls]
