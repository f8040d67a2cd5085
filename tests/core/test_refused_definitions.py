"""What cannot become a tool is refused where it is declared, with the remedy: the whole text, nothing registered."""

from __future__ import annotations

import enum
import functools
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from typing import Annotated, Any

import pytest
from pydantic import AliasPath, BaseModel, ConfigDict, Field, RootModel

from toolkit import Context, Registry, ToolDefinitionError, tool
from toolkit.schema import OnlyFor


class Open(BaseModel):
    model_config = ConfigDict(extra="allow")
    a: int = 0


class Pool:
    """No type a JSON value could have."""


class Corner(enum.Enum):
    LEFT = (0, 0)


def bare(x): ...


def variadic(*values: int): ...


def keywords(**values: int): ...


def positional(x: int, /): ...


def method(self, x: int): ...


def private(_x: int): ...


def reserved(model_fields: int): ...


def unknown_name(x: Missing): ...  # noqa: F821


def unknown_attribute(x: enum.Missing): ...


def unreadable(x: "list[int"): ...  # noqa: F722


def no_type(x: 5): ...


def own_class(x: Pool): ...


def callback(x: Callable[[], int]): ...


def classes(x: type): ...


def lazily(x: Iterable[int]): ...


def lazily_inside(x: list[Iterable[int]]): ...


def open_model(x: Open): ...


def choice_of_tuples(x: Corner): ...


def default_of_another_type(x: int = None): ...  # noqa: RUF013


def default_out_of_range(x: Annotated[int, Field(le=3)] = 5): ...


def default_without_json(x: Any = Pool()): ...  # noqa: B008


def two_contexts(a: Context, b: Context | None = None): ...


def generator(x: int) -> Iterator[int]:
    """Yield."""
    yield x


async def async_generator(x: int) -> AsyncIterator[int]:
    """Yield."""
    yield x


def stale_docstring(x: int):
    """Do it.

    Args:
        y: Not there.
    """


def only_for_required(x: Annotated[int, OnlyFor("admin")]): ...


def only_for_inside(x: Annotated[int, OnlyFor("admin")] | None = None): ...


REFUSED: dict[str, tuple[Any, str]] = {
    "no annotation": (
        bare,
        "Tool 'bare', parameter 'x' has no annotation, so it has no schema. Annotate it, for example `: str`.",
    ),
    "*args": (
        variadic,
        "Tool 'variadic', parameter 'values': *values has no schema. Name each parameter, or use a list or a model.",
    ),
    "**kwargs": (
        keywords,
        "Tool 'keywords', parameter 'values': **values has no schema. Name each parameter, or use a list or a model.",
    ),
    "positional-only": (
        positional,
        "Tool 'positional', parameter 'x' is positional-only, but models send names. Remove the '/'.",
    ),
    "method without its object": (
        method,
        "Tool 'method', parameter 'self': this is a method without its object. Register the bound method.",
    ),
    "private name": (
        private,
        "Tool 'private', parameter '_x': Pydantic keeps this name for itself. Rename the parameter.",
    ),
    "reserved name": (
        reserved,
        "Tool 'reserved', parameter 'model_fields': Pydantic keeps this name for itself. Rename the parameter.",
    ),
    "unknown name": (
        unknown_name,
        "Tool 'unknown_name': an annotation uses 'Missing', which is not defined where the tool is declared. "
        "Import it there, also when annotations are postponed.",
    ),
    "unknown attribute": (
        unknown_attribute,
        "Tool 'unknown_attribute': an annotation cannot be read: module 'enum' has no attribute 'Missing'.",
    ),
    "own class": (
        own_class,
        "Tool 'own_class': a parameter's type has no schema. Unable to generate pydantic-core schema for "
        "<class 'tests.core.test_refused_definitions.Pool'>. Set `arbitrary_types_allowed=True` in the model_config "
        "to ignore this error or implement `__get_pydantic_core_schema__` on your type to fully support it.",
    ),
    "callback": (
        callback,
        "Tool 'callback': a parameter cannot be described in JSON Schema. Cannot generate a JsonSchema for "
        "core_schema.CallableSchema. Use a type with a JSON form.",
    ),
    "class": (
        classes,
        "Tool 'classes': a parameter cannot be described in JSON Schema. Cannot generate a JsonSchema for "
        "core_schema.IsInstanceSchema (<class 'type'>). Use a type with a JSON form.",
    ),
    "iterable": (
        lazily,
        "Tool 'lazily': an Iterable is checked only while the tool runs, too late for the model. Use list[...].",
    ),
    "iterable inside": (
        lazily_inside,
        "Tool 'lazily_inside': an Iterable is checked only while the tool runs, too late for the model. Use list[...].",
    ),
    "open model": (
        open_model,
        "Tool 'open_model': the model 'Open' allows extra fields, so a misspelt name would pass unseen. "
        "Remove extra='allow', or use dict[str, ...] for free keys.",
    ),
    "choices JSON cannot name": (
        choice_of_tuples,
        "Tool 'choice_of_tuples': the choices [[0, 0]] are not all texts, numbers or booleans, so no call could "
        "name them. Choose by a name.",
    ),
    "None for an integer": (
        default_of_another_type,
        "Tool 'default_of_another_type', parameter 'x': the default None breaks the parameter's own rule "
        "(Input should be a valid integer). Change the default or the type.",
    ),
    "default out of range": (
        default_out_of_range,
        "Tool 'default_out_of_range', parameter 'x': the default 5 breaks the parameter's own rule "
        "(Input should be less than or equal to 3). Change the default or the type.",
    ),
    "two contexts": (two_contexts, "Tool 'two_contexts' has two Context parameters: a, b. One is enough."),
    "generator": (generator, "Tool 'generator' yields its values, but a call has one answer. Return a list."),
    "async generator": (
        async_generator,
        "Tool 'async_generator' yields its values, but a call has one answer. Return a list.",
    ),
    "docstring of another function": (
        stale_docstring,
        "Tool 'stale_docstring': the docstring describes 'y', which is no parameter. Parameters: x.",
    ),
    "kept for a role but required": (
        only_for_required,
        "Tool 'only_for_required', parameter 'x': other roles can never send it. Give it a default.",
    ),
    "role inside a type": (
        only_for_inside,
        "Tool 'only_for_inside': OnlyFor stands inside a type. Put it around the whole parameter: "
        'Annotated[bool | None, OnlyFor("admin")].',
    ),
    "a class": (Pool, "Tool 'Pool': Pool is a class. Register a function or a bound method."),
    "no function": (5, "Tool 'five' has no function: 5 cannot be called."),
    "no signature": (
        dict.fromkeys,
        "Tool 'fromkeys', parameter 'iterable' is positional-only, but models send names. Remove the '/'.",
    ),
}


