# %% [markdown]
# # 02 · Build contract and check from one source
#
# After this lesson you can say why a JSON Schema is not a type hint, build the argument model of a tool from its
# signature, and tell what validation mends, what it refuses, and why.
#
# About 40 minutes, 20 of them for three exercises. ◆ marks the [90-minute route](00_two_answers.ipynb). No key, no
# network.

# %%
import json
from datetime import date as Day
from inspect import Parameter, signature
from typing import Annotated, Literal, get_type_hints

from ipywidgets import Checkbox, IntSlider, Text
from jsonschema import Draft202012Validator
from pydantic import ConfigDict, Field, ValidationError, create_model

from toolkit import Registry, ToolDefinitionError, ToolError, tool
from toolkit.arguments import parse_arguments
from toolkit.docstring import parse_docstring
from toolkit.json_schema import tidy
from toolkit.lab.contract_panel import show_contract
from toolkit.lab.matrix import control_matrix
from toolkit.lab.panel import Panel, Picture
from toolkit.lab.ten_calls import compare_ways
from toolkit.lessons import check, hint, predict, solution
from toolkit.validation import validate

# %% [markdown]
# ## Two sources, one change ◆
#
# A booking tool as lesson 01 left it: a function, and next to it a schema written by hand. On the first day the two
# agreed. Then the hotel asked for the number of guests, and someone changed the function.


# %%
def book_room(hotel_id: str, nights: int, guests: int):
    """Book a room."""
    return f"{nights} nights at {hotel_id} for {guests}"


BY_HAND = {
    "type": "object",
    "properties": {"hotel_id": {"type": "string"}, "nights": {"type": "number"}},
    "required": ["hotel_id", "nights"],
}

# %% [markdown]
# Now a model that keeps the contract to the letter. The schema has nothing against its call:

# %% tags=["raises-exception"]
obedient = {"hotel_id": "HT-002", "nights": 1.5}
assert Draft202012Validator(BY_HAND).is_valid(obedient)
book_room(**obedient)

# %% [markdown]
# The tool was changed, and the model is blamed. The two sources have **drifted**: `guests` is missing in one, and
# `nights` is a number here and an integer there. Do at least the type hints hold?

# %%
assert book_room("HT-002", 1.5, guests=True) == "1.5 nights at HT-002 for True"
get_type_hints(book_room)

# %% [markdown]
# Nothing looks at a hint when a function is called. And see what the hints do not say: no limits, no description, no
# example. A hint is for you and your editor, a schema is for a model, and neither of them is a check: a check has to
# run.
#
# > **Interview question.** *Why is the JSON Schema not the type hint? And where do you write each rule, so that it
# > stands once?*
#
# ## A decorator as it is published
#
# Decorators that promise it are easy to find. One as it is published: every tool gets the schema of the first one, and
# `_tool` goes from the middle of a name too.

# %%
FIRST_MODEL = create_model("WeatherArguments", city=str, date=str)


def as_tool(func):
    """Name and required parameters, as a published decorator makes them."""
    return func.__name__.replace("_tool", ""), FIRST_MODEL.model_json_schema()["required"]


assert as_tool(book_room) == ("book_room", ["city", "date"])
assert "rent_toolbox".replace("_tool", "") == "rentbox"

# %% [markdown]
# ## The plan ◆
#
# Each rule stands in the signature. From the signature comes an **argument model**; from the model comes the schema
# that goes out, and the model checks what comes in. Three gaps: **parameters_of**, **field_of**, **argument_model**.
# (`parse_docstring` takes `Args:` apart; `tidy` drops titles, resolves references and closes objects.)


# %%
def read_function(func):
    """One source in. Out comes a model to check calls with, and the schema made from that model."""
    texts = parse_docstring(func.__doc__).parameters
    parameters = parameters_of(func)
    fields = {name: field_of(kind, default, texts.get(name)) for name, kind, default in parameters}
    model = argument_model(func.__name__, fields)
    return model, tidy(model.model_json_schema(), func.__name__)


