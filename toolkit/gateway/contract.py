"""Arguments against a tool's contract, whichever layer declared it."""

from __future__ import annotations

from typing import Any

from toolkit.arguments import parse_arguments
from toolkit.gateway.access import hidden_arguments
from toolkit.records import Context, Tool
from toolkit.validation import Rejected, validate


def keywords_of(tool: Tool, raw: object, context: Context, *, lenient: bool) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The keyword arguments to call the tool with, and notes on what was mended.

    Raises:
        MalformedArguments: the arguments are no plain JSON object.
        Rejected: they break the contract.
    """
    if tool.signature is not None:
        hidden = hidden_arguments(tool, context) if tool.restricted else frozenset()
        model, notes = validate(tool, raw, lenient=lenient, hidden=hidden)
        return dict(model.__dict__), notes
    arguments, notes = parse_arguments(raw, lenient=lenient)
    _check_by_schema(tool, arguments)
    return arguments, notes


def _check_by_schema(tool: Tool, arguments: dict[str, Any]) -> None:
    """Layer 1 has only a JSON Schema, so the `jsonschema` library reads it."""
    from jsonschema import Draft202012Validator

    schema = {"additionalProperties": False, **tool.parameters}
    errors = sorted(Draft202012Validator(schema).iter_errors(arguments), key=lambda error: list(map(str, error.path)))
    if errors:
        lines = [f"{'.'.join(map(str, error.path)) or 'arguments'}: {error.message[:200]}." for error in errors]
        fields = tuple(".".join(map(str, error.path)) or "arguments" for error in errors)
        raise Rejected(f"Invalid arguments for {tool.name}. " + " ".join(lines), fields)
