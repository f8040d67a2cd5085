"""Values that Pydantic takes for each other, also in strict mode, although nobody means that.

The text "0" is read as 1 January 1970; true passes for 1 where the choices are numbers (`Literal[1, 2]`, `IntEnum`).
So what was sent is laid beside what it became.
"""

from __future__ import annotations

import dataclasses
import datetime
import re
from collections.abc import Iterator, Mapping, Sequence
from enum import Enum

from pydantic import AliasChoices, BaseModel
from pydantic.fields import FieldInfo

from toolkit.locations import Error, Location

_NUMERIC = re.compile(r"\s*[-+]?[\d.]+\s*")


def confusions(raw: object, value: object, at: Location = ()) -> list[Error]:
    """One error for each place where something else was sent than what it was taken for.

    Args:
        raw: Plain JSON, as it was sent.
        value: What validation made of it.
        at: Where in the arguments the two stand.
    """
    expected = _mistaken(raw, value)
    if expected is not None:
        return [Error(type="confusion", loc=at, msg=f"Input should be {expected}", input=raw)]
    return [error for part, below, became in _pairs(raw, value) for error in confusions(below, became, (*at, part))]


def _mistaken(raw: object, value: object) -> str | None:
    """What should have been sent, or None where the two fit."""
    if isinstance(value, datetime.date):
        numeric = isinstance(raw, str) and _NUMERIC.fullmatch(raw)
        form = "date in the format YYYY-MM-DD" if type(value) is datetime.date else "datetime"
        return f"a valid {form}, a number is no date" if numeric else None
    plain = _plain(value)
    if isinstance(raw, bool) and type(plain) in (int, float) and plain == raw:
        return "a number"
    if isinstance(plain, bool) and type(raw) in (int, float) and plain == raw:
        return "a boolean"
    return None


def _plain(value: object) -> object:
    return value.value if isinstance(value, Enum) else value


def _pairs(raw: object, value: object) -> Iterator[tuple[int | str, object, object]]:
    """Each part of what was sent beside what it became. Keys may have become something else as well."""
    if isinstance(raw, list):
        if isinstance(value, set | frozenset):  # in no order, so each is laid beside all that may be a mistake
            suspects = [each for each in value if isinstance(each, datetime.date)][:1]
            suspects += [each for each in value if _plain(each) in (0, 1)]
            yield from ((index, each, became) for index, each in enumerate(raw) for became in suspects)
        elif isinstance(value, Sequence) and not isinstance(value, str | bytes):
            yield from ((index, *pair) for index, pair in enumerate(zip(raw, value, strict=False)))
    elif isinstance(raw, dict) and isinstance(value, Mapping) and not value.keys() >= raw.keys():
        for key, other in zip(raw, value, strict=False):
            yield key, key, other
            yield key, raw[key], value[other]
    elif isinstance(raw, dict):
        fields = value if isinstance(value, Mapping) else _fields(value)
        yield from ((key, raw[key], fields[key]) for key in raw if key in fields)


def _fields(value: object) -> Mapping[str, object]:
    """The fields of a model or a dataclass, by the names a caller may send them under."""
    if isinstance(value, BaseModel):
        named = type(value).model_fields.items()
        return {alias: getattr(value, name) for name, field in named for alias in _aliases(name, field)}
    if dataclasses.is_dataclass(value):
        return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    return {}


def _aliases(name: str, field: FieldInfo) -> Sequence[str]:
    alias = field.validation_alias
    choices = alias.choices if isinstance(alias, AliasChoices) else (alias or name,)
    return [each for each in choices if isinstance(each, str)]
