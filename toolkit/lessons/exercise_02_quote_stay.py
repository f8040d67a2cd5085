"""Exercise 02.quote_stay: one source, written so that schema and check both say what was asked."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from toolkit.decorator import tool
from toolkit.errors import ToolDefinitionError
from toolkit.lessons.exercise import Exercise, WrongAnswer
from toolkit.lessons.expect import Wrong, expect, expect_equal
from toolkit.records import Tool
from toolkit.registry import Registry
from toolkit.validation import Rejected, validate


def check_quote_stay(quote_stay: Callable[..., Any]) -> None:
    """The schema says it, and the argument model holds calls to it."""
    expect(callable(quote_stay), f"the answer is a function, not {type(quote_stay).__name__}")
    registry = Registry()
    try:
        tool(registry, name="quote_stay")(quote_stay)
    except ToolDefinitionError as error:
        raise Wrong(f"it cannot become a tool: {error}") from None
    declared = registry["quote_stay"]
    schema = declared.parameters
    expect_equal(sorted(schema["properties"]), ["breakfast", "city", "nights"], "the parameters")
    for name, each in schema["properties"].items():
        expect(each.get("description", "").strip(), f"{name} has no description in the schema")
    for name, kind in {"city": "string", "nights": "integer", "breakfast": "boolean"}.items():
        expect_equal(schema["properties"][name].get("type"), kind, f"{name}: its type in the schema")
    expect_equal(sorted(schema["required"]), ["city", "nights"], "required")
    _holds_calls_to_it(declared)
    stay = {"city": "Xi'an", "nights": 2, "breakfast": True}
    expect_equal(quote_stay(**stay), stay, f"quote_stay(**{stay})")
    nights = schema["properties"]["nights"]
    limits = (
        nights.get("minimum", nights.get("exclusiveMinimum")),
        nights.get("maximum", nights.get("exclusiveMaximum")),
    )
    expect(
        None not in limits,
        "nights: the check knows the limits, but the schema does not show them; use Field(ge=..., le=...)",
    )


def _holds_calls_to_it(declared: Tool) -> None:
    for city, nights in [("Xi'an", 1), ("西安", 14), ("São Paulo", 2)]:
        _expect_call(declared, {"city": city, "nights": nights}, passes=True)
    for nights in (0, 15):
        _expect_call(declared, {"city": "Xi'an", "nights": nights}, passes=False)
    model, _ = validate(declared, json.dumps({"city": "Xi'an", "nights": 1}))
    breakfast = getattr(model, "breakfast", None)
    expect(breakfast is False, f"breakfast is {breakfast!r} when it is not sent; it should be False")


def _expect_call(declared: Tool, arguments: dict[str, Any], *, passes: bool) -> None:
    try:
        validate(declared, json.dumps(arguments))
    except Rejected as error:
        expect(not passes, f"{arguments} is a good call, and is refused: {error}")
    else:
        expect(passes, f"{arguments} is let through")


_ANSWER = '''\
def quote_stay(
    city: {city},
    nights: {nights},
    breakfast: {breakfast},
):
    """Say what a stay costs. Books nothing."""
    return {{"city": city, "nights": nights, "breakfast": breakfast}}'''
_PARTS = {
    "city": 'Annotated[str, Field(description="City, copied from the user\'s message.")]',
    "nights": 'Annotated[int, Field(description="Number of nights.", ge=1, le=14)]',
    "breakfast": 'Annotated[bool, Field(description="With breakfast?")] = False',
}


def _answer(**changes: str) -> str:
    return _ANSWER.format(**{**_PARTS, **changes})


QUOTE_STAY = Exercise(
    id="02.quote_stay",
    task=(
        "Declare a function `quote_stay` so that its signature is the one source. The model has to send `city`, in any "
        "script, and `nights`, 1 to 14; it may send `breakfast`, which is false when it does not. Every parameter is "
        "described, and so is the tool. The body only returns the three as a dict."
    ),
    minutes=5,
    difficulty="easy",
    hints=(
        "`book_stay` above has a parameter of each kind.",
        "Limits in a description are a wish. `Field(ge=1, le=14)` inside of `Annotated` reaches schema and check.",
        'A default stands where Python has it: `breakfast: Annotated[bool, Field(description="...")] = False`.',
    ),
    setup="from typing import Annotated, Literal\nfrom pydantic import Field",
    stub="quote_stay = ...",
    solution=_answer(),
    alternatives=(
        '''\
def quote_stay(city: str, nights: Annotated[int, Field(gt=0, lt=15)], breakfast: bool = False):
    """Say what a stay costs.

    Args:
        city: City, as the user wrote it.
        nights: Number of nights.
        breakfast: Whether breakfast is included.
    """
    return locals()''',
        """\
from annotated_types import Le
from pydantic import PositiveInt

City = Annotated[str, Field(description="A city, in any script.")]
Nights = Annotated[PositiveInt, Le(14), Field(description="How many nights, at most two weeks.")]
Breakfast = Annotated[bool, Field(description="Whether breakfast is wanted.")]


def quote_stay(city: City, nights: Nights, breakfast: Breakfast = False):
    "Quote a stay without booking it."
    return dict(city=city, nights=nights, breakfast=breakfast)""",
    ),
    wrong=(
        WrongAnswer(
            "limits in words only",
            _answer(nights='Annotated[int, Field(description="Number of nights, 1 to 14.")]'),
            "'nights': 0} is let through",
        ),
        WrongAnswer(
            "one too few",
            _answer(nights='Annotated[int, Field(description="Number of nights.", gt=1, lt=14)]'),
            "'nights': 1} is a good call, and is refused",
        ),
        WrongAnswer(
            "Latin letters only",
            _answer(city='Annotated[str, Field(description="City.", pattern=r"^[A-Za-z\' ]+$")]'),
            "'西安', 'nights': 14} is a good call, and is refused",
        ),
        WrongAnswer("no default", _answer(breakfast=_PARTS["breakfast"].removesuffix(" = False")), "required"),
        WrongAnswer(
            "None for a default",
            _answer(breakfast='Annotated[bool | None, Field(description="With breakfast?")] = None'),
            "breakfast: its type in the schema",
        ),
        WrongAnswer(
            "a default that is true",
            _answer(breakfast=_PARTS["breakfast"].replace("False", "True")),
            "it should be False",
        ),
        WrongAnswer(
            "a tool without words",
            _answer().replace('"""Say what a stay costs. Books nothing."""', ""),
            "has no description. Say what it does",
        ),
        WrongAnswer("a parameter without words", _answer(city="str"), "city has no description in the schema"),
        WrongAnswer("no annotation", _answer(city="'the city'").replace(": 'the city'", ""), "has no annotation"),
        WrongAnswer(
            "the limits where the schema cannot see them",
            "from pydantic import AfterValidator\n"
            "def _up_to_14(value):\n    assert 1 <= value <= 14\n    return value\n"
            + _answer(nights='Annotated[int, AfterValidator(_up_to_14), Field(description="Number of nights.")]'),
            "the schema does not show them",
        ),
    ),
    checker=check_quote_stay,
)
