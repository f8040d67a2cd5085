"""Messages whose content is a list of blocks, as Anthropic's are: `tool_use` asks, `tool_result` answers.

Results stand in a message of the user's role, so its text is what the user said and its results are not. A tool
that the vendor runs (`server_tool_use`, `mcp_tool_use`) is answered inside the assistant's message, and the blocks
behind the answer have seen it. Assistant messages in a row are one turn, as they are to the vendor.
"""

from __future__ import annotations

from typing import Any

from toolkit.trajectory.extract import (
    BEGINS_WITH_CALLS,
    BEGINS_WITH_RESULT,
    COMPACTED,
    SYSTEM_ROLES,
    as_object,
    is_marker,
)
from toolkit.trajectory.pairing import TraceBuilder
from toolkit.trajectory.reading import kind_of, read_content

_ERROR_ENDING = "_tool_result_error"  # the type of what a vendor's tool that failed gives as its content


class BlockReader:
    """Tells a `TraceBuilder` what stands in the blocks, in order."""

    def __init__(self, builder: TraceBuilder) -> None:
        self._builder = builder
        self._in_turn = False
        self._after_result = False  # the model was given a result inside its turn

    def begin(self, message: dict[str, Any], role: Any, at: str) -> None:
        """Look at the first message for a sign that others stood before it."""
        kinds = [_kind(block) for block in _blocks(message)]
        if role == "user" and any(kind.endswith("tool_result") for kind in kinds):
            self._builder.cut_head(at, BEGINS_WITH_RESULT)
        elif role == "assistant" and any(kind.endswith("tool_use") for kind in kinds):
            self._builder.cut_head(at, BEGINS_WITH_CALLS)

    def read(self, message: dict[str, Any], role: Any, at: str) -> None:
        """Read a message."""
        if role == "assistant":
            self._read_assistant(message, at)
            return
        self._in_turn = False
        for index, block in enumerate(_blocks(message)):
            self._read_user_block(block, f"{at}/content/{index}")
        text = _text_of(message)
        if is_marker(message, text):
            self._builder.cut_head(at, COMPACTED)
        elif role == "user":
            if text or not _blocks(message):
                self._builder.say(text, at)
        elif role not in SYSTEM_ROLES:
            self._builder.lose("message_invalid", at, f"no message has the role {role!r}")

    def _read_user_block(self, block: Any, at: str) -> None:
        if as_object(block) is None:
            self._builder.lose("message_invalid", at, f"a block is an object, not {kind_of(block)}")
        elif _kind(block).endswith("tool_result"):
            self._answer(as_object(block) or {}, at)
        elif _kind(block).endswith("tool_use"):
            self._builder.lose("call_invalid", at, "a call stands in a message that is not the assistant's")

    def _read_assistant(self, message: dict[str, Any], at: str) -> None:
        if self._in_turn:
            self._builder.continue_turn()
        else:
            self._builder.begin_turn()
            self._in_turn, self._after_result = True, False
        if is_marker(message, ""):
            self._builder.cut_head(at, COMPACTED)
        for index, raw in enumerate(_blocks(message)):
            place = f"{at}/content/{index}"
            block = as_object(raw)
            if block is None:
                self._builder.lose("call_invalid", place, f"a block is an object, not {kind_of(raw)}")
                continue
            kind = _kind(block)
            if kind.endswith("tool_result"):
                self._answer(block, place)
                self._after_result = True
                continue
            if self._after_result:
                self._builder.go_on()
                self._after_result = False
            if kind.endswith("tool_use"):
                self._builder.call(block.get("id"), block.get("name"), block.get("input"), place, takes_object=True)
        self._count_tokens(message.get("usage"))

    def _answer(self, block: dict[str, Any], at: str) -> None:
        content = block.get("content")
        failed = bool(block.get("is_error") or block.get("isError")) or _kind(content).endswith(_ERROR_ENDING)
        self._builder.answer(block.get("tool_use_id"), read_content(content), at, failed=failed)

    def _count_tokens(self, usage: Any) -> None:
        if not isinstance(usage, dict):
            return
        counts = [usage.get(key) for key in ("total_tokens", "input_tokens", "output_tokens")]
        known = [count for count in counts if isinstance(count, int) and not isinstance(count, bool)]
        if known:
            self._builder.use_tokens(known[0] if counts[0] is not None else sum(known))


def _blocks(message: dict[str, Any]) -> list[Any]:
    content = message.get("content")
    return content if isinstance(content, list) else []


def _text_of(message: dict[str, Any]) -> str:
    """The text of a message, without its results."""
    content = message.get("content")
    if isinstance(content, list):
        return read_content([block for block in map(as_object, content) if _kind(block) == "text"])[0]
    return read_content(content)[0]


def _kind(block: Any) -> str:
    kind = block.get("type") if isinstance(block, dict) else getattr(block, "type", None)
    return kind if isinstance(kind, str) else ""
