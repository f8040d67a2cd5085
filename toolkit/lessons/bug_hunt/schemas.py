"""Mistakes in the schema: what a model is told of a tool."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pydantic import BaseModel, ValidationError

from toolkit.lessons.bug_hunt.card import Card
from toolkit.lessons.bug_hunt.probing import made


def _accepts(model: type[BaseModel], **values: Any) -> bool:
    try:
        model(**values)
    except ValidationError:
        return False
    return True


def _cities(model: type[BaseModel]) -> dict[str, Any]:
    cities = ("Berlin", "Xi'an", "西安")
    return {"accepted": [city for city in cities if _accepts(model, city=city)], "blank": _accepts(model, city="")}


def _parameters(schema_of: Callable[..., Any]) -> list[str]:
    def book_hotel(hotel_id: str, nights: int) -> None: ...

    return list(schema_of(book_hotel)["properties"])


_MODEL = "from pydantic import BaseModel, ConfigDict, Field"


CARDS = (
    Card(
        id="B01",
        topic="contract",
        title="Only sensible cities",
        name="Trip",
        setup=_MODEL,
        broken="""
class Trip(BaseModel):
    city: str = Field(pattern=r"^[A-Za-z ]+$")
""",
        mended="""
class Trip(BaseModel):
    city: str = Field(min_length=1, max_length=80)
""",
        probe=_cities,
        fails={"accepted": ["Berlin"], "blank": False},
        works={"accepted": ["Berlin", "Xi'an", "西安"], "blank": False},
        asks="Which of the cities Berlin, Xi'an and 西安 does it accept?",
        predicted=("Berlin, and nothing more", "An apostrophe is no letter, and neither is 西, for this pattern."),
        others=(
            ("Berlin and Xi'an", "Look for the apostrophe between the brackets."),
            (
                "All three of the cities it is asked for",
                "Patterns are for ids; cities have names of every script.",
            ),
            ("None of the three", "Berlin is made of Latin letters."),
        ),
        cause="A list of letters is taken for a list of what is sensible; most of the world's names are left out.",
    ),
    Card(
        id="B02",
        topic="contract",
        title="An id has a form",
        name="booking_model",
        setup=_MODEL,
        broken=r"""
def booking_model():
    class Booking(BaseModel):
        hotel_id: str = Field(regex=r"HT-\d{3}")
    return Booking
""",
        mended=r"""
def booking_model():
    class Booking(BaseModel):
        hotel_id: str = Field(pattern=r"^HT-\d{3}$")
    return Booking
""",
        probe=made,
        fails="PydanticUserError: removed-kwargs",
        works="made: hotel_id",
        asks="What does booking_model() do under Pydantic 2?",
        predicted=("It raises an error", "The argument was renamed to pattern, and the old name is refused."),
        others=(
            ("It accepts HT-0021", "It would, had the class been made: nothing says where the id ends."),
            ("It ignores the regex", "Pydantic refuses arguments it knew once, instead of passing over them."),
            ("It accepts HT-002 only", "That is what was meant."),
        ),
        cause="The code is written for Pydantic 1, where pattern was called regex.",
    ),
    Card(
        id="B03",
        topic="contract",
        title="The district may be left out",
        name="Search",
        setup=_MODEL + "\nfrom typing import Optional",
        broken="""
class Search(BaseModel):
    city: str
    district: Optional[str]
""",
        mended="""
class Search(BaseModel):
    city: str
    district: Optional[str] = None
""",
        probe=lambda model: model.model_json_schema()["required"],
        fails=["city", "district"],
        works=["city"],
        asks="Which of the two does the schema require?",
        predicted=(
            "city, and district as well",
            "Optional allows None. Only a default lets it be left out.",
        ),
        others=(
            ("city, nothing else", "That takes a default, and there is none."),
            ("district, and nothing else beside it", "city has no default either."),
            ("neither of the two", "A field without a default is required."),
        ),
        cause="Optional[str] means a text or None; it does not mean that the field may be missing.",
    ),
    Card(
        id="B04",
        topic="contract",
        title="A schema for every tool",
        name="schema_of",
        setup=_MODEL
        + "\nimport inspect\n\nTYPES = {str: 'string', int: 'integer'}\n"
        + "class WeatherArguments(BaseModel):\n    city: str\n    date: str\n",
        broken='''
def schema_of(func):
    """The schema of a tool's parameters."""
    return WeatherArguments.model_json_schema()
''',
        mended='''
def schema_of(func):
    """The schema of a tool's parameters."""
    names = inspect.signature(func, eval_str=True).parameters
    properties = {name: {"type": TYPES[each.annotation]} for name, each in names.items()}
    return {"type": "object", "properties": properties, "required": list(properties)}
''',
        probe=_parameters,
        fails=["city", "date"],
        works=["hotel_id", "nights"],
        asks="Which parameters does schema_of give for book_hotel(hotel_id, nights)?",
        predicted=(
            "city and date, nothing else",
            "It never looks at its argument; one tool was in mind.",
        ),
        others=(
            ("hotel_id and nights, as they stand there", "For that it would have to look at func."),
            ("none, and no error", "The model it returns has two fields."),
            ("all four of them", "Nothing here puts the two together."),
        ),
        cause="The example of the first tool was left in the function that is meant for all.",
    ),
)