@pytest.mark.row("T2")
@pytest.mark.parametrize(("func", "text"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_become_a_tool(undeclarable, func, text):
    """The text names the tool, the parameter, the rule and the remedy."""
    assert undeclarable(func, name="five" if func == 5 else None) == text


@pytest.mark.row("T2")
@pytest.mark.parametrize("func", [unreadable, no_type, default_without_json])
def test_what_python_or_pydantic_cannot_read(undeclarable, func):
    """The reason is theirs, the tool's name is ours, and the type of the exception says whose fault it is."""
    assert undeclarable(func).startswith(f"Tool {func.__name__!r}")


def test_a_built_in_without_signature(undeclarable):
    """Some callables of C do not tell their parameters."""
    expected = "Tool 'max' has no signature to read. Wrap it in a function of your own."
    assert undeclarable(max) == expected


@pytest.mark.row("T2")
def test_no_description(registry):
    """A tool without a word about what it does is refused."""
    with pytest.raises(ToolDefinitionError) as caught:

        @tool(registry)
        def silent(x: int): ...

    assert str(caught.value) == "Tool 'silent' has no description. Say what it does and when to call it."


def test_a_docstring_of_sections_only_is_no_description(registry):
    """What is for people never reaches a model, so it cannot be the description either."""
    with pytest.raises(ToolDefinitionError, match="has no description"):

        @tool(registry)
        def silent(x: int):
            """
            Returns:
                Nothing.
            """


def test_a_decorator_without_its_registry():
    """`@tool` without parentheses would register nothing and say nothing."""
    with pytest.raises(ToolDefinitionError) as caught:

        @tool
        def forgotten(x: int): ...

    assert str(caught.value).startswith("tool() needs a registry: write @tool(registry), not @tool. It got <function")


def test_a_callable_without_a_name(registry):
    """A partial has none of its own."""
    with pytest.raises(ToolDefinitionError) as caught:
        tool(registry)(functools.partial(bare))
    assert str(caught.value).endswith("has no name of its own. Give it one: tool(registry, name=...).")


GIVEN: dict[str, tuple[Any, Any, str]] = {
    "not a model": (
        dict,
        lambda a: ...,
        "Tool 'use': model must be a class derived from BaseModel, not <class 'dict'>.",
    ),
    "a parameter the model lacks": (
        Open,
        lambda a, b: ...,
        "Tool 'use': the function needs 'b', which Open does not have. "
        "Add the field to the model or give the parameter a default.",
    ),
    "a field the function lacks": (
        Open,
        lambda: ...,
        "Tool 'use': Open has the field 'a', which the function does not take. Add the parameter 'a' to the function.",
    ),
    "a field only by position": (
        Open,
        lambda a, /: ...,
        "Tool 'use': Open has the field 'a', which the function does not take. Add the parameter 'a' to the function.",
    ),
}


@pytest.mark.row("T2")
@pytest.mark.parametrize(("model", "func", "text"), GIVEN.values(), ids=GIVEN)
def test_a_given_model_and_its_function_must_agree(undeclarable, model, func, text):
    """Both ways: a call that passes the check can always be made."""
    assert undeclarable(func, model=model, name="use") == text


def test_a_given_model_without_named_fields(undeclarable):
    """The arguments of a call are an object."""
    text = undeclarable(lambda root: ..., model=RootModel[int], name="use")
    assert text.startswith("Tool 'use' cannot be read: `RootModel` does not support setting `model_config['extra']`")


def test_a_given_model_that_reads_a_path(undeclarable):
    """No schema can say that a field is read from inside another."""

    class Deep(BaseModel):
        a: int = Field(validation_alias=AliasPath("outer", "a"))

    assert undeclarable(lambda a: ..., model=Deep, name="use") == (
        "Tool 'use': Deep.a is read by an AliasPath, which no schema can say. Nest a model, or use a plain alias."
    )


@pytest.mark.row("T2")
def test_a_refused_declaration_changes_nothing():
    """The registry's version stays, so no cache is told of a change."""
    registry = Registry()
    with pytest.raises(ToolDefinitionError):
        tool(registry, description="Do it.")(bare)
    assert (len(registry), registry.version) == (0, 0)
