"""Exercise 12.tool_schema: the contract and the check, both from one signature."""

from __future__ import annotations

from toolkit.lessons.checkers_12_tool_schema import RUBRIC
from toolkit.lessons.exercise import Exercise, WrongAnswer

_SETUP = """\
import inspect
from typing import Annotated, Literal, get_args, get_origin, get_type_hints
from pydantic import ConfigDict, Field, TypeAdapter, ValidationError, create_model
from toolkit import ToolDefinitionError, ToolError"""

_SOLUTION = '''\
def tool_schema(func):
    """The JSON Schema of a function's parameters, and `parse`, which reads arguments by it."""
    hints = get_type_hints(func, include_extras=True)
    fields = {}
    for name, parameter in inspect.signature(func).parameters.items():
        description = described(func, parameter, hints.get(name))
        default = ... if parameter.default is parameter.empty else parameter.default
        fields[name] = hints[name], Field(default, description=description)
    config = ConfigDict(strict=True, extra="forbid")
    model = create_model(func.__name__, __config__=config, **fields)

    def parse(arguments):
        try:
            return dict(model.model_validate(arguments))
        except ValidationError as error:
            raise ToolError(" ".join(map(told, error.errors()))) from None

    return model.model_json_schema(), parse


def described(func, parameter, annotation):
    """What is said of a parameter in `Annotated`. Raises where it cannot stand in a schema."""
    if parameter.kind not in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY):
        raise ToolDefinitionError(f"{func.__name__}: {parameter.name} cannot be given by name")
    texts = [note for note in getattr(annotation, "__metadata__", ()) if isinstance(note, str)]
    if not texts:
        raise ToolDefinitionError(f'{func.__name__}: write {parameter.name}: Annotated[<type>, "<what it is>"]')
    return texts[0]


def told(problem):
    """One sentence for the model: the field, what is expected, and what came."""
    field = ".".join(map(str, problem["loc"]))
    if problem["type"] == "missing":
        return f"{field} is missing."
    return f"{field}: {problem['msg']}, got {problem['input']!r}."'''

_BY_HAND = '''\
NAMES = {str: "string", int: "integer", float: "number", bool: "boolean"}
TYPES = {"string": str, "integer": int, "number": (int, float), "boolean": bool}


def part(func, parameter, hint):
    by_name = parameter.kind in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY)
    if not by_name or get_origin(hint) is not Annotated:
        raise ToolDefinitionError(f"{func.__name__}: {parameter.name} needs a name, a type and a description")
    base, description = get_args(hint)[:2]
    choices = list(get_args(base))
    made = {"type": NAMES[type(choices[0]) if choices else base], "description": description}
    return made | ({"enum": choices} if choices else {})


def problems(schema, arguments):
    """A validator for the schemas made here: it reads the contract itself, so that the two cannot part."""
    parts = schema["properties"]
    yield from (f"{name} is missing." for name in schema["required"] if name not in arguments)
    for name, value in arguments.items():
        if name not in parts:
            yield f"{name} is unknown; there are: {', '.join(parts)}."
            continue
        kind, choices = parts[name]["type"], parts[name].get("enum", [value])
        is_kind = isinstance(value, TYPES[kind]) and (kind == "boolean" or not isinstance(value, bool))
        if not is_kind or value not in choices:
            yield f"{name} should be of type {kind} {parts[name].get('enum', '')}, got {value!r}."


def tool_schema(func):
    hints, parameters = get_type_hints(func, include_extras=True), inspect.signature(func).parameters
    schema = {
        "type": "object",
        "properties": {name: part(func, each, hints.get(name)) for name, each in parameters.items()},
        "required": [name for name, each in parameters.items() if each.default is each.empty],
        "additionalProperties": False,
    }

    def parse(arguments):
        if found := list(problems(schema, arguments)):
            raise ToolError(" ".join(found))
        return dict(arguments)  # what is left out, the function fills in itself

    return schema, parse'''

_PER_PARAMETER = '''\
def tool_schema(func):
    """One adapter for each parameter; what is about all of them, names and their number, is written out."""
    hints, strict = get_type_hints(func, include_extras=True), ConfigDict(strict=True)
    adapters, needed = {}, []
    for name, parameter in inspect.signature(func).parameters.items():
        text = next(iter(getattr(hints.get(name), "__metadata__", ())), None)
        if text is None or parameter.kind.name not in ("POSITIONAL_OR_KEYWORD", "KEYWORD_ONLY"):
            raise ToolDefinitionError(f"{name} of {func.__name__} has no description, or no name of its own")
        adapters[name] = TypeAdapter(Annotated[hints[name], Field(description=text)], config=strict)
        if parameter.default is parameter.empty:
            needed.append(name)
    properties = {name: adapter.json_schema() for name, adapter in adapters.items()}

    def parse(arguments):
        wrong = [f"{name} is missing." for name in needed if name not in arguments]
        wrong += [f"There is no {name}." for name in arguments if name not in adapters]
        read = {}
        for name in arguments.keys() & adapters.keys():
            try:
                read[name] = adapters[name].validate_python(arguments[name])
            except ValidationError as error:
                wrong.append(f"{name}: {error.errors()[0]['msg']}, got {arguments[name]!r}.")
        if wrong:
            raise ToolError(" ".join(wrong))
        return read

    return {"type": "object", "properties": properties, "required": needed, "additionalProperties": False}, parse'''


