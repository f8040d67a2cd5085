"""What a tool promises to return, held against the rules that read it.

A rule that reads a field the tool never returns scores every result alike, and nobody asks why. So it is refused where
the pipeline is built.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any

from pydantic import PydanticUserError, TypeAdapter
from pydantic.errors import PydanticSchemaGenerationError

from toolkit.errors import ToolDefinitionError
from toolkit.quality.scoring import Rule, Scorecard
from toolkit.records import Tool
from toolkit.registry import Registry


def check_fields(scorecard: Scorecard, registry: Registry) -> None:
    """Hold a scorecard against the tools it is for. A tool that promises nothing, such as a `dict`, allows any field.

    Raises:
        ToolDefinitionError: rules for a tool that is not there, or for a field its result never has.
    """
    for name, rules in scorecard.rules.items():
        tool = registry.snapshot().get(name)
        if tool is None:
            raise ToolDefinitionError(f"There are rules for {name!r}, which is no tool. Tools: {', '.join(registry)}.")
        for rule in rules:
            _check(tool, rule)


def _check(tool: Tool, rule: Rule) -> None:
    promised = promised_fields(tool, rule.each)
    unknown = [field for field in rule.fields if promised is not None and field not in promised]
    if promised is not None and unknown:
        where = f"an element of {rule.each!r}" if rule.each else "the result"
        raise ToolDefinitionError(
            f"Rule {rule.name!r} of {tool.name!r} reads {unknown[0]!r}, but {where} never has it. "
            f"It has: {', '.join(promised) or 'no fields'}."
        )


def promised_fields(tool: Tool, each: str | None = None) -> tuple[str, ...] | None:
    """The fields a tool's result can have, by its return annotation; None where that does not tell.

    Args:
        tool: A tool.
        each: The fields of this list's elements, not those of the result.
    """
    returns = inspect.Signature.empty if tool.signature is None else tool.signature.returns
    if returns is inspect.Signature.empty:
        return None
    try:
        schema = TypeAdapter(returns).json_schema(mode="serialization")
    except (PydanticSchemaGenerationError, PydanticUserError, NameError, TypeError):
        return None
    node = _resolved(schema, schema)
    if each is not None:
        if "properties" not in node:
            return None
        if each not in node["properties"]:
            return ()
        node = _resolved(_resolved(node["properties"][each], schema).get("items", {}), schema)
    fields = node.get("properties")
    return None if fields is None or node.get("additionalProperties") else tuple(fields)


def _resolved(node: Mapping[str, Any], schema: Mapping[str, Any]) -> Mapping[str, Any]:
    while "$ref" in node:
        node = schema["$defs"][node["$ref"].rpartition("/")[2]]
    return node
