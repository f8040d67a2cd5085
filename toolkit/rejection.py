"""The text of a rejection: for each field what was expected and what came, written for the model."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Sequence

from toolkit.errors import ToolError
from toolkit.locations import UNKNOWN, Error, Location, Schema, names_at

_as_json = json.JSONEncoder(ensure_ascii=False, default=str).encode
_SHOWN = 80  # characters of a value or a key that a message repeats
_MOST_LINES = 10
_EXPECTATION = re.compile(r"[A-Z][\w ]*? should (be in |be |have |)")
_PLAINER = {"decimal_type": "a number", "uuid_type": "a UUID as text"}  # where Pydantic speaks of Python
_AUTHORS_OWN = ("Value error, ", "Assertion failed, ")
_NO_VALUE = {*UNKNOWN, "missing"}  # types of error that say nothing of a value
_NO_TAG = re.compile(r"Unable to extract tag using discriminator '(\w+)'")
_WRONG_TAG = re.compile(
    r"Input tag '(.*)' found using '(\w+)' does not match any of the expected tags: (.*)", re.DOTALL
)


class Rejected(ToolError):
    """Arguments that break the contract. `fields` holds the path of each field that was refused."""

    def __init__(self, message: str, fields: tuple[str, ...] = ()) -> None:
        super().__init__(message, next_step="correct the arguments and call again")
        self.fields = fields


def rejected(tool: str, errors: Sequence[Error], accepted: Sequence[str], parameters: Schema) -> Rejected:
    """The exception for these errors.

    Args:
        tool: The tool's name.
        errors: Each at its place in the arguments.
        accepted: The names of arguments this caller may send.
        parameters: The tool's schema, which knows the names of fields further in.
    """
    places: dict[Location, list[Error]] = {}
    for error in errors:
        each = _of_its_tag(error) if error["type"].startswith("union_tag_") else error
        places.setdefault(each["loc"], []).append(each)
    lines, paths = [], []
    for loc, found in list(places.items())[:_MOST_LINES]:
        names = accepted if len(loc) < 2 else names_at(parameters, loc[:-1])
        paths.append(path_of(loc))
        lines.append(_line(paths[-1], found, names))
    if len(places) > _MOST_LINES:
        lines.append(f"And {len(places) - _MOST_LINES} more.")
    return Rejected(f"Invalid arguments for {tool}. {' '.join(lines)}", tuple(paths))


def _line(path: str, errors: list[Error], names: Sequence[str]) -> str:
    """One field. In a union there may be several errors at one place, one for each branch."""
    wrong = [error for error in errors if error["type"] not in _NO_VALUE]
    if wrong:
        expected = _expected(wrong[0])
        if len(wrong) > 1:
            expected = " or ".join(dict.fromkeys(map(_expected, wrong))).replace(" or expected ", " or ")
        return f"{path}: {expected}, received {_shown(wrong[0]['input'])}."
    if errors[0]["type"] == "missing":
        return f"{path}: expected a value, received nothing."
    close = difflib.get_close_matches(path.rpartition(".")[2], names, n=1)
    hint = f" Did you mean {close[0]}?" if close else ""
    return f"{path}: unknown argument.{hint} Accepted: {', '.join(names) or 'none'}."


def _expected(error: Error) -> str:
    message = error["msg"]
    if error["type"] in _PLAINER:
        return f"expected {_PLAINER[error['type']]}"
    match = _EXPECTATION.match(message)
    if match:
        return f"expected {'' if match[1] else 'to '}{message[match.end() :]}"
    for prefix in _AUTHORS_OWN:
        message = message.removeprefix(prefix)
    return message


def _of_its_tag(error: Error) -> Error:
    """The tag that chooses among models is a field like any other, so the error is told of that field."""
    if match := _NO_TAG.fullmatch(error["msg"]):
        return Error(type="missing", loc=(*error["loc"], match[1]), msg="", input=None)
    if match := _WRONG_TAG.fullmatch(error["msg"]):
        tags = match[3].replace(", ", " or ")
        return Error(type="literal_error", loc=(*error["loc"], match[2]), msg=f"Input should be {tags}", input=match[1])
    return error


def path_of(loc: Location) -> str:
    """A location as a model would write it.

    >>> path_of(("guests", 0, "name"))
    'guests[0].name'
    """
    path = ""
    for part in loc:
        if isinstance(part, int):
            path += f"[{part}]"
        elif part != "[key]":  # Pydantic's word for the key itself
            path += f".{part[:_SHOWN]}" if path else part[:_SHOWN]
    return path or "arguments"


def _shown(value: object) -> str:
    text = _as_json(value)
    return text if len(text) <= _SHOWN else text[: _SHOWN - 3] + "..."
