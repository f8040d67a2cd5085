"""What an annotation becomes: the schema a model reads, the value a tool gets, the text of a refusal."""

from __future__ import annotations

import collections
import dataclasses
import datetime
import decimal
import enum
import uuid
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Generic, Literal, NamedTuple, NewType, Optional, TypeVar

import pytest
from pydantic import AnyUrl, AwareDatetime, BaseModel, Field
from typing_extensions import TypedDict

T = TypeVar("T")
Nights = NewType("Nights", int)


class Size(enum.IntEnum):
    ONE = 1
    TWO = 2


class Mixed(enum.Enum):
    A = 1
    B = "x"


class Colour(enum.StrEnum):
    RED = "red"


class Guest(BaseModel):
    """A guest."""

    name: str
    age: Annotated[int, Field(ge=0)] = 30


class Box(BaseModel, Generic[T]):
    item: T


class Stay(TypedDict, total=False):
    nights: int
    when: datetime.date


@dataclasses.dataclass
class Price:
    amount: decimal.Decimal
    tags: list[str] = dataclasses.field(default_factory=list)
    until: datetime.date | None = None


class Point(NamedTuple):
    x: int
    y: int = 0


GUEST = {
    "description": "A guest.",
    "properties": {"name": {"type": "string"}, "age": {"default": 30, "minimum": 0, "type": "integer"}},
    "required": ["name"],
    "type": "object",
    "additionalProperties": False,
}
UUID_TEXT = "12345678-1234-5678-1234-567812345678"
DAY = datetime.date(2026, 10, 1)

# annotation: (schema, arguments as JSON, the value the tool gets)
ACCEPTED: dict[str, tuple[Any, dict[str, Any], str, Any]] = {
    "text": (str, {"type": "string"}, '"a"', "a"),
    "integer": (int, {"type": "integer"}, "-3", -3),
    "number": (float, {"type": "number"}, "1", 1.0),
    "boolean": (bool, {"type": "boolean"}, "true", True),
    "nothing": (None, {"type": "null"}, "null", None),
    "anything": (Any, {}, '{"a": [1]}', {"a": [1]}),
    "optional": (Optional[int], {"anyOf": [{"type": "integer"}, {"type": "null"}]}, "null", None),  # noqa: UP045
    "literal": (Literal["a", "b"], {"type": "string", "enum": ["a", "b"]}, '"b"', "b"),
    "one literal": (Literal["a"], {"type": "string", "const": "a"}, '"a"', "a"),
    "literal with null": (Literal[1, None], {"type": ["integer", "null"], "enum": [1, None]}, "null", None),
    "integer enum": (Size, {"type": "integer", "enum": [1, 2]}, "2", Size.TWO),
    "mixed enum": (Mixed, {"type": ["integer", "string"], "enum": [1, "x"]}, '"x"', Mixed.B),
    "text enum": (Colour, {"type": "string", "enum": ["red"]}, '"red"', Colour.RED),
    "new type": (Nights, {"type": "integer"}, "2", 2),
    "constrained": (Annotated[int, Field(ge=1, le=14)], {"type": "integer", "minimum": 1, "maximum": 14}, "14", 14),
    "pattern": (Annotated[str, Field(pattern="^HT-")], {"type": "string", "pattern": "^HT-"}, '"HT-1"', "HT-1"),
    "date": (datetime.date, {"type": "string", "format": "date"}, '"2026-10-01"', DAY),
    "time": (datetime.time, {"type": "string", "format": "time"}, '"12:30"', datetime.time(12, 30)),
    "duration": (datetime.timedelta, {"type": "string", "format": "duration"}, '"PT5M"', datetime.timedelta(minutes=5)),
    "datetime with a zone": (
        AwareDatetime,
        {"type": "string", "format": "date-time"},
        '"2026-10-01T10:00:00+08:00"',
        datetime.datetime(2026, 10, 1, 2, tzinfo=datetime.UTC),
    ),
    "decimal": (
        decimal.Decimal,
        {"anyOf": [{"type": "number"}, {"type": "string"}]},
        '"1.10"',
        decimal.Decimal("1.10"),
    ),
    "uuid": (uuid.UUID, {"type": "string", "format": "uuid"}, f'"{UUID_TEXT}"', uuid.UUID(UUID_TEXT)),
    "bytes": (bytes, {"type": "string", "format": "binary"}, '"abc"', b"abc"),
    "url": (AnyUrl, {"type": "string", "format": "uri", "minLength": 1}, '"http://a.b/"', AnyUrl("http://a.b/")),
    "list": (list[int], {"type": "array", "items": {"type": "integer"}}, "[1]", [1]),
    "bare list": (list, {"type": "array", "items": {}}, '["a", 1]', ["a", 1]),
    "set": (set[str], {"type": "array", "items": {"type": "string"}, "uniqueItems": True}, '["a", "a"]', {"a"}),
    "tuple": (
        tuple[int, str],
        {"type": "array", "prefixItems": [{"type": "integer"}, {"type": "string"}], "minItems": 2, "maxItems": 2},
        '[1, "a"]',
        (1, "a"),
    ),
    "long tuple": (tuple[int, ...], {"type": "array", "items": {"type": "integer"}}, "[1, 2]", (1, 2)),
    "sequence": (Sequence[int], {"type": "array", "items": {"type": "integer"}}, "[1]", [1]),
    "deque": (collections.deque[int], {"type": "array", "items": {"type": "integer"}}, "[1]", collections.deque([1])),
    "dict": (dict[str, int], {"type": "object", "additionalProperties": {"type": "integer"}}, '{"a": 1}', {"a": 1}),
    "mapping": (Mapping[str, int], {"type": "object", "additionalProperties": {"type": "integer"}}, "{}", {}),
    "dict by enum": (
        dict[Size, int],
        {
            "type": "object",
            "additionalProperties": {"type": "integer"},
            "propertyNames": {"type": "integer", "enum": [1, 2]},
        },
        '{"1": 5}',
        {Size.ONE: 5},
    ),
    "model": (Guest, GUEST, '{"name": "Li"}', Guest(name="Li")),
    "list of models": (list[Guest], {"type": "array", "items": GUEST}, '[{"name": "Li"}]', [Guest(name="Li")]),
    "generic model": (
        Box[int],
        {
            "type": "object",
            "properties": {"item": {"type": "integer"}},
            "required": ["item"],
            "additionalProperties": False,
        },
        '{"item": 1}',
        Box[int](item=1),
    ),
    "typed dict": (
        Stay,
        {
            "type": "object",
            "properties": {"nights": {"type": "integer"}, "when": {"type": "string", "format": "date"}},
            "additionalProperties": False,
        },
        '{"when": "2026-10-01"}',
        {"when": DAY},
    ),
    "dataclass": (
        Price,
        {
            "type": "object",
            "properties": {
                "amount": {"anyOf": [{"type": "number"}, {"type": "string"}]},
                "tags": {"type": "array", "items": {"type": "string"}},
                "until": {"anyOf": [{"type": "string", "format": "date"}, {"type": "null"}], "default": None},
            },
            "required": ["amount"],
            "additionalProperties": False,
        },
        '{"amount": "1.5"}',
        Price(decimal.Decimal("1.5")),
    ),
    "named tuple": (
        Point,
        {
            "type": "array",
            "prefixItems": [{"type": "integer"}, {"type": "integer", "default": 0}],
            "minItems": 1,
            "maxItems": 2,
        },
        "[1]",
        Point(1),
    ),
}

