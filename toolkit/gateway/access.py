"""Who may call what. Asked before arguments are even read, so that a refused caller learns no field names."""

from __future__ import annotations

import difflib
from collections.abc import Sequence

from toolkit.gateway.outcome import Stopped, stop
from toolkit.records import Context, Status, Tool


def authorize(tool: Tool, context: Context) -> None:
    """Let the call pass where the caller's role is declared for the tool. Called once roles are in use at all.

    A tool without roles is then for nobody: one that someone forgot to declare must not be open to everyone.

    Raises:
        Stopped: `denied`.
    """
    if tool.policy.roles is None or context.role not in tool.policy.roles:
        raise stop(Status.DENIED, "denied", f"This caller may not use {tool.name}.", next_step="use another tool")


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
