"""Where in the arguments an error stands, and what the schema declares there.

Pydantic's locations hold more than keys and indexes: inside a union they name the branch (`("pay", "Card", "number")`).
Such parts are taken out here, so that mending touches the right value and a message shows a path the model knows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypedDict

Location = tuple[int | str, ...]
Schema = Mapping[str, Any]


class Error(TypedDict):
    """One entry of `ValidationError.errors()`."""

    type: str
    loc: Location
    msg: str
    input: Any


def located(arguments: object, errors: Iterable[Error]) -> list[Error]:
    """The errors, each at its place in the arguments; one that has no place there keeps its location.

    >>> located({"x": "a"}, [Error(type="int_type", loc=("x", "int"), msg="", input="a")])[0]["loc"]
    ('x',)
    """
    found = []
    for error in errors:
        place = _place(arguments, error["loc"], error, set())
        found.append(error if place is None else Error(**{**error, "loc": place}))
    return found


def _place(here: object, loc: Location, error: Error, tried: set[tuple[int, int]]) -> Location | None:
    """The parts of a location that are keys and indexes; the others name branches. None: it leads nowhere."""
    if (id(here), len(loc)) in tried:
        return None
    tried.add((id(here), len(loc)))
    if not loc:
        return () if same(here, error["input"]) else None
    part, rest = loc[0], loc[1:]
    if not rest and error["type"] == "missing":
        return (part,) if same(here, error["input"]) else None
    child = _child(here, part)
    if child is not None:
        place = _place(child[0], rest, error, tried)
        if place is not None:
            return (part, *place)
    return _place(here, rest, error, tried)


def _child(here: object, part: int | str) -> tuple[Any] | None:
    if isinstance(here, dict) and part in here:
        return (here[part],)
    if isinstance(here, list) and isinstance(part, int) and part < len(here):
        return (here[part],)
    return None


def same(one: object, other: object) -> bool:
    """Equal, and of one type: 1 is not True."""
    return type(one) is type(other) and one == other


def value_at(arguments: object, loc: Location) -> tuple[Any] | None:
    """The value at a place, in a tuple, or None where there is no such place."""
    found: tuple[Any] | None = (arguments,)
    for part in loc:
        found = _child(found[0], part) if found is not None else None
    return found


def objects_at(parameters: Schema, loc: Location) -> list[Schema]:
    """The schemas with declared fields that a value at this place may have; more than one in a union."""
    nodes = _expanded([parameters], parameters)
    for part in loc:
        nodes = _expanded([child for node in nodes for child in _declared(node, part)], parameters)
    return [node for node in nodes if "properties" in node]


def _declared(node: Schema, part: int | str) -> Iterator[Schema]:
    first = node.get("prefixItems", ())
    if isinstance(part, int):
        child = first[part] if part < len(first) else node.get("items")
    else:
        child = node.get("properties", {}).get(part, node.get("additionalProperties"))
    if isinstance(child, dict):
        yield child


def _expanded(nodes: Iterable[Schema], root: Schema) -> list[Schema]:
    """The nodes with references and unions followed."""
    found: list[Schema] = []
    pending = list(nodes)
    while pending:
        node = pending.pop(0)
        if any(node is known for known in found):
            continue
        found.append(node)
        for key in ("anyOf", "oneOf", "allOf"):
            pending.extend(node.get(key, ()))
        if "$ref" in node:
            pending.append(root["$defs"][node["$ref"].removeprefix("#/$defs/")])
    return found
