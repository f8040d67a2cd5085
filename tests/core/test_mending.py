"""What a model plainly meant is mended and noted; what hides a mistake is not; and mending never goes astray."""

from __future__ import annotations

import datetime
import decimal
import enum
import uuid
from typing import Annotated, Any, Literal

import pytest
from pydantic import BaseModel, Field


class Size(enum.IntEnum):
    ONE = 1
    TWO = 2


class Card(BaseModel):
    kind: Literal["card"]
    number: int
    note: str = ""


class Cash(BaseModel):
    kind: Literal["cash"]
    amount: float = 1
    when: datetime.date | None = None


class Cat(BaseModel):
    lives: int


class Dog(BaseModel):
    bark_volume: int
    cat: Cat | None = None


class Guest(BaseModel):
    first_name: str
    room_number: int = 0


Tagged = Annotated[Card | Cash, Field(discriminator="kind")]

# annotation, what was sent as JSON, the value, the notes
MENDED: dict[str, tuple[Any, str, Any, tuple[str, ...]]] = {
    "integer as text": (int, '"2"', 2, ("converted:x",)),
    "integer with blanks": (int, '" +2 "', 2, ("converted:x",)),
    "whole number as text": (int, '"2.00"', 2, ("converted:x",)),
    "whole number": (int, "2.0", 2, ("converted:x",)),
    "thousands": (int, '"1,234,567"', 1234567, ("converted:x",)),
    "thousands, negative": (int, '"-1,234.0"', -1234, ("converted:x",)),
    "digits of another script": (int, '"１２"', 12, ("converted:x",)),
    "number as text": (float, '"2.5e3"', 2500.0, ("converted:x",)),
    "thousands with a fraction": (float, '"1,234.5"', 1234.5, ("converted:x",)),
    "decimal with thousands": (decimal.Decimal, '"1,234.50"', decimal.Decimal("1234.50"), ("converted:x",)),
    "true as text": (bool, '"TRUE"', True, ("converted:x",)),
    "yes": (bool, '"yes"', True, ("converted:x",)),
    "0 for false": (bool, "0", False, ("converted:x",)),
    "1 for true": (bool, "1", True, ("converted:x",)),
    "a number for a text": (str, "5", "5", ("converted:x",)),
    "a choice of numbers as text": (Literal[1, 2], '"2"', 2, ("converted:x",)),
    "a choice of texts as number": (Literal["1", "2"], "2", "2", ("converted:x",)),
    "an enum of numbers as text": (Size, '"2"', Size.TWO, ("converted:x",)),
    "a list as text": (list[int], '"[1, 2]"', [1, 2], ("converted:x",)),
    "a list of texts as text": (list[str], '"[\\"1\\", \\"2\\"]"', ["1", "2"], ("converted:x",)),
    "a list as text, its values too": (list[int], '"[\\"1\\"]"', [1], ("converted:x", "converted:x.0")),
    "a set as text": (set[str], '"[\\"a\\"]"', {"a"}, ("converted:x",)),
    "a tuple as text": (tuple[int, str], '"[1, \\"a\\"]"', (1, "a"), ("converted:x",)),
    "a dict as text": (dict[str, int], '"{\\"a\\": 1}"', {"a": 1}, ("converted:x",)),
    "a model as text": (Cat, '"{\\"lives\\": 9}"', Cat(lives=9), ("converted:x",)),
    "a model as text, its field too": (
        Cat,
        '"{\\"lives\\": \\"9\\"}"',
        Cat(lives=9),
        ("converted:x", "converted:x.lives"),
    ),
    "deep inside": (dict[str, list[Cat]], '{"a": [{"lives": "9"}]}', {"a": [Cat(lives=9)]}, ("converted:x.a.0.lives",)),
    "null as text for an integer": (int | None, '"null"', None, ("null_string:x",)),
    "None as text for a date": (datetime.date | None, '" None "', None, ("null_string:x",)),
    "null as text for a list": (list[int] | None, '"null"', None, ("null_string:x",)),
    "null as text for a model": (Cat | None, '"null"', None, ("null_string:x",)),
    "null as text for an id": (uuid.UUID | None, '"null"', None, ("null_string:x",)),
    "null as text in a list": (list[int | None], '[1, "null"]', [1, None], ("null_string:x.1",)),
    "null inside a model": (
        Guest,
        '{"first_name": "a", "room_number": null}',
        Guest(first_name="a"),
        ("null_dropped:x.room_number",),
    ),
    "a key inside a model": (Guest, '{"firstName": "a"}', Guest(first_name="a"), ("key_renamed:x.firstName",)),
    "keys inside a list": (
        list[Guest],
        '[{"firstName": "a", "roomNumber": "7"}]',
        [Guest(first_name="a", room_number=7)],
        ("key_renamed:x.0.firstName", "key_renamed:x.0.roomNumber", "converted:x.0.room_number"),
    ),
    "union of kinds": (int | list[int], '"5"', 5, ("converted:x",)),
    "union of kinds, a list": (int | list[int], '["5"]', [5], ("converted:x.0",)),
    "union of kinds, a list as text": (int | list[int], '"[5]"', [5], ("converted:x",)),
    "union of numbers": (int | float, '"5"', 5, ("converted:x",)),
    "union of numbers, a fraction": (int | float, '"5.5"', 5.5, ("converted:x",)),
    "a tagged union": (Tagged, '{"kind": "card", "number": "5"}', Card(kind="card", number=5), ("converted:x.number",)),
    "a tagged union, null": (Tagged, '{"kind": "cash", "amount": null}', Cash(kind="cash"), ("null_dropped:x.amount",)),
    "a union of models": (
        Card | Cash,
        '{"kind": "card", "number": "5"}',
        Card(kind="card", number=5),
        ("converted:x.number",),
    ),
    "a union of models, a key": (Cat | Dog, '{"barkVolume": 3}', Dog(bark_volume=3), ("key_renamed:x.barkVolume",)),
    "a key that is called like a branch": (
        list[Cat | Dog],
        '[{"bark_volume": "3", "cat": {"lives": "9"}}]',
        [Dog(bark_volume=3, cat=Cat(lives=9))],
        ("converted:x.0.bark_volume", "converted:x.0.cat.lives"),
    ),
}


