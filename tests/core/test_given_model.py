"""A given Pydantic model as the one source: its aliases, validators, factories and config."""

from __future__ import annotations

import datetime
import enum
import json
import uuid
from typing import Annotated, Any, Literal

import pytest
from pydantic import (
    AfterValidator,
    AliasChoices,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    field_validator,
    model_validator,
)

from toolkit import ToolError
from toolkit.validation import Rejected, validate


class Stay(BaseModel):
    """Text for people."""

    model_config = ConfigDict(alias_generator=lambda name: name.title().replace("_", ""), populate_by_name=True)
    check_in: datetime.date
    nights: int = 1


def stay(check_in, nights): ...


class Checked(BaseModel):
    """Has code of the author's own before and after the fields."""

    day: datetime.date
    key: uuid.UUID
    tags: set[str] = set()
    size: Literal["s", "m"] = "s"

    @model_validator(mode="before")
    @classmethod
    def strip(cls, values: Any) -> Any:
        return {key: value.strip() if isinstance(value, str) else value for key, value in values.items()}

    @field_validator("size")
    @classmethod
    def not_m(cls, value: str) -> str:
        if value == "m":
            raise ValueError("size m is sold out; choose s")
        return value


def checked(day, key, tags, size): ...


class Point(BaseModel):
    x: float


def sold_out(value: str) -> str:
    raise ToolError(f"{value} is sold out. Choose another.")


KEY = "12345678-1234-5678-1234-567812345678"


@pytest.mark.row("T2")
def test_aliases_are_the_names_on_the_wire(declare):
    """The schema shows them, the check takes them, the function gets the field's names; the model's doc stays home."""
    tool = declare(stay, model=Stay)
    assert list(tool.parameters["properties"]) == ["CheckIn", "Nights"]
    assert tool.parameters["required"] == ["CheckIn"]
    assert "Text for people" not in str(tool.parameters)
    model, notes = validate(tool, '{"CheckIn": "2026-10-01", "Nights": 2}')
    assert (model.__dict__, notes) == ({"check_in": datetime.date(2026, 10, 1), "nights": 2}, ())


def test_the_fields_own_name_is_mended_to_its_alias(call):
    """What the schema does not show is a foreign spelling: mended and noted, where the mode allows it."""
    values, notes = call(stay, '{"check_in": "2026-10-01"}', model=Stay)
    assert (values["nights"], notes) == (1, ("key_renamed:check_in",))


def test_the_fields_own_name_is_refused_in_strict_mode(refusal):
    """Strict mode takes the contract, word for word."""
    assert refusal(stay, '{"check_in": "2026-10-01"}', lenient=False, model=Stay) == (
        "Invalid arguments for stay. CheckIn: expected a value, received nothing. "
        "check_in: unknown argument. Did you mean CheckIn? Accepted: CheckIn, Nights."
    )


def test_a_nested_models_alias_is_its_only_name(refusal, of_type):
    """Whatever the nested model's own config says: the schema shows the alias."""

    class Inner(BaseModel):
        model_config = ConfigDict(populate_by_name=True)
        check_in: str = Field(alias="checkIn")

    assert refusal(of_type(Inner), '{"x": {"check_in": "a"}}', lenient=False) == (
        "Invalid arguments for use. x.checkIn: expected a value, received nothing. "
        "x.check_in: unknown argument. Did you mean checkIn? Accepted: checkIn."
    )


class Early(BaseModel):
    """Refers to a class that is defined below it."""

    later: Later


class Later(BaseModel):
    a: int


def test_a_model_is_read_in_its_own_module(call):
    """Names that were not defined yet are looked up where the model stands, not where it is closed."""
    assert call(lambda later: ..., '{"later": {"a": 1}}', model=Early, name="use")[0] == {"later": Later(a=1)}


def test_a_model_closes_even_where_it_was_open(refusal):
    """`extra="ignore"`, Pydantic's default, hides misspelt fields; the tool's copy of the model refuses them."""

    class Loose(BaseModel):
        model_config = ConfigDict(extra="allow")
        section: str = ""

    assert refusal(lambda section: ..., '{"chapter": "2"}', model=Loose, name="open_page") == (
        "Invalid arguments for open_page. chapter: unknown argument. Accepted: section."
    )
    assert Loose(chapter="2").chapter == "2"  # the author's own class is as it was


