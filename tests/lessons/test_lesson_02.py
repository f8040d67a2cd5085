"""What lesson 02 builds is what the package holds: the notebook's own definitions, on the same cases."""

from __future__ import annotations

from datetime import date
from enum import Enum
from inspect import Parameter
from typing import Annotated, Any, Literal

import pytest
from pydantic import BaseModel, Field, ValidationError

from toolkit import Registry, ToolDefinitionError, ToolError, tool
from toolkit.hotel import World, hotel_registry
from toolkit.lessons.exercise_02_model_of import MODEL_OF
from toolkit.lessons.exercise_02_strict_form import STAY, STRICT_FORM
from toolkit.schema import read_signature
from toolkit.strict import strict_schema
from toolkit.validation import validate
from tools.environment import ROOT
from tools.notebook_definitions import load_definitions

LESSON = load_definitions(ROOT / "notebooks" / "source" / "02_one_source.py")


class Board(Enum):
    NONE = "none"
    BREAKFAST = "breakfast"


class Guest(BaseModel):
    """Who stays."""

    name: str = Field(description="As in the passport.", max_length=80)
    age: int | None = None


class Party(BaseModel):
    guests: list[Guest]
    host: Guest | None = None
    parts: list[Party] = []


def nothing():
    """Take nothing."""


def simple(city: str, nights: int = 2, price: float = 90.0, late: bool = False, day: date | None = None):
    """Take what JSON has.

    Args:
        city (str): The city,
            as the user wrote it.
        nights : How many.

    Returns:
        Nothing.
    """


def marked(
    nights: Annotated[int, Field(ge=1, le=14, description="From the hint.", examples=[2])],
    city: Annotated[str, Field(min_length=1, pattern="^.+$")],
    board: Board = Board.NONE,
    room: Literal["standard", "suite"] | None = None,
):
    """Take marks.

    Args:
        nights: From the docstring.
        city: From the docstring.
    """


def nested(guest: Guest, party: Party, by_name: dict[str, Guest], pair: tuple[int, str], tags: set[str]):
    """Take models."""


FUNCTIONS = [nothing, simple, marked, nested, *(each.func for each in hotel_registry(World()).snapshot().values())]


@pytest.mark.row("T2", "K1")
@pytest.mark.parametrize("func", FUNCTIONS, ids=lambda func: func.__name__)
def test_read_function_gives_the_packages_schema(func):
    """By hand and by `read_signature`: the same schema, the same fields, the same defaults."""
    model, schema = LESSON.read_function(func)
    by_package = read_signature(func, func.__name__)
    assert schema == by_package.parameters
    fields, package_fields = model.model_fields, by_package.model.model_fields
    assert list(fields) == list(package_fields)
    assert [each.default for each in fields.values()] == [each.default for each in package_fields.values()]


def star(*hotel_ids: str): ...


def stars(hotel_id: str, **options: str): ...


def bare(hotel_id): ...


@pytest.mark.row("T2")
@pytest.mark.parametrize("func", [star, stars, bare], ids=lambda func: func.__name__)
def test_both_refuse_what_has_no_schema(func):
    """At the declaration, and with the parameter's name."""
    name = list(func.__annotations__ or {"hotel_id": str})[-1]
    with pytest.raises(ToolDefinitionError, match=name):
        LESSON.read_function(func)
    with pytest.raises(ToolDefinitionError, match=name):
        read_signature(func, func.__name__)


def stay(hotel_id: str, nights: Annotated[int, Field(ge=1, le=14)], price: float = 90.0, arrival: date | None = None):
    """Book a stay."""


def outcomes(text: str) -> tuple[Any, Any]:
    """What the lesson's `accept` and the package's `validate` make of a call: the arguments, or None."""
    registry = Registry()
    tool(registry)(stay)

    def read(accept):
        try:
            return accept().model_dump()
        except (ToolError, ValidationError):
            return None

    model, _ = LESSON.read_function(stay)
    return read(lambda: LESSON.accept(model, text)), read(lambda: validate(registry["stay"], text)[0])