@pytest.mark.row("T2", "T14")
@pytest.mark.parametrize(("annotation", "raw", "value", "notes"), MENDED.values(), ids=MENDED)
def test_what_was_plainly_meant(call, of_type, annotation, raw, value, notes):
    """The value has the annotated type, and each mending is noted with its place."""
    found, told = call(of_type(annotation), f'{{"x": {raw}}}')
    assert (found["x"], type(found["x"])) == (value, type(value))
    assert sorted(told) == sorted(notes)


ALSO_IN_STRICT_MODE = {"whole number", "null inside a model", "a tagged union, null"}


@pytest.mark.row("T2")
@pytest.mark.parametrize("name", MENDED)
def test_strict_mode_takes_what_the_schema_allows(refusal, call, of_type, name):
    """2.0 is an integer by JSON Schema, null stands in every strict export; everything else is refused."""
    annotation, raw, value, _ = MENDED[name]
    if name in ALSO_IN_STRICT_MODE:
        assert call(of_type(annotation), f'{{"x": {raw}}}', lenient=False)[0]["x"] == value
    else:
        assert refusal(of_type(annotation), f'{{"x": {raw}}}', lenient=False).startswith("Invalid arguments for use. x")


NOT_MENDED: dict[str, tuple[Any, str, str]] = {
    "thousands in the wrong place": (int, '"12,34"', 'x: expected a valid integer, received "12,34".'),
    "a point for thousands": (int, '"1.234"', 'x: expected a valid integer, received "1.234".'),
    "an exponent for an integer": (int, '"1e3"', 'x: expected a valid integer, received "1e3".'),
    "20 digits": (int, f'"{"9" * 20}"', f'x: expected a valid integer, received "{"9" * 20}".'),
    "more than 64 bits": (int, '"9223372036854775808"', 'x: expected a valid integer, received "9223372036854775808".'),
    "a float of more than 64 bits": (int, "1e30", "x: expected a valid integer, received 1e+30."),
    "infinity as text": (float, '"1e999"', 'x: expected a valid number, received "1e999".'),
    "nan as text": (float, '"nan"', 'x: expected a valid number, received "nan".'),
    "hex": (int, '"0x10"', 'x: expected a valid integer, received "0x10".'),
    "words": (int, '"two"', 'x: expected a valid integer, received "two".'),
    "empty": (int, '""', 'x: expected a valid integer, received "".'),
    "2 for a boolean": (bool, "2", "x: expected a valid boolean, received 2."),
    "a fraction for a text": (str, "1.5", "x: expected a valid string, received 1.5."),
    "true for a text": (str, "true", "x: expected a valid string, received true."),
    "a list for a text": (str, '["a"]', 'x: expected a valid string, received ["a"].'),
    "a text for a list": (list[str], '"a"', 'x: expected a valid array, received "a".'),
    "more than a list as text": (
        list[int],
        '"[1], \\"y\\": 2"',
        'x: expected a valid array, received "[1], \\"y\\": 2".',
    ),
    "an object for a list": (list[int], "{}", "x: expected a valid array, received {}."),
    "another choice": (Literal[1, 2], '"3"', 'x: expected 1 or 2, received "3".'),
    "null for a text with a default": (
        Annotated[str | None, Field(min_length=9)],
        '"null"',
        'x: expected at least 9 characters, received "null".',
    ),
    "null as text where it is not allowed": (int, '"null"', 'x: expected a valid integer, received "null".'),
    "an unknown key with null": (Cat, '{"lives": 9, "z": null}', "x.z: unknown argument. Accepted: lives."),
    "1 or true": (bool | int, '"1"', 'x: expected a valid boolean or a valid integer, received "1".'),
    "no branch fits": (int | list[int], "true", "x: expected a valid integer or a valid array, received true."),
    "no branch fits inside": (int | list[int], '["a"]', 'x[0]: expected a valid integer, received "a".'),
    "a tag that is none": (Tagged, '{"kind": "gold"}', "x.kind: expected 'card' or 'cash', received \"gold\"."),
    "no tag": (Tagged, '{"number": 1}', "x.kind: expected a value, received nothing."),
    "null for a union": (Tagged, "null", "x: expected an object, received null."),
    "an unknown key in a tagged union": (
        Tagged,
        '{"kind": "card", "number": 1, "cvv": 2}',
        "x.cvv: unknown argument. Accepted: kind, number, note, amount, when.",
    ),
    "a date in a tagged union": (
        Tagged,
        '{"kind": "cash", "when": "0"}',
        'x.when: expected a valid date in the format YYYY-MM-DD, a number is no date, received "0".',
    ),
    "the closest model of a union": (
        Card | Cash,
        '{"kind": "card", "number": "a"}',
        'x.number: expected a valid integer, received "a".',
    ),
    "each model of a union": (Card | Cash, "{}", "x.kind: expected a value, received nothing."),
    "both keys inside": (
        Guest,
        '{"first_name": "a", "firstName": "b"}',
        "x.firstName: unknown argument. Did you mean first_name? Accepted: first_name, room_number.",
    ),
    "half mended is not mended": (
        list[int],
        '["1", "two", "3"]',
        'x[1]: expected a valid integer, received "two".',
    ),
}


