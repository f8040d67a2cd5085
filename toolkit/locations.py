"""Where in the arguments an error stands, and what the schema declares there.

Pydantic's locations hold more than keys and indexes: inside a union they name the branch (`("x", "Card", "number")`).
Such parts are taken out here, so that mending touches the right value and a message shows a path the model knows.
Of the branches of a union only the closest count: who misspelt a card's number need not read what is wrong with it as
cash.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import count
from typing import Any, NamedTuple, TypedDict

from toolkit.json_schema import resolve

Location = tuple[int | str, ...]
Schema = Mapping[str, Any]
UNKNOWN = ("extra_forbidden", "unexpected_keyword_argument")  # types of error: a key that is not declared


class Error(TypedDict):
    """One entry of `ValidationError.errors()`."""

    type: str
    loc: Location
    msg: str
    input: Any


class _Found(NamedTuple):
    """An error at its place. `branches` has, outermost first, the place of each union it stands in, and the branch."""

    error: Error
    branches: tuple[tuple[Location, Location], ...]


def located(arguments: object, errors: Iterable[Error]) -> list[Error]:
    """The errors, each at its place in the arguments; one that has no place there keeps its location.

    >>> located({"x": "a"}, [Error(type="int_type", loc=("x", "int"), msg="", input="a")])[0]["loc"]
    ('x',)
    """
    found = [_found(arguments, error) for error in errors]
    for depth in count():
        if all(len(each.branches) <= depth for each in found):
            return [each.error for each in found]
        found = _closest(found, depth)
    raise AssertionError  # unreachable: count() does not end


def _found(arguments: object, error: Error) -> _Found:
    steps = _steps(arguments, error["loc"], error)
    if steps is None:
        return _Found(error, ())
    branches = []
    for index, is_key in enumerate(steps):
        if not is_key:
            at = tuple(part for part, kept in zip(error["loc"][:index], steps, strict=False) if kept)
            branches.append((at, error["loc"][: index + 1]))
    place = tuple(part for part, kept in zip(error["loc"], steps, strict=True) if kept)
    return _Found(Error(**{**error, "loc": place}), tuple(branches))


def _steps(here: object, loc: Location, error: Error) -> list[bool] | None:
    """For each part of a location whether it is a key or an index, and not a branch's name. None: it leads nowhere."""
    if not loc:
        return [] if same(here, error["input"]) else None
    if len(loc) == 1 and error["type"] == "missing":
        return [True] if same(here, error["input"]) else None
    child = _child(here, loc[0])
    if child is not None:
        rest = _steps(child[0], loc[1:], error)
        if rest is not None:
            return [True, *rest]
    rest = _steps(here, loc[1:], error)
    return None if rest is None else [False, *rest]


def _closest(found: list[_Found], depth: int) -> list[_Found]:
    """Leave out the branches that are further off: of another kind altogether, or with more that is wrong."""
    unions: dict[Location, dict[Location, list[_Found]]] = {}
    for each in found:
        if len(each.branches) > depth:
            at, branch = each.branches[depth]
            unions.setdefault(at, {}).setdefault(branch, []).append(each)
    dropped: set[int] = set()
    for at, branches in unions.items():
        cost = {
            branch: (any(each.error["loc"] == at for each in inside), len(inside))
            for branch, inside in branches.items()
        }
        lowest = min(cost.values())
        if lowest[0]:
            continue  # a value of no branch's kind is told all of them
        near = {_what(each) for branch, inside in branches.items() if cost[branch] == lowest for each in inside}
        dropped.update(id(each) for inside in branches.values() for each in inside if _what(each) not in near)
    return [each for each in found if id(each) not in dropped]


def _what(found: _Found) -> tuple[Location, str]:
    return found.error["loc"], found.error["type"]


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


def names_at(parameters: Schema, loc: Location) -> list[str]:
    """The names of the fields that an object at this place may have."""
    return list(dict.fromkeys(name for node in objects_at(parameters, loc) for name in node["properties"]))


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
        referred = resolve(node.get("$ref"), root)
        if isinstance(referred, Mapping):
            pending.append(referred)
    return found
