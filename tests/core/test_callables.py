"""What can be a tool besides a plain function, and what of it the model sees."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Callable
from typing import Any

import pytest
from pydantic import BaseModel

from toolkit import Registry, tool
from toolkit.validation import validate


class Desk:
    """A hotel's front desk."""

    def __init__(self, hotel: str) -> None:
        self.hotel = hotel

    def greet(self, guest: str, loud: bool = False) -> str:
        """Greet a guest.

        Args:
            guest: The guest's name.
        """
        return f"{self.hotel}: {guest}{'!' if loud else ''}"

    @classmethod
    def open_many(cls, count: int) -> int:
        """Open several desks."""
        return count

    @staticmethod
    def ring(times: int) -> int:
        """Ring the bell."""
        return times


class Concierge:
    """Answers a question."""

    def __call__(self, question: str) -> str:
        """Answer a question about the city."""
        return question.upper()


def charge(amount: int, key: str, currency: str = "USD") -> str:
    """Charge an amount."""
    return f"{amount} {currency} {key}"


def run(registry: Registry, name: str, raw: str) -> Any:
    model, _ = validate(registry[name], raw)
    return registry[name].func(**model.__dict__)


@pytest.mark.row("T2")
def test_a_bound_method(registry):
    """Its object is not a parameter; its docstring describes it."""
    tool(registry)(Desk("Bell Tower").greet)
    assert registry["greet"].parameters["properties"] == {
        "guest": {"type": "string", "description": "The guest's name."},
        "loud": {"type": "boolean", "default": False},
    }
    assert registry["greet"].description == "Greet a guest."
    assert run(registry, "greet", '{"guest": "Li"}') == "Bell Tower: Li"


@pytest.mark.parametrize(("func", "raw"), [(Desk.open_many, '{"count": 3}'), (Desk.ring, '{"times": 3}')])
def test_class_methods_and_static_methods(registry, func, raw):
    """Both are called as they stand."""
    tool(registry)(func)
    assert run(registry, func.__name__, raw) == 3


def test_a_static_method_inside_its_class(registry):
    """The decorator may stand above `@staticmethod`."""

    class Bell:
        @tool(registry)
        @staticmethod
        def ring_bell(times: int) -> int:
            """Ring."""
            return times

    assert run(registry, "ring_bell", '{"times": 2}') == Bell.ring_bell(2) == 2


def test_a_callable_object(registry):
    """Its `__call__` carries signature and docstring; the name has to be given."""
    tool(registry, name="ask_concierge")(Concierge())
    assert registry["ask_concierge"].description == "Answer a question about the city."
    assert run(registry, "ask_concierge", '{"question": "where"}') == "WHERE"


@pytest.mark.row("T2", "S6")
def test_what_a_partial_has_filled_in_is_not_shown(registry):
    """A key given by the author is neither shown to the model nor accepted from it."""
    tool(registry, name="charge")(functools.partial(charge, key="secret"))
    assert list(registry["charge"].parameters["properties"]) == ["amount", "currency"]
    assert "secret" not in str(registry.openai_tools())
    assert run(registry, "charge", '{"amount": 5}') == "5 USD secret"


def test_a_partial_with_a_value_by_position(registry):
    """What is filled in by position is gone as well; the docstring is the inner function's."""
    tool(registry, name="charge_five")(functools.partial(functools.partial(charge, 5), currency="EUR"))
    assert registry["charge_five"].description == "Charge an amount."
    assert run(registry, "charge_five", '{"key": "k"}') == "5 EUR k"


