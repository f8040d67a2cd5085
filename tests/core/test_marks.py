"""Parameters the model never sees, or only some callers may send; examples; how a tool wants to be run."""

from __future__ import annotations

import datetime
from typing import Annotated, Any

import pytest
from pydantic import AliasChoices, BaseModel, ConfigDict, Field

from toolkit import CallPolicy, Context, RateLimit, ToolDefinitionError, tool
from toolkit.records import Tool
from toolkit.schema import OnlyFor, Resource
from toolkit.validation import Rejected, validate
from toolkit.wire import openai_tool, visible_parameters


def open_pool():
    raise AssertionError("never opened here")


class Pool:
    """Has no JSON form, and needs none."""


@pytest.fixture
def search(declare) -> Tool:
    """A tool with one parameter for admins."""

    def search(city: str, show_hidden: Annotated[bool, OnlyFor("admin")] = False): ...

    return declare(search, examples=[{"city": "Xi'an"}, {"city": "Xi'an", "show_hidden": True}])


CONTEXTS: dict[str, Any] = {
    "plain": Context,
    "optional": Context | None,
    "annotated": Annotated[Context, "who asks"],
}


@pytest.mark.row("T2")
@pytest.mark.parametrize("annotation", CONTEXTS.values(), ids=CONTEXTS)
def test_the_context_is_filled_in_and_never_shown(declare, annotation):
    """However it is annotated: the model neither sees it nor may send it."""

    def book(hotel_id: str, who=None): ...

    book.__annotations__["who"] = annotation
    found = declare(book)
    assert list(found.parameters["properties"]) == ["hotel_id"]
    assert found.signature.context_parameter == "who"
    with pytest.raises(Rejected) as caught:
        validate(found, '{"hotel_id": "HT-001", "who": {"role": "admin"}}')
    assert caught.value.fields == ("who",)


@pytest.mark.row("T4")
def test_a_resource_is_filled_in_and_never_shown(declare):
    """Its type needs no JSON form."""

    def book(hotel_id: str, pool: Annotated[Pool, Resource(open_pool)]): ...

    found = declare(book)
    assert list(found.parameters["properties"]) == ["hotel_id"]
    assert found.signature.resources["pool"].opener is open_pool


@pytest.mark.row("T4")
def test_a_schema_depends_on_the_caller(search):
    """An admin sees one parameter more; examples that use it are shortened for the others."""
    admin, guest = visible_parameters(search, "admin"), visible_parameters(search, "guest")
    assert list(admin["properties"]) == ["city", "show_hidden"]
    assert list(guest["properties"]) == ["city"]
    assert admin["examples"] == [{"city": "Xi'an"}, {"city": "Xi'an", "show_hidden": True}]
    assert guest["examples"] == [{"city": "Xi'an"}, {"city": "Xi'an"}]
    assert "OnlyFor" not in str(admin)
    assert "x-only-for" not in str(admin)


@pytest.mark.row("T4")
def test_a_strict_export_depends_on_the_caller_too(search):
    """A name that is required by the strict form does not betray a hidden parameter."""
    exported = openai_tool(search, strict=True, role="guest")["function"]["parameters"]
    assert (list(exported["properties"]), exported["required"]) == (["city"], ["city"])


@pytest.mark.row("T4", "S2")
def test_a_hand_written_schema_depends_on_the_caller_too():
    """A hidden name stands neither among the properties nor among the required ones."""
    schema = {"type": "object", "properties": {"a": {}, "b": {}}, "required": ["a", "b"]}
    kept = Tool(name="log", description="Log.", parameters=schema, func=print, restricted={"b": frozenset({"admin"})})
    assert visible_parameters(kept, "guest") == {"type": "object", "properties": {"a": {}}, "required": ["a"]}
    assert visible_parameters(kept, "admin") is schema


@pytest.mark.row("T4", "S2")
def test_a_hidden_parameter_is_unknown_to_those_who_may_not_send_it(search):
    """The refusal names what this caller may send, and no more."""
    with pytest.raises(Rejected) as caught:
        validate(search, '{"city": "a", "show_hidden": true}', hidden=frozenset({"show_hidden"}))
    assert str(caught.value) == "Invalid arguments for search. show_hidden: unknown argument. Accepted: city."


@pytest.mark.row("S2")
@pytest.mark.parametrize("raw", ['{"city": "a", "showHidden": true}', '{"city": "a", "show-hidden": true}'])
def test_another_spelling_is_no_way_in(search, raw):
    """Mending a key never ends at a hidden name."""
    with pytest.raises(Rejected):
        validate(search, raw, hidden=frozenset({"show_hidden"}))


@pytest.mark.row("S2")
def test_a_hidden_field_of_a_given_model_is_hidden_by_its_alias(declare):
    """The name on the wire counts; the field's own name is no second way in, even where the model allows it."""

    class Search(BaseModel):
        model_config = ConfigDict(populate_by_name=True)
        city: str
        show_hidden: Annotated[bool, OnlyFor("admin")] = Field(False, alias="showHidden")

    def search(city, show_hidden): ...

    found = declare(search, model=Search)
    assert found.restricted == {"showHidden": frozenset({"admin"})}
    assert list(visible_parameters(found, "guest")["properties"]) == ["city"]
    for raw in ('{"city": "a", "showHidden": true}', '{"city": "a", "show_hidden": true}'):
        with pytest.raises(Rejected):
            validate(found, raw, hidden=frozenset({"showHidden"}))


