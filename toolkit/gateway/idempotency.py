"""One order, one effect: what has been done under a key is not done again.

A record is claimed before the tool runs and finished after it. A record that was claimed and never finished means
that the process died or the caller went away in between: nobody knows, so the call is not run again by itself.
The canonical arguments are kept, not a hash of them, so that a conflict is told from a coincidence.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import date, datetime
from typing import Any, Literal, NamedTuple, Protocol

from pydantic import BaseModel
from pydantic_core import to_json, to_jsonable_python

_SCALARS = {str, int, float, bool, type(None), date, datetime}


class Record(NamedTuple):
    """What is known of a key. `result` is the JSON text of the value once `state` is `done`."""

    state: Literal["running", "done", "unknown"]
    arguments: str
    result: str | None = None


class IdempotencyStore(Protocol):
    """Where records live. Each method is atomic, also between processes that share the store."""

    async def get(self, key: str) -> Record | None:
        """The record of a key, or None."""

    async def claim(self, key: str, arguments: str) -> Record | None:
        """Write a `running` record and return None, or return the record that is already there."""

    async def finish(self, key: str, result: str) -> None:
        """The call succeeded with this value."""

    async def mark_unknown(self, key: str) -> None:
        """The call may or may not have taken effect."""

    async def release(self, key: str) -> None:
        """Nothing was done; the key is free again. Also how a person settles an unknown outcome."""


class MemoryStore:
    """Records in this process, gone when it ends."""

    def __init__(self) -> None:
        self._records: dict[str, Record] = {}

    async def get(self, key: str) -> Record | None:
        return self._records.get(key)

    async def claim(self, key: str, arguments: str) -> Record | None:
        if key in self._records:
            return self._records[key]
        self._records[key] = Record("running", arguments)
        return None

    async def finish(self, key: str, result: str) -> None:
        self._records[key] = self._records[key]._replace(state="done", result=result)

    async def mark_unknown(self, key: str) -> None:
        self._records[key] = self._records[key]._replace(state="unknown")

    async def release(self, key: str) -> None:
        self._records.pop(key, None)


def canonical(arguments: Mapping[str, Any]) -> str:
    """Arguments as one text: keys sorted, 1 and true and "1" told apart.

    >>> canonical({"b": 1, "a": True}) == canonical({"a": True, "b": 1})
    True
    """
    if _SCALARS.issuperset(map(type, arguments.values())):
        return to_json(dict(sorted(arguments.items()))).decode()
    return json.dumps(_ordered(dict(arguments)), sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def _ordered(value: Any) -> Any:
    """Plain JSON values; a set in the order of its texts, which differs from process to process otherwise."""
    if isinstance(value, BaseModel):
        value = dict(value)
    if isinstance(value, dict):
        return {_name(key): _ordered(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_ordered(each) for each in value]
    if isinstance(value, set | frozenset):
        return sorted((_ordered(each) for each in value), key=lambda each: json.dumps(each, sort_keys=True))
    return to_jsonable_python(value, fallback=_unlike)


def _name(key: Any) -> str:
    return key if isinstance(key, str) else str(to_jsonable_python(key, fallback=_unlike))


def _unlike(value: object) -> str:
    """Where no form is known, two values had better differ: a conflict is safe, a wrong replay is not."""
    try:
        return repr(value)
    except Exception:  # noqa: BLE001 - a class of the tool's own
        return f"{type(value).__name__} {id(value)}"