def test_a_wrapped_function(registry):
    """`functools.wraps` leads to the annotations, which may be postponed, as they are in this file."""

    def logged(func: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(func)
        def inner(*args: Any, **kwargs: Any) -> Any:
            return func(*args, **kwargs)

        return inner

    tool(registry)(logged(charge))
    assert run(registry, "charge", '{"amount": 5, "key": "k"}') == "5 USD k"


def test_a_cached_function(registry):
    """So does `functools.cache`."""
    tool(registry)(functools.cache(charge))
    assert run(registry, "charge", '{"amount": 5, "key": "k"}') == "5 USD k"


def test_an_async_function(registry):
    """The decorator does not care; the gateway awaits it."""

    @tool(registry)
    async def double(number: int) -> int:
        """Double a number."""
        return 2 * number

    assert asyncio.run(run(registry, "double", '{"number": 4}')) == 8


@pytest.mark.row("T2")
def test_the_function_comes_back_unchanged(registry):
    """Same object, same signature: it can still be called and tested as what it is."""
    assert tool(registry)(charge) is charge
    assert charge(1, "k") == "1 USD k"


AWKWARD = [
    "copy",
    "json",
    "schema",
    "dict",
    "validate",
    "construct",
    "self_",
    "fields",
    "registry",
    "func",
    "name",
    "type",
]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("name", AWKWARD)
def test_a_parameter_may_have_a_name_that_pydantic_uses(registry, name):
    """Pydantic's own methods are no reason to rename a parameter; no warning is left either."""
    scope: dict[str, Any] = {}
    exec(f"def use({name}: str = 'a', other: int = 1) -> str: 'Use it.'; return {name}", scope)
    tool(registry)(scope["use"])
    assert list(registry["use"].parameters["properties"]) == [name, "other"]
    assert run(registry, "use", f'{{"{name}": "b"}}') == "b"


@pytest.mark.row("T1")
def test_a_word_inside_a_name_is_left_alone(registry):
    """`power_toolbox` does not become `powerbox`."""

    @tool(registry)
    def power_toolbox() -> None:
        """Open it."""

    @tool(registry, name="unlock_tool")
    def unlock() -> None:
        """Unlock it."""

    assert list(registry) == ["power_toolbox", "unlock_tool"]


def test_two_tools_have_two_schemas(registry):
    """A decorator must not build every schema from one model."""

    @tool(registry)
    def one(a: int) -> None:
        """One."""

    @tool(registry)
    def two(b: str) -> None:
        """Two."""

    assert [list(entry["function"]["parameters"]["properties"]) for entry in registry.openai_tools()] == [["a"], ["b"]]


class Card(BaseModel):
    """The module's card."""

    number: int


def pay_by_module_card(card: Card) -> None:
    """Pay."""


def test_local_names_do_not_hide_those_of_another_module(registry):
    """A function is read with the names of its own module, wherever it is declared."""
    scope: dict[str, Any] = {"tool": tool, "registry": registry, "pay": pay_by_module_card, "__name__": "elsewhere"}
    exec("class Card: pass\ntool(registry)(pay)", scope)
    assert registry["pay_by_module_card"].parameters["properties"]["card"]["required"] == ["number"]


def test_local_names_do_not_hide_those_of_a_wrapped_function(registry):
    """The wrapper stands in one module, the annotations were written in another."""
    scope: dict[str, Any] = {"__name__": "elsewhere", "functools": functools, "pay": pay_by_module_card}
    scope |= {"tool": tool, "registry": registry}
    exec("class Card: pass\n@tool(registry)\n@functools.wraps(pay)\ndef wrapper(*a, **k): return pay(*a, **k)", scope)
    assert registry["pay_by_module_card"].parameters["properties"]["card"]["required"] == ["number"]


def test_a_partial_of_a_function_with_a_local_class(registry):
    """A partial leads to its function's scope as well."""

    class Slip(BaseModel):
        number: int

    def pay(slip: Slip, key: str) -> None:
        """Pay."""

    tool(registry, name="pay")(functools.partial(pay, key="k"))
    assert registry["pay"].parameters["properties"]["slip"]["required"] == ["number"]


def test_a_class_inside_a_function_can_be_an_annotation(registry):
    """Also when annotations are postponed, as they are in this file, and when it refers to itself."""

    class Tree(BaseModel):
        name: str
        parts: list[Tree] = []

    @tool(registry)
    def plant(tree: Tree, others: dict[str, Tree] | None = None) -> str:
        """Plant."""
        return tree.parts[0].name

    assert run(registry, "plant", '{"tree": {"name": "a", "parts": [{"name": "b"}]}}') == "b"
