"""Mistakes in declaring a tool: its name, its model, its checks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pydantic import ValidationError

from toolkit.lessons.bug_hunt.card import Card
from toolkit.lessons.bug_hunt.probing import made


def _seen_by(desk: Callable[..., Any]) -> dict[str, list[str]]:
    def parameters_for(role: str) -> list[str]:
        return ["booking_id", "reason"] if role == "staff" else ["booking_id"]

    made = desk(parameters_for)
    return {role: made.tools(role)["parameters"] for role in ("guest", "staff")}


def _misspelt(model: Any) -> str:
    try:
        stay = model(hotel_id="HT-002", late_arival=True)
    except ValidationError as error:
        return f"refused: {error.errors()[0]['loc'][0]}"
    return f"accepted, late_arrival is {stay.late_arrival}"


def _without_hooks(checks: Callable[..., Any]) -> list[str]:
    said = []
    for options in ({}, {"hooks": [lambda call: None]}):
        try:
            said.append(checks(**options).run("get_weather"))
        except TypeError:
            said.append("TypeError")
    return said


_MODEL = "from pydantic import BaseModel, ConfigDict, Field"


CARDS = (
    Card(
        id="B05",
        topic="contract",
        title="Shorter names",
        name="short_name",
        broken="""
def short_name(name):
    return name.replace("_tool", "")
""",
        mended="""
def short_name(name):
    return name.removesuffix("_tool")
""",
        probe=lambda short_name: [short_name("weather_tool"), short_name("power_toolbox")],
        fails=["weather", "powerbox"],
        works=["weather", "power_toolbox"],
        asks="What becomes of power_toolbox?",
        predicted=("powerbox", "replace takes the text out wherever it stands."),
        others=(
            ("power_toolbox", "replace does not ask where the text stands."),
            ("power", "Only the text itself goes, not what comes after it."),
            ("power_box", "The underscore belongs to the text that goes."),
        ),
        cause="A suffix is cut with replace, which cuts in the middle as well.",
    ),
    Card(
        id="B06",
        topic="contract",
        title="Staff see one parameter more",
        name="Desk",
        broken='''
class Desk:
    """A tool whose parameters depend on who asks."""

    def __init__(self, parameters_for):
        self.parameters = parameters_for("guest")

    def tools(self, role):
        return {"name": "cancel_booking", "parameters": self.parameters}
''',
        mended='''
class Desk:
    """A tool whose parameters depend on who asks."""

    def __init__(self, parameters_for):
        self.parameters_for = parameters_for

    def tools(self, role):
        return {"name": "cancel_booking", "parameters": self.parameters_for(role)}
''',
        probe=_seen_by,
        fails={"guest": ["booking_id"], "staff": ["booking_id"]},
        works={"guest": ["booking_id"], "staff": ["booking_id", "reason"]},
        asks="A guest is shown booking_id. What is staff shown, who may also give a reason?",
        predicted=("booking_id alone", "The schema was made once, when the tool was registered, for a guest."),
        others=(
            ("booking_id and reason", "tools gets the role. Does it use it?"),
            ("reason alone", "Nothing takes booking_id away."),
            ("an error", "Nothing here can fail."),
        ),
        cause="What depends on the caller is computed where there is no caller yet: at registration.",
    ),
    Card(
        id="B07",
        topic="contract",
        title="A late arrival",
        name="Stay",
        setup=_MODEL,
        broken="""
class Stay(BaseModel):
    hotel_id: str
    late_arrival: bool = False
""",
        mended="""
class Stay(BaseModel):
    model_config = ConfigDict(extra="forbid")

    hotel_id: str
    late_arrival: bool = False
""",
        probe=_misspelt,
        fails="accepted, late_arrival is False",
        works="refused: late_arival",
        asks='The model sends {"hotel_id": "HT-002", "late_arival": true}. What comes of it?',
        predicted=("A stay without a late arrival", "Unknown keys are dropped, and the default takes their place."),
        others=(
            ("A stay with a late arrival", "The key is misspelt, by one letter."),
            ("A validation error on the key", "Pydantic ignores unknown keys unless it is told otherwise."),
            ("A stay with two arrivals in it", "The unknown key is not kept."),
        ),
        cause='Unknown keys are ignored by default, so a misspelt one silently means "not said".',
    ),
    Card(
        id="B08",
        topic="contract",
        title="Checks, if there are any",
        name="Checks",
        broken="""
class Checks:
    def __init__(self, hooks=None):
        self.hooks = hooks

    def run(self, call):
        for hook in self.hooks:
            hook(call)
        return "ok"
""",
        mended="""
class Checks:
    def __init__(self, hooks=None):
        self.hooks = list(hooks or ())

    def run(self, call):
        for hook in self.hooks:
            hook(call)
        return "ok"
""",
        probe=_without_hooks,
        fails=["TypeError", "ok"],
        works=["ok", "ok"],
        asks='What does Checks().run("get_weather") do?',
        predicted=("It raises a TypeError", "None cannot be iterated, and the default is None."),
        others=(
            ("It returns ok", "With an empty list it would."),
            ("It returns None", "The loop is reached first."),
            ("It waits for a hook", "Nothing here waits."),
        ),
        cause="The default of a list is None, and nobody turns it into a list.",
    ),
    Card(
        id="B09",
        topic="contract",
        title="A tool with a name",
        name="weather_model",
        setup=_MODEL + "\nfrom typing import ClassVar",
        broken="""
def weather_model():
    class GetWeather(BaseModel):
        name = "get_weather"
        city: str
    return GetWeather
""",
        mended="""
def weather_model():
    class GetWeather(BaseModel):
        name: ClassVar[str] = "get_weather"
        city: str
    return GetWeather
""",
        probe=made,
        fails="PydanticUserError: model-field-missing-annotation",
        works="made: city",
        asks="What does weather_model() give under Pydantic 2?",
        predicted=("No model, but an error", "A field needs an annotation, and what is no field has to say so."),
        others=(
            ("A model with one field", "That is what was meant."),
            ("A model with two fields", "So it was in Pydantic 1."),
            ("A model with one field and without a name", "Nothing is dropped in silence here."),
        ),
        cause="A class attribute without an annotation: Pydantic 2 cannot tell whether it is meant as a field.",
    ),
)
