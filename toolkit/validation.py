"""Arguments against the contract: strict first, then mended where the model plainly meant well.

The strict pass takes what JSON can say exactly. Where it fails, each error is looked at: "2" for an integer, a list
sent as text, null for an optional that has a default, `boardId` for `board_id` are mended and noted. True for 1,
NaN, a date from a number, an unknown key are not: they hide a mistake, and the model is told field, expectation
and what came.
"""

from __future__ import annotations

import datetime
import difflib
import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import BaseModel, ValidationError

from toolkit.arguments import INT_MAX, INT_MIN, parse_arguments
from toolkit.errors import ToolError
from toolkit.mending import Error, could_mend, mend
from toolkit.records import Tool
from toolkit.schema import Signature

_SMALL = 5_000  # characters; at most 20,000 bytes of UTF-8
_SHOWN = 80


class Rejected(ToolError):
    """Arguments that break the contract. `fields` holds the path of each field that was refused."""

    def __init__(self, message: str, fields: tuple[str, ...]) -> None:
        super().__init__(message, next_step="correct the arguments and call again")
        self.fields = fields


def validate(
    tool: Tool, raw: object, *, lenient: bool = True, hidden: frozenset[str] = frozenset()
) -> tuple[BaseModel, tuple[str, ...]]:
    """The validated argument model, and notes on what was mended.

    Args:
        tool: A tool with a signature (layer 2).
        raw: The arguments as they came: JSON text, an object, or None.
        lenient: False refuses everything that would need mending.
        hidden: Parameters this caller may not send; they are unknown to it.

    Raises:
        MalformedArguments: the arguments are no plain JSON object.
        Rejected: they break the contract; the text names field, expectation and what was received.
    """
    signature = tool.signature
    assert signature is not None, "a tool of layer 1 has no argument model"
    accepted = (
        [name for name in signature.parameters["properties"] if name not in hidden] if hidden else signature.names
    )
    failed = None
    if type(raw) is str and not hidden and len(raw) < _SMALL and raw.count("{") == 1 and "[" not in raw:
        try:
            model = signature.validate_json(raw)
            if _plain(raw, model, signature):
                return model, ()
        except ValidationError as error:
            failed = _errors(error)
            if not could_mend(failed):
                raise _rejected(tool, failed, accepted) from None
    arguments, notes = parse_arguments(raw, lenient=lenient)
    forbidden = [name for name in arguments if name in hidden]
    if forbidden:
        raise _rejected(tool, [Error(type="extra_forbidden", loc=(forbidden[0],), msg="", input=None)], accepted)
    if failed is None or notes:
        try:
            return _strict(signature, arguments), notes
        except ValidationError as error:
            failed = _errors(error)
    if not lenient:
        raise _rejected(tool, failed, accepted)
    return _mended(tool, signature, arguments, failed, notes, accepted)


def _plain(raw: str, model: BaseModel, signature: Signature) -> bool:
    """True where a flat object passed that certainly holds no key twice, no huge integer, no date from a number.

    Each key brings one colon, so as many colons as fields means that every key stands once. A colon inside a text
    only sends the call down the slower, complete path.
    """
    if raw.count(":") != len(model.__pydantic_fields_set__):
        return False
    for value in model.__dict__.values():
        if type(value) is int and not INT_MIN <= value <= INT_MAX:
            return False
    for name, pattern in signature.dates.items():  # noqa: SIM110 - a generator costs more than the whole check
        if name in raw and not pattern.search(raw):
            return False
    return True


def _strict(signature: Signature, arguments: dict[str, Any]) -> BaseModel:
    model = signature.validate_json(json.dumps(arguments))
    if signature.dates:
        errors = _dates_from_numbers(arguments, model, ())
        if errors:
            raise ValidationError.from_exception_data("arguments", errors, "json")
    return model


def _dates_from_numbers(raw: object, value: object, at: tuple[str | int, ...]) -> list[Any]:
    """Pydantic reads the text "0" as 1 January 1970, also in strict mode; nobody means that."""
    if isinstance(value, datetime.date | datetime.time):
        if isinstance(raw, str) and re.fullmatch(r"\s*[-+]?\d+(\.\d+)?\s*", raw):
            kind = "date" if type(value) is datetime.date else type(value).__name__
            return [{"type": f"{kind}_parsing", "loc": at, "input": raw, "ctx": {"error": "a number is no date"}}]
        return []
    if isinstance(value, BaseModel) and isinstance(raw, Mapping):
        value = {field.alias or name: getattr(value, name) for name, field in type(value).model_fields.items()}
    if isinstance(value, Mapping) and isinstance(raw, Mapping):
        return [e for key in raw if key in value for e in _dates_from_numbers(raw[key], value[key], (*at, key))]
    if isinstance(value, list | tuple) and isinstance(raw, list):
        pairs = enumerate(zip(raw, value, strict=False))
        return [e for index, (r, v) in pairs for e in _dates_from_numbers(r, v, (*at, index))]
    return []


def _mended(
    tool: Tool,
    signature: Signature,
    arguments: dict[str, Any],
    errors: list[Error],
    notes: tuple[str, ...],
    accepted: Sequence[str],
) -> tuple[BaseModel, tuple[str, ...]]:
    first: dict[tuple[int | str, ...], Error] = {}
    while True:
        arguments, done = mend(arguments, errors, accepted)
        if not done:
            break
        notes = (*notes, *done.values())
        first.update({error["loc"]: error for error in errors if error["loc"] in done and error["loc"] not in first})
        try:
            return _strict(signature, arguments), notes
        except ValidationError as error:
            errors = _errors(error)
            if any(e["loc"] in first for e in errors):
                break
    raise _rejected(tool, [first.get(error["loc"], error) for error in errors], accepted)


def _errors(error: ValidationError) -> list[Error]:
    return error.errors(include_url=False, include_context=False)  # type: ignore[return-value]


def _rejected(tool: Tool, errors: list[Error], accepted: Sequence[str]) -> Rejected:
    lines = [_line(error, accepted) for error in errors]
    fields = tuple(dict.fromkeys(_path(error["loc"]) for error in errors))
    return Rejected(f"Invalid arguments for {tool.name}. " + " ".join(lines), fields)


def _line(error: Error, accepted: Sequence[str]) -> str:
    """One field: what was expected, what came."""
    path, kind = _path(error["loc"]), error["type"]
    if kind == "missing":
        return f"{path}: expected a value, received nothing."
    if kind == "extra_forbidden":
        if len(error["loc"]) > 1:
            return f"{path}: unknown field."
        close = difflib.get_close_matches(path, accepted, n=1)
        hint = f" Did you mean {close[0]}?" if close else ""
        return f"{path}: unknown argument.{hint} Accepted: {', '.join(accepted) or 'none'}."
    expected = error["msg"].removeprefix("Input should be ").removeprefix("Value error, ")
    if expected == error["msg"] or error["msg"].startswith("Value error, "):
        return f"{path}: {expected}, received {_shown(error['input'])}."
    return f"{path}: expected {expected}, received {_shown(error['input'])}."


def _path(loc: tuple[int | str, ...]) -> str:
    path = ""
    for part in loc:
        path += f"[{part}]" if isinstance(part, int) else f".{part}" if path else part
    return path or "arguments"


def _shown(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= _SHOWN else text[: _SHOWN - 3] + "..."