# %% [markdown]
# First gap: what does the signature say? `get_type_hints`, and not `parameter.annotation`, which is only a text in a
# module with `from __future__ import annotations`. `include_extras` keeps the marks inside `Annotated`, where the
# limits stand.
# What has no schema is refused here, where the tool is declared, and not when a model calls it.


# %%
def parameters_of(func):
    """Name, annotation and default of each parameter."""
    annotations = get_type_hints(func, include_extras=True)
    for name, parameter in signature(func).parameters.items():
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            raise ToolDefinitionError(f"{name} has a star, so it has no schema. Name each one.")
        if name not in annotations:
            raise ToolDefinitionError(f"{name} has no annotation, so it has no schema.")
        yield name, annotations[name], parameter.default


# %% [markdown]
# Second gap, one field: the docstring's text is used where the annotation has none of its own. Third gap, the model: it
# takes these fields and no other key, and no number that JSON cannot write.


# %%
def field_of(kind, default=Parameter.empty, text=None):
    """What Pydantic needs for one field: an annotation and a default."""
    described = any(getattr(mark, "description", None) for mark in getattr(kind, "__metadata__", ()))
    if text and not described:
        kind = Annotated[kind, Field(description=text)]
    return kind, ... if default is Parameter.empty else default


# %%
def argument_model(name, fields):
    """A Pydantic model of the arguments."""
    return create_model(name, __config__=ConfigDict(extra="forbid", allow_inf_nan=False), **fields)


# %% [markdown]
# Here is a tool with one source. `@tool` of this package reads it as we do, and hands the function back unchanged. The
# examples are shown to the model; each is checked at once against the tool's own rules.

# %%
registry = Registry()


@tool(registry, examples=[{"hotel_id": "HT-104", "nights": 3}])
def book_stay(
    hotel_id: Annotated[str, Field(description="Exactly as in a result of search_hotels.")],
    nights: Annotated[int, Field(ge=1, le=14)],
    room_type: Literal["standard", "suite", "deluxe"] = "standard",
    arrival: Day | None = None,
):
    """Book a room. It costs money: call it once per stay.

    Args:
        nights: Number of nights.
        arrival: First night, as YYYY-MM-DD. Null means tonight.
    """
    return f"{nights} nights at {hotel_id}"


# %%
model, schema = read_function(book_stay)
assert registry["book_stay"].parameters == {**schema, "examples": [{"hotel_id": "HT-104", "nights": 3}]}
print(json.dumps(schema["properties"], indent=1))

# %% [markdown]
# ## What reaches the model
#
# What can be said in a signature, and what a model is shown of it. An enum says its type, a nested model is written out
# and closed, and an optional is an `anyOf` with null (not `nullable`, a word of another standard).


# %%
def shown(kind, default=Parameter.empty):
    """Whether a parameter is required, and its schema."""
    whole = tidy(argument_model("tool", {"it": field_of(kind, default)}).model_json_schema(), "tool")
    return "it" in whole["required"], json.dumps(whole["properties"]["it"], ensure_ascii=False)


# %%
GUEST = create_model("Guest", name=str, age=(int | None, None))
DECLARED = {
    "int, at most 14": shown(Annotated[int, Field(le=14)]),
    "int = 2": shown(int, 2),
    "str | None": shown(str | None),
    "a choice": shown(Literal["standard", "suite"]),
    "a day": shown(Day),
    "with examples": shown(Annotated[str, Field(examples=["Lhasa", "拉萨"])]),
    "a list of guests": shown(list[GUEST]),
}
assert DECLARED["str | None"] == (True, '{"anyOf": [{"type": "string"}, {"type": "null"}]}')
rows = [[declared, *told] for declared, told in DECLARED.items()]
Picture("What a model is shown.", ["declared", "required", "schema"], rows)

# %% [markdown]
# `str | None` without a default is **required**: it may be null, but it has to be sent. And a limit is a limit. The
# pattern that is often given for city names refuses most of the world's. (The keyword is `pattern`. Many articles still
# say `regex`, which is an error in Pydantic 2.)

# %%
LATIN = create_model("Search", city=Annotated[str, Field(pattern=r"^[A-Za-z ]+$")])
validator = Draft202012Validator(LATIN.model_json_schema())
cities = ["Shanghai", "Xi'an", "西安"]
assert [city for city in cities if validator.is_valid({"city": city})] == ["Shanghai"]