# annotation, what was sent as JSON, what the model reads
REFUSED: dict[str, tuple[Any, str, str]] = {
    "text": (str, "1.5", "x: expected a valid string, received 1.5."),
    "fraction": (int, "20.5", "x: expected a valid integer, received 20.5."),
    "true for a number": (float, "true", "x: expected a valid number, received true."),
    "literal": (Literal["a", "b"], '"c"', "x: expected 'a' or 'b', received \"c\"."),
    "true for one of numbers": (Literal[1, 2], "true", "x: expected a number, received true."),
    "one for the literal true": (Literal[True], "1", "x: expected a boolean, received 1."),
    "true for an integer enum": (Size, "true", "x: expected a number, received true."),
    "true for a mixed enum": (Mixed, "true", "x: expected a number, received true."),
    "true in a list of numbers": (list[Literal[1]], "[1, true]", "x[1]: expected a number, received true."),
    "true in a set of numbers": (set[Literal[1, 2]], "[true, 2]", "x[0]: expected a number, received true."),
    "true in a set of an enum": (set[Mixed], '["x", true]', "x[1]: expected a number, received true."),
    "constraint": (Annotated[int, Field(ge=1)], "0", "x: expected greater than or equal to 1, received 0."),
    "length": (Annotated[str, Field(min_length=3)], '"ab"', 'x: expected at least 3 characters, received "ab".'),
    "pattern": (Annotated[str, Field(pattern="^HT-")], '"X"', "x: expected to match pattern '^HT-', received \"X\"."),
    "step": (Annotated[int, Field(multiple_of=5)], "7", "x: expected a multiple of 5, received 7."),
    "date": (
        datetime.date,
        '"soon"',
        'x: expected a valid date in the format YYYY-MM-DD, input is too short, received "soon".',
    ),
    "date from zero": (
        datetime.date,
        '"0"',
        'x: expected a valid date in the format YYYY-MM-DD, a number is no date, received "0".',
    ),
    "date from seconds": (
        datetime.date,
        '"1700000000"',
        'x: expected a valid date in the format YYYY-MM-DD, Timestamp is not an exact date, received "1700000000".',
    ),
    "date from a number": (datetime.date, "0", "x: expected a valid date, received 0."),
    "datetime from seconds": (
        datetime.datetime,
        '"1700000000"',
        'x: expected a valid datetime, a number is no date, received "1700000000".',
    ),
    "datetime from a fraction": (
        datetime.datetime,
        '".5"',
        'x: expected a valid datetime, a number is no date, received ".5".',
    ),
    "datetime from a number": (datetime.datetime, "1.5", "x: expected a valid datetime, received 1.5."),
    "no zone": (
        AwareDatetime,
        '"2026-10-01T10:00:00"',
        'x: expected timezone info, received "2026-10-01T10:00:00".',
    ),
    "time from a number": (datetime.time, "12", "x: expected a valid time, received 12."),
    "duration from a number": (datetime.timedelta, "5", "x: expected a valid duration, received 5."),
    "date in a set": (
        set[datetime.date],
        '["2026-10-01", "0"]',
        'x[1]: expected a valid date in the format YYYY-MM-DD, a number is no date, received "0".',
    ),
    "date as a key": (
        dict[datetime.date, int],
        '{"0": 1}',
        'x.0: expected a valid date in the format YYYY-MM-DD, a number is no date, received "0".',
    ),
    "date behind a converted key": (
        dict[int, datetime.date],
        '{"5": "0"}',
        'x.5: expected a valid date in the format YYYY-MM-DD, a number is no date, received "0".',
    ),
    "date in a typed dict": (
        Stay,
        '{"when": "0"}',
        'x.when: expected a valid date in the format YYYY-MM-DD, a number is no date, received "0".',
    ),
    "date in a dataclass": (
        Price,
        '{"amount": 1, "until": "0"}',
        'x.until: expected a valid date in the format YYYY-MM-DD, a number is no date, received "0".',
    ),
    "decimal from a boolean": (decimal.Decimal, "true", "x: expected a number, received true."),
    "decimal that is none": (decimal.Decimal, '"NaN"', 'x: expected a finite number, received "NaN".'),
    "uuid": (uuid.UUID, "1", "x: expected a UUID as text, received 1."),
    "tuple too short": (tuple[int, str], "[1]", "x[1]: expected a value, received nothing."),
    "key of a dict": (dict[Size, int], '{"x": 1}', 'x.x: expected 1 or 2, received "x".'),
    "null in a dict": (dict[str, int], '{"a": null}', "x.a: expected a valid integer, received null."),
    "null in a list": (list[int], "[1, null]", "x[1]: expected a valid integer, received null."),
    "null for what is required": (int, "null", "x: expected a valid integer, received null."),
    "unknown in a model": (
        Guest,
        '{"name": "Li", "agee": 3}',
        "x.agee: unknown argument. Did you mean age? Accepted: name, age.",
    ),
    "unknown in a list of models": (
        list[Guest],
        '[{"name": "Li", "z": null}]',
        "x[0].z: unknown argument. Accepted: name, age.",
    ),
    "unknown in a typed dict": (Stay, '{"z": 1}', "x.z: unknown argument. Accepted: nights, when."),
    "unknown in a dataclass": (Price, '{"amount": 1, "z": 1}', "x.z: unknown argument. Accepted: amount, tags, until."),
    "missing in a model": (Guest, "{}", "x.name: expected a value, received nothing."),
}


