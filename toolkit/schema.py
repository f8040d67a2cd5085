"""One source for contract and validation: a function's signature (or a Pydantic model) becomes an argument model,
and the argument model becomes the JSON Schema a model reads.

Whatever cannot become a tool is refused here, when it is declared, with the remedy.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, get_args

from pydantic import BaseModel, Field, GetJsonSchemaHandler
from pydantic.fields import FieldInfo

from toolkit.argument_model import Reader, build_model, close_model, describe, reader_of
from toolkit.docstring import Docstring, parse_docstring
from toolkit.errors import ToolDefinitionError
from toolkit.functions import Scope, open_parameters, target_of, type_hints_of, unwrapped
from toolkit.json_schema import walk
from toolkit.records import Context

_RESERVED = {name for name in dir(BaseModel) if name.startswith("model_")}
_ONLY_FOR = "x-only-for"
_NO_DEFAULT = inspect.Parameter.empty


class OnlyFor:
    """Marks a parameter that only some roles may see and send: `Annotated[bool, OnlyFor("admin")] = False`."""

    def __init__(self, *roles: str) -> None:
        self.roles = frozenset(roles)

    def __get_pydantic_json_schema__(self, core_schema: Any, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        """Carry the roles in the schema as far as `_take_roles`, so that a mark in any other place is found too."""
        return {**handler(core_schema), _ONLY_FOR: sorted(self.roles)}


class Resource:
    """Marks a parameter the gateway fills in: `Annotated[Pool, Resource(open_pool)]`, never shown to the model.

    `opener` returns a context manager, sync or async. It is entered once, before the first call that needs it,
    shared by all calls of all tools that name the same opener, and left when the gateway closes.
    """

    def __init__(self, opener: Callable[[], Any]) -> None:
        self.opener = opener


@dataclass(frozen=True, slots=True)
class Signature:
    """What layer 2 knows of a function: the argument model, its schema, and what is filled in by the gateway."""

    model: type[BaseModel]
    description: str
    parameters: dict[str, Any]
    names: tuple[str, ...]
    reader: Reader
    context_parameter: str | None
    resources: Mapping[str, Resource]
    restricted: Mapping[str, frozenset[str]]
    returns: Any


def read_signature(
    func: Callable[..., Any],
    name: str,
    *,
    model: type[BaseModel] | None = None,
    scope: Scope | None = None,
) -> Signature:
    """Read a function into a `Signature`.

    Args:
        func: The tool's function; it is not changed and not wrapped.
        name: The tool's name, for messages.
        model: A Pydantic model of the arguments, where the signature is not the source.
        scope: Where it is declared.

    Raises:
        ToolDefinitionError: naming the tool, the parameter, the rule and the remedy.
    """
    target = target_of(func, name)
    hints = type_hints_of(target, name, scope)
    text = parse_docstring(target.__doc__)
    asked, contexts, resources = [], [], {}
    for parameter in open_parameters(func, name):
        base, marks = unwrapped(hints.get(parameter.name, parameter.empty))
        opened = next((mark for mark in marks if isinstance(mark, Resource)), None)
        if opened is not None:
            resources[parameter.name] = opened
        elif base is Context or get_args(base) in ((Context, type(None)), (type(None), Context)):
            contexts.append(parameter.name)
        else:
            asked.append(parameter)
    if len(contexts) > 1:
        raise ToolDefinitionError(f"Tool {name!r} has two Context parameters: {', '.join(contexts)}. One is enough.")
    built = _build(target, name, asked, hints, text) if model is None else _given(name, asked, model)
    parameters = describe(built, name)
    restricted = _take_roles(built, name, parameters)
    return Signature(
        model=built,
        description=text.description,
        parameters=parameters,
        names=tuple(parameters["properties"]),
        reader=reader_of(built, name),
        context_parameter=contexts[0] if contexts else None,
        resources=resources,
        restricted=restricted,
        returns=hints.get("return", inspect.Signature.empty),
    )


def _build(
    target: Callable[..., Any],
    name: str,
    asked: Sequence[inspect.Parameter],
    hints: Mapping[str, Any],
    text: Docstring,
) -> type[BaseModel]:
    fields = {}
    for parameter in asked:
        hint = hints.get(parameter.name, parameter.empty)
        _check_parameter(name, parameter, hint)
        fields[parameter.name] = _field(parameter, hint, text.parameters.get(parameter.name))
    unknown = sorted(set(text.parameters) - set(fields))
    unknown = [each for each in unknown if each not in inspect.signature(target).parameters]
    if unknown:
        raise ToolDefinitionError(
            f"Tool {name!r}: the docstring describes {unknown[0]!r}, which is no parameter. "
            f"Parameters: {', '.join(fields) or 'none'}."
        )
    return build_model(name, fields)


def _check_parameter(name: str, parameter: inspect.Parameter, hint: Any) -> None:
    where = f"Tool {name!r}, parameter {parameter.name!r}"
    if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
        stars = "*" if parameter.kind is parameter.VAR_POSITIONAL else "**"
        raise ToolDefinitionError(
            f"{where}: {stars}{parameter.name} has no schema. Name each parameter, or use a list or a model."
        )
    if parameter.kind is parameter.POSITIONAL_ONLY:
        raise ToolDefinitionError(f"{where} is positional-only, but models send names. Remove the '/'.")
    if hint is parameter.empty and parameter.name in ("self", "cls"):
        raise ToolDefinitionError(f"{where}: this is a method without its object. Register the bound method.")
    if hint is parameter.empty:
        raise ToolDefinitionError(f"{where} has no annotation, so it has no schema. Annotate it, for example `: str`.")
    if parameter.name.startswith("_") or parameter.name in _RESERVED:
        raise ToolDefinitionError(f"{where}: Pydantic keeps this name for itself. Rename the parameter.")


def _field(parameter: inspect.Parameter, hint: Any, description: str | None) -> tuple[Any, Any]:
    """Annotation and default; the docstring's text counts where no `Field` describes the parameter."""
    default = ... if parameter.default is _NO_DEFAULT else parameter.default
    described = [mark for mark in (*unwrapped(hint)[1], default) if isinstance(mark, FieldInfo) and mark.description]
    return (Annotated[hint, Field(description=description)] if description and not described else hint), default


