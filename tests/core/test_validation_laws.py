"""Laws of the check: one truth on both paths, a contract that means what its schema says, and two exceptions only."""

from __future__ import annotations

import dataclasses
import datetime
import enum
import json
import time
import uuid
from typing import Annotated, Any, Literal

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from pydantic import BaseModel, Field

from toolkit import Registry, Tool, tool
from toolkit.arguments import MalformedArguments
from toolkit.validation import Rejected, validate


class Colour(enum.StrEnum):
    RED = "red"
    BLUE = "blue"


class Inner(BaseModel):
    name: str
    size: int = 1


REGISTRY = Registry()


@tool(REGISTRY)
def flat(
    text: str = "a",
    n: int = 1,
    small: Annotated[int, Field(ge=0, le=14)] = 1,
    x: float = 1.5,
    on: bool = False,
    day: datetime.date | None = None,
    at: datetime.datetime | None = None,
    kind: Literal["a", "b"] = "a",
    colour: Colour = Colour.RED,
    maybe: int | None = None,
    key: uuid.UUID | None = None,
) -> None:
    """All that the quick path takes."""


@tool(REGISTRY)
def nested(
    n: int,
    text: str = "a",
    x: float = 0.5,
    on: bool = False,
    kind: Literal["a", "b"] = "a",
    size: Literal[1, 2] = 1,
    xs: list[int] = [],  # noqa: B006
    inner: Inner | None = None,
    many: dict[str, list[Inner]] = {},  # noqa: B006
    either: int | list[str] | None = None,
) -> None:
    """All that needs the complete path, without formats that JSON Schema leaves open."""


FLAT, NESTED = REGISTRY["flat"], REGISTRY["nested"]


def without_quick_path(of: Tool) -> Tool:
    signature = of.signature
    return dataclasses.replace(
        of, signature=dataclasses.replace(signature, reader=signature.reader._replace(quick=None))
    )


COMPLETE = without_quick_path(FLAT)


def outcome(of: Tool, raw: object, *, lenient: bool = True) -> tuple[Any, ...] | None:
    """What the tool would get, in a form that can be compared, or None where it is refused."""
    try:
        model, notes = validate(of, raw, lenient=lenient)
    except (Rejected, MalformedArguments):
        return None
    return [(name, type(value), repr(value)) for name, value in model.__dict__.items()], sorted(notes)


SCALARS = [
    *('"a"', '""', '"x: y"', '"a\\"b"', '"{"', '"["', '"\\u0041"', '"\\ud83d\\ude00"', '"\\ud800"', '"a\nb"', '"西"'),
    *(
        '"2026-10-01"',
        '"0"',
        '"+0"',
        '"1700000000"',
        '"\\u0030"',
        '".5"',
        '"2026"',
        '"20261001"',
        '"2026-10-01T10:00:00"',
    ),
    *("0", "1", "-0", "1.0", "1.5", "1e2", "1e999", "-1e999", "NaN", "Infinity", "9" * 19, "9" * 20, "9" * 400),
    *("9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809", "14", "15"),
    *("true", "false", "null", '"null"', '"true"', '"red"', '"b"', '"2"', '"1,234"', "[]", "{}", '"[1]"', '{"a": 1}'),
    f'"{uuid.UUID(int=1)}"',
]
KEYS = [*FLAT.parameters["properties"], "unknown", "Text", "d\\u0061y", "\\u006e", "", "a:b"]
BLANKS = st.sampled_from(["", " ", "\n", "\t "])


@st.composite
def flat_texts(draw: st.DrawFn) -> str:
    """The text of a flat object: any keys, some twice, some escaped; any scalars; any blanks."""
    pairs = draw(st.lists(st.tuples(st.sampled_from(KEYS), st.sampled_from(SCALARS) | any_scalar()), max_size=5))
    body = ",".join(f'{draw(BLANKS)}"{key}"{draw(BLANKS)}:{draw(BLANKS)}{value}{draw(BLANKS)}' for key, value in pairs)
    return f"{draw(BLANKS)}{{{body}}}{draw(BLANKS)}"


def any_scalar() -> st.SearchStrategy[str]:
    values = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6) | st.dates().map(str)
    return st.builds(json.dumps, values, ensure_ascii=st.booleans())


def test_the_flat_tool_is_read_quickly():
    """Otherwise the laws below would compare one path with itself."""
    assert FLAT.signature.reader.quick is not None
    assert COMPLETE.signature.reader.quick is None
    assert NESTED.signature.reader.quick is None


@pytest.mark.row("F3", "S5")
@given(flat_texts(), st.booleans())
@example('{"n": 1, "n": 2}', True)
@example('{"day": "\\u0030"}', True)
@example('{"d\\u0061y": "0"}', True)
@example('{"text": "\\"day\\": \\"2026-", "day": "0"}', True)
@example('{"text": "a:b", "n": 1, "n": 2}', True)
@example('{"x": 100000000000000000000}', True)
@example('{"text": "%s"}' % ("x" * 19_989), True)
@example('{"text": "%s"}' % ("x" * 19_990), True)
@example('{"text": "%s"}' % ("\N{PILE OF POO}" * 4_997), True)
@example('{"x": 1e300, "text": ""}', True)
def test_the_quick_path_is_the_complete_path(raw, lenient):
    """It never takes what the complete one refuses, and what both take is equal: values, types, notes."""
    assert outcome(FLAT, raw, lenient=lenient) == outcome(COMPLETE, raw, lenient=lenient)