@pytest.mark.row("T2", "T6")
@pytest.mark.parametrize(("annotation", "schema", "raw", "value"), ACCEPTED.values(), ids=ACCEPTED)
def test_an_annotation_is_schema_and_check_in_one(declare, of_type, annotation, schema, raw, value):
    """The schema says what the check takes, and the tool gets a value of the annotated type."""
    from toolkit.validation import validate

    tool = declare(of_type(annotation))
    assert tool.parameters["properties"]["x"] == schema
    model, notes = validate(tool, f'{{"x": {raw}}}', lenient=False)
    assert (model.x, type(model.x), notes) == (value, type(value), ())


@pytest.mark.row("T2", "F3")
@pytest.mark.parametrize(("annotation", "raw", "text"), REFUSED.values(), ids=REFUSED)
@pytest.mark.parametrize("lenient", [True, False])
def test_a_refusal_names_path_expectation_and_what_came(refusal, of_type, annotation, raw, text, lenient):
    """The whole text, the same in both modes, because nothing here is plainly meant well."""
    assert refusal(of_type(annotation), f'{{"x": {raw}}}', lenient=lenient) == f"Invalid arguments for use. {text}"


@pytest.mark.row("F3")
def test_a_long_value_is_shortened(refusal, of_type):
    """A message repeats at most 80 characters of what came."""
    text = refusal(of_type(int), {"x": "a" * 500})
    assert text == f'Invalid arguments for use. x: expected a valid integer, received "{"a" * 76}....'


@pytest.mark.row("F3")
def test_many_errors_are_counted_and_not_all_told(refusal, of_type):
    """Ten lines are enough to see what is wrong with a thousand values."""
    lines = " ".join(f'x[{index}]: expected a valid integer, received "a".' for index in range(10))
    assert refusal(of_type(list[int]), {"x": ["a"] * 1000}) == f"Invalid arguments for use. {lines} And 990 more."
