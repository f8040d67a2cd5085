"""Exercise 02.model_of: a Pydantic model out of a function's signature."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, ValidationError

from toolkit.errors import ToolDefinitionError
from toolkit.lessons.exercise import Exercise, WrongAnswer
from toolkit.lessons.expect import expect, expect_equal, expect_raises


def book(
    hotel_id: str,
    nights: Annotated[int, Field(ge=1, le=14, description="Number of nights.")],
    room: Literal["standard", "suite"] = "standard",
    price: float = 90.0,
) -> None:
    """Book a room."""


def check_model_of(model_of: Callable[..., Any]) -> None:
    """The model holds what the signature says, takes nothing else, and refuses what has no schema."""
    model = model_of(book)
    expect(
        isinstance(model, type) and issubclass(model, BaseModel), f"the answer is a class of BaseModel, not {model!r}"
    )
    expect(
        model.__pydantic_complete__,
        "the model is not complete: where annotations are texts (`from __future__ import annotations`), "
        "`parameter.annotation` is only a text, and `get_type_hints` gives the type",
    )
    expect_equal(model.__name__, "book", "the model's name")
    expect_equal(list(model.model_fields), ["hotel_id", "nights", "room", "price"], "its fields")
    stay = _load(model, '{"hotel_id": "HT-001", "nights": 2}', "a call that leaves out what has a default")
    expect_equal(
        stay.model_dump(), {"hotel_id": "HT-001", "nights": 2, "room": "standard", "price": 90.0}, "the arguments read"
    )
    schema = model.model_json_schema()["properties"]["nights"]
    expect_equal(schema.get("description"), "Number of nights.", "the description of nights, as it stands in Annotated")
    for why, text in {
        "15 nights": '{"hotel_id": "HT-001", "nights": 15}',
        "no hotel": '{"nights": 2}',
        "a room of another kind": '{"hotel_id": "HT-001", "nights": 2, "room": "cave"}',
        "a misspelt name": '{"hotel_id": "HT-001", "nights": 2, "rom": "suite"}',
        "NaN for a price": '{"hotel_id": "HT-001", "nights": 2, "price": NaN}',
    }.items():
        expect(_refuses(model, text), f"{why}: {text} is let through")
    _refuses_what_has_no_schema(model_of)


def _refuses_what_has_no_schema(model_of: Callable[..., Any]) -> None:
    def starred(*hotel_ids: str) -> None: ...

    def open_ended(hotel_id: str, **options: str) -> None: ...

    def bare(hotel_id: str, nights) -> None: ...  # type: ignore[no-untyped-def]

    for function, name in ((starred, "hotel_ids"), (open_ended, "options"), (bare, "nights")):
        expect_raises(ToolDefinitionError, f"{function.__name__}, whose {name}", model_of, function, holds=name)


def _load(model: type[BaseModel], text: str, case: str) -> BaseModel:
    try:
        return model.model_validate_json(text)
    except ValidationError as error:
        expect(False, f"{case}: {text} is refused. {error.errors()[0]['loc']}: {error.errors()[0]['msg']}")
        raise


def _refuses(model: type[BaseModel], text: str) -> bool:
    try:
        model.model_validate_json(text)
    except ValidationError:
        return True
    return False


_ANSWER = '''\
def model_of(func):
    """A Pydantic model of the arguments of func."""
    hints = get_type_hints(func, include_extras=True)
    fields = {}
    for name, parameter in signature(func).parameters.items():
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD) or name not in hints:
            raise ToolDefinitionError(f"{name} of {func.__name__} has no schema. Name and annotate it.")
        fields[name] = (hints[name], ... if parameter.default is parameter.empty else parameter.default)
    config = ConfigDict(extra="forbid", allow_inf_nan=False)
    return create_model(func.__name__, __config__=config, **fields)'''


def _with(old: str, new: str) -> str:
    assert old in _ANSWER
    return _ANSWER.replace(old, new)


MODEL_OF = Exercise(
    id="02.model_of",
    task=(
        "The core of every tool decorator: a Pydantic model out of a signature. It has the function's name, a field "
        "for each parameter with its hint, its marks and its default, and takes no other key and no NaN. A parameter "
        "with a star or without an annotation raises a `ToolDefinitionError` that names it."
    ),
    minutes=8,
    difficulty="medium",
    hints=(
        "Three helpers do the work: `signature(func).parameters`, `get_type_hints(func, include_extras=True)`, "
        "`create_model(name, **fields)`.",
        "A field is a pair: `(hint, default)`. Without a default, the second part is `...`.",
        'The rest is configuration: `create_model(..., __config__=ConfigDict(extra="forbid", allow_inf_nan=False))`.',
    ),
    setup=(
        "from inspect import Parameter, signature\nfrom typing import get_type_hints\n"
        "from pydantic import ConfigDict, create_model\nfrom toolkit import ToolDefinitionError"
    ),
    stub='''\
def model_of(func):
    """A Pydantic model of the arguments of func.

    >>> def stay(nights: int = 1): ...
    >>> model_of(stay)()
    stay(nights=1)
    """
    raise NotImplementedError''',
    solution=_ANSWER,
    alternatives=(
        """\
