"""What a model plainly meant. Each mending is one small function, chosen by the error it answers.

A mending is a proposal: it counts only if the whole call then passes the strict check.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from copy import deepcopy
from typing import Any, TypedDict

from toolkit.arguments import MAX_DIGITS, MalformedArguments, parse_arguments

Location = tuple[int | str, ...]
_ABSENT = object()


class Error(TypedDict):
    """One entry of `ValidationError.errors()`."""

    type: str
    loc: Location
    msg: str
    input: Any


def mend(
    arguments: dict[str, Any], errors: list[Error], accepted: Iterable[str]
) -> tuple[dict[str, Any], dict[Location, str]]:
    """A mended copy of the arguments, and what was done at each location."""
    mended = deepcopy(arguments)
    done = _rename_keys(mended, errors, list(accepted))
    for error in errors:
        value = _proposal(error)
        if value is not None and _put(mended, error["loc"], value[0]):
            done[error["loc"]] = f"{value[1]}:{'.'.join(map(str, error['loc']))}"
    return mended, done


def could_mend(errors: list[Error]) -> bool:
    """Whether it is worth reading the arguments once more: a quick no for what is plainly wrong."""
    return any(e["type"] in ("extra_forbidden", "json_invalid") or _proposal(e) is not None for e in errors)


def _proposal(error: Error) -> tuple[Any, str] | None:
    """A new value with the name of the mending, `_ABSENT` to leave the field out, or None."""
    value, kind = error["input"], error["type"].removesuffix("_parsing").removesuffix("_type")
    if value is None:
        return _ABSENT, "null_dropped"
    if isinstance(value, str) and value.strip().lower() in ("null", "none") and kind != "string":
        return None, "null_string"
    convert = _CONVERSIONS.get(kind)
    try:
        return (convert(value), "converted") if convert is not None else None
    except (ValueError, MalformedArguments):
        return None


def _as_int(value: object) -> int:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, str):
        text = value.strip()
        if re.fullmatch(r"[-+]?\d{1,3}(,\d{3})+", text):
            text = text.replace(",", "")
        if re.fullmatch(r"[-+]?\d+(\.0+)?", text) and len(text.split(".")[0].lstrip("+-")) <= MAX_DIGITS:
            return int(text.split(".")[0])
    raise ValueError


def _as_float(value: object) -> float:
    if isinstance(value, str) and re.fullmatch(r"[-+]?\d+(\.\d+)?([eE][-+]?\d{1,3})?", value.strip()):
        return float(value)
    raise ValueError


def _as_bool(value: object) -> bool:
    words = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}
    if isinstance(value, str) and value.strip().lower() in words:
        return words[value.strip().lower()]
    if type(value) is int and value in (0, 1):
        return bool(value)
    raise ValueError


def _as_text(value: object) -> str:
    if type(value) is int:
        return str(value)
    raise ValueError


def _as_literal(value: object) -> int | str:
    """A literal was missed by its type: "2" for 2, or 2 for "2"."""
    return _as_int(value) if isinstance(value, str) else _as_text(value)


def _decoded(value: object) -> object:
    """A list or an object that was sent as text."""
    if not isinstance(value, str):
        raise ValueError
    return parse_arguments(f'{{"value": {value}}}')[0]["value"]


_CONVERSIONS: dict[str, Callable[[object], object]] = {
    "int": _as_int,
    "float": _as_float,
    "bool": _as_bool,
    "string": _as_text,
    "literal_error": _as_literal,
    "enum": _as_literal,
    **dict.fromkeys(("list", "tuple", "set", "frozen_set", "dict", "model", "model_attributes"), _decoded),
}


def _put(target: Any, loc: Location, value: object) -> bool:
    """Set or remove the value at a location; False where the location leads nowhere (inside a union, say)."""
    for part in loc[:-1]:
        try:
            target = target[part]
        except (KeyError, IndexError, TypeError):
            return False
    last = loc[-1] if loc else None
    if isinstance(target, dict) and last in target:
        if value is _ABSENT:
            del target[last]
        else:
            target[last] = value
        return True
    if isinstance(target, list) and isinstance(last, int) and last < len(target) and value is not _ABSENT:
        target[last] = value
        return True
    return False


def _rename_keys(arguments: dict[str, Any], errors: list[Error], accepted: list[str]) -> dict[Location, str]:
    """`boardId` for `board_id`, where exactly one unknown key fits one name that was not given."""
    unknown = [str(e["loc"][0]) for e in errors if e["type"] == "extra_forbidden" and len(e["loc"]) == 1]
    done: dict[Location, str] = {}
    for name in accepted:
        spellings = [key for key in unknown if _letters(key) == _letters(name)]
        if name not in arguments and len(spellings) == 1:
            arguments[name] = arguments.pop(spellings[0])
            done[(spellings[0],)] = f"key_renamed:{spellings[0]}"
    return done


def _letters(name: str) -> str:
    return re.sub(r"[_\-]", "", name).lower()
