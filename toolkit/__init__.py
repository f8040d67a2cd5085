"""Tool use, by hand and the way production needs it: a registry, a decorator, a gateway."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
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

_HOMES = {
    "decorator": ("tool",),
    "errors": ("ToolDefinitionError", "ToolError", "ToolkitError", "TransientError"),
    "gateway": ("Gateway",),
    "records": ("CallPolicy", "Context", "RateLimit", "Status", "Tool", "ToolCall", "ToolResult"),
    "registry": ("Registry",),
}


def __getattr__(name: str) -> Any:
    """Load a name when it is first asked for.

    So whoever wants only records does not pay for asyncio, and `toolkit doctor` runs where pydantic is missing.
    """
    for module, names in _HOMES.items():
        if name in names:
            return globals().setdefault(name, getattr(import_module(f"toolkit.{module}"), name))
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """The public names too where they are not loaded yet: a notebook completes what this lists."""
    return sorted({*globals(), *__all__})
