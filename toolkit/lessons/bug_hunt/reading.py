"""Mistakes in reading what a model sent."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pydantic import ValidationError

from toolkit.lessons.bug_hunt.card import Card

_CALL = {"id": "call_1", "type": "function", "function": {"name": "get_weather", "arguments": '{"city": "Xi\'an"}'}}


def _cut_off(answer: Callable[..., Any]) -> object:
    tools = {"get_weather": lambda city: f"rain in {city}"}
    said = []
    for arguments in ('{"city": "Xi\'an"}', '{"city": '):
        try:
            said.append(answer(tools, "get_weather", arguments))
        except ValueError as error:
            said.append(f"raised {type(error).__name__}")
    return said


def _amounts(model: Any) -> list[object]:
    found: list[object] = []
    for amount in (12, "1,234", True):
        try:
            found.append(model(amount=amount).amount)
        except ValidationError:
            found.append("refused")
    return found


def _joined(join: Callable[..., Any]) -> object:
    try:
        return join([{"arguments": '{"nights"'}, {"arguments": ": 2}"}, {"arguments": None}])
    except TypeError:
        return "TypeError"


CARDS = (
    Card(
        id="B10",
        topic="reading",
        title="Is it registered?",
        name="look_up",
        broken="""
def look_up(call, tools):
    name = call.get("name")
    return name if name in tools else "not registered"
""",
        mended="""
def look_up(call, tools):
    name = call["function"]["name"]
    return name if name in tools else "not registered"
""",
        probe=lambda look_up: look_up(_CALL, {"get_weather"}),
        fails="not registered",
        works="get_weather",
        asks="A model calls get_weather, which is registered. What does look_up say of the call as it comes?",
        predicted=("not registered", "A call of chat completions has id, type and function. The name is inside."),
        others=(
            ("get_weather", "Where does the name stand in a call of chat completions?"),
            ("a KeyError", "get asks politely, and returns None."),
            ("None", "None is in no set of tools, so it is the other branch."),
        ),
        cause="Name and arguments are nested under function; the code was tried on calls made by hand.",
    ),
    Card(
        id="B11",
        topic="reading",
        title="Whatever happens, an answer",
        name="answer",
        setup="import json",
        broken="""
def answer(tools, name, arguments):
    parsed = json.loads(arguments)
    try:
        return tools[name](**parsed)
    except Exception:
        return "The call failed."
""",
        mended="""
def answer(tools, name, arguments):
    try:
        return tools[name](**json.loads(arguments))
    except Exception:
        return "The call failed."
""",
        probe=_cut_off,
        fails=["rain in Xi'an", "raised JSONDecodeError"],
        works=["rain in Xi'an", "The call failed."],
        asks="The arguments are cut off in the middle. What comes back?",
        predicted=("An exception, to the caller", "The text is parsed before the try begins."),
        others=(
            ("The call failed.", "Only for what happens inside of the try."),
            ("An empty dict", "json.loads returns no half of an object."),
            ("rain in None", "The tool is not reached."),
        ),
        cause="The step that fails most often, parsing, stands outside of the try.",
    ),
    Card(
        id="B12",
        topic="reading",
        title="An amount is an integer",
        name="Payment",
        setup="import re\nfrom pydantic import BaseModel, field_validator",
        broken="""
class Payment(BaseModel):
    amount: int
""",
        mended=r"""
class Payment(BaseModel):
    amount: int

    @field_validator("amount", mode="before")
    @classmethod
    def plain_number(cls, value):
        if isinstance(value, bool):
            raise ValueError("true is no amount")
        grouped = isinstance(value, str) and re.fullmatch(r"\d{1,3}(,\d{3})+", value)
        return value.replace(",", "") if grouped else value
""",
        probe=_amounts,
        fails=[12, "refused", 1],
        works=[12, 1234, "refused"],
        asks='The amounts 12, "1,234" and true: what is made of the last two?',
        predicted=('"1,234" refused, true is 1', "int knows no separators, and bool is a kind of int."),
        others=(
            ('"1,234" is 1234, true refused', "That is what one would want."),
            ('"1,234" is 1, true is 1', "A text is read whole or not at all."),
            ("both of them are refused", "In Python a bool is an int, and Pydantic follows unless it is strict."),
        ),
        cause="Pydantic's lax integer reads true as 1, and no thousands separator.",
    ),
    Card(
        id="B13",
        topic="reading",
        title="A call in pieces",
        name="join",
        broken="""
def join(deltas):
    text = deltas[0]["arguments"]
    for delta in deltas:
        text += delta["arguments"]
    return text
""",
        mended="""
def join(deltas):
    return "".join(delta["arguments"] or "" for delta in deltas)
""",
        probe=_joined,
        fails="TypeError",
        works='{"nights": 2}',
        asks='Streamed pieces: {"nights", then : 2}, then null. What does join return?',
        predicted=(
            "It raises an exception",
            "The last piece is null; and the first is taken twice.",
        ),
        others=(
            ('{"nights": 2}', "Count how often the first piece is added."),
            ('{"nights"{"nights": 2}', "So it would be, if the last piece were a text."),
            ("an empty text, as the last piece is null", "It begins with the first piece."),
        ),
        cause="The first piece is taken twice, and a piece may be null.",
    ),
)
