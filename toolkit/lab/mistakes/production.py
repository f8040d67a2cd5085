"""Roles, confirmations and files that do not do what they say."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

from toolkit.hotel.world import World
from toolkit.records import Context, Tool
from toolkit.validation import Rejected, validate


def validate_first(tool: Tool, arguments: str, context: Context) -> str:
    """Check a call: its arguments, then the caller."""
    try:
        validate(tool, arguments)
    except Rejected as error:
        return error.message
    if context.role not in (tool.policy.roles or ()):
        return f"{context.role} may not call {tool.name}."
    return "run"


def book_if_confirmed(world: World, nights: int, user_confirmed: bool) -> dict[str, Any]:
    """Book a suite. Set user_confirmed to true once the user has agreed."""
    if not user_confirmed:
        return {"error": "Ask the user first."}
    return dict(world.book("HT-002", "suite", date(2026, 10, 1), nights))


def read_report(root: Path, name: str) -> str:
    """Read a report. Only files below the root can be read."""
    path = Path(f"{root}/{name}")
    if not str(path).startswith(str(root)):
        raise PermissionError(name)
    return path.read_text(encoding="utf-8")