@pytest.mark.parametrize("extra", ["allow", "ignore"])
def test_a_nested_model_is_closed_at_run_time_whatever_it_says(of_type, refusal, undeclarable, extra):
    """One that says it is open is refused at declaration; one that ignores extras is held to the closed schema."""

    class Inner(BaseModel):
        model_config = ConfigDict(extra=extra)
        a: int = 0

    if extra == "allow":
        assert "allows extra fields" in undeclarable(of_type(Inner))
    else:
        assert refusal(of_type(list[Inner]), '{"x": [{"b": 1}]}') == (
            "Invalid arguments for use. x[0].b: unknown argument. Accepted: a."
        )


@pytest.mark.row("T2")
def test_a_default_factory_runs_for_each_call(declare):
    """Declared in a model, as a default, or in `Annotated`: never one value for all calls."""

    class Order(BaseModel):
        id: uuid.UUID = Field(default_factory=uuid.uuid4)

    def order(
        a: list[int] = Field(default_factory=list),  # noqa: B008
        b: Annotated[str, Field(default_factory=lambda: "b")] = ...,
    ): ...

    given, own = declare(lambda id: ..., model=Order, name="given"), declare(order)
    assert validate(given, "{}")[0].id != validate(given, "{}")[0].id
    first, second = validate(own, "{}")[0], validate(own, "{}")[0]
    assert (first.a, first.b) == ([], "b")
    assert first.a is not second.a
    assert own.parameters["required"] == []


def test_a_default_factory_does_not_run_at_the_declaration(declare):
    """It may open a file or draw a number; that belongs to a call."""
    made = []

    def order(key: int = Field(default_factory=lambda: made.append(1) or len(made))): ...

    tool = declare(order)
    assert made == []
    assert [validate(tool, "{}")[0].key for _ in range(2)] == [1, 2]


def test_a_mutable_default_is_not_shared(declare):
    """A tool that appends to its argument does not change the default of the next call."""

    def order(items: list[str] = []): ...  # noqa: B006

    tool = declare(order)
    validate(tool, "{}")[0].items.append("a")
    assert validate(tool, "{}")[0].items == []


@pytest.mark.row("T2")
@pytest.mark.parametrize("lenient", [True, False])
def test_code_before_the_fields_does_not_bar_dates_and_sets(call, lenient):
    """It hands Python values on, of which a strict check takes no text for a date; JSON has nothing else to offer."""
    raw = json.dumps({"day": " 2026-10-01 ", "key": KEY, "tags": ["a"]})
    values, notes = call(checked, raw, model=Checked, lenient=lenient)
    assert (values["day"], values["tags"], notes) == (datetime.date(2026, 10, 1), {"a"}, ())


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (
            '{"day": "0", "key": "%s"}',
            'day: expected a valid date in the format YYYY-MM-DD, a number is no date, received "0".',
        ),
        ('{"day": 0, "key": "%s"}', "day: expected a valid date, received 0."),
        ('{"day": "2026-10-01", "key": "%s", "tags": [1.5]}', "tags[0]: expected a valid string, received 1.5."),
        ('{"day": "2026-10-01", "key": "%s", "size": "m"}', 'size: size m is sold out; choose s, received "m".'),
        ('{"day": "2026-10-01", "key": "%s", "z": 1}', "z: unknown argument. Accepted: day, key, tags, size."),
    ],
)
def test_code_before_the_fields_opens_nothing_else(refusal, raw, text):
    """The rest stays as strict as ever."""
    assert refusal(checked, raw % KEY, model=Checked) == f"Invalid arguments for checked. {text}"


def test_a_validator_of_a_single_parameter(call, refusal):
    """Inside `Annotated`, before the field."""

    def visit(day: Annotated[datetime.date, BeforeValidator(lambda value: value.replace("/", "-"))]): ...

    assert call(visit, '{"day": "2026/10/01"}')[0] == {"day": datetime.date(2026, 10, 1)}


def test_a_validator_may_speak_to_the_model_as_a_tool_does(declare):
    """A `ToolError` raised while checking is the refusal's text."""

    def book(room: Annotated[str, BeforeValidator(sold_out)]): ...

    with pytest.raises(Rejected) as caught:
        validate(declare(book), '{"room": "suite"}')
    assert str(caught.value) == "suite is sold out. Choose another."


def test_a_bug_in_a_validator_is_not_the_models_fault(declare):
    """Neither `Rejected` nor `MalformedArguments`: it comes out as what it is, for the gateway to log."""

    def book(room: Annotated[str, BeforeValidator(lambda value: 1 / 0)]): ...

    with pytest.raises(ZeroDivisionError):
        validate(declare(book), '{"room": "suite"}')


