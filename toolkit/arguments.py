"""The arguments of a call, read as plain JSON and nothing else.

Plain means: one object, bounded in size, depth and count, finite numbers, integers of 64 bits, unique keys, text
that can be encoded. The one exception, `MalformedArguments`, has a text written for the model.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from typing import Any, NoReturn

from toolkit.errors import ToolError

MAX_BYTES = 20_000
MAX_DEPTH = 20
MAX_VALUES = 5_000
MAX_DIGITS = 19  # as many as 64 bits need; a longer integer is refused before Python builds it
INT_MIN, INT_MAX = -(2**63), 2**63 - 1
_SHOWN = 80  # characters of a key that a message repeats
_LABEL = re.compile(r"[\w-]*")  # the language behind an opening fence
_CUT_VALUE = re.compile(r"(-|\.|[eE][+-]?|tr?u?|fa?l?s?|nu?l?|u[0-9a-fA-F]{0,4})?\Z")
_KINDS = {list: "a list", str: "a text", bool: "a boolean", int: "a number", float: "a number", type(None): "null"}


class MalformedArguments(ToolError):
    """The arguments are not one plain JSON object. Nothing was repaired, nothing was run."""


def parse_arguments(raw: object, *, lenient: bool = True) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Arguments as a dict of plain JSON values, and notes on what had to be unwrapped.

    Empty, blank, `null` and absent all mean no arguments. Lenient mode unwraps a fenced block or an object
    that was encoded twice, and accepts raw control characters inside strings; strict mode refuses these.
    A truncated or otherwise broken text is never repaired. An object is copied, never changed.

    Raises:
        MalformedArguments: with the reason and, for broken JSON, the position.

    >>> parse_arguments('{"city": "Xi\\'an"}')
    ({'city': "Xi'an"}, ())
    """
    if raw is None or (isinstance(raw, str) and raw.strip() in ("", "null")):
        return {}, ()
    if isinstance(raw, Mapping):
        given = dict(raw)
        check_plain(given)
        text = json.dumps(given, ensure_ascii=False)
        _check_size(text)
        return json.loads(text), ("object_arguments",)
    value: object = raw
    notes: tuple[str, ...] = ()
    if isinstance(raw, str):
        value, notes = _decode(raw, lenient)
    if lenient and isinstance(raw, str) and isinstance(value, str) and value.lstrip().startswith("{"):
        value, more = _decode(value, lenient)
        notes = (*notes, *more, "double_encoded")
    if not isinstance(value, dict):
        kind = _KINDS.get(type(value), type(value).__name__)
        raise MalformedArguments(f"Arguments must be a JSON object, received {kind}.")
    check_plain(value)
    return value, notes


def parse_value(text: str) -> object:
    """One plain JSON value of any kind. Raises `MalformedArguments`."""
    value, _ = _decode(text, lenient=False)
    check_plain(value)
    return value


def split_values(text: str) -> list[object] | None:
    """The JSON values that stand one after another in a text, or None where anything else stands there too."""
    decoder, found, rest = json.JSONDecoder(), list[object](), text.strip()
    while rest:
        try:
            value, end = decoder.raw_decode(rest)
        except (ValueError, RecursionError):
            return None
        found.append(value)
        rest = rest[end:].lstrip()
    return found


def _check_size(text: str) -> None:
    try:
        size = len(text.encode("utf-8"))
    except UnicodeEncodeError:
        raise MalformedArguments("The arguments hold half of a surrogate pair, which is not valid text.") from None
    if size > MAX_BYTES:
        raise MalformedArguments(f"The arguments are {size} bytes long; the limit is {MAX_BYTES}. Send less.")


def _decode(text: str, lenient: bool) -> tuple[object, tuple[str, ...]]:
    _check_size(text)
    inner = _unfenced(text) if lenient else None
    body = text if inner is None else inner
    notes: tuple[str, ...] = () if inner is None else ("fence_stripped",)
    try:
        return _loads(body, _STRICT), notes
    except json.JSONDecodeError as error:
        if lenient and error.msg.startswith("Invalid control character"):
            try:
                return _loads(body, _WITH_CONTROLS), (*notes, "control_chars")
            except json.JSONDecodeError as second:
                error = second
        raise MalformedArguments(_diagnosis(body, error)) from None


