"""A schema written by hand is kept word for word, once it is one that a call can be held against."""

from __future__ import annotations

from typing import Any

import pytest

from toolkit import ToolDefinitionError

NODE = {"type": "object", "properties": {"next": {"$ref": "#/$defs/node"}}}

GOOD: dict[str, dict[str, Any]] = {
    "no parameters": {"type": "object"},
    "all kinds": {
        "type": "object",
        "properties": {
            "a": {"type": ["string", "null"], "pattern": "^[a-z]+$"},
            "b": {"type": "array", "items": {"type": "number"}},
            "c": {"anyOf": [{"type": "integer"}, {"enum": ["x", 1, None]}]},
            "d": True,
            "required": {"type": "boolean"},
            "properties": {"type": "object", "additionalProperties": {"type": "null"}},
            "type": {"const": 3},
        },
        "required": ["a", "required"],
        "additionalProperties": False,
    },
    "recursive": {"type": "object", "properties": {"root": {"$ref": "#/$defs/node"}}, "$defs": {"node": NODE}},
    "the whole again": {"type": "object", "properties": {"inner": {"$ref": "#"}}},
    "a name with a slash": {"type": "object", "properties": {"a": {"$ref": "#/$defs/b~1c~0"}}, "$defs": {"b/c~": {}}},
    "into a list": {
        "type": "object",
        "properties": {"a": {"anyOf": [{"type": "string"}]}, "b": {"$ref": "#/properties/a/anyOf/0"}},
    },
    "words of its own": {"type": "object", "properties": {"a": {"type": "string", "x-unit": "USD"}}},
}

BAD: dict[str, tuple[Any, str]] = {
    "not an object": (
        {"type": "string"},
        "The parameters of tool 'use' must be a JSON Schema with type 'object', such as "
        '{"type": "object", "properties": {}}.',
    ),
    "no type": (
        {"properties": {}},
        "The parameters of tool 'use' must be a JSON Schema with type 'object', such as "
        '{"type": "object", "properties": {}}.',
    ),
    "no dict": ([], "The parameters of tool 'use' must be a dict, not []."),
    "a type of another language": (
        {"type": "object", "properties": {"price": {"type": "float"}}},
        "The parameters of tool 'use', at 'properties/price': 'float' is no JSON Schema type. "
        "Types: object, array, string, number, integer, boolean, null.",
    ),
    "an unhashable type": (
        {"type": "object", "properties": {"price": {"type": [{}]}}},
        "The parameters of tool 'use', at 'properties/price': {} is no JSON Schema type. "
        "Types: object, array, string, number, integer, boolean, null.",
    ),
    "a schema that is none": (
        {"type": "object", "properties": {"price": "number"}},
        "The parameters of tool 'use', at 'properties/price': 'number' is no schema; "
        "write an object, such as {'type': 'string'}.",
    ),
    "a required name that is not declared": (
        {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["ctiy"]},
        "The parameters of tool 'use', at 'the top': 'ctiy' is required but not declared. Declared: city.",
    ),
    "the same further in": (
        {"type": "object", "properties": {"a": {"type": "array", "items": {"type": "object", "required": ["b"]}}}},
        "The parameters of tool 'use', at 'properties/a/items': 'b' is required but not declared. Declared: none.",
    ),
    "required as a boolean": (
        {"type": "object", "properties": {"city": {"type": "string", "required": True}}},
        "The parameters of tool 'use', at 'properties/city': 'required' must be a list of names.",
    ),
    "properties as a list": (
        {"type": "object", "properties": ["city"]},
        "The parameters of tool 'use', at 'the top': 'properties' must be an object from names to schemas.",
    ),
    "enum as a text": (
        {"type": "object", "properties": {"a": {"enum": "ab"}}},
        "The parameters of tool 'use', at 'properties/a': 'enum' must be a list of values.",
    ),
    "a dangling reference": (
        {"type": "object", "properties": {"to": {"$ref": "#/$defs/Address"}}},
        "The parameters of tool 'use', at 'properties/to': the reference '#/$defs/Address' leads nowhere.",
    ),
    "a reference to another document": (
        {"type": "object", "properties": {"to": {"$ref": "https://a.invalid/b"}}},
        "The parameters of tool 'use', at 'properties/to': the reference 'https://a.invalid/b' leads nowhere.",
    ),
    "a broken pattern": (
        {"type": "object", "properties": {"a": {"type": "string", "pattern": "["}}},
        "The parameters of tool 'use', at 'properties/a': the pattern '[' is no regular expression "
        "(unterminated character set at position 0).",
    ),
    "a value without JSON": (
        {"type": "object", "properties": {"a": {"enum": {1}}}},
        "The parameters of tool 'use' are not JSON: Object of type set is not JSON serializable.",
    ),
}


@pytest.mark.row("T1")
@pytest.mark.parametrize("schema", GOOD.values(), ids=GOOD)
def test_a_good_schema_is_kept_word_for_word(registry, schema):
    """Nothing is tidied, closed or reordered in what a person wrote."""
    registry.register(name="use", description="Use it.", parameters=schema, func=print)
    assert registry.openai_tools()[0]["function"]["parameters"] == schema


@pytest.mark.row("T1")
@pytest.mark.parametrize(("schema", "text"), BAD.values(), ids=BAD)
def test_a_schema_no_call_could_be_held_against(registry, schema, text):
    """Tool, place, rule, remedy; nothing is registered."""
    with pytest.raises(ToolDefinitionError) as caught:
        registry.register(name="use", description="Use it.", parameters=schema, func=print)
    assert str(caught.value) == text
    assert len(registry) == 0


def test_a_schema_that_contains_itself(registry):
    """A Python dict can; JSON cannot."""
    schema: dict[str, Any] = {"type": "object", "properties": {}}
    schema["properties"]["again"] = schema
    with pytest.raises(ToolDefinitionError, match="are not JSON: Circular reference detected"):
        registry.register(name="use", description="Use it.", parameters=schema, func=print)


@pytest.mark.row("T1")
@pytest.mark.parametrize("description", ["", "  \n", None, 5])
def test_a_tool_without_a_description(registry, description):
    """Here as well as under the decorator."""
    with pytest.raises(ToolDefinitionError) as caught:
        registry.register(name="use", description=description, parameters={"type": "object"}, func=print)
    assert str(caught.value) == "Tool 'use' has no description. Say what it does and when to call it."


def test_a_tool_without_a_function(registry):
    """A name is not enough to call it by."""
    with pytest.raises(ToolDefinitionError) as caught:
        registry.register(name="use", description="Use it.", parameters={"type": "object"}, func="print")
    assert str(caught.value) == "Tool 'use' has no function: 'print' cannot be called."
