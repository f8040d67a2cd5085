"""What a call and an answer say: arguments, content and outcome, read strictly and never guessed.

`true` is no number, NaN is no JSON, and arguments that name a key twice are not read at all.
"""

from __future__ import annotations

import json
import math
from typing import Any, NoReturn, TypeAlias

from pydantic_core import from_json

from toolkit.trajectory.records import Outcome

SUCCESS_WORDS = frozenset({"ok", "success", "confirmed", "done", "pending"})
_TEXT_PARTS = frozenset({"text", "input_text", "output_text"})


Arguments: TypeAlias = tuple[dict[str, Any] | None, str | None, str]  # value, code and detail of what is odd
Content: TypeAlias = tuple[str, str, bool]  # text, where in the message it stands, whether all of it is text


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise ValueError("a key stands twice in one object")
    return value


def _not_a_number(word: str) -> NoReturn:
    raise ValueError(f"{word} is no JSON")


def _finite(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise ValueError(f"{digits} is out of range")
    return number


_DECODER = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_not_a_number, parse_float=_finite)
_WHITESPACE = " \t\n\r"


def read_json(text: str) -> Any:
    """Parse JSON strictly.

    Raises:
        ValueError: not JSON, a key twice in one object, NaN, Infinity, a number out of range, or nested too deep.
    """
    text = text.strip(_WHITESPACE)
    try:
        value, end = _DECODER.raw_decode(text)  # half the time of `decode`, which looks for white space itself
    except RecursionError:
        raise ValueError("nested too deep") from None
    if end != len(text):
        raise ValueError(f"something stands behind the JSON, at character {end}")
    return value


def read_arguments(raw: Any) -> Arguments:
    """Read a call's arguments: the text of a JSON object, usually. The value is None where they cannot be read.

    >>> read_arguments('{"city": "Xi\\'an"}')
    ({'city': "Xi'an"}, None, '')
    >>> read_arguments("[1]")
    (None, 'args_invalid', 'the arguments are a list, not an object')
    """
    if isinstance(raw, str):
        if not raw or raw.isspace():
            return {}, None, ""
        try:
            value = read_json(raw)
        except ValueError as error:
            return None, "args_invalid", f"the arguments cannot be read: {error}"
        if isinstance(value, dict):
            return value, None, ""
        return None, "args_invalid", f"the arguments are {kind_of(value)}, not an object"
    if raw is None:
        return {}, None, ""
    if not isinstance(raw, dict):
        return None, "args_invalid", f"the arguments are {kind_of(raw)}, not an object"
    if not _all_finite(raw):
        return None, "args_invalid", "the arguments hold NaN or Infinity"
    return raw, "args_object", "the arguments are an object, not its JSON text"


def _all_finite(value: Any) -> bool:
    waiting = [value]
    while waiting:
        current = waiting.pop()
        if isinstance(current, float) and not math.isfinite(current):
            return False
        if isinstance(current, dict):
            waiting.extend(current.values())
        elif isinstance(current, list):
            waiting.extend(current)
    return True


def read_content(content: Any) -> Content:
    """The text of a message: a string, a list of text parts joined without a separator, or null.

    >>> read_content([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}])
    ('ab', '/content', True)
    """
    if isinstance(content, str):
        return content, "/content", True
    if content is None:
        return "", "/content", True
    if not isinstance(content, list):
        return "", "/content", False
    texts = [part["text"] for part in content if _is_text(part)]
    suffix = "/content/0/text" if len(content) == 1 and texts else "/content"
    return "".join(texts), suffix, len(texts) == len(content)


def _is_text(part: Any) -> bool:
    if not isinstance(part, dict) or not isinstance(part.get("text"), str):
        return False
    kind = part.get("type", "text")
    return isinstance(kind, str) and kind in _TEXT_PARTS


def read_result(text: str, readable: bool = True) -> tuple[Any, Outcome, str | None]:
    """The value of an answer, its outcome, and the code of what is odd about it, if anything.

    >>> read_result('{"error": "no such city"}')
    ({'error': 'no such city'}, <Outcome.ERROR: 'error'>, None)
    """
    if not readable:
        return text, Outcome.UNKNOWN, "result_unreadable"
    try:
        value = _read_quickly(text)
    except ValueError:
        return text, Outcome.UNKNOWN, "result_unstructured"
    if not isinstance(value, dict):
        return value, Outcome.UNKNOWN, "outcome_undeclared"
    if value.get("_compacted"):
        return value, Outcome.UNKNOWN, "result_compacted"
    outcome = Outcome.ERROR if declares_error(value) else Outcome.SUCCESS
    cut = value.get("truncated") or value.get("next_page")
    return value, outcome, "result_truncated" if cut else None


def _read_quickly(text: str) -> Any:
    """Parse JSON, with the last of two equal keys; results are long, and this takes a third of the time."""
    try:
        return from_json(text, allow_inf_nan=False)
    except (ValueError, TypeError):  # what it does not take, such as half a surrogate pair, may still be JSON
        return read_json(text)


def declares_error(value: dict[str, Any]) -> bool:
    """True where a field of the object says that the call failed. Words in prose never do.

    >>> [declares_error(value) for value in ({"error": None}, {"status": "failed"}, {"note": "Error"})]
    [False, True, False]
    """
    if value.get("error") or value.get("is_error") or value.get("isError"):
        return True
    status = value.get("status")
    return isinstance(status, str) and status.strip().lower() not in SUCCESS_WORDS


def kind_of(value: Any) -> str:
    """The JSON type of a value, as a noun phrase."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "a boolean"
    kinds = {str: "a text", int: "a number", float: "a number", list: "a list", dict: "an object"}
    return kinds.get(type(value), "no JSON value")


def same_key(value: Any) -> Any:
    """A hashable stand-in: equal for equal JSON values, so 1 and 1.0, but neither "1" nor true.

    >>> [same_key(1) == same_key(other) for other in (1.0, "1", True)]
    [True, False, False]
    """
    if isinstance(value, str):
        return value
    try:
        return _key(value)
    except RecursionError:
        return ("too deep to compare", id(value))


def _key(value: Any) -> Any:
    if isinstance(value, bool):
        return (value,)
    if isinstance(value, dict):
        return frozenset((name, _key(inner)) for name, inner in value.items())
    if isinstance(value, list):
        return ("list", *map(_key, value))
    return value
