"""Guards of the loop: what stops a run before a call is executed."""

from __future__ import annotations

import inspect
import json
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from toolkit.agent.cost import turn_costs
from toolkit.arguments import MalformedArguments, parse_arguments
from toolkit.gateway import Gateway
from toolkit.quality.pipeline import Pipeline
from toolkit.records import CallError, Context, Status, ToolCall, ToolResult

Confirm: TypeAlias = Callable[[ToolResult], bool | Awaitable[bool]]
"""Asks the user about a write that waits: `tool` and `arguments` of the result say which. True where they agree."""


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


def over_budget(messages: Sequence[Mapping[str, Any]], token_budget: int) -> str | None:
    """Why no further request fits the budget, or None where one does.

    A request repeats all that was said, so the next one takes at least what the last one and its reply took.
    """
    costs = turn_costs(messages)
    spent, least = sum(cost.total for cost in costs), costs[-1].total if costs else 0
    if spent + least <= token_budget:
        return None
    return f"{spent} of {token_budget} tokens are spent, and the next turn needs at least {least}."


async def ask_user(
    gateway: Gateway | Pipeline,
    calls: Sequence[ToolCall],
    results: list[ToolResult],
    context: Context,
    confirm: Confirm,
) -> None:
    """Ask about each write that waits, one after the other, and put what came of it in the place of its result."""
    for number, (call, result) in enumerate(zip(calls, list(results), strict=True)):
        token = result.error.confirmation if result.error else None
        if token is None:
            continue
        answer = confirm(result)
        agreed = await answer if inspect.isawaitable(answer) else answer
        if agreed:
            confirmed = replace(context, confirmed=frozenset({token}))
            results[number] = await gateway.call(call, confirmed)
        else:
            text = f"The user does not agree, so {result.tool} was not run."
            error = CallError("declined", text, next_step="ask the user what to do instead")
            results[number] = result._replace(error=error)


def waits(result: ToolResult) -> bool:
    """Whether a result waits for the user's word."""
    return result.error is not None and result.error.confirmation is not None
