"""Exercise 02.strict_form: the strict form of a flat schema."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any

from toolkit.lessons.exercise import Exercise, WrongAnswer
from toolkit.lessons.expect import Wrong, expect, expect_equal

STAY = {
    "type": "object",
    "properties": {
        "city": {"type": "string", "description": "City."},
        "nights": {"type": "integer", "minimum": 1, "default": 1},
        "room": {"type": "string", "enum": ["standard", "suite"], "default": "standard"},
        "note": {"anyOf": [{"type": "string"}, {"type": "null"}], "default": None},
    },
    "required": ["city"],
}


def check_strict_form(strict_form: Callable[..., Any]) -> None:
    """Closed, all required, optionals nullable, no default; and the schema that was given is left alone."""
    given = deepcopy(STAY)
    strict = strict_form(given)
    expect(isinstance(strict, dict), f"a schema is a dict, not {type(strict).__name__}")
    if given != STAY:
        raise Wrong("the schema that was given was changed; the plain export still needs it")
    expect(strict.get("additionalProperties") is False, "the object is not closed: additionalProperties is not False")
    expect_equal(sorted(strict.get("required", [])), ["city", "nights", "note", "room"], "required")
    properties = strict["properties"]
    expect_equal(properties["city"], STAY["properties"]["city"], "city, which was required all along")  # type: ignore[index]
    for name in ("nights", "room", "note"):
        expect("default" not in properties[name], f"{name} keeps its default, a keyword the strict form does not take")
    _expect_nullable(properties)


def _expect_nullable(properties: dict[str, Any]) -> None:
    from jsonschema import Draft202012Validator

    for name, good, bad in (("nights", 2, 0), ("room", "suite", "cave"), ("note", "late arrival", 7)):
        validator = Draft202012Validator(properties[name])
        expect(validator.is_valid(good), f"{name} refuses {good!r}: {properties[name]}")
        expect(
            validator.is_valid(None),
            f"{name} refuses null, so a model cannot leave its choice to us: {properties[name]}",
        )
        expect(not validator.is_valid(bad), f"{name} accepts {bad!r}: {properties[name]}")


_ANSWER = '''\
def strict_form(schema):
    """The strict form of a flat schema; the one that is given stays as it is."""
    properties = {}
    for name, given in schema["properties"].items():
        each = {key: value for key, value in given.items() if key != "default"}
        if name not in schema["required"] and "anyOf" not in each:
            each["type"] = [each["type"], "null"]
            if "enum" in each:
                each["enum"] = [*each["enum"], None]
        properties[name] = each
    return {**schema, "properties": properties, "required": list(properties), "additionalProperties": False}'''


def _with(old: str, new: str) -> str:
    assert old in _ANSWER
    return _ANSWER.replace(old, new)


STRICT_FORM = Exercise(
    id="02.strict_form",
    task=(
        "Write the strict form of a flat schema: closed, every property required, no `default`. What was optional also "
        "accepts null, unless it does already (then it has an `anyOf`). Change nothing in the schema you are given."
    ),
    minutes=7,
    difficulty="medium",
    hints=(
        "Build a new dict of properties. `{key: value for key, value in each.items() if ...}` copies and drops.",
        'A `type` may be a list: `["integer", "null"]`.',
        "An `enum` lists all its values. If null is not among them, null is refused, whatever the `type` says.",
    ),
    stub='''\
def strict_form(schema):
    """The strict form of a flat schema; the one that is given stays as it is.

    >>> strict_form({"type": "object", "properties": {"a": {"type": "integer"}}, "required": []})["required"]
    ['a']
    """
    raise NotImplementedError''',
    solution=_ANSWER,
    alternatives=(
        """\
import copy

def strict_form(schema):
    out = copy.deepcopy(schema)
    for name, each in out["properties"].items():
        each.pop("default", None)
        if name not in schema["required"] and "anyOf" not in each:
            out["properties"][name] = {"anyOf": [each, {"type": "null"}]}
    out |= {"required": list(out["properties"]), "additionalProperties": False}
    return out""",
        """\
def nullable(each):
    match each:
        case {"anyOf": _}:
            return each
        case {"enum": values}:  # a list of values says all: it needs no type beside it
            return {key: part for key, part in each.items() if key != "type"} | {"enum": values + [None]}
        case {"type": kind}:
            return each | {"type": [kind, "null"]}


def strict_form(schema):
    plain = {name: dict(each) for name, each in schema["properties"].items()}
    for each in plain.values():
        each.pop("default", None)
    optional = plain.keys() - set(schema["required"])
    properties = {name: nullable(each) if name in optional else each for name, each in plain.items()}
    return dict(schema, properties=properties, required=list(plain), additionalProperties=False)""",
    ),
    wrong=(
        WrongAnswer("does not close", _with(', "additionalProperties": False', ""), "is not closed"),
        WrongAnswer(
            "leaves required as it was",
            _with('"required": list(properties)', '"required": schema["required"]'),
            "required",
        ),
        WrongAnswer(
            "required but not nullable", _with('name not in schema["required"] and', "False and"), "nights refuses null"
        ),
        WrongAnswer(
            "forgets the enum",
            _with('            if "enum" in each:\n', "            if False:\n"),
            "room refuses null",
        ),
        WrongAnswer(
            "makes everything nullable",
            _with('name not in schema["required"] and "anyOf"', '"anyOf"'),
            "city, which was required all along",
        ),
        WrongAnswer("keeps the default", _with('if key != "default"', "if key"), "keeps its default"),
        WrongAnswer(
            "changes what it was given",
            _with('each = {key: value for key, value in given.items() if key != "default"}', "each = given").replace(
                "        if name not in", '        each.pop("default", None)\n        if name not in'
            ),
            "the schema that was given was changed",
        ),
        WrongAnswer(
            "drops the limits",
            _with('if key != "default"', 'if key in ("type", "description", "enum", "anyOf")'),
            "nights accepts 0",
        ),
    ),
    checker=check_strict_form,
)
