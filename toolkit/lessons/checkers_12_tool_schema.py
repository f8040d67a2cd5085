"""What the rubric of 12.tool_schema asks: of a few functions, what the schema says and what the check lets through.

Without postponed annotations, so that only the functions of one criterion have theirs as texts.
"""

import inspect
from collections.abc import Callable, Iterable
from typing import Annotated, Any, Literal, TypeAlias

from toolkit.errors import ToolDefinitionError, ToolError
from toolkit.lessons.expect import Wrong, expect, expect_equal, expect_raises
from toolkit.lessons.rubric import Criterion

Arguments: TypeAlias = dict[str, Any]
Parse: TypeAlias = Callable[[Any], Any]
ToolSchema: TypeAlias = Callable[[Callable[..., Any]], Any]

City = Annotated[str, "City, in English."]
Nights = Annotated[int, "Number of nights."]
Price = Annotated[float, "Most per night, in US dollars."]
Flexible = Annotated[bool, "Whether other days will do."]


def _search(city: City, nights: Nights, price: Price, flexible: Flexible) -> None:
    """Search hotels."""


def _with_defaults(city: City, nights: Nights = 1, flexible: Flexible = False) -> tuple[object, ...]:
    """Search hotels."""
    return city, nights, flexible


def _with_a_choice(room: Annotated[Literal["standard", "suite"], "Kind of room."]) -> None:
    """Choose a room."""


def _later(city: "Annotated[str, 'City, in English.']", *, nights: "Annotated[int, 'Number of nights.']") -> None:
    """Search, with annotations that are texts, as `from __future__ import annotations` makes them."""


def _made(tool_schema: ToolSchema, func: Callable[..., Any]) -> tuple[Any, Parse]:
    made = tool_schema(func)
    expect(isinstance(made, tuple) and len(made) == 2, f"expected the pair (schema, parse), got {made!r}")
    schema, parse = made
    expect(isinstance(schema, dict), f"the schema should be a dict; it is {schema!r}")
    return schema, parse


def _read(parse: Parse, arguments: Arguments, case: str) -> Arguments:
    """What parse makes of arguments that are right."""
    try:
        read = parse(dict(arguments))
    except ToolError as error:
        raise Wrong(f"{case}: {arguments} was refused: {error}") from None
    expect(isinstance(read, dict), f"{case}: parse should return the arguments, as a dict; it returned {read!r}")
    return dict(read)


def _refused(parse: Parse, arguments: Arguments) -> Exception:
    """What was raised for these arguments; whether the model can read it is a criterion of its own."""
    try:
        read = parse(dict(arguments))
    except NotImplementedError:
        raise
    except Exception as error:  # noqa: BLE001 - any will do here
        return error
    raise Wrong(f"{arguments} was let through, as {read!r}")


def _describes_each_parameter(tool_schema: ToolSchema) -> None:
    schema, _ = _made(tool_schema, _search)
    expect_equal(schema.get("type"), "object", "the type of the whole")
    wanted = {
        "city": ("string", "City, in English."),
        "nights": ("integer", "Number of nights."),
        "price": ("number", "Most per night, in US dollars."),
        "flexible": ("boolean", "Whether other days will do."),
    }
    properties = schema.get("properties", {})
    expect_equal(list(properties), list(wanted), "the properties, in the order of the signature")
    for name, (kind, text) in wanted.items():
        found = properties[name]
        expect_equal((found.get("type"), found.get("description")), (kind, text), f"type and description of {name}")


def _fills_in_defaults(tool_schema: ToolSchema) -> None:
    schema, parse = _made(tool_schema, _with_defaults)
    expect_equal(schema.get("required"), ["city"], "required: the parameters without a default")
    for sent, wanted in (({}, ("x", 1, False)), ({"nights": 3, "flexible": True}, ("x", 3, True))):
        got = _with_defaults(**_read(parse, {"city": "x", **sent}, "what has a default may be left out"))
        expect_equal(got, wanted, f"the function called with what parse made of city and {sent}")
    _refused(parse, {"nights": 3})


def _closes_a_choice(tool_schema: ToolSchema) -> None:
    schema, parse = _made(tool_schema, _with_a_choice)
    room = schema.get("properties", {}).get("room", {})
    expect_equal(room.get("enum"), ["standard", "suite"], "a Literal in the schema: enum")
    expect_equal(_read(parse, {"room": "suite"}, "one of the choice"), {"room": "suite"}, "one of the choice, read")
    for value in ("cave", "Suite", "", None):
        _refused(parse, {"room": value})