def _but(mistake: str, says: str, part: str, other: str) -> WrongAnswer:
    """The solution with one part written otherwise."""
    return WrongAnswer(mistake, _SOLUTION.replace(part, other), says)


TOOL_SCHEMA = Exercise(
    id="12.tool_schema",
    task="**A model is to call our functions. From a signature, make what the model reads, and what checks the "
    "arguments it sends. Twenty minutes.**\n\n"
    "`tool_schema(func)` returns a pair `(schema, parse)`: the JSON Schema of the parameters, and a function. "
    "`parse(arguments)` gets the arguments as a dict that was JSON before, and returns a dict to call the function "
    "with, `func(**parse(arguments))`, or raises `ToolError`, whose text the model reads; each one costs it a turn.\n\n"
    'A parameter is declared like `nights: Annotated[int, "Number of nights."]`. Types are `str`, `int`, `float`, '
    "`bool` and `Literal` of texts. What cannot become a tool raises `ToolDefinitionError`. Use Pydantic or do "
    "without, as you like.",
    minutes=20,
    difficulty="hard",
    hints=(
        "One loop over `inspect.signature(func).parameters`, and for each parameter a type, a description and perhaps "
        "a default. Both halves of the answer come out of that.",
        "`get_type_hints(func, include_extras=True)` gives types, also where annotations are texts, and keeps what "
        "stands in `Annotated`; there it is `hint.__metadata__`.",
        "`create_model(name, __config__=..., **{name: (type, Field(default, description=...))})`; `...` is no default. "
        "Which two settings of `ConfigDict` say that nothing is converted and nothing else let in?",
        "`error.errors()` has one entry for each thing that is wrong, with `loc`, `msg` and `input`. Look at "
        "`parameter.kind` for what cannot be given by name.",
    ),
    setup=_SETUP,
    stub='''\
def tool_schema(func):
    """The JSON Schema of a function's parameters, and `parse`, which reads arguments by it.

    >>> def stay(nights: Annotated[int, "Number of nights."]): ...
    >>> tool_schema(stay)[1]({"nights": 2})
    {'nights': 2}
    """
    raise NotImplementedError''',
    solution=_SOLUTION,
    alternatives=(_BY_HAND, _PER_PARAMETER),
    wrong=(
        _but(
            "leaves the descriptions in Python",
            "type and description of city: expected ('string', 'City, in English.'), got ('string', None)",
            *("Field(default, description=description)", "Field(default)"),
        ),
        _but(
            "takes every parameter for required",
            "required: the parameters without a default: expected ['city'], got ['city', 'nights', 'flexible']",
            *("... if parameter.default is parameter.empty else parameter.default", "..."),
        ),
        _but(
            "makes what has no default optional",
            "required: the parameters without a default: expected ['city'], got None",
            *("... if parameter.default is parameter.empty", "None if parameter.default is parameter.empty"),
        ),
        _but(
            "makes a text of a choice",
            "a Literal in the schema: enum: expected ['standard', 'suite'], got None",
            *(
                "= hints[name], Field",
                "= str if get_origin(get_args(hints[name])[0]) is Literal else hints[name], Field",
            ),
        ),
        _but("takes what it does not know", "'nigths': 3} was let through", ', extra="forbid"', ""),
        _but(
            "refuses in silence",
            "but the schema does not say so: additionalProperties",
            *("model.model_json_schema(), parse", 'model.model_json_schema() | {"additionalProperties": True}, parse'),
        ),
        _but("lets values be converted", "'nights': True,", "strict=True, ", ""),
        _but("keeps to itself what came", "without 'two', what came", ", got {problem['input']!r}.", "."),
        _but(
            "lets the library's error out",
            "ValidationError got out, no ToolError for the model",
            *("except ValidationError", "except TypeError"),
        ),
        _but(
            "declares what has no description",
            "a function declared as (nights: int) -> None: expected ToolDefinitionError",
            *("if isinstance(note, str)]", "if isinstance(note, str)] or [parameter.name]"),
        ),
        _but(
            "declares *args",
            "a function declared as (*nights: ",
            "if parameter.kind not in (",
            "if False and (",
        ),
        _but("tells one thing at a time", "each costs a turn", "error.errors()", "error.errors()[:1]"),
        _but(
            "reads the annotations off the signature",
            "a module with `from __future__ import annotations` cannot declare its tools",
            *("get_type_hints(func, include_extras=True)", "inspect.get_annotations(func)"),
        ),
    ),
    rubric=RUBRIC,
)
