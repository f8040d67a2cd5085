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
_FENCE = re.compile(r"\A\s*```[\w-]*\s*\n(?P<body>.*?)\n?\s*```\s*\Z", re.DOTALL)


class MalformedArguments(ToolError):
    """The arguments are not one plain JSON object. Nothing was repaired, nothing was run."""


def parse_arguments(raw: object, *, lenient: bool = True) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Arguments as a dict of plain JSON values, and notes on what had to be unwrapped.

    Empty, blank, `null` and absent all mean no arguments. Lenient mode unwraps a fenced block or an object
    that was encoded twice, and accepts raw control characters inside strings; strict mode refuses these.
    A truncated or otherwise broken text is never repaired.

    Raises:
        MalformedArguments: with the reason and, for broken JSON, the position.
    """
    if raw is None or (isinstance(raw, str) and raw.strip() in ("", "null")):
        return {}, ()
    if isinstance(raw, Mapping):
        value: object = dict(raw)
        check_plain(value)
        return dict(raw), ("object_arguments",)
    if not isinstance(raw, str):
        raise MalformedArguments(f"Arguments must be a JSON object, received {type(raw).__name__}.")
    _check_size(raw)
    value, notes = _decode(raw, lenient)
    if lenient and isinstance(value, str) and value.lstrip().startswith("{"):
        value, more = _decode(value, lenient)
        notes = (*notes, *more, "double_encoded")
    if not isinstance(value, dict):
        kinds = {list: "a list", str: "a text", bool: "a boolean", type(None): "null"}
        raise MalformedArguments(f"Arguments must be a JSON object, received {kinds.get(type(value), 'a number')}.")
    check_plain(value)
    return value, notes


def _check_size(text: str) -> None:
    try:
        size = len(text.encode("utf-8"))
    except UnicodeEncodeError:
        raise MalformedArguments("The arguments hold half of a surrogate pair, which is not valid text.") from None
    if size > MAX_BYTES:
        raise MalformedArguments(f"The arguments are {size} bytes long; the limit is {MAX_BYTES}. Send less.")


def _integer(digits: str) -> int:
    if len(digits.lstrip("-")) > MAX_DIGITS:
        raise MalformedArguments(f"An integer of {len(digits)} digits does not fit into 64 bits.")
    return int(digits)


def _decode(text: str, lenient: bool) -> tuple[object, tuple[str, ...]]:
    notes: tuple[str, ...] = ()
    fenced = _FENCE.match(text) if lenient else None
    if fenced:
        text, notes = fenced["body"], ("fence_stripped",)
    options: dict[str, Any] = {
        "object_pairs_hook": _unique_pairs,
        "parse_constant": _reject_constant,
        "parse_int": _integer,
    }
    try:
        return json.loads(text, **options), notes
    except RecursionError:
        raise MalformedArguments("The arguments are nested too deeply.") from None
    except json.JSONDecodeError as error:
        if lenient and error.msg.startswith("Invalid control character"):
            try:
                return json.loads(text, strict=False, **options), (*notes, "control_chars")
            except json.JSONDecodeError as second:
                error = second
        raise MalformedArguments(_diagnosis(text, error)) from None


def _diagnosis(text: str, error: json.JSONDecodeError) -> str:
    """What is wrong with the JSON, in words that lead to the right remedy."""
    if error.msg == "Extra data" and text[error.pos :].lstrip().startswith("{"):
        return f"The arguments hold {_count_objects(text)} JSON objects; send one object per call."
    if error.msg.startswith("Unterminated string") or error.pos >= len(text.rstrip()):
        return "The arguments end in the middle, as if cut off. Send the whole call again."
    return f"The arguments are not valid JSON: {error.msg} at char {error.pos}. Send one JSON object."


def _count_objects(text: str) -> int:
    decoder, position, count = json.JSONDecoder(), 0, 0
    while position < len(text):
        try:
            _, position = decoder.raw_decode(text, position)
        except ValueError:
            break
        count += 1
        position += len(text[position:]) - len(text[position:].lstrip())
    return count


def check_plain(value: object) -> None:
    """Raise `MalformedArguments` at the first value that is not plain JSON; the text names the rule that was broken."""
    pending: list[tuple[object, int]] = [(value, 1)]
    seen = 0
    while pending:
        item, depth = pending.pop()
        seen += 1
        if seen > MAX_VALUES:
            raise MalformedArguments(f"The arguments hold more than {MAX_VALUES} values. Send less.")
        if isinstance(item, dict | list):
            if depth > MAX_DEPTH:
                raise MalformedArguments(f"The arguments are nested more than {MAX_DEPTH} levels deep.")
            if isinstance(item, dict):
                pending.extend((_key(key), depth + 1) for key in item)
                pending.extend((each, depth + 1) for each in item.values())
            else:
                pending.extend((each, depth + 1) for each in item)
        else:
            _check_scalar(item)


def _key(key: object) -> str:
    if not isinstance(key, str):
        raise MalformedArguments(f"Object keys must be text, received {key!r}.")
    return key


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
            raise MalformedArguments(f"{item} is not a JSON number; send a finite number.")
    else:
        raise MalformedArguments(f"{type(item).__name__} is not a JSON value.")


def _unique_pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise MalformedArguments(f"The key {twice!r} stands twice in one object.")
    return found


def _reject_constant(word: str) -> NoReturn:
    raise MalformedArguments(f"{word} is not a JSON number; send a finite number.")
