"""A JSON Schema in the strict form that OpenAI's structured outputs accept.

Every object is closed and lists all its properties as required; what was optional becomes nullable, and the
validator reads null as "use the default" where null itself was never allowed. Keywords the strict form does
not take are left out here and still enforced by our own validation.
Source of the rules: OpenAI, "Structured model outputs", section "Supported schemas".
"""

from __future__ import annotations

from typing import Any

from toolkit.errors import ToolDefinitionError

Schema = dict[str, Any]

_STRUCTURE = {
    "type",
    "properties",
    "required",
    "additionalProperties",
    "items",
    "anyOf",
    "enum",
    "const",
    "$ref",
    "$defs",
}
_LIMITS = {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minItems", "maxItems"}
_KEPT = _STRUCTURE | _LIMITS | {"description", "pattern", "format"}
_FORMATS = {"date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"}
_MAX_LEVELS = 10


def strict_schema(tool: str, schema: Schema) -> Schema:
    """The strict form of a tool's parameters; the input is not changed.

    Raises:
        ToolDefinitionError: a parameter has no strict form (any JSON, a free-form object, a tuple). The text
            names the tool, the parameter and the remedy.
    """
    return _Strict(tool).convert({"properties": {}, **schema}, path="")


class _Strict:
    def __init__(self, tool: str) -> None:
        self.tool = tool

    def convert(self, node: Any, path: str) -> Schema:
        where = f"parameter {path!r}" if path else "the parameters"
        if not isinstance(node, dict):
            self._refuse(f"{where} has no schema but {node!r}; give it a type")
        out = {key: value for key, value in _renamed(node).items() if key in _KEPT}
        if out.get("format", "date") not in _FORMATS:
            del out["format"]
        if "$ref" in out:
            return _alone(out)
        kinds = _kinds(out)
        self._refuse_what_has_no_strict_form(out, kinds, path, where)
        if "object" in kinds:
            out.update(self._closed(out, path))
        if "items" in out:
            out["items"] = self.convert(out["items"], f"{path}[]")
        if "anyOf" in out:
            out["anyOf"] = [self.convert(option, path) for option in out["anyOf"]]
        if "$defs" in out:
            out["$defs"] = {name: self.convert(each, name) for name, each in out["$defs"].items()}
        return out

    def _closed(self, node: Schema, path: str) -> Schema:
        required = set(node.get("required", ()))
        properties = {}
        for name, each in node["properties"].items():
            inner = self.convert(each, f"{path}.{name}" if path else name)
            properties[name] = inner if name in required else nullable(inner)
        return {"properties": properties, "required": list(properties), "additionalProperties": False}

    def _refuse_what_has_no_strict_form(self, node: Schema, kinds: list[str], path: str, where: str) -> None:
        if not kinds and not any(key in node for key in ("anyOf", "enum", "const")):
            self._refuse(f"{where} accepts any JSON value; give it a type")
        if "object" in kinds and node.get("additionalProperties") not in (None, False):
            self._refuse(f"{where} is an object with free keys; use a list of key-value models")
        if "object" in kinds and "properties" not in node:
            self._refuse(f"{where} is an object without declared fields; use a Pydantic model")
        if "array" in kinds and "items" not in node:
            self._refuse(f"{where} is a tuple or an untyped list; use a model with named fields")
        if path.count(".") >= _MAX_LEVELS:
            self._refuse(f"{where} is nested more than {_MAX_LEVELS} levels deep; flatten it")

    def _refuse(self, why: str) -> None:
        raise ToolDefinitionError(f"Tool {self.tool!r} has no strict schema: {why}, or export it with strict=False.")


def nullable(node: Schema) -> Schema:
    """The same schema, also accepting null."""
    out = dict(node)
    if "$ref" in out:
        return {"anyOf": [out, {"type": "null"}]}
    if "anyOf" in out and {"type": "null"} not in out["anyOf"]:
        out["anyOf"] = [*out["anyOf"], {"type": "null"}]
    if "const" in out:
        out["enum"] = [out.pop("const")]
    if None not in out.get("enum", [None]):
        out["enum"] = [*out["enum"], None]
    if "null" not in (kinds := _kinds(out)) and kinds:
        out["type"] = [*kinds, "null"]
    return out


def _kinds(node: Schema) -> list[str]:
    kinds = node.get("type", [])
    return list(kinds) if isinstance(kinds, list) else [kinds]


def _renamed(node: Schema) -> Schema:
    """Keywords under the one name the strict form knows them by; a tuple's items have none."""
    out = dict(node)
    if "oneOf" in out:
        out["anyOf"] = [*out.get("anyOf", ()), *out.pop("oneOf")]
    if "definitions" in out:
        out["$defs"] = {**out.get("$defs", {}), **out.pop("definitions")}
    if isinstance(reference := out.get("$ref"), str):
        out["$ref"] = reference.replace("#/definitions/", "#/$defs/")
    if "prefixItems" in out:
        out.pop("items", None)
    return out


def _alone(node: Schema) -> Schema:
    """The strict form allows nothing beside `$ref`, so a description moves outside."""
    reference = {"$ref": node["$ref"]}
    return {"anyOf": [reference], "description": node["description"]} if "description" in node else reference
