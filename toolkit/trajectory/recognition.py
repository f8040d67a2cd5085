"""Which of the three ways of writing messages a list uses. It is told by its first call or result.

Lists without calls read the same in each of them, so nothing is lost by taking those for chat messages.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal, TypeAlias

MessageFormat: TypeAlias = Literal["chat", "responses", "anthropic"]

_CHAT_ROLES = ("tool", "function")
_ITEM_ENDINGS = ("_call", "_output")
_ITEMS = ("reasoning", "item_reference")
_BLOCK_ENDINGS = ("tool_use", "tool_result")


def format_of(messages: Iterable[Any]) -> MessageFormat:
    """What these messages are.

    >>> format_of([{"role": "user", "content": "hi"}, {"type": "function_call", "name": "search"}])
    'responses'
    """
    for message in messages:
        if _field(message, "tool_calls") or _field(message, "function_call") or _field(message, "role") in _CHAT_ROLES:
            return "chat"
        if is_item(message):
            return "responses"
        content = _field(message, "content")
        if isinstance(content, list) and any(map(_is_call_block, content)):
            return "anthropic"
    return "chat"


def is_item(value: Any) -> bool:
    """True for a Responses item that is no message, and for a whole response."""
    kind = _field(value, "type")
    if isinstance(kind, str):
        return kind.endswith(_ITEM_ENDINGS) or kind in _ITEMS
    return _field(value, "object") == "response" and isinstance(_field(value, "output"), list)


def _is_call_block(value: Any) -> bool:
    kind = _field(value, "type")
    return isinstance(kind, str) and kind.endswith(_BLOCK_ENDINGS)


def _field(value: Any, name: str) -> Any:
    """A field of a JSON object, or of an object of a vendor's client."""
    return value.get(name) if isinstance(value, dict) else getattr(value, name, None)
