"""What a call and an answer say: arguments, content and outcome, read strictly and never guessed.

`true` is no number, a repeated key is no object, NaN is no JSON: where a text could be read in two ways it is
not read at all.
"""

from __future__ import annotations

import json
import math
from typing import Any, NamedTuple, NoReturn

from toolkit.trajectory.records import Outcome

SUCCESS_WORDS = frozenset({"ok", "success", "confirmed", "done", "pending"})
_TEXT_PARTS = frozenset({"text", "input_text", "output_text"})


class Arguments(NamedTuple):
    """Arguments as an object, or None with the reason; `code` is None where all was as usual."""

    value: dict[str, Any] | None
    code: str | None = None
    detail: str = ""


class Content(NamedTuple):
    """The text of an answer and where it stands in its message; `readable` is False where parts are no text."""

    text: str
    suffix: str = "/content"
    readable: bool = True


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


_decode = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_not_a_number, parse_float=_finite).decode


def read_json(text: str) -> Any:
    """Parse JSON strictly.

    Raises:
        ValueError: not JSON, a key twice in one object, NaN, Infinity, a number out of range, or nested too deep.
    """
    try:
        return _decode(text)
    except RecursionError:
        raise ValueError("nested too deep") from None


def read_arguments(raw: Any) -> Arguments:
    """Read a call's arguments: the text of a JSON object, usually.

    >>> read_arguments('{"city": "Xi\\'an"}').value
    {'city': "Xi'an"}
    >>> read_arguments("[1]")
    Arguments(value=None, code='args_invalid', detail='the arguments are a list, not an object')
    """
    if isinstance(raw, str):
        if not raw or raw.isspace():
            return Arguments({})
        try:
            value = read_json(raw)
        except ValueError as error:
            return Arguments(None, "args_invalid", f"the arguments cannot be read: {error}")
        if isinstance(value, dict):
            return Arguments(value)
        return Arguments(None, "args_invalid", f"the arguments are {kind_of(value)}, not an object")
    if raw is None:
        return Arguments({})
    if isinstance(raw, dict):
        if _all_finite(raw):
            return Arguments(raw, "args_object", "the arguments are an object, not its JSON text")
        return Arguments(None, "args_invalid", "the arguments hold NaN or Infinity")
    return Arguments(None, "args_invalid", f"the arguments are {kind_of(raw)}, not an object")


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

    >>> read_content([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]).text
    'ab'
    """
    if isinstance(content, str):
        return Content(content)
    if content is None:
        return Content("")
    if not isinstance(content, list):
        return Content("", readable=False)
    texts = [part["text"] for part in content if _is_text(part)]
    suffix = "/content/0/text" if len(content) == 1 and texts else "/content"
    return Content("".join(texts), suffix, readable=len(texts) == len(content))


def _is_text(part: Any) -> bool:
    if not isinstance(part, dict) or not isinstance(part.get("text"), str):
        return False
    kind = part.get("type", "text")
    return isinstance(kind, str) and kind in _TEXT_PARTS


def read_result(content: Content) -> tuple[Any, Outcome, str | None]:
    """The value of an answer, its outcome, and the code of what is odd about it, if anything.

    >>> read_result(Content('{"error": "no such city"}'))
    ({'error': 'no such city'}, <Outcome.ERROR: 'error'>, None)
    """
    if not content.readable:
        return content.text, Outcome.UNKNOWN, "result_unreadable"
    try:
        value = read_json(content.text)
    except ValueError:
        return content.text, Outcome.UNKNOWN, "result_unstructured"
    if not isinstance(value, dict):
        return value, Outcome.UNKNOWN, "outcome_undeclared"
    if value.get("_compacted"):
        return value, Outcome.UNKNOWN, "result_compacted"
    outcome = Outcome.ERROR if declares_error(value) else Outcome.SUCCESS
    cut = value.get("truncated") or value.get("next_page")
    return value, outcome, "result_truncated" if cut else None


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
