"""JSON Schema as the kit accepts it from a hand and exports it from Pydantic.

A schema written by hand is checked and kept word for word. One that Pydantic wrote is tidied, so that a model reads
what matters and a strict reader agrees: references are replaced by what they refer to, except where a type refers to
itself; titles go, because they only repeat the names; every enum says its type; every object is closed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from toolkit.errors import ToolDefinitionError

Schema = dict[str, Any]
_MAPS = ("properties", "patternProperties", "$defs", "definitions")
_LISTS = ("anyOf", "oneOf", "allOf", "prefixItems")
_SINGLE = ("items", "additionalProperties", "propertyNames", "contains", "not", "if", "then", "else")
_KINDS = ("object", "array", "string", "number", "integer", "boolean", "null")
_TYPES = {
    str: "string",
    bool: "boolean",
    int: "integer",
    float: "number",
    type(None): "null",
}
_PREFIX = "#/$defs/"


def walk(node: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Every schema inside a schema, itself first, with its path; true and false have nothing to say.

    A property called `items` is no keyword:

    >>> [path for path, _ in walk({"type": "object", "properties": {"items": {"type": "string"}}})]
    ['', 'properties/items']
    """
    if not isinstance(node, bool):
        yield path, node
    if not isinstance(node, dict):
        return
    start = f"{path}/" if path else ""
    for key, value in node.items():
        if key in _MAPS and isinstance(value, dict):
            for name, each in value.items():
                yield from walk(each, f"{start}{key}/{name}")
        elif key in _LISTS and isinstance(value, list):
            for index, each in enumerate(value):
                yield from walk(each, f"{start}{key}/{index}")
        elif key in _SINGLE:
            yield from walk(value, f"{start}{key}")


def check_by_hand(tool: str, schema: Schema) -> None:
    """Refuse a hand-written schema that no call could be held against.

    Raises:
        ToolDefinitionError: an unknown type, a required name that is not declared, a reference that leads nowhere,
            a pattern that is no regular expression. The text names the tool and the place.
    """
    if schema.get("type") != "object":
        raise ToolDefinitionError(
            f"The parameters of tool {tool!r} must be a JSON Schema with type 'object', such as "
            '{"type": "object", "properties": {}}.'
        )
    for path, node in walk(schema):
        wrong = _wrong(node, schema)
        if wrong:
            raise ToolDefinitionError(f"The parameters of tool {tool!r}, at {path or 'the top'!r}: {wrong}.")


def _wrong(node: Any, root: Schema) -> str | None:
    """What is wrong with one schema, or None."""
    if not isinstance(node, dict):
        return f"{node!r} is no schema; write an object, such as {{'type': 'string'}}"
    kinds = node.get("type", [])
    for kind in kinds if isinstance(kinds, list) else [kinds]:
        if kind not in _KINDS:
            return f"{kind!r} is no JSON Schema type. Types: {', '.join(_KINDS)}"
    properties, required = node.get("properties", {}), node.get("required", [])
    if not isinstance(properties, dict):
        return "'properties' must be an object from names to schemas"
    if not isinstance(required, list):
        return "'required' must be a list of names"
    for name in required:
        if name not in properties:
            return f"{name!r} is required but not declared. Declared: {', '.join(properties) or 'none'}"
    if not isinstance(node.get("enum", []), list):
        return "'enum' must be a list of values"
    if "$ref" in node and not isinstance(resolve(node["$ref"], root), dict | bool):
        return f"the reference {node['$ref']!r} leads nowhere"
    return _wrong_pattern(node.get("pattern"))


def _wrong_pattern(pattern: object) -> str | None:
    try:
        re.compile(pattern if isinstance(pattern, str) else "")
    except re.error as error:
        return f"the pattern {pattern!r} is no regular expression ({error})"
    return None


def resolve(reference: object, root: Any) -> Any:
    """What a reference within the schema points to, or None."""
    if not isinstance(reference, str) or not reference.startswith("#"):
        return None
    node = root
    for part in reference.split("/")[1:]:
        name = part.replace("~1", "/").replace("~0", "~")
        if isinstance(node, list) and name.isdigit() and int(name) < len(node):
            node = node[int(name)]
        else:
            node = node.get(name) if isinstance(node, dict) else None
    return node


def tidy(schema: Schema, tool: str) -> Schema:
    """The schema of a tool's parameters as the kit exports it, from the one Pydantic wrote.

    Raises:
        ToolDefinitionError: a nested model allows extra fields, so its object cannot be closed; or JSON cannot name a
            choice.
    """
    work = _Tidy(tool, schema.get("$defs", {}))
    root = {key: value for key, value in schema.items() if key not in ("$defs", "description")}
    out = work.node(root)
    out.setdefault("properties", {})
    out.setdefault("required", [])
    out["additionalProperties"] = False
    if work.recursive:
        out["$defs"] = {name: work.node(work.definitions[name]) for name in sorted(work.recursive)}
    return out


class _Tidy:
    def __init__(self, tool: str, definitions: Schema) -> None:
        self.tool, self.definitions = tool, definitions
        named = {name: _referred(node) for name, node in definitions.items()}
        self.recursive = {name for name in named if name in _reachable(name, named)}

    def node(self, node: Schema) -> Schema:
        if "$ref" in node:
            name = node["$ref"].removeprefix(_PREFIX)
            beside = {key: value for key, value in node.items() if key != "$ref"}
            if name in self.recursive:
                return {"$ref": node["$ref"], **self._inside(beside)}
            return self.node({**self.definitions[name], **beside})
        out = self._inside(node)
        values = out.get("enum", [out["const"]] if "const" in out else None)
        if values:
            kinds = list(dict.fromkeys(_TYPES.get(type(value), "") for value in values))
            if "" in kinds:
                raise ToolDefinitionError(
                    f"Tool {self.tool!r}: the choices {values!r} are not all texts, numbers or booleans, so no call "
                    "could name them. Choose by a name."
                )
            out["type"] = kinds[0] if len(kinds) == 1 else kinds
        if "properties" in out:
            if out.get("additionalProperties") not in (None, False):
                raise ToolDefinitionError(
                    f"Tool {self.tool!r}: the model {node.get('title', 'in a parameter')!r} allows extra fields, so a "
                    "misspelt name would pass unseen. Remove extra='allow', or use dict[str, ...] for free keys."
                )
            out["additionalProperties"] = False
        return out

    def _inside(self, node: Schema) -> Schema:
        out: Schema = {}
        for key, value in node.items():
            if key in _MAPS:
                out[key] = {name: self.node(each) for name, each in value.items()}
            elif key in _LISTS:
                out[key] = [self.node(each) for each in value]
            elif key in _SINGLE and isinstance(value, dict):
                out[key] = self.node(value)
            elif key not in ("title", "discriminator"):
                out[key] = value
        return out


def _referred(node: Schema) -> set[str]:
    return {each["$ref"].removeprefix(_PREFIX) for _, each in walk(node) if "$ref" in each}


def _reachable(start: str, named: dict[str, set[str]]) -> set[str]:
    found: set[str] = set()
    pending = list(named[start])
    while pending:
        name = pending.pop()
        if name not in found:
            found.add(name)
            pending.extend(named.get(name, ()))
    return found
