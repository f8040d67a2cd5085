"""Arguments against a JSON Schema alone: what layer 1 has, and what a tool from outside brings along.

The `jsonschema` library checks; mending and the words of a refusal are those of layer 2.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from toolkit.arguments import parse_arguments
from toolkit.locations import Error, Location, located
from toolkit.records import Tool
from toolkit.validation import refuse_hidden, settle

# For each JSON type the error Pydantic would report, so that it is mended and told alike.
_TYPES = {
    "integer": ("int_type", "a valid integer"),
    "number": ("float_type", "a valid number"),
    "string": ("string_type", "a valid string"),
    "boolean": ("bool_type", "a valid boolean"),
    "array": ("list_type", "a valid array"),
    "object": ("dict_type", "an object"),
    "null": ("none_required", "null"),
}
_LIMITS = {
    "minimum": "greater than or equal to {}",
    "maximum": "less than or equal to {}",
    "exclusiveMinimum": "greater than {}",
    "exclusiveMaximum": "less than {}",
    "multipleOf": "a multiple of {}",
    "minLength": "a text of at least {} characters",
    "maxLength": "a text of at most {} characters",
    "pattern": "a text that matches the pattern {!r}",
    "minItems": "at least {} items",
    "maxItems": "at most {} items",
    "uniqueItems": "different items",
}


def validate_by_schema(
    tool: Tool, raw: object, *, lenient: bool = True, hidden: frozenset[str] = frozenset()
) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The arguments, and notes on what was mended. `hidden` are parameters that this caller may not send.

    Raises:
        MalformedArguments: they are no plain JSON object.
        Rejected: they break the schema; unless the schema says otherwise, it is closed at the top.
    """
    from jsonschema import Draft202012Validator  # here, because tools of layer 2 never need it

    schema = {"properties": {}, "additionalProperties": False, **tool.parameters}
    validator = Draft202012Validator(schema)

    def check(arguments: dict[str, Any]) -> tuple[dict[str, Any] | None, list[Error]]:
        found = sorted(validator.iter_errors(arguments), key=lambda error: list(map(str, error.absolute_path)))
        errors = [each for error in found for each in _told(error, ())]
        return (None, located(arguments, errors)) if errors else (arguments, [])

    accepted = [name for name in schema["properties"] if name not in hidden]
    arguments, notes = parse_arguments(raw, lenient=lenient)
    refuse_hidden(tool.name, arguments, hidden, accepted)
    return settle(tool.name, schema, accepted, check, arguments, notes, lenient=lenient)


def _told(error: Any, above: Location) -> Iterator[Error]:
    """A `ValidationError` of `jsonschema` as Pydantic would report it: the location names the branches of a union."""
    loc = (*above, *error.relative_path)
    rule, wanted, value = error.validator, error.validator_value, error.instance
    if rule in ("anyOf", "oneOf") and error.context:
        for inner in error.context:
            yield from _told(inner, (*loc, f"branch {inner.relative_schema_path[0]}"))
    elif rule == "type":
        for kind in [wanted] if isinstance(wanted, str) else wanted:
            yield Error(type=_TYPES[kind][0], loc=loc, msg=f"Input should be {_TYPES[kind][1]}", input=value)
    elif rule in ("enum", "const"):
        choices = " or ".join(map(repr, wanted if rule == "enum" else [wanted]))
        yield Error(type="enum", loc=loc, msg=f"Input should be {choices}", input=value)
    elif rule == "required":
        missing = next(name for name in wanted if name not in value and error.message.startswith(repr(name)))
        yield Error(type="missing", loc=(*loc, missing), msg="Field required", input=value)
    elif rule == "additionalProperties" and wanted is False:
        for name in value:
            if name not in error.schema.get("properties", {}):
                yield Error(type="extra_forbidden", loc=(*loc, name), msg="", input=value[name])
    else:
        expected = _LIMITS[rule].format(wanted) if rule in _LIMITS else f"what {rule!r} of its schema allows"
        yield Error(type=rule, loc=loc, msg=f"Input should be {expected}", input=value)
