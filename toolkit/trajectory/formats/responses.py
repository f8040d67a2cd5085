"""Items of OpenAI's Responses: messages, calls and outputs in one flat list, or whole responses among them.

A turn is what the model gave in one go: the items up to the next one that is not the model's. A tool that the
vendor runs (`mcp_call`, `web_search_call`) has its result inside the item, and what follows has seen it.
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
from toolkit.trajectory.reading import Content, kind_of, read_content

_OWN_TOOLS = ("function_call", "custom_tool_call")  # the caller's: they name the tool; any other kind is a tool itself
_HOSTED_ARGUMENTS = ("action", "operation", "queries", "code", "server_label")
_HOSTED_RESULTS = ("output", "outputs", "results", "result")
_SILENT = ("mcp_list_tools", "mcp_approval_request", "mcp_approval_response", "additional_tools")


class ItemReader:
    """Tells a `TraceBuilder` what stands in the items, in order."""

    def __init__(self, builder: TraceBuilder) -> None:
        self._builder = builder
        self._in_turn = False
        self._after_result = False  # the model was given a result inside its turn

    def begin(self, item: dict[str, Any], role: Any, at: str) -> None:
        """Look at the first item for a sign that others stood before it."""
        kind = _kind(item)
        if kind.endswith("_output"):
            self._builder.cut_head(at, BEGINS_WITH_RESULT)
        elif kind.endswith("_call") or (
            _is_response(item) and any(_kind(each).endswith("_call") for each in item["output"])
        ):
            self._builder.cut_head(at, BEGINS_WITH_CALLS)

    def read(self, item: dict[str, Any], role: Any, at: str) -> None:
        """Read an item, or all items of a response."""
        if not _is_response(item):
            self._read(item, at)
            return
        self._in_turn = False
        self._model_goes_on()
        for index, inner in enumerate(item["output"]):
            part = as_object(inner)
            if part is None:
                self._builder.lose(
                    "message_invalid", f"{at}/output/{index}", f"an item is an object, not {kind_of(inner)}"
                )
            else:
                self._read(part, f"{at}/output/{index}")
        self._in_turn = False
        usage = item.get("usage")
        total = usage.get("total_tokens") if isinstance(usage, dict) else None
        if isinstance(total, int) and not isinstance(total, bool):
            self._builder.use_tokens(total)

    def _read(self, item: dict[str, Any], at: str) -> None:
        kind = _kind(item)
        if kind in ("", "message") or (isinstance(item.get("role"), str) and not kind.endswith("_call")):
            self._read_message(item, at)
        elif is_marker(item, ""):
            self._builder.cut_head(at, COMPACTED)
        elif kind.endswith("_call"):
            self._model_goes_on()
            self._read_call(item, kind, at)
        elif kind.endswith("_output"):
            self._read_output(item, at)
        elif kind == "reasoning":
            self._model_goes_on()
        elif kind == "item_reference":
            self._builder.lose("messages_missing", at, "an item is only referred to, so what it held is not here")
        elif kind not in _SILENT:
            self._builder.lose("message_invalid", at, f"no item has the type {kind!r}")

    def _model_goes_on(self) -> None:
        if not self._in_turn:
            self._builder.begin_turn()
        elif self._after_result:
            self._builder.go_on()
        else:
            self._builder.continue_turn()
        self._in_turn, self._after_result = True, False

    def _read_message(self, item: dict[str, Any], at: str) -> None:
        role = item.get("role")
        text = read_content(item.get("content"))[0]
        if role == "assistant":
            self._model_goes_on()
            if is_marker(item, ""):
                self._builder.cut_head(at, COMPACTED)
            return
        self._in_turn = False
        if is_marker(item, text):
            self._builder.cut_head(at, COMPACTED)
        elif role == "user":
            self._builder.say(text, at)
        elif role not in SYSTEM_ROLES:
            self._builder.lose("message_invalid", at, f"no item has the role {role!r}")

    def _read_call(self, item: dict[str, Any], kind: str, at: str) -> None:
        if kind in _OWN_TOOLS:
            arguments = item.get("arguments")
            given = item.get("input") if arguments is None else arguments
            self._builder.call(item.get("call_id") or item.get("id"), item.get("name"), given, at)
            return
        id = item.get("call_id", item.get("id"))
        name = item.get("name") or kind.removesuffix("_call")
        given = item.get("arguments")
        if given is None:
            given = {key: item[key] for key in _HOSTED_ARGUMENTS if item.get(key) is not None}
        self._builder.call(id, name, given, at, takes_object=True)
        content = _inside(item)
        if content is not None:
            self._builder.answer(id, content, at, failed=bool(item.get("error")))
            self._after_result = True

    def _read_output(self, item: dict[str, Any], at: str) -> None:
        if item.get("execution") == "server":
            self._after_result = True
        else:
            self._in_turn = False
        failed = bool(item.get("is_error") or item.get("isError") or item.get("status") == "failed")
        content = _content(item, "output") if "output" in item else ("", "", False)
        self._builder.answer(item.get("call_id"), content, at, failed=failed)


def _inside(item: dict[str, Any]) -> Content | None:
    """The result that stands in the call's own item; None where none does."""
    if item.get("error"):
        return "", "/error", False
    return next((_content(item, key) for key in _HOSTED_RESULTS if item.get(key) is not None), None)


def _content(item: dict[str, Any], key: str) -> Content:
    text, suffix, readable = read_content(item[key])
    return text, f"/{key}{suffix.removeprefix('/content')}", readable


def _kind(item: Any) -> str:
    kind = item.get("type") if isinstance(item, dict) else None
    return kind if isinstance(kind, str) else ""


def _is_response(item: dict[str, Any]) -> bool:
    return item.get("object") == "response" and isinstance(item.get("output"), list)
