"""What a model plainly meant. Each mending is one small function, chosen by the error it answers.

A mending is a proposal: it counts only if the whole call then passes the strict check. Two of them hold in strict mode
too, because the exported schema itself allows them: null for a field that has a default (a strict export makes such
fields nullable), and 2.0 for an integer.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable
from copy import deepcopy
from typing import Any

from toolkit.arguments import INT_MAX, INT_MIN, MAX_DIGITS, MalformedArguments, parse_value
from toolkit.locations import UNKNOWN, Error, Location, Schema, names_at, objects_at, same, value_at

_ABSENT = object()
_WORTH_A_LOOK = {*UNKNOWN, "json_invalid"}
_NUMBER = re.compile(r"[-+]?(\d+|\d{1,3}(,\d{3})+)(?P<fraction>\.\d+)?(?P<power>[eE][-+]?\d{1,3})?")


def mend(
    arguments: dict[str, Any], errors: list[Error], parameters: Schema, accepted: Iterable[str], *, lenient: bool
) -> tuple[dict[str, Any], dict[Location, str]]:
    """A mended copy of the arguments, and what was done at each place.

    Args:
        arguments: Plain JSON.
        errors: What the strict check said, each error at its place in the arguments.
        parameters: The tool's schema.
        accepted: The names this caller may send.
        lenient: False: only what the exported schema allows.
    """
    mended = deepcopy(arguments)
    done = _rename_keys(mended, errors, parameters, list(accepted)) if lenient else {}
    proposals: dict[Location, list[tuple[Any, str, Error]]] = {}
    for error in errors:
        proposal = _proposal(error) if lenient else _allowed(error)
        if error["input"] is None:
            proposal = _without_null(error, parameters)
        if proposal is not None:
            proposals.setdefault(error["loc"], []).append((*proposal, error))
    for loc, found in proposals.items():  # several at one place come from the branches of a union
        value, note, error = found[0]
        agree = all(value == other and isinstance(value, bool) == isinstance(other, bool) for other, *_ in found)
        if agree and _put(mended, loc, error["input"], value):
            done[loc] = f"{note}:{'.'.join(map(str, loc))}"
    return mended, done


def could_mend(errors: list[Error]) -> bool:
    """Whether it is worth reading the arguments once more: a quick no for what is plainly wrong."""
    return any(
        error["input"] is None or error["type"] in _WORTH_A_LOOK or _proposal(error) is not None for error in errors
    )


def _proposal(error: Error) -> tuple[Any, str] | None:
    """A new value with the name of the mending, or None."""
    value, kind = error["input"], error["type"]
    if isinstance(value, str) and kind != "string_type" and _is_null(value) and _wrong_type(kind):
        return None, "null_string"
    convert = _CONVERSIONS.get(kind)
    try:
        return (convert(value), "converted") if convert is not None else None
    except (ValueError, MalformedArguments):
        return None


def _is_null(word: str) -> bool:
    return word.strip().lower() in ("null", "none")


def _wrong_type(kind: str) -> bool:
    """Whether an error says that a value is of the wrong type, and not of the right one but out of range."""
    return kind.endswith(("_type", "_parsing")) or kind in ("literal_error", "enum")


def _allowed(error: Error) -> tuple[Any, str] | None:
    return _proposal(error) if isinstance(error["input"], float) else None


def _without_null(error: Error, parameters: Schema) -> tuple[Any, str] | None:
    """Null means the default, where null itself was not allowed; in a list or a dict of free keys it means nothing."""
    *above, name = error["loc"] or ("",)
    holders = [holder for holder in objects_at(parameters, tuple(above)) if name in holder["properties"]]
    optional = bool(holders) and all(name not in holder.get("required", ()) for holder in holders)
    return (_ABSENT, "null_dropped") if optional and _wrong_type(error["type"]) else None


def _plain_number(value: object) -> re.Match[str]:
    match = _NUMBER.fullmatch(value.strip()) if isinstance(value, str) else None
    if match is None:
        raise ValueError
    return match


def _as_int(value: object) -> int:
    if isinstance(value, float) and value.is_integer():
        number = int(value)
    else:
        match = _plain_number(value)
        whole = match[0].removesuffix(match["fraction"] or "").replace(",", "")
        if match["power"] or (match["fraction"] or "").strip(".0") or len(whole.lstrip("+-")) > MAX_DIGITS:
            raise ValueError
        number = int(whole)
    if not INT_MIN <= number <= INT_MAX:
        raise ValueError
    return number


def _as_float(value: object) -> float:
    number = float(_plain_number(value)[0].replace(",", ""))
    if not math.isfinite(number):
        raise ValueError
    return number


def _as_decimal(value: object) -> str:
    return _plain_number(value)[0].replace(",", "")


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
    return parse_value(value)


_CONVERSIONS: dict[str, Callable[[object], object]] = {
    "string_type": _as_text,
    "literal_error": _as_literal,
    "enum": _as_literal,
    **dict.fromkeys(("int_type", "int_parsing", "int_from_float"), _as_int),
    **dict.fromkeys(("float_type", "float_parsing"), _as_float),
    **dict.fromkeys(("decimal_type", "decimal_parsing"), _as_decimal),
    **dict.fromkeys(("bool_type", "bool_parsing"), _as_bool),
    **dict.fromkeys(("list_type", "tuple_type", "set_type", "frozen_set_type", "named_tuple_type"), _decoded),
    **dict.fromkeys(("dict_type", "mapping_type", "model_type", "model_attributes_type", "dataclass_type"), _decoded),
}


def _put(target: Any, loc: Location, before: object, value: object) -> bool:
    """Set or remove the value at a place, if what stands there is what the error was about."""
    holder, there = value_at(target, loc[:-1]), value_at(target, loc)
    if not loc or holder is None or there is None or not same(there[0], before):
        return False
    if value is _ABSENT:
        del holder[0][loc[-1]]
    else:
        holder[0][loc[-1]] = value
    return True


def _rename_keys(
    arguments: dict[str, Any], errors: list[Error], parameters: Schema, accepted: list[str]
) -> dict[Location, str]:
    """`boardId` for `board_id`, where exactly one unknown key fits exactly one name that was not given."""
    unknown = dict.fromkeys(error["loc"] for error in errors if error["type"] in UNKNOWN)
    spellings = Counter((loc[:-1], _letters(loc[-1])) for loc in unknown)
    done: dict[Location, str] = {}
    for loc in unknown:
        holder, letters = value_at(arguments, loc[:-1]), _letters(loc[-1])
        if spellings[loc[:-1], letters] > 1 or holder is None or loc[-1] not in holder[0]:
            continue
        names = accepted if len(loc) == 1 else names_at(parameters, loc[:-1])
        fitting = {name for name in names if _letters(name) == letters and name not in holder[0]}
        if len(fitting) == 1:
            holder[0][fitting.pop()] = holder[0].pop(loc[-1])
            done[loc] = f"key_renamed:{'.'.join(map(str, loc))}"
    return done


def _letters(name: int | str) -> str:
    return re.sub(r"[_\-]", "", str(name)).lower()