def test_a_model_that_refers_to_itself_at_the_top(declare, call):
    """Its fields are the arguments; below them the reference stays, and resolves."""

    class Folder(BaseModel):
        name: str
        inside: list[Folder] = []

    def save(name, inside): ...

    values, _ = call(save, '{"name": "a", "inside": [{"name": "b"}]}', model=Folder)
    assert values["inside"][0].name == "b"

    def save_again(name, inside): ...

    parameters = declare(save_again, model=Folder).parameters
    assert list(parameters["properties"]) == ["name", "inside"]
    reference = parameters["properties"]["inside"]["items"]["$ref"].removeprefix("#/$defs/")
    assert parameters["$defs"][reference]["required"] == ["name"]


def test_the_first_of_several_aliases_is_shown_and_each_is_taken(declare):
    """An old spelling may live on beside the new one."""

    class Search(BaseModel):
        city: str = Field(validation_alias=AliasChoices("city", "town"))

    tool = declare(lambda city: ..., model=Search, name="search")
    assert list(tool.parameters["properties"]) == ["city"]
    for raw in ('{"city": "Xi\'an"}', '{"town": "Xi\'an"}'):
        assert validate(tool, raw, lenient=False)[0].city == "Xi'an"


def no_null(value: str | None) -> str | None:
    if value is None:
        raise ValueError("say which day, or leave it out")
    return value


def test_null_that_is_allowed_and_refused_by_a_rule_stays_refused(refusal):
    """It does not fall back to the default: only the type may say that null was not allowed."""

    def visit(day: Annotated[str | None, AfterValidator(no_null)] = "monday"): ...

    assert refusal(visit, '{"day": null}') == (
        "Invalid arguments for visit. day: say which day, or leave it out, received null."
    )


def test_an_error_inside_what_a_validator_made_is_not_mended_elsewhere(refusal):
    """Its place exists in the arguments too, and holds another value."""

    def other(value: dict[str, Any]) -> dict[str, Any]:
        return {"a": value["b"] if isinstance(value["a"], str) else value["a"]}

    def use(x): ...

    use.__annotations__["x"] = Annotated[dict[str, int], BeforeValidator(other)]
    assert refusal(use, '{"x": {"a": "9", "b": "1"}}') == (
        'Invalid arguments for use. x.a: expected a valid integer, received "1".'
    )


class Late(BaseModel):
    """Sets a field of its own after reading."""

    a: int
    b: int = 0

    def model_post_init(self, context: Any) -> None:
        self.b = 1


class Made(BaseModel):
    """Reads in its own way."""

    a: int
    b: int = 0

    def __init__(self, **values: Any) -> None:
        super().__init__(**{"b": 1, **values})


class Guessing(enum.Enum):
    """Takes anything for red."""

    RED = "red"

    @classmethod
    def _missing_(cls, value: object) -> Guessing:
        return cls.RED


class Guess(BaseModel):
    colour: Guessing


UNSURE: dict[str, tuple[type[BaseModel], Any, str, str]] = {
    "a field set afterwards": (Late, lambda a, b: ..., '{"a": 1, "a": 2}', "The key 'a' stands twice in one object."),
    "an own way to read": (Made, lambda a, b: ..., '{"a": 1, "a": 2}', "The key 'a' stands twice in one object."),
    "a choice that guesses": (
        Guess,
        lambda colour: ...,
        '{"colour": 100000000000000000000}',
        "An integer of 21 digits does not fit into 64 bits.",
    ),
}


@pytest.mark.row("F3", "S5")
@pytest.mark.parametrize(("model", "func", "raw", "text"), UNSURE.values(), ids=UNSURE)
def test_code_of_the_authors_own_is_read_by_the_complete_path(refusal, model, func, raw, text):
    """What it does to the values could hide from the quick path what the complete one refuses."""
    assert refusal(func, raw, model=model, name="use") == text


@pytest.mark.row("F3")
def test_no_infinite_number_in_a_nested_model(declare):
    """Its own config would allow it; plain JSON does not."""

    def draw(point: Point): ...

    tool = declare(draw)
    for raw in ('{"point": {"x": "1e999"}}', '{"point": {"x": "inf"}}', '{"point": {"x": "nan"}}'):
        with pytest.raises(Rejected) as caught:
            validate(tool, raw)
        assert caught.value.fields == ("point.x",)