@pytest.mark.row("T2", "K1")
@pytest.mark.parametrize(
    ("rest", "nights"),
    [('"nights": 2', 2), ('"nights": "2"', 2), ('"nights": 14, "price": 1, "arrival": "2026-10-01"', 14)],
)
def test_accept_takes_what_the_package_takes(rest, nights):
    """The same arguments, a number that came as text mended."""
    by_hand, by_package = outcomes('{"hotel_id": "HT-002", ' + rest + "}")
    assert by_hand == by_package
    assert by_hand["nights"] == nights


@pytest.mark.row("T2", "K1")
@pytest.mark.parametrize(
    "rest",
    [
        '"nights": true',
        '"nights": 99',
        '"nights": "99"',
        '"nights": "two"',
        '"nights": 2, "price": NaN',
        '"nights": 2, "nights": 2',
        '"nights": 2, "nigths": 2',
        '"nights": 2, "arrival": 0',
        '"nights": 2.5',
        '"price": 3',
        '"nights": ',
    ],
)
def test_accept_refuses_what_the_package_refuses(rest):
    """True for 1, NaN, a key twice, an unknown one, a day from a number, a text cut off."""
    assert outcomes('{"hotel_id": "HT-002", ' + rest + "}") == (None, None)


@pytest.mark.row("T2")
def test_where_the_package_goes_beyond_the_lesson():
    """It mends more (2.0, another spelling, null for a default), and refuses "0" for a day."""
    for rest in ('"nights": 2.0', '"nights": 2, "Price": 3.5', '"nights": 2, "price": null'):
        by_hand, by_package = outcomes('{"hotel_id": "HT-002", ' + rest + "}")
        assert by_hand is None
        assert by_package is not None
    by_hand, by_package = outcomes('{"hotel_id": "HT-002", "nights": 2, "arrival": "0"}')
    assert by_hand["arrival"] == date(1970, 1, 1)
    assert by_package is None


@pytest.mark.row("T2")
def test_the_text_of_the_docstring_gives_way_to_the_annotation():
    """One field, described twice: the annotation counts."""
    kind, default = LESSON.field_of(Annotated[int, Field(description="Here.")], Parameter.empty, "There.")
    model = LESSON.argument_model("tool", {"it": (kind, default)})
    assert model.model_json_schema()["properties"]["it"]["description"] == "Here."


@pytest.mark.row("T2")
@pytest.mark.parametrize("extra", [{"it": float("nan")}, {"it": float("inf")}, {"it": 1.0, "that": 2}])
def test_the_argument_model_takes_nothing_else(extra):
    """No number that JSON cannot write, no key that was not declared; and what is left does pass."""
    model = LESSON.argument_model("tool", {"it": (float, ...)})
    assert model.model_validate({"it": 1.0}).it == 1.0
    with pytest.raises(ValidationError):
        model.model_validate(extra)


@pytest.mark.row("X5")
@pytest.mark.parametrize("func", [nothing, simple, marked], ids=lambda func: func.__name__)
def test_the_exercises_model_reads_a_signature_as_the_package_does(func):
    """The solution of 02.model_of: the same fields, required or not."""
    by_hand = MODEL_OF.answer(MODEL_OF.solution)(func).model_fields
    by_package = read_signature(func, func.__name__).model.model_fields
    assert {name: each.is_required() for name, each in by_hand.items()} == {
        name: each.is_required() for name, each in by_package.items()
    }


@pytest.mark.row("X5")
def test_the_exercises_strict_form_is_the_packages():
    """The solution of 02.strict_form on the exercise's own schema."""
    by_hand = STRICT_FORM.answer(STRICT_FORM.solution)(STAY)
    assert by_hand == strict_schema("stay", STAY)