@pytest.mark.row("T2", "F3")
@pytest.mark.parametrize(("annotation", "raw", "text"), NOT_MENDED.values(), ids=NOT_MENDED)
def test_what_hides_a_mistake(refusal, of_type, annotation, raw, text):
    """The whole text; what came is shown as it came, also where part of it could have been mended."""
    assert refusal(of_type(annotation), f'{{"x": {raw}}}') == f"Invalid arguments for use. {text}"


@pytest.mark.row("T14")
def test_one_key_that_fits_two_names(refusal):
    """Neither is chosen."""

    def use(ab_c: str = "", a_bc: str = ""): ...

    assert refusal(use, '{"abC": "x"}') == ("Invalid arguments for use. abC: unknown argument. Accepted: ab_c, a_bc.")


@pytest.mark.row("T14")
def test_two_keys_renamed_at_once(call):
    """Each to its own name, and a value mended behind the new one."""

    def use(user_id: int, board_id: str): ...

    values, notes = call(use, '{"boardId": "b", "userID": "7"}')
    assert values == {"user_id": 7, "board_id": "b"}
    assert notes == ("key_renamed:boardId", "key_renamed:userID", "converted:user_id")


def test_an_author_rule_refuses_what_mending_proposed(refusal):
    """A mending counts only when the whole call then passes; the text shows what was sent."""

    def use(n: Annotated[int, Field(le=5)]): ...

    assert refusal(use, '{"n": "9"}') == 'Invalid arguments for use. n: expected a valid integer, received "9".'


def test_the_callers_object_is_not_mended_in_place(call):
    """What was sent stays as it was sent."""

    def use(xs: list[int], user_id: str = ""): ...

    raw = {"xs": ["1"], "userId": "u"}
    assert call(use, raw)[0] == {"xs": [1], "user_id": "u"}
    assert raw == {"xs": ["1"], "userId": "u"}
