"""A JSON Schema in the strict form that OpenAI's structured outputs accept.

Every object is closed and lists all its properties as required; what was optional becomes nullable, and the
validator reads null as "use the default" where null itself was never allowed. Keywords the strict form does
not take are dropped here and still enforced by our own validation.
Source of the rules: OpenAI, "Structured model outputs", section "Supported schemas".
"""

from __future__ import annotations

from typing import Any

from toolkit.errors import ToolDefinitionError

Schema = dict[str, Any]

_DROPPED = {"default", "examples", "title", "minLength", "maxLength", "uniqueItems", "$schema"}
_NESTED_LISTS = ("anyOf", "prefixItems")


def strict_schema(tool: str, schema: Schema) -> Schema:
    """The strict form of a tool's parameters; the input is not changed.

    Raises:
        ToolDefinitionError: a parameter has no strict form (any JSON, a free-form object, a tuple). The text
            names the tool, the parameter and the remedy.
    """
    return _Strict(tool).convert(schema, path="")


class _Strict:
    def __init__(self, tool: str) -> None:
        self.tool = tool

    def convert(self, node: Schema, path: str) -> Schema:
        if "$ref" in node:
            return self._reference(node)
        out = {key: value for key, value in node.items() if key not in _DROPPED}
        if "oneOf" in out:
            out["anyOf"] = out.pop("oneOf")
            out.pop("discriminator", None)
        self._refuse_what_has_no_strict_form(out, path)
        if out.get("type") == "object":
            out.update(self._closed(out, path))
        if isinstance(out.get("items"), dict):
            out["items"] = self.convert(out["items"], f"{path}[]")
        if "anyOf" in out:
            out["anyOf"] = [self.convert(option, path) for option in out["anyOf"]]
        if "$defs" in out:
            out["$defs"] = {name: self.convert(each, name) for name, each in out["$defs"].items()}
        return out

    def _closed(self, node: Schema, path: str) -> Schema:
        required = set(node.get("required", ()))
        properties = {}
        for name, each in node.get("properties", {}).items():
            inner = self.convert(each, f"{path}.{name}" if path else name)
            properties[name] = inner if name in required else nullable(inner)
        return {"properties": properties, "required": list(properties), "additionalProperties": False}

    def _reference(self, node: Schema) -> Schema:
        """The strict form allows nothing beside `$ref`, so a description moves outside."""
        beside = {key: value for key, value in node.items() if key not in _DROPPED and key != "$ref"}
        reference = {"$ref": node["$ref"]}
        return {"anyOf": [reference], **beside} if beside else reference

    def _refuse_what_has_no_strict_form(self, node: Schema, path: str) -> None:
        where = f"parameter {path!r}" if path else "the parameters"
        if not any(key in node for key in ("type", "anyOf", "enum", "const")):
            self._refuse(f"{where} accepts any JSON value; give it a type")
        if node.get("type") == "object" and node.get("additionalProperties") not in (None, False):
            self._refuse(f"{where} is an object with free keys; use a list of key-value models")
        if node.get("type") == "object" and path and "properties" not in node:
            self._refuse(f"{where} is an object without declared fields; use a Pydantic model")
        if node.get("type") == "array" and ("prefixItems" in node or "items" not in node):
            self._refuse(f"{where} is a tuple or an untyped list; use a model with named fields")

    def _refuse(self, why: str) -> None:
        raise ToolDefinitionError(f"Tool {self.tool!r} has no strict schema: {why}, or export it with strict=False.")


def nullable(node: Schema) -> Schema:
    """The same schema, also accepting null."""
    if "anyOf" in node:
        if {"type": "null"} in node["anyOf"]:
            return node
        return {**node, "anyOf": [*node["anyOf"], {"type": "null"}]}
    if "const" in node or "enum" in node:
        values = node.get("enum", [node.get("const")])
        kept = {key: value for key, value in node.items() if key != "const"}
        kept["enum"] = values if None in values else [*values, None]
        return {**kept, "type": _with_null(node["type"])} if "type" in node else kept
    if "$ref" in node:
        return {"anyOf": [node, {"type": "null"}]}
    return {**node, "type": _with_null(node["type"])}


def _with_null(kind: str | list[str]) -> list[str]:
    kinds = [kind] if isinstance(kind, str) else list(kind)
    return kinds if "null" in kinds else [*kinds, "null"]
