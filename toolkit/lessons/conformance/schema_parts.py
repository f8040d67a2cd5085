"""Looking into a schema that somebody else has made."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from toolkit.json_schema import walk
from toolkit.lessons.expect import expect


def nodes(schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Every part of a schema that is an object."""
    yield from (node for _, node in walk(schema) if isinstance(node, dict))


def followed(schema: dict[str, Any], node: dict[str, Any]) -> dict[str, Any]:
    """A part of the schema, or what it refers to. Raises `Wrong` where that leads nowhere."""
    if "$ref" not in node:
        return node
    found: Any = schema
    for step in node["$ref"].removeprefix("#/").split("/"):
        expect(step in found, f"{node['$ref']} leads nowhere")
        found = found[step]
    return dict(found)


def accepts_null(node: dict[str, Any]) -> bool:
    """Whether a part says that null is allowed."""
    kinds = node.get("type", [])
    named = kinds if isinstance(kinds, list) else [kinds]
    return "null" in named or any(accepts_null(each) for each in node.get("anyOf", []))
