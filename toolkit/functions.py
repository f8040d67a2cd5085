"""What a Python callable says of itself: its signature, its annotations, the function that carries its docstring.

A method, a partial, a wrapper, an object with `__call__` are all fit to be tools; what they have filled in already is
nobody else's to see.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import partial
from typing import Annotated, Any, NamedTuple, get_args, get_origin, get_type_hints

from toolkit.errors import ToolDefinitionError


class Scope(NamedTuple):
    """Where a tool is declared: postponed annotations may use local names of that place."""

    module: Mapping[str, Any]
    local_names: Mapping[str, Any]


def target_of(func: Callable[..., Any], name: str) -> Callable[..., Any]:
    """The function that holds annotations and docstring: inside a partial, a callable object, a wrapper."""
    if not callable(func):
        raise ToolDefinitionError(f"Tool {name!r} has no function: {func!r} cannot be called.")
    if isinstance(func, type):
        raise ToolDefinitionError(f"Tool {name!r}: {func.__name__} is a class. Register a function or a bound method.")
    inner: Any = func
    while isinstance(inner, partial):
        inner = inner.func
    target: Callable[..., Any] = inspect.unwrap(inner if inspect.isroutine(inner) else inner.__call__)
    if inspect.isgeneratorfunction(target) or inspect.isasyncgenfunction(target):
        raise ToolDefinitionError(f"Tool {name!r} yields its values, but a call has one answer. Return a list.")
    return target


def open_parameters(func: Callable[..., Any], name: str) -> list[inspect.Parameter]:
    """What is still open to a caller; what a partial has filled in is not the model's to see or to change."""
    try:
        found = inspect.signature(func).parameters.values()
    except ValueError:
        raise ToolDefinitionError(
            f"Tool {name!r} has no signature to read. Wrap it in a function of your own."
        ) from None
    filled = func.keywords if isinstance(func, partial) else {}
    return [parameter for parameter in found if parameter.name not in filled]


def type_hints_of(target: Callable[..., Any], name: str, scope: Scope | None) -> dict[str, Any]:
    """The annotations, read in the function's own module; local names count where it is declared in that module."""
    here = scope is not None and getattr(target, "__globals__", None) is scope.module
    try:
        return get_type_hints(target, localns=dict(scope.local_names) if here and scope else None, include_extras=True)
    except NameError as error:
        raise ToolDefinitionError(
            f"Tool {name!r}: an annotation uses {error.name!r}, which is not defined where the tool is declared. "
            f"Import it there, also when annotations are postponed."
        ) from None
    except (TypeError, AttributeError, SyntaxError) as error:
        raise ToolDefinitionError(f"Tool {name!r}: an annotation cannot be read: {error}.") from None


def unwrapped(hint: Any) -> tuple[Any, tuple[Any, ...]]:
    """An annotation and the marks around it."""
    if get_origin(hint) is Annotated:
        base, *marks = get_args(hint)
        return base, tuple(marks)
    return hint, ()
