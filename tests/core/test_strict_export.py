"""The strict form: what every export keeps to, what has none, and that a model may send what it was shown."""

from __future__ import annotations

import copy
import datetime
import enum
from typing import Annotated, Any, Literal

import pytest
from jsonschema import Draft202012Validator
from pydantic import BaseModel, Field

from toolkit import ToolDefinitionError
from toolkit.json_schema import walk
from toolkit.strict import strict_schema
from toolkit.validation import validate


class Card(BaseModel):
    """A card."""

    kind: Literal["card"]
    number: Annotated[str, Field(min_length=3, pattern="^4")] = "400"


class Cash(BaseModel):
    kind: Literal["cash"]
    amount: float = 1


class Node(BaseModel):
    name: str
    children: list[Node] = []
    parent: Node | None = None


class Tier(enum.Enum):
    BASIC = "basic"
    PRO = "pro"


def everything(
    text: Annotated[str, Field(min_length=1, max_length=9, description="A text.")],
    day: datetime.date,
    tier: Tier,
    pay: Annotated[Card | Cash, Field(discriminator="kind", description="How to pay.")],
    root: Node,
    many: Annotated[list[Card], Field(min_length=1, max_length=3)],
    count: Annotated[int, Field(ge=1, le=14, multiple_of=1)] = 2,
    kind: Literal["a", "b"] = "a",
    one: Literal["x"] = "x",
    maybe: Tier | None = None,
    other: Node | None = None,
    tags: set[str] = set(),  # noqa: B006
): ...


def strictness(schema: dict[str, Any]) -> list[str]:
    """What in a schema a strict reader would refuse, written from OpenAI's rules and not from our code."""
    allowed = set(
        "type properties required additionalProperties items anyOf enum const $ref $defs description pattern format "  # noqa: SIM905
        "minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minItems maxItems".split()
    )
    wrong = []
    for path, node in walk(schema):
        if "$ref" in node:
            name = node["$ref"].removeprefix("#/$defs/")
            wrong += [f"{path}: beside $ref"] * (len(node) > 1) + [f"{path}: dangling"] * (name not in schema["$defs"])
            continue
        wrong += [f"{path}: {key}" for key in node if key not in allowed]
        if not {"type", "anyOf", "enum", "const"} & set(node):
            wrong.append(f"{path}: no type")
        if "object" in (node.get("type") or []) and node.get("additionalProperties") is not False:
            wrong.append(f"{path}: open")
        if "object" in (node.get("type") or []) and node["required"] != list(node["properties"]):
            wrong.append(f"{path}: not all required")
    return wrong


@pytest.mark.row("T2")
def test_an_export_is_closed_complete_and_resolved(registry, declare):
    """All of it at once: unions, recursion, enums, optionals, constraints, descriptions."""
    before = copy.deepcopy(declare(everything).parameters)
    exported = registry.openai_tools(strict=True)[0]["function"]
    assert strictness(exported["parameters"]) == []
    assert exported["strict"] is True
    assert registry["everything"].parameters == before  # the contract itself is as it was
    assert Draft202012Validator.check_schema(exported["parameters"]) is None


@pytest.mark.row("T2")
def test_what_the_strict_form_keeps(registry, declare):
    """Descriptions and the constraints it knows; defaults and lengths it does not, and our own check still does."""
    declare(everything)
    found = registry.openai_tools(strict=True)[0]["function"]["parameters"]["properties"]
    assert found["text"] == {"description": "A text.", "type": "string"}
    assert found["count"] == {"type": ["integer", "null"], "minimum": 1, "maximum": 14, "multipleOf": 1}
    assert found["kind"] == {"type": ["string", "null"], "enum": ["a", "b", None]}
    assert found["one"] == {"type": ["string", "null"], "enum": ["x", None]}
    assert found["other"] == {"anyOf": [{"$ref": "#/$defs/Node"}, {"type": "null"}]}
    assert found["tags"] == {"type": ["array", "null"], "items": {"type": "string"}}
    assert found["pay"]["description"] == "How to pay."
    assert found["many"]["minItems"] == 1
    card = found["many"]["items"]
    assert card["description"] == "A card."
    assert card["properties"]["number"] == {"type": ["string", "null"], "pattern": "^4"}


@pytest.mark.row("T2")
@pytest.mark.parametrize("lenient", [True, False])
def test_every_null_that_the_export_allows_is_taken(registry, declare, lenient):
    """A model that fills in all of it, null where it may: the defaults, also inside models, in both modes."""
    tool = declare(everything)
    card = {"kind": "card", "number": None}
    arguments = {
        "text": "a",
        "day": "2026-10-01",
        "tier": "pro",
        "pay": {"kind": "cash", "amount": None},
        "root": {"name": "r", "children": [{"name": "c", "children": None, "parent": None}], "parent": None},
        "many": [card],
        **dict.fromkeys(("count", "kind", "one", "maybe", "other", "tags")),
    }
    schema = registry.openai_tools(strict=True)[0]["function"]["parameters"]
    assert list(Draft202012Validator(schema).iter_errors(arguments)) == []
    model, notes = validate(tool, arguments, lenient=lenient)
    assert (model.count, model.kind, model.one, model.tags) == (2, "a", "x", set())
    assert (model.pay.amount, model.many[0].number, model.root.children[0].children) == (1, "400", [])
    assert sorted(notes) == sorted(
        [
            "object_arguments",
            "null_dropped:count",
            "null_dropped:kind",
            "null_dropped:one",
            "null_dropped:tags",
            "null_dropped:pay.amount",
            "null_dropped:many.0.number",
            "null_dropped:root.children.0.children",
        ]
    )


