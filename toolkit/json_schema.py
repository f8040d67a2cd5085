"""Tidy the JSON Schema that Pydantic writes, so that a model reads what matters and a strict reader agrees.

References are replaced by what they refer to, except where a type refers to itself; titles go, because they only
repeat the names; every enum says its type; every object is closed.
"""

from __future__ import annotations

from typing import Any

from toolkit.errors import ToolDefinitionError

Schema = dict[str, Any]
_PREFIX = "#/$defs/"
_TYPES = {str: "string", bool: "boolean", int: "integer", float: "number", type(None): "null"}


def tidy(schema: Schema, tool: str) -> Schema:
    """The schema of a tool's parameters, in the form the kit exports.

    Raises:
        ToolDefinitionError: a nested model allows extra fields, so its object cannot be closed.
    """
    definitions = schema.get("$defs", {})
    recursive = {name for name in definitions if _refers_to(name, definitions[name], definitions, set())}
    work = _Tidy(tool, definitions, recursive)
    out = work.node({key: value for key, value in schema.items() if key not in ("$defs", "description")})
    out.setdefault("properties", {})
    out.setdefault("required", [])
    out["additionalProperties"] = False
    if recursive:
        out["$defs"] = {name: work.node(definitions[name]) for name in sorted(recursive)}
    return out


def _refers_to(target: str, node: object, definitions: Schema, seen: set[str]) -> bool:
    if isinstance(node, list):
        return any(_refers_to(target, each, definitions, seen) for each in node)
    if not isinstance(node, dict):
        return False
    reference = node.get("$ref")
    if isinstance(reference, str):
        name = reference.removeprefix(_PREFIX)
        if name == target:
            return True
        if name not in seen:
            seen.add(name)
            if _refers_to(target, definitions[name], definitions, seen):
                return True
    return any(_refers_to(target, each, definitions, seen) for key, each in node.items() if key != "$ref")


class _Tidy:
    def __init__(self, tool: str, definitions: Schema, recursive: set[str]) -> None:
        self.tool, self.definitions, self.recursive = tool, definitions, recursive

    def node(self, node: Schema) -> Schema:
        """One schema node; names of properties are not keywords, so they are walked apart."""
        if "$ref" in node:
            name = node["$ref"].removeprefix(_PREFIX)
            beside = {key: value for key, value in node.items() if key != "$ref"}
            if name in self.recursive:
                return {"$ref": node["$ref"], **self._rest(beside)}
            return self.node({**self.definitions[name], **beside})
        out = self._rest(node)
        values = out.get("enum", [out["const"]] if "const" in out else None)
        if values and "type" not in out:
            kinds = list(dict.fromkeys(_TYPES[type(value)] for value in values))
            out["type"] = kinds[0] if len(kinds) == 1 else kinds
        if "properties" in out:
            if out.get("additionalProperties") not in (None, False):
                raise ToolDefinitionError(
                    f"Tool {self.tool!r}: the model {node.get('title', 'in a parameter')!r} allows extra fields, so a "
                    "misspelt name would pass unseen. Remove extra='allow', or use dict[str, ...] for free keys."
                )
            out["additionalProperties"] = False
        return out

    def _rest(self, node: Schema) -> Schema:
        out: Schema = {}
        for key, value in node.items():
            if key in ("title", "discriminator"):
                continue
            if key == "properties":
                out[key] = {name: self.node(each) for name, each in value.items()}
            elif key in ("anyOf", "oneOf", "allOf", "prefixItems"):
                out[key] = [self.node(each) for each in value]
            elif key in ("items", "additionalProperties", "not") and isinstance(value, dict):
                out[key] = self.node(value)
            else:
                out[key] = value
        return out