# %% [markdown]
# ## The same model checks the call
#
# A schema is shown; whether a call keeps to it, we have to see for ourselves. Six calls for a Pydantic model with its
# usual settings. **Predict**, then run.

# %%
SIX = ['{"nights": "2"}', '{"nights": true}', '{"nights": 2, "nights": 14}']
SIX += ['{"day": "0"}', '{"price": NaN}', '{"nigths": 2}']
predict("02.lax")

# %%
Stay = create_model("Stay", nights=(int, 1), day=(Day | None, None), price=(float, 90.0))
for text in SIX:
    print(f"{text:28} {Stay.model_validate_json(text)}")
assert Stay.model_validate_json('{"day": "0"}', strict=True).day == Day(1970, 1, 1)

# %% [markdown]
# Only the first one means well. `true` is one night, of two values the last one wins, `"0"` is 1 January 1970, and a
# misspelt name is dropped. Pydantic's strict mode alone is no cure: it refuses `"2"`, which models do send, and still
# takes `"0"` for a day.
#
# So: plain JSON first (`parse_arguments`: no key twice, no NaN). Then **strict**. Where that fails, mend what was
# plainly meant, and be strict once more.


# %%
def accept(model, text):
    """The arguments as the model reads them, or an error."""
    arguments, _ = parse_arguments(text)
    try:
        return model.model_validate_json(json.dumps(arguments), strict=True)
    except ValidationError as error:
        return model.model_validate_json(json.dumps(mended(arguments, error.errors())), strict=True)


# %%
def mended(arguments, errors):
    """The same, with digits that came as text made numbers where an integer is expected."""
    wrong = {each["loc"][0]: str(each["input"]) for each in errors if each["type"] == "int_type"}
    return arguments | {name: int(text) for name, text in wrong.items() if text.isdecimal()}


# %% [markdown]
# ## Mend or refuse ◆
#
# `validate` of the package does the same and knows more mendings: strict first, then what was plainly meant is mended,
# and noted. What it refuses, it tells the model: which field, what was expected, what came.


# %%
SENT = ["2", '"2"', "2.0", '2, "roomType": "suite"', "true", "99", "NaN"]
SENT += ['2, "nights": 14', '2, "arrival": "0"', '2, "rom_type": "suite"']


def verdict(text):
    """What the tool is called with and what was mended, or what the model is told."""
    try:
        model, notes = validate(registry["book_stay"], text)
    except ToolError as error:
        return f"told: {error}"
    sent = model.model_dump(exclude={"hotel_id"}, exclude_unset=True)
    return f"called with {sent}, mended: {', '.join(notes) or 'nothing'}"


# %%
verdicts = {sent: verdict(f'{{"hotel_id": "HT-002", "nights": {sent}}}') for sent in SENT}
assert [sent for sent in SENT if verdicts[sent].startswith("called")] == SENT[:4]
Picture('The call begins {"hotel_id": "HT-002", "nights":', ["and goes on", "what becomes of it"], verdicts.items())

# %% [markdown]
# The rule behind the table: **mend what has one meaning, refuse what hides a mistake.** `"2"` can only be 2, and
# `roomType` is `room_type` in another spelling. But `true` is not a number of nights, a key sent twice has two
# meanings, `"0"` is no day, and behind `rom_type` there is a wish that would be lost without a word. (Calls that leave
# out `room_type` and `arrival` pass: a new optional parameter breaks no old call.)
#
# For `NaN` our `accept` would say "NaN is not a JSON number; send a finite number.", because it reads plain JSON first.
# `validate` asks the argument model first, to be quick and to name the field, and then reads plainly what may be right.
#
# ## Strict export
#
# Some servers promise that a model's arguments fit the schema, if the schema has a **strict** form: closed, every
# property required, fewer keywords. What was optional becomes nullable, or else the model has to invent a value.