IMPOSSIBLE: dict[str, tuple[Any, str]] = {
    "any JSON": (Any, "parameter 'x' accepts any JSON value; give it a type"),
    "any JSON in a list": (list[Any], "parameter 'x[]' accepts any JSON value; give it a type"),
    "any JSON in an optional list": (
        list[Any] | None,
        "parameter 'x[]' accepts any JSON value; give it a type",
    ),
    "free keys": (dict[str, int], "parameter 'x' is an object with free keys; use a list of key-value models"),
    "free keys in a list": (
        list[dict[str, int]],
        "parameter 'x[]' is an object with free keys; use a list of key-value models",
    ),
    "tuple": (tuple[int, str], "parameter 'x' is a tuple or an untyped list; use a model with named fields"),
}


@pytest.mark.row("T2")
@pytest.mark.parametrize(("annotation", "why"), IMPOSSIBLE.values(), ids=IMPOSSIBLE)
def test_what_has_no_strict_form_is_refused_by_name(registry, declare, of_type, annotation, why):
    """Never closed to an empty object, never sent as it is: tool, parameter and remedy."""
    declare(of_type(annotation))
    with pytest.raises(ToolDefinitionError) as caught:
        registry.openai_tools(strict=True)
    assert str(caught.value) == f"Tool 'use' has no strict schema: {why}, or export it with strict=False."
    assert len(registry.openai_tools()) == 1


BY_HAND: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "nullable object": (
        {"type": ["object", "null"], "properties": {"a": {"type": "string"}}},
        {
            "type": ["object", "null"],
            "properties": {"a": {"type": ["string", "null"]}},
            "required": ["a"],
            "additionalProperties": False,
        },
    ),
    "type beside anyOf": (
        {"type": "string", "anyOf": [{"type": "string", "pattern": "^a"}]},
        {"type": ["string", "null"], "anyOf": [{"type": "string", "pattern": "^a"}, {"type": "null"}]},
    ),
    "constraints it does not know": (
        {"type": "string", "minLength": 1, "not": {"const": "b"}, "contentEncoding": "base64", "format": "uri"},
        {"type": ["string", "null"]},
    ),
    "a const without a type": ({"const": 3}, {"enum": [3, None]}),
    "an older definition": (
        {"$ref": "#/definitions/Old"},
        {"anyOf": [{"$ref": "#/$defs/Old"}, {"type": "null"}]},
    ),
    "one of": (
        {"oneOf": [{"type": "string"}, {"type": "integer"}]},
        {"anyOf": [{"type": "string"}, {"type": "integer"}, {"type": "null"}]},
    ),
}


@pytest.mark.parametrize(("node", "expected"), BY_HAND.values(), ids=BY_HAND)
def test_what_people_write_by_hand(node, expected):
    """Forms Pydantic never writes; each is optional here, so it becomes nullable too."""
    schema = {"type": "object", "properties": {"x": node}, "definitions": {"Old": {"type": "string"}}}
    before = copy.deepcopy(schema)
    exported = strict_schema("use", schema)
    assert exported["properties"]["x"] == expected
    assert strictness(exported) == []
    assert schema == before


@pytest.mark.parametrize(
    ("node", "why"),
    [
        (True, "parameter 'x' has no schema but True; give it a type"),
        ({}, "parameter 'x' accepts any JSON value; give it a type"),
        ({"type": "object"}, "parameter 'x' is an object without declared fields; use a Pydantic model"),
        ({"type": "array"}, "parameter 'x' is a tuple or an untyped list; use a model with named fields"),
        ({"allOf": [{"type": "string"}]}, "parameter 'x' accepts any JSON value; give it a type"),
    ],
)
def test_what_people_write_by_hand_and_no_strict_form_can_say(node, why):
    """The same refusal, for the same reasons."""
    with pytest.raises(ToolDefinitionError) as caught:
        strict_schema("use", {"type": "object", "properties": {"x": node}})
    assert str(caught.value) == f"Tool 'use' has no strict schema: {why}, or export it with strict=False."


def test_too_many_levels(registry):
    """A strict reader takes ten levels of objects."""
    node: dict[str, Any] = {"type": "string"}
    for _ in range(11):
        node = {"type": "object", "properties": {"a": node}, "required": ["a"]}
    with pytest.raises(ToolDefinitionError) as caught:
        strict_schema("use", node)
    assert "is nested more than 10 levels deep; flatten it, or export it" in str(caught.value)