def test_several_aliases_beside_a_hidden_field_are_refused(undeclarable):
    """They would be several names for one parameter, of which the schema shows one."""

    class Search(BaseModel):
        show_hidden: Annotated[bool, OnlyFor("admin")] = Field(False, validation_alias=AliasChoices("a", "b"))

    assert undeclarable(lambda show_hidden: ..., model=Search, name="search") == (
        "Tool 'search' has OnlyFor beside AliasChoices, which would be a second way in. Use one alias."
    )


@pytest.mark.row("T6")
def test_examples_reach_the_model(registry, search):
    """They stand in the schema, as data."""
    examples = registry.openai_tools(role="admin")[0]["function"]["parameters"]["examples"]
    assert examples == [{"city": "Xi'an"}, {"city": "Xi'an", "show_hidden": True}]


@pytest.mark.row("T6")
def test_an_example_later_edited_does_not_change_the_tool(declare):
    """Examples are copied, also deep inside."""
    example = {"guests": [{"name": "Li"}]}

    def book(guests: list[dict[str, str]]): ...

    found = declare(book, examples=[example])
    example["guests"][0]["name"] = "Wang"
    assert found.parameters["examples"] == [{"guests": [{"name": "Li"}]}]


BAD_EXAMPLES: dict[str, tuple[Any, str]] = {
    "refused": (
        {"nights": "2"},
        "an example would be refused by the tool itself. Invalid arguments for book. "
        'nights: expected a valid integer, received "2".',
    ),
    "incomplete": (
        {},
        "an example would be refused by the tool itself. Invalid arguments for book. "
        "nights: expected a value, received nothing.",
    ),
    "not JSON": (
        {"nights": datetime.date(2026, 10, 1)},
        "an example is not JSON: Object of type date is not JSON serializable.",
    ),
    "infinite": (
        {"nights": float("inf")},
        "an example is not JSON: Out of range float values are not JSON compliant: inf.",
    ),
    "no object": (
        [1],
        "an example would be refused by the tool itself. Arguments must be a JSON object, received a list.",
    ),
}


@pytest.mark.row("T6")
@pytest.mark.parametrize(("example", "text"), BAD_EXAMPLES.values(), ids=BAD_EXAMPLES)
def test_an_example_must_be_a_good_call(undeclarable, example, text):
    """What is shown to the model as good is held against the contract first, without any mending."""

    def book(nights: int): ...

    found = undeclarable(book, examples=[example])
    assert found.partition("Out of range")[0] == f"Tool 'book': {text}".partition("Out of range")[0]


@pytest.mark.row("T3", "T14")
def test_how_a_tool_is_to_be_run_is_said_at_its_declaration(declare):
    """Every field of `CallPolicy` is an option of the decorator."""

    def book(order_id: str): ...

    found = declare(
        book, idempotency_key="order_id", timeout_s=5, attempts=2, roles={"guest"}, rate_limit=RateLimit(3, 60)
    )
    assert found.policy == CallPolicy(
        idempotency_key="order_id",
        timeout_s=5,
        attempts=2,
        roles=frozenset({"guest"}),
        rate_limit=RateLimit(3, 60),
    )


BAD_POLICIES: dict[str, tuple[dict[str, Any], str]] = {
    "unknown": (
        {"timeout": 5},
        "'timeout' is no option. Options: idempotent, timeout_s, attempts, idempotency_key, roles, confirm, "
        "rate_limit, concurrency, max_calls, fallback, recovery, cpu_bound.",
    ),
    "no time": ({"timeout_s": 0}, "timeout_s is 0, but must be above 0 seconds."),
    "no number": ({"timeout_s": float("nan")}, "timeout_s is nan, but must be above 0 seconds."),
    "no attempt": ({"attempts": 0}, "attempts is 0, but counts the first one too, so it is at least 1."),
    "a role as text": ({"roles": "guest"}, "roles is 'guest', but must be a set, such as {\"guest\"}."),
    "no slot": ({"concurrency": 0}, "concurrency is 0, but must be at least 1."),
    "no call": ({"max_calls": 0}, "max_calls is 0, but must be at least 1."),
    "an empty limit": (
        {"rate_limit": RateLimit(0, 1)},
        "rate_limit is RateLimit(calls=0, per_s=1), but must allow at least 1 call per a time above 0 seconds.",
    ),
    "a key that is no parameter": (
        {"idempotency_key": "order"},
        "idempotency_key is 'order', which is no parameter. Parameters: order_id.",
    ),
}


@pytest.mark.row("T14")
@pytest.mark.parametrize(("options", "text"), BAD_POLICIES.values(), ids=BAD_POLICIES)
def test_a_policy_that_cannot_be_meant(undeclarable, options, text):
    """Refused where the tool is declared, not at the first call."""

    def book(order_id: str): ...

    assert undeclarable(book, **options) == f"Tool 'book': {text}"


def test_another_description_and_another_name(registry):
    """Both may be given, where a function's own are not fit for a model."""

    @tool(registry, name="search_hotels", description="Find hotels.", descriptions={"zh": "找酒店。"}, version="2")
    def search(city: str):
        """Internal words."""

    entry = registry.openai_tools(language="zh")[0]["function"]
    assert (entry["name"], entry["description"], registry["search_hotels"].version) == (
        "search_hotels",
        "找酒店。",
        "2",
    )
    assert registry.openai_tools(language="fr")[0]["function"]["description"] == "Find hotels."


def test_an_empty_description_in_another_language_is_refused(registry):
    """A reader of that language would get nothing."""
    with pytest.raises(ToolDefinitionError) as caught:

        @tool(registry, descriptions={"zh": " "})
        def search(city: str):
            """Find hotels."""

    assert str(caught.value) == "Tool 'search' has no description. Say what it does and when to call it."