def _given(name: str, asked: Sequence[inspect.Parameter], model: type[BaseModel]) -> type[BaseModel]:
    """A given model, once it is certain that the function takes what the model gives."""
    built = close_model(name, model)
    taken = {parameter.name for parameter in asked if parameter.kind is not parameter.POSITIONAL_ONLY}
    takes_any = any(parameter.kind is parameter.VAR_KEYWORD for parameter in asked)
    for parameter in asked:
        optional = parameter.default is not _NO_DEFAULT or parameter.kind in (
            parameter.VAR_KEYWORD,
            parameter.VAR_POSITIONAL,
        )
        if not optional and parameter.name not in model.model_fields:
            raise ToolDefinitionError(
                f"Tool {name!r}: the function needs {parameter.name!r}, which {model.__name__} does not have. "
                f"Add the field to the model or give the parameter a default."
            )
    for field in model.model_fields:
        if field not in taken and not takes_any:
            raise ToolDefinitionError(
                f"Tool {name!r}: {model.__name__} has the field {field!r}, which the function does not take. "
                f"Add the parameter {field!r} to the function."
            )
    return built


def _take_roles(model: type[BaseModel], name: str, parameters: dict[str, Any]) -> dict[str, frozenset[str]]:
    """Move the roles of `OnlyFor` out of the schema, by the name the model sends."""
    restricted = {}
    for key, node in parameters["properties"].items():
        if _ONLY_FOR in node:
            restricted[key] = frozenset(node.pop(_ONLY_FOR))
    if any(_ONLY_FOR in node for _, node in walk(parameters)):
        raise ToolDefinitionError(
            f"Tool {name!r}: OnlyFor stands inside a type. Put it around the whole parameter: "
            'Annotated[bool | None, OnlyFor("admin")].'
        )
    for key in restricted:
        if key in parameters["required"]:
            raise ToolDefinitionError(
                f"Tool {name!r}, parameter {key!r}: other roles can never send it. Give it a default."
            )
    if restricted and any(not isinstance(each.validation_alias, str | None) for each in model.model_fields.values()):
        raise ToolDefinitionError(
            f"Tool {name!r} has OnlyFor beside AliasChoices, which would be a second way in. Use one alias."
        )
    return restricted
