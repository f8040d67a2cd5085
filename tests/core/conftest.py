"""Fixtures of the core's tests: declare a function as a tool, hold arguments against it, read what was refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from toolkit import Registry, Tool, ToolDefinitionError, tool
from toolkit.arguments import MalformedArguments
from toolkit.validation import Rejected, validate


@pytest.fixture
def registry() -> Registry:
    return Registry()


@pytest.fixture
def declare(registry: Registry) -> Callable[..., Tool]:
    """Declare a function; a docstring is supplied where the function has none."""

    def make(func: Callable[..., Any], **options: Any) -> Tool:
        options.setdefault("description", None if func.__doc__ else "Do it.")
        tool(registry, **options)(func)
        return list(registry.snapshot().values())[-1]

    return make


@pytest.fixture
def properties(declare: Callable[..., Tool]) -> Callable[..., dict[str, Any]]:
    """The properties of a function's schema."""

    def make(func: Callable[..., Any], **options: Any) -> dict[str, Any]:
        found: dict[str, Any] = declare(func, **options).parameters["properties"]
        return found

    return make


@pytest.fixture
def call(declare: Callable[..., Tool]) -> Callable[..., tuple[dict[str, Any], tuple[str, ...]]]:
    """What a function would be called with, and the notes, for arguments given as JSON text or as an object."""

    def make(func: Callable[..., Any], raw: object, *, lenient: bool = True, **options: Any) -> Any:
        model, notes = validate(declare(func, **options), raw, lenient=lenient)
        return dict(model.__dict__), notes

    return make


@pytest.fixture
def refusal(declare: Callable[..., Tool]) -> Callable[..., str]:
    """The text a model reads when its arguments are refused."""

    def make(func: Callable[..., Any], raw: object, *, lenient: bool = True, **options: Any) -> str:
        text = raw if isinstance(raw, str) or raw is None else json.dumps(raw)
        with pytest.raises((Rejected, MalformedArguments)) as caught:
            validate(declare(func, **options), text, lenient=lenient)
        return str(caught.value)

    return make


@pytest.fixture
def undeclarable(registry: Registry) -> Callable[..., str]:
    """Why a function cannot become a tool; nothing is registered then."""

    def make(func: Callable[..., Any], **options: Any) -> str:
        options.setdefault("description", None if func.__doc__ else "Do it.")
        with pytest.raises(ToolDefinitionError) as caught:
            tool(registry, **options)(func)
        assert len(registry) == 0, "a refused declaration left a tool behind"
        return str(caught.value)

    return make


@pytest.fixture
def of_type() -> Callable[..., Callable[..., Any]]:
    """A function `use(x)` whose parameter has this annotation and, where one is given, this default."""

    def make(annotation: Any, *default: Any) -> Callable[..., Any]:
        def use(x): ...

        def use_default(x=default[0] if default else None): ...

        func = use_default if default else use
        func.__annotations__, func.__name__ = {"x": annotation}, "use"
        return func

    return make
