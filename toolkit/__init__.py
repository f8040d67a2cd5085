"""Tool use, by hand and the way production needs it: a registry, a decorator, a gateway."""

from typing import TYPE_CHECKING, Any

from toolkit.decorator import tool
from toolkit.errors import ToolDefinitionError, ToolError, ToolkitError, TransientError
from toolkit.records import CallPolicy, Context, RateLimit, Status, Tool, ToolCall, ToolResult
from toolkit.registry import Registry

if TYPE_CHECKING:
    from toolkit.gateway import Gateway

__all__ = [
    "CallPolicy",
    "Context",
    "Gateway",
    "RateLimit",
    "Registry",
    "Status",
    "Tool",
    "ToolCall",
    "ToolDefinitionError",
    "ToolError",
    "ToolResult",
    "ToolkitError",
    "TransientError",
    "tool",
]


def __getattr__(name: str) -> Any:
    """Load layer 3 when it is first asked for: asyncio alone costs a third of what pydantic costs to import."""
    if name == "Gateway":
        from toolkit.gateway import Gateway

        return Gateway
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
