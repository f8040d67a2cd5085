"""Who may call what. Asked before arguments are even read, so that a refused caller learns no field names."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from typing import Any

from toolkit.gateway.outcome import Stopped, stop
from toolkit.gateway.policy import Services, Step
from toolkit.gateway.trace import Trace
from toolkit.records import Context, Status, Tool


def authorize(tool: Tool, services: Services, then: Step) -> Step:
    """Let a call pass where the caller's role is declared for the tool, once any tool of the registry names roles.

    A tool without roles is then for nobody: one that someone forgot to declare must not be open to everyone.
    """
    if not services.registry.roles_in_use:
        return then
    allowed = tool.policy.roles or frozenset()

    async def run(trace: Trace) -> Any:
        if trace.context.role not in allowed:
            message = f"This caller may not use {tool.name}."
            raise stop(Status.DENIED, "denied", message, next_step="use another tool")
        return await then(trace)

    return run


def hidden_arguments(tool: Tool, context: Context) -> frozenset[str]:
    """Parameters this caller may neither see nor send."""
    return frozenset(name for name, roles in tool.restricted.items() if context.role not in roles)


def unknown(name: str, visible: Sequence[str]) -> Stopped:
    """No such tool; the message names the closest ones and all that this caller may see."""
    close = difflib.get_close_matches(name, visible, n=1)
    hint = f" Did you mean {close[0]}?" if close else ""
    shown = name[:64] if name else "(a name that is not text)"
    return stop(
        Status.UNKNOWN_TOOL,
        "unknown_tool",
        f"There is no tool {shown!r}.{hint} Available: {', '.join(visible) or 'none'}.",
        next_step="call one of the available tools",
    )
