"""Tool use, by hand and the way production needs it: a registry, a decorator, a gateway."""

from toolkit.decorator import tool
from toolkit.errors import ToolDefinitionError, ToolError, ToolkitError, TransientError
from toolkit.gateway import Gateway
from toolkit.records import CallPolicy, Context, RateLimit, Status, Tool, ToolCall, ToolResult
from toolkit.registry import Registry

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
