"""LAYER 1's arguments, held against a hand-written JSON Schema: mended and refused in the words of layer 2."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from toolkit import Registry, Tool
from toolkit.arguments import MalformedArguments
from toolkit.rejection import Rejected
from toolkit.schema_check import validate_by_schema

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "query": {"type": "string", "minLength": 2, "maxLength": 5, "pattern": "^[a-z]+$"},
        "limit": {"type": "integer", "minimum": 1, "maximum": 9, "multipleOf": 1},
        "price": {"type": ["number", "null"], "exclusiveMinimum": 0, "exclusiveMaximum": 9},
        "sort": {"enum": ["up", "down"]},
        "fixed": {"const": 1},
        "tags": {"type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": 2, "uniqueItems": True},
        "page": {
            "type": "object",
            "properties": {"size": {"type": "integer"}, "at": {"type": "integer"}},
            "required": ["size"],
            "additionalProperties": False,
        },
        "either": {"anyOf": [{"type": "integer"}, {"type": "array", "items": {"type": "integer"}}]},
        "root": {"$ref": "#/definitions/node"},
        "odd": {"not": {"type": "string"}},
    },
    "required": ["query"],
    "definitions": {"node": {"type": "object", "properties": {"next": {"$ref": "#/definitions/node"}}}},
}


@pytest.fixture
def search() -> Tool:
    return Registry().register(name="search", description="Search.", parameters=SCHEMA, func=print)


MENDED: dict[str, tuple[dict[str, Any], dict[str, Any], tuple[str, ...]]] = {
    "as it is": ({"price": None, "sort": "up", "tags": ["a"], "either": [1]}, {}, ()),
    "an integer as text": ({"limit": "5"}, {"limit": 5}, ("converted:limit",)),
    "a list as text": ({"tags": '["a"]'}, {"tags": ["a"]}, ("converted:tags",)),
    "an object as text": ({"page": '{"size": "2"}'}, {"page": {"size": 2}}, ("converted:page", "converted:page.size")),
    "a branch of a union": ({"either": ["1"]}, {"either": [1]}, ("converted:either.0",)),
    "null as text": ({"price": "null"}, {"price": None}, ("null_string:price",)),
    "another spelling": ({"Limit": 5}, {"limit": 5}, ("key_renamed:Limit",)),
    "another spelling inside": ({"page": {"Size": 5}}, {"page": {"size": 5}}, ("key_renamed:page.Size",)),
}

REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "missing": ({"query": ...}, "query: expected a value, received nothing."),
    "unknown": ({"limt": 5}, "limt: unknown argument. Did you mean limit? Accepted: {names}."),
    "unknown inside": ({"page": {"size": 1, "z": 1}}, "page.z: unknown argument. Accepted: size, at."),
    "missing inside": ({"page": {}}, "page.size: expected a value, received nothing."),
    "true": ({"limit": True}, "limit: expected a valid integer, received true."),
    "a fraction": ({"limit": 1.5}, "limit: expected a valid integer or a multiple of 1, received 1.5."),
    "one of two types": ({"price": "a"}, 'price: expected a valid number or null, received "a".'),
    "no branch": ({"either": "a"}, 'either: expected a valid integer or a valid array, received "a".'),
    "the closest branch": ({"either": ["a"]}, 'either[0]: expected a valid integer, received "a".'),
    "too little": ({"limit": 0}, "limit: expected greater than or equal to 1, received 0."),
    "too much": ({"limit": 10}, "limit: expected less than or equal to 9, received 10."),
    "not above": ({"price": 0}, "price: expected greater than 0, received 0."),
    "not below": ({"price": 9}, "price: expected less than 9, received 9."),
    "too short": ({"query": "a"}, 'query: expected a text of at least 2 characters, received "a".'),
    "too long": ({"query": "abcdef"}, 'query: expected a text of at most 5 characters, received "abcdef".'),
    "pattern": ({"query": "AB"}, "query: expected a text that matches the pattern '^[a-z]+$', received \"AB\"."),
    "too few": ({"tags": []}, "tags: expected at least 1 items, received []."),
    "too many": ({"tags": ["a", "b", "c"]}, 'tags: expected at most 2 items, received ["a", "b", "c"].'),
    "twice": ({"tags": ["a", "a"]}, 'tags: expected different items, received ["a", "a"].'),
    "choice": ({"sort": "left"}, "sort: expected 'up' or 'down', received \"left\"."),
    "true for 1": ({"fixed": True}, "fixed: expected 1, received true."),
    "behind references": ({"root": {"next": {"next": 5}}}, "root.next.next: expected an object, received 5."),
    "another rule": ({"odd": "a"}, "odd: expected what 'not' of its schema allows, received \"a\"."),
}


@pytest.mark.row("T1", "T14")
@pytest.mark.parametrize(("sent", "changed", "notes"), MENDED.values(), ids=MENDED)
def test_what_was_plainly_meant_is_mended_here_too(search, sent, changed, notes):
    """The same mendings and notes as under the decorator; in strict mode refused."""
    raw = json.dumps({"query": "abc", **sent})
    values, told = validate_by_schema(search, raw)
    assert json.loads(raw).keys() | changed.keys() >= values.keys()
    assert {name: values[name] for name in changed} == changed
    assert told == notes
    if notes:
        with pytest.raises(Rejected):
            validate_by_schema(search, raw, lenient=False)


@pytest.mark.row("T1", "F3")
@pytest.mark.parametrize(("sent", "text"), REFUSED.values(), ids=REFUSED)
def test_a_refusal_names_path_expectation_and_what_came(search, sent, text):
    """In JSON's words, not in Python's."""
    arguments = {name: value for name, value in {"query": "abc", **sent}.items() if value is not ...}
    with pytest.raises(Rejected) as caught:
        validate_by_schema(search, json.dumps(arguments))
    expected = text.replace("{names}", ", ".join(SCHEMA["properties"]))
    assert str(caught.value) == f"Invalid arguments for search. {expected}"


@pytest.mark.row("T1", "T2")
@pytest.mark.parametrize("lenient", [True, False])
def test_the_nulls_of_a_strict_export_mean_left_out(lenient):
    """What the strict form makes nullable may be sent as null, in both modes; the function has its own default."""
    registry = Registry()
    schema = {
        "type": "object",
        "properties": {
            "query": {"type": "string"},
            "limit": {"type": "integer"},
            "page": {"type": "object", "properties": {"at": {"type": "integer"}}},
            "price": {"type": ["number", "null"]},
        },
        "required": ["query"],
    }
    tool = registry.register(name="search", description="Search.", parameters=schema, func=print)
    sent = {"query": "a", "limit": None, "page": {"at": None}, "price": None}
    assert Draft202012Validator(registry.openai_tools(strict=True)[0]["function"]["parameters"]).is_valid(sent)
    values, notes = validate_by_schema(tool, json.dumps(sent), lenient=lenient)
    assert values == {"query": "a", "page": {}, "price": None}
    assert notes == ("null_dropped:limit", "null_dropped:page.at")


@pytest.mark.row("T4", "S2")
@pytest.mark.parametrize("is_open", [True, False])
def test_a_parameter_kept_for_a_role_is_unknown_to_others(is_open):
    """Also where the schema is open, and under another spelling."""
    schema = {"type": "object", "properties": {"a": {}, "all_data": {}}, "additionalProperties": is_open}
    kept = Tool(
        name="log", description="Log.", parameters=schema, func=print, restricted={"all_data": frozenset({"x"})}
    )
    with pytest.raises(Rejected) as caught:
        validate_by_schema(kept, '{"all_data": 1}', hidden=frozenset({"all_data"}))
    assert str(caught.value) == "Invalid arguments for log. all_data: unknown argument. Accepted: a."
    if not is_open:
        with pytest.raises(Rejected):
            validate_by_schema(kept, '{"allData": 1}', hidden=frozenset({"all_data"}))


def test_a_schema_that_says_it_is_open_is_open():
    """Closed at the top is only the default."""
    tool = Registry().register(
        name="log", description="Log.", parameters={"type": "object", "additionalProperties": True}, func=print
    )
    assert validate_by_schema(tool, '{"a": 1}') == ({"a": 1}, ())


@pytest.mark.row("F3", "S5")
@given(
    st.recursive(
        st.none()
        | st.booleans()
        | st.integers(-3, 12)
        | st.floats(-3, 12)
        | st.sampled_from(["", "ab", "null", "5", "[1]"]),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(st.sampled_from([*SCHEMA["properties"], "next", "z"]), inner, max_size=4)
        ),
        max_leaves=12,
    ),
    st.booleans(),
)
def test_what_is_taken_fits_the_schema(value, lenient):
    """Whatever is sent: two exceptions and no other, and what the function gets, mended or not, the schema allows."""
    tool = Tool(name="search", description="Search.", parameters=SCHEMA, func=print)
    sent = value if isinstance(value, dict) else {"query": value}
    try:
        values, notes = validate_by_schema(tool, sent, lenient=lenient)
    except (Rejected, MalformedArguments):
        assert not Draft202012Validator({**SCHEMA, "additionalProperties": False}).is_valid(sent)
    else:
        assert Draft202012Validator(SCHEMA).is_valid(values)
        assert values == sent or len(notes) > 1