# %%
strict = registry.openai_tools(strict=True)[0]["function"]["parameters"]
assert strict["required"] == ["hotel_id", "nights", "room_type", "arrival"]
both = [form["properties"] for form in (schema, strict)]
rows = [[name, *(json.dumps(form[name]) for form in both)] for name in ("room_type", "arrival")]
display(Picture("Two optional parameters, in both forms.", ["parameter", "plain", "strict"], rows))
predict("02.null")

# %%
nulls = '{"hotel_id": "HT-002", "nights": 2, "room_type": null, "arrival": null}'
model, notes = validate(registry["book_stay"], nulls)
assert (model.room_type, model.arrival) == ("standard", None)
notes

# %% [markdown]
# Null means "you choose" only where null itself was never allowed. What the strict form cannot say (a default, the
# longest text allowed) is left out of the schema, and our own model still knows it.
#
# ## What cannot become a tool
#
# It is refused when the module is loaded, with the remedy. A default that breaks its own rule, a star, a parameter
# without annotation, and an example that the tool itself would refuse:


# %%
def free_stay(nights: Annotated[int, Field(ge=1)] = 0):
    """Stay for nothing."""


EXAMPLE = {"hotel_id": "HT-104", "nights": 99}
for func in (free_stay, lambda *hotel_ids: None, lambda nights: None, book_stay):
    try:
        tool(Registry(), name="a_stay", description="Stay.", examples=[EXAMPLE])(func)
    except ToolDefinitionError as error:
        print("-", error)

# %% [markdown]
# And what has a schema may still have no strict form, because there every key has to be known:

# %% tags=["raises-exception"]
by_name = Registry()


@tool(by_name)
def book_extras(hotel_id: str, extras: dict[str, int]):
    """Book extras, such as breakfast, by name and number."""
    return extras


by_name.openai_tools(strict=True)

# %% [markdown]
# ## Change the declaration
#
# A tool with one parameter. Change its limits, make it optional, ask for the strict form, send something else. Schema,
# check and figure all follow the one source.

# %%
limits = {"fewest": IntSlider(1, -1, 18), "most": IntSlider(14, -1, 18)}
others = {"optional": Checkbox(), "strict": Checkbox(), "arguments": Text('{"nights": "2"}')}
panel = Panel("Declare nights", show_contract, limits | others)
panel

# %%
panel["fewest"].value, panel["arguments"].value = 3, '{"nights": true}'
assert "expected a valid integer, received true" in panel.picture.rows[-1][1]
panel.picture.chart

# %% [markdown]
# ## Ten calls again
#
# The ten calls of lesson 01, now with validated arguments as a third way. All ten end as they should: three run, seven
# are refused in words a model can use.

# %%
ten = compare_ways()
assert ten.summary.endswith("bare dict 1, errors told 6, arguments validated 10")
ten.chart

# %% [markdown]
# ## What the control runs say
#
# Every call in the five control runs is perfect by its schema. An invented id, `HT-022`, is a text like any other, and
# a standard room is a fine room type on a rainy day.

# %%
matrix = control_matrix("registry", "schema")
assert {cell.outcome for cell in matrix.cells.values()} == {"ran"}
matrix

# %% [markdown]
# **A schema stops none of them.** It says what a call looks like, not whether it is right.
#
# ## Your turn
#
# Three exercises: the declaration, the core of the decorator, the strict form.

# %% tags=["exercise"]
# 02.quote_stay

# %% tags=["exercise"]
# 02.model_of

# %% tags=["exercise"]
# 02.strict_form

# %% [markdown]
# ## What we have, and what is still wrong ◆
#
# **We have** one source. The type hint says what Python may get, and says it to you. The schema says what JSON may
# hold, to a reader who sees nothing else. The argument model stands between the two, and it is the one that runs.
# `toolkit.schema.read_signature` is our `read_function`, `toolkit.validation.validate` our `accept`, grown up.
#
# **Still wrong:**
# - a validated call may hang, fail for a moment, or run twice; nothing limits, repeats or remembers it;
# - a value is returned and an error is raised, each in its own shape; there is no one result;
# - a perfect call may still be the wrong one: all four bad runs went through.
#
# **Next:** [03](03_deadlines_retries_idempotency.ipynb) puts a gateway around the call: deadlines, retries, and
# bookings that cannot happen twice.
