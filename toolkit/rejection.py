"""The text of a rejection: for each field what was expected and what came, written for the model."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Sequence

from toolkit.errors import ToolError
from toolkit.locations import Error, Location

_as_json = json.JSONEncoder(ensure_ascii=False, default=str).encode
_SHOWN = 80  # characters of a value or a key that a message repeats
_MOST_LINES = 10
_EXPECTATION = re.compile(r"[A-Z][\w ]*? should (?:be|have) ")
_AUTHORS_OWN = ("Value error, ", "Assertion failed, ")
_UNKNOWN = ("extra_forbidden", "unexpected_keyword_argument")
_TAG = re.compile(r"Unable to extract tag using discriminator '(\w+)'")


class Rejected(ToolError):
    """Arguments that break the contract. `fields` holds the path of each field that was refused."""

    def __init__(self, message: str, fields: tuple[str, ...] = ()) -> None:
        super().__init__(message, next_step="correct the arguments and call again")
        self.fields = fields


def rejected(tool: str, errors: Sequence[Error], accepted: Sequence[str]) -> Rejected:
    """The exception for these errors, each at its place in the arguments; `accepted` are the names of arguments."""
    places: dict[Location, list[Error]] = {}
    for error in errors:
        tag = _TAG.fullmatch(error["msg"]) if error["type"] == "union_tag_not_found" else None
        at = (*error["loc"], tag[1]) if tag else error["loc"]
        places.setdefault(at, []).append(Error(**{**error, "type": "missing"}) if tag else error)
    lines = [_line(loc, found, accepted) for loc, found in places.items()]
    if len(lines) > _MOST_LINES:
        lines[_MOST_LINES:] = [f"And {len(lines) - _MOST_LINES} more."]
    fields = tuple(path_of(loc) for loc in list(places)[:_MOST_LINES])
    return Rejected(f"Invalid arguments for {tool}. " + " ".join(lines), fields)


def _line(loc: Location, errors: list[Error], accepted: Sequence[str]) -> str:
    """One field. In a union there may be several errors at one place, one for each branch."""
    path = path_of(loc)
    wrong = [error for error in errors if error["type"] not in (*_UNKNOWN, "missing")]
    if wrong:
        expected = " or ".join(dict.fromkeys(map(_expected, wrong)))
        return f"{path}: {expected}, received {_shown(wrong[0]['input'])}."
    if errors[0]["type"] == "missing":
        return f"{path}: expected a value, received nothing."
    if len(loc) > 1:
        return f"{path}: unknown field."
    close = difflib.get_close_matches(path, accepted, n=1)
    hint = f" Did you mean {close[0]}?" if close else ""
    return f"{path}: unknown argument.{hint} Accepted: {', '.join(accepted) or 'none'}."


def _expected(error: Error) -> str:
    for prefix in _AUTHORS_OWN:
        if error["msg"].startswith(prefix):
            return error["msg"].removeprefix(prefix)
    match = _EXPECTATION.match(error["msg"])
    return f"expected {error['msg'][match.end() :]}" if match else error["msg"]


def path_of(loc: Location) -> str:
    """A location as a model would write it.

    >>> path_of(("guests", 0, "name"))
    'guests[0].name'
    """
    path = ""
    for part in loc:
        shown = str(part)[:_SHOWN]
        path += f"[{part}]" if isinstance(part, int) else f".{shown}" if path else shown
    return path or "arguments"


def _shown(value: object) -> str:
    text = _as_json(value)
    return text if len(text) <= _SHOWN else text[: _SHOWN - 3] + "..."