def _lets_nothing_else_in(tool_schema: ToolSchema) -> None:
    schema, parse = _made(tool_schema, _with_defaults)
    _refused(parse, {"city": "x", "nights": 2, "flexible": True, "nigths": 3})
    closed = schema.get("additionalProperties")
    expect(closed is False, "an unknown argument is refused, but the schema does not say so: additionalProperties")


def _bends_nothing(tool_schema: ToolSchema) -> None:
    _, parse = _made(tool_schema, _search)
    right = {"city": "x", "nights": 2, "price": 99.5, "flexible": True}
    expect_equal(_read(parse, right, "values of the right types"), right, "values of the right types, read")
    whole = _read(parse, {**right, "price": 99}, "a whole number where any number will do")
    expect_equal(whole["price"], 99, "a whole number where any number will do, read")
    bent: dict[str, Iterable[object]] = {
        "nights": (True, "2", 2.5, None),
        "city": (7, None, ["x"]),
        "flexible": (1, "true", None),
        "price": (True, "99.5"),
    }
    for name, values in bent.items():
        for value in values:
            _refused(parse, {**right, name: value})


def _says_what_is_wrong(tool_schema: ToolSchema) -> None:
    _, search = _made(tool_schema, _search)
    right = {"city": "x", "nights": 2, "price": 99.5, "flexible": True}
    cases: list[tuple[Parse, Arguments, str, str, str]] = [
        (search, {**right, "nights": "two"}, "nights", "int|whole|整数", "two"),
        (search, {**right, "price": "cheap"}, "price", "number|float|数", "cheap"),
        (search, {**right, "city": 7}, "city", "str|text|字符串|文本", "7"),
        (search, {"city": "x", "nights": 2, "flexible": True}, "price", "", ""),
    ]
    for parse, arguments, field, expected, came in cases:
        error = _refused(parse, arguments)
        expect(isinstance(error, ToolError), f"{arguments}: {type(error).__name__} got out, no ToolError for the model")
        for what, word in (("field", field), ("what is expected", expected), ("what came", came)):
            found = any(each in str(error).lower() for each in word.split("|"))
            expect(found, f"of {arguments} the model is told {str(error)!r}: without {word.split('|')[0]!r}, {what}")


def _refuses_to_declare(tool_schema: ToolSchema) -> None:
    def bare(nights) -> None: ...  # type: ignore[no-untyped-def]

    def undescribed(nights: int) -> None: ...

    def undescribed_choice(nights: Literal["one", "two"]) -> None: ...

    def starred(*nights: Nights) -> None: ...

    def open_ended(**nights: Nights) -> None: ...

    def positional(nights: Nights, /) -> None: ...

    for func in (undescribed, undescribed_choice, bare, starred, open_ended, positional):
        expect_raises(ToolDefinitionError, f"a function declared as {inspect.signature(func)}", tool_schema, func)


def _tells_all_at_once(tool_schema: ToolSchema) -> None:
    _, parse = _made(tool_schema, _search)
    told = str(_refused(parse, {"city": "x", "nights": "two", "price": "cheap", "flexible": "maybe"}))
    missing = [name for name in ("nights", "price", "flexible") if name not in told]
    expect(not missing, f"three things were wrong, and of {', '.join(missing)} nothing is told: each costs a turn")


def _reads_postponed_annotations(tool_schema: ToolSchema) -> None:
    try:
        schema, parse = _made(tool_schema, _later)
    except NotImplementedError:
        raise
    except Exception as error:
        said = f"{type(error).__name__}: {error}"
        raise Wrong(f"a module with `from __future__ import annotations` cannot declare its tools: {said}") from error
    found = schema.get("properties", {}).get("nights", {})
    expect_equal(found.get("type"), "integer", "where annotations are texts, the type of nights")
    _refused(parse, {"city": "x", "nights": "two"})
    _read(parse, {"city": "x", "nights": 2}, "where annotations are texts")


RUBRIC = (
    Criterion(
        "every parameter stands in the schema, with type and description", 3, "junior", _describes_each_parameter
    ),
    Criterion("what has a default may be left out, and only that", 2, "junior", _fills_in_defaults),
    Criterion("a Literal is a closed choice", 2, "junior", _closes_a_choice),
    Criterion("an unknown argument is refused, and the schema says so", 2, "senior", _lets_nothing_else_in),
    Criterion('no value is bent: true is not 1, and "2" is not 2', 2, "senior", _bends_nothing),
    Criterion("an error names the field, what is expected, and what came", 2, "senior", _says_what_is_wrong),
    Criterion("what cannot be described is refused where it is declared", 2, "senior", _refuses_to_declare),
    Criterion("all that is wrong is told at once", 2, "staff", _tells_all_at_once),
    Criterion("annotations that are texts are read as well", 2, "staff", _reads_postponed_annotations),
)