def _loads(text: str, decoder: json.JSONDecoder) -> object:
    try:
        return decoder.decode(text)
    except RecursionError:
        raise MalformedArguments(f"The arguments are nested more than {MAX_DEPTH} levels deep.") from None


def _unfenced(text: str) -> str | None:
    """What stands inside a Markdown code fence, when the text is nothing but one."""
    text = text.strip()
    if len(text) < 6 or not (text.startswith("```") and text.endswith("```")):
        return None
    inner = text[3:-3]
    label = _LABEL.match(inner)
    return inner[label.end() if label else 0 :].strip()


def _diagnosis(text: str, error: json.JSONDecodeError) -> str:
    """What is wrong with the JSON, in words that lead to the right remedy."""
    rest = text[error.pos :].strip()
    values = split_values(text) if error.msg == "Extra data" and rest.startswith("{") else None
    if values:
        return f"The arguments hold {len(values)} JSON objects; send one object per call."
    if error.msg.startswith("Unterminated string") or _CUT_VALUE.match(rest):
        return "The arguments end in the middle, as if cut off. Send the whole call again."
    what = error.msg.removesuffix(" at")
    return f"The arguments are not valid JSON: {what} at char {error.pos}. Send one JSON object."


def check_plain(value: object) -> None:
    """Raise `MalformedArguments` at the first value that is not plain JSON; the text names the rule that was broken."""
    pending: list[tuple[object, int]] = [(value, 1)]
    seen = 0
    while pending:
        item, depth = pending.pop()
        seen += 1
        if seen > MAX_VALUES:
            raise MalformedArguments(f"The arguments hold more than {MAX_VALUES} values. Send less.")
        if not isinstance(item, dict | list):
            _check_scalar(item)
            continue
        if depth > MAX_DEPTH:
            raise MalformedArguments(f"The arguments are nested more than {MAX_DEPTH} levels deep.")
        if isinstance(item, dict):
            for key in item:
                if not isinstance(key, str):
                    raise MalformedArguments(f"Object keys must be text, received {key!r:.{_SHOWN}}.")
                _check_scalar(key)
        pending.extend((each, depth + 1) for each in (item.values() if isinstance(item, dict) else item))


def _check_scalar(item: object) -> None:
    if isinstance(item, str):
        try:
            item.encode("utf-8")
        except UnicodeEncodeError:
            raise MalformedArguments("A text holds half of a surrogate pair, which is not valid text.") from None
    elif isinstance(item, bool) or item is None:
        return
    elif isinstance(item, int):
        if not INT_MIN <= item <= INT_MAX:
            raise MalformedArguments("An integer does not fit into 64 bits.")
    elif isinstance(item, float):
        if not math.isfinite(item):
            _reject_constant(str(item))
    else:
        raise MalformedArguments(f"{type(item).__name__} is not a JSON value.")


def _integer(digits: str) -> int:
    if len(digits.lstrip("-")) > MAX_DIGITS:
        raise MalformedArguments(f"An integer of {len(digits.lstrip('-'))} digits does not fit into 64 bits.")
    return int(digits)


def _unique_pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise MalformedArguments(f"The key {key[:_SHOWN]!r} stands twice in one object.")
        found[key] = value
    return found


def _reject_constant(word: str) -> NoReturn:
    raise MalformedArguments(f"{word} is not a JSON number; send a finite number.")


_HOOKS: dict[str, Any] = {
    "object_pairs_hook": _unique_pairs,
    "parse_constant": _reject_constant,
    "parse_int": _integer,
}
_STRICT = json.JSONDecoder(**_HOOKS)
_WITH_CONTROLS = json.JSONDecoder(strict=False, **_HOOKS)