@pytest.mark.row("F3", "S5")
@given(flat_texts() | st.text(), st.booleans())
def test_two_exceptions_and_no_other(raw, lenient):
    """Whatever text arrives, for a flat tool and for a nested one; a refusal says something and stays short."""
    for of in (FLAT, NESTED):
        try:
            validate(of, raw, lenient=lenient)
            text = "accepted"
        except (Rejected, MalformedArguments) as error:
            text = str(error)
        assert 0 < len(text) < 4_000


plain = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-5, 5)
    | st.sampled_from([1.0, 2.0, 0.5])
    | st.sampled_from(["a", "b", "1", "null", "[1]"]),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["name", "size", "a", "Name"]), inner, max_size=3)
    ),
    max_leaves=8,
)
loose = st.dictionaries(st.sampled_from([*NESTED.parameters["properties"], "unknown", "Text"]), plain, max_size=5)
inners = st.fixed_dictionaries({"name": st.text(max_size=2)}, optional={"size": st.integers(-5, 5)})
fitting = st.fixed_dictionaries(
    {"n": st.integers(-5, 5)},
    optional={
        "text": st.text(max_size=3),
        "x": st.floats(allow_nan=False, allow_infinity=False) | st.integers(-5, 5),
        "on": st.booleans(),
        "kind": st.sampled_from(["a", "b"]),
        "size": st.sampled_from([1, 2]),
        "xs": st.lists(st.integers(-5, 5), max_size=3),
        "inner": st.none() | inners,
        "many": st.dictionaries(st.text(max_size=2), st.lists(inners, max_size=2), max_size=2),
        "either": st.none() | st.integers(-5, 5) | st.lists(st.text(max_size=2), max_size=2),
    },
)


@pytest.mark.row("T2", "F3")
@given(loose | fitting, st.booleans())
def test_any_plain_object_is_taken_or_refused(values, lenient):
    """As an object and as text alike."""
    as_object, as_text = outcome(NESTED, values, lenient=lenient), outcome(NESTED, json.dumps(values), lenient=lenient)
    if as_object is None:
        assert as_text is None
    else:
        assert as_text == (as_object[0], [note for note in as_object[1] if note != "object_arguments"])


@pytest.mark.row("T2")
@given(fitting)
def test_what_fits_the_schema_is_taken_as_it_is(values):
    """No note, in strict mode; and the values go through JSON unchanged."""
    assert Draft202012Validator(NESTED.parameters).is_valid(values)
    model, notes = validate(NESTED, json.dumps(values), lenient=False)
    assert notes == ()
    assert {name: json.loads(model.model_dump_json())[name] for name in values} == json.loads(
        type(model).model_validate(values, strict=False).model_dump_json(include=set(values))
    )


@pytest.mark.row("T2")
@given(loose | fitting)
def test_the_schema_says_what_strict_mode_takes(values):
    """Taken without a note exactly where JSON Schema says so, but for 2.0, which is an integer there and noted here."""
    valid = Draft202012Validator(NESTED.parameters).is_valid(values)
    found = outcome(NESTED, json.dumps(values), lenient=False)
    if found is None or any(note.startswith("null_dropped") for note in found[1]):
        assert not valid
    else:
        assert valid


@pytest.mark.row("T2")
@given(loose | fitting)
def test_lenient_takes_all_that_strict_takes(values):
    """And makes the same of it."""
    strict = outcome(NESTED, json.dumps(values), lenient=False)
    assert strict is None or outcome(NESTED, json.dumps(values), lenient=True) == strict


@pytest.mark.row("T2")
@given(loose | fitting)
def test_what_was_mended_needs_no_second_mending(values):
    """The values a tool gets, sent again as JSON, are taken as they are."""
    try:
        model, _ = validate(NESTED, json.dumps(values))
    except Rejected:
        return
    again, notes = validate(NESTED, model.model_dump_json(), lenient=False)
    assert (again, notes) == (model, ())


@tool(REGISTRY)
def gathered(days: set[datetime.date]) -> None:
    """A set, in which nothing has its place any more."""


@pytest.mark.row("S5")
def test_a_large_set_does_not_take_long_either():
    """Each value is laid beside those that may be a mistake, not beside all."""
    days = [f"{1000 + number}-01-01" for number in range(1_400)]
    started = time.process_time()
    assert outcome(REGISTRY["gathered"], {"days": days}) is not None
    assert outcome(REGISTRY["gathered"], {"days": [*days, "0"]}) is None
    assert time.process_time() - started < 0.5


@pytest.mark.row("S5")
@pytest.mark.parametrize(
    "values",
    [
        {"n": 1, "xs": ["1"] * 3_000},
        {"n": 1, "xs": ["x"] * 3_000},
        {"n": 1, "either": ["1"] * 3_000, "many": {}},
        {"n": 1, "either": [1] * 4_000},
        {"n": 1, "many": {"a": [{"Name": "b", "size": "1"}] * 500}},
        {str(number): 1 for number in range(1_500)},
        {f"{'_' * (number % 50)}x{number}": None for number in range(800)},
    ],
)
def test_no_arguments_take_long_to_check(values):
    """Checking happens on the event loop: the time grows with the number of errors, not with its square."""
    started = time.process_time()
    outcome(NESTED, values)
    assert time.process_time() - started < 1.0