from pydantic import BaseModel

def model_of(func):
    hints = get_type_hints(func, include_extras=True)
    body = {"__annotations__": {}, "model_config": {"extra": "forbid", "allow_inf_nan": False}}
    for each in signature(func).parameters.values():
        if str(each).startswith("*"):
            raise ToolDefinitionError(f"{each} is no single parameter.")
        try:
            body["__annotations__"][each.name] = hints[each.name]
        except KeyError:
            raise ToolDefinitionError(f"annotate {each.name}") from None
        if each.default is not Parameter.empty:
            body[each.name] = each.default
    return type(func.__name__, (BaseModel,), body)""",
        """\
from pydantic import BaseModel, Field

class Closed(BaseModel, extra="forbid", allow_inf_nan=False):
    pass

def model_of(func):
    fields = {}
    for each in signature(func, eval_str=True).parameters.values():
        if each.kind in (each.VAR_POSITIONAL, each.VAR_KEYWORD) or each.annotation is each.empty:
            raise ToolDefinitionError(f"give {each.name} a hint and no star")
        fields[each.name] = (each.annotation, Field() if each.default is each.empty else each.default)
    return create_model(func.__name__, __base__=Closed, **fields)""",
    ),
    wrong=(
        WrongAnswer("loses the marks", _with(", include_extras=True", ""), "the description of nights"),
        WrongAnswer(
            "loses the defaults",
            _with("... if parameter.default is parameter.empty else parameter.default", "..."),
            "what has a default",
        ),
        WrongAnswer("takes unknown names", _with('extra="forbid", ', ""), "a misspelt name"),
        WrongAnswer("takes NaN", _with(", allow_inf_nan=False", ""), "NaN for a price"),
        WrongAnswer(
            "takes a star for a parameter",
            _with("parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD) or ", ""),
            "starred, whose hotel_ids: expected ToolDefinitionError",
        ),
        WrongAnswer(
            "sees one star only",
            _with("(parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)", "(parameter.VAR_POSITIONAL,)"),
            "open_ended, whose options: expected ToolDefinitionError",
        ),
        WrongAnswer(
            "lets a bare parameter be anything",
            _with(" or name not in hints", "").replace("(hints[name],", "(hints.get(name, object),"),
            "bare, whose nights: expected ToolDefinitionError",
        ),
        WrongAnswer(
            "takes the annotation as it is written",
            _with("hints[name],", "parameter.annotation,"),
            "`parameter.annotation` is only a text, and `get_type_hints` gives the type",
        ),
        WrongAnswer("names every model alike", _with("create_model(func.__name__", 'create_model("Model"'), "name"),
    ),
    checker=check_model_of,
)
