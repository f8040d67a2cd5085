"""One source for contract and validation: a function's signature (or a Pydantic model) becomes an argument model,
and the argument model becomes the JSON Schema a model reads.

Whatever cannot become a tool is refused here, when it is declared, with the remedy.
"""

from __future__ import annotations

import inspect
import json
import re
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from pydantic import BaseModel, ConfigDict, PydanticUserError, TypeAdapter, ValidationError, create_model
from pydantic.errors import PydanticSchemaGenerationError
from pydantic.fields import FieldInfo
from pydantic.json_schema import PydanticJsonSchemaWarning

from toolkit.docstring import parse_docstring
from toolkit.errors import ToolDefinitionError
from toolkit.json_schema import tidy
from toolkit.records import Context

_RESERVED = {name for name in dir(BaseModel) if name.startswith("model_")}
_CONFIG = ConfigDict(allow_inf_nan=False, protected_namespaces=(), extra="forbid")


class OnlyFor:
    """Marks a parameter that only some roles may see and send: `Annotated[bool, OnlyFor("admin")] = False`."""

    def __init__(self, *roles: str) -> None:
        self.roles = frozenset(roles)


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
    validate_json: Callable[[str | bytes], BaseModel]
    context_parameter: str | None
    resources: Mapping[str, Resource]
    restricted: Mapping[str, frozenset[str]]
    returns: Any
    dates: Mapping[str, re.Pattern[str]]


def read_signature(
    func: Callable[..., Any],
    name: str,
    *,
    model: type[BaseModel] | None = None,
    namespace: Mapping[str, Any] | None = None,
) -> Signature:
    """Read a function into a `Signature`.

    Args:
        func: The tool's function; it is not changed and not wrapped.
        name: The tool's name, for messages.
        model: A Pydantic model of the arguments, where the signature is not the source.
        namespace: Local names that postponed annotations may use.

    Raises:
        ToolDefinitionError: naming the tool, the parameter, the rule and the remedy.
    """
    hints = _type_hints(func, name, namespace)
    text = parse_docstring(func.__doc__)
    fields: dict[str, tuple[Any, FieldInfo]] = {}
    resources: dict[str, Resource] = {}
    context_parameter = None
    for parameter in inspect.signature(func).parameters.values():
        hint = hints.get(parameter.name, parameter.empty)
        marks = get_args(hint)[1:] if get_origin(hint) is Annotated else ()
        found = next((mark for mark in marks if isinstance(mark, Resource)), None)
        if found is not None:
            resources[parameter.name] = found
        elif hint is Context or (Context in get_args(hint) and type(None) in get_args(hint)):
            context_parameter = parameter.name
        elif model is None:
            _check_parameter(name, parameter, hint)
            fields[parameter.name] = _field(parameter, hint, text.parameters.get(parameter.name))
        elif _unmet(parameter, model):
            raise ToolDefinitionError(
                f"Tool {name!r}: the function needs {parameter.name!r}, which {model.__name__} does not have. "
                f"Add the field to the model or give the parameter a default."
            )
    unknown = sorted(set(text.parameters) - set(fields) - set(resources) - {context_parameter})
    if unknown and model is None:
        raise ToolDefinitionError(
            f"Tool {name!r}: the docstring describes {unknown[0]!r}, which is no parameter. "
            f"Parameters: {', '.join(fields) or 'none'}."
        )
    built = _closed(model, name) if model is not None else _build(name, fields)
    parameters = _parameters(built, name)
    return Signature(
        model=built,
        description=text.description,
        parameters=parameters,
        names=tuple(parameters["properties"]),
        validate_json=partial(built.__pydantic_validator__.validate_json, strict=True, extra="forbid"),
        context_parameter=context_parameter,
        resources=resources,
        restricted=_restricted(built),
        returns=hints.get("return", inspect.Signature.empty),
        dates=_dates(parameters),
    )


def _unmet(parameter: inspect.Parameter, model: type[BaseModel]) -> bool:
    required = parameter.default is parameter.empty and parameter.kind is not parameter.VAR_KEYWORD
    return required and parameter.name not in model.model_fields


def _type_hints(func: Callable[..., Any], name: str, namespace: Mapping[str, Any] | None) -> dict[str, Any]:
    target = inspect.unwrap(func)
    try:
        return get_type_hints(target, localns=dict(namespace or {}), include_extras=True)
    except NameError as error:
        raise ToolDefinitionError(
            f"Tool {name!r}: an annotation uses {error.name!r}, which is not defined where the tool is declared. "
            f"Import it there, also when annotations are postponed."
        ) from None


def _check_parameter(name: str, parameter: inspect.Parameter, hint: Any) -> None:
    where = f"Tool {name!r}, parameter {parameter.name!r}"
    if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
        stars = "*" if parameter.kind is parameter.VAR_POSITIONAL else "**"
        raise ToolDefinitionError(
            f"{where}: {stars}{parameter.name} has no schema. Name each parameter, or use a list or a model."
        )
    if parameter.kind is parameter.POSITIONAL_ONLY:
        raise ToolDefinitionError(f"{where} is positional-only, but models send names. Remove the '/'.")
    if hint is parameter.empty:
        raise ToolDefinitionError(f"{where} has no annotation, so it has no schema. Annotate it, for example `: str`.")
    if parameter.name.startswith("_") or parameter.name in _RESERVED:
        raise ToolDefinitionError(f"{where}: Pydantic keeps this name for itself. Rename the parameter.")


def _field(parameter: inspect.Parameter, hint: Any, description: str | None) -> tuple[Any, FieldInfo]:
    default = ... if parameter.default is parameter.empty else parameter.default
    if isinstance(default, FieldInfo):
        info = default
        default = ... if info.is_required() else info.get_default(call_default_factory=True)
    else:
        info = FieldInfo.from_annotation(hint)
    text = info.description or _described(hint) or description
    return hint, FieldInfo.merge_field_infos(info, FieldInfo(default=default, description=text, annotation=hint))


def _described(hint: Any) -> str | None:
    marks = get_args(hint)[1:] if get_origin(hint) is Annotated else ()
    return next((m.description for m in marks if isinstance(m, FieldInfo) and m.description), None)


def _build(name: str, fields: Mapping[str, tuple[Any, FieldInfo]]) -> type[BaseModel]:
    def make() -> type[BaseModel]:
        definitions: dict[str, Any] = dict(fields)
        return create_model(name, __config__=_CONFIG, **definitions)

    return _guarded(name, make)


def _closed(model: type[BaseModel], name: str) -> type[BaseModel]:
    """A subclass of a given model that refuses unknown keys, as the schema says."""
    return _guarded(name, lambda: type(model.__name__, (model,), {"model_config": _CONFIG, "__module__": __name__}))


def _guarded(name: str, make: Callable[[], type[BaseModel]]) -> type[BaseModel]:
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message="Field name .* shadows an attribute")
            return make()
    except PydanticSchemaGenerationError as error:
        first = str(error).splitlines()[0]
        raise ToolDefinitionError(f"Tool {name!r}: a parameter's type has no schema. {first}") from None
    except (PydanticUserError, TypeError, NameError) as error:
        raise ToolDefinitionError(f"Tool {name!r} cannot be read: {str(error).splitlines()[0]}") from None


def _parameters(model: type[BaseModel], name: str) -> dict[str, Any]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", PydanticJsonSchemaWarning)
            raw = model.model_json_schema()
    except (PydanticUserError, PydanticJsonSchemaWarning) as error:
        first = str(error).splitlines()[0]
        raise ToolDefinitionError(
            f"Tool {name!r}: a parameter cannot be described in JSON Schema. {first}. Use a type with a JSON form."
        ) from None
    _check_defaults(model, name)
    return tidy(raw, name)


def _check_defaults(model: type[BaseModel], name: str) -> None:
    for field_name, field in model.model_fields.items():
        if field.is_required() or field.default_factory is not None:
            continue
        hint: Any = Annotated[(field.annotation, *field.metadata)] if field.metadata else field.annotation
        try:
            TypeAdapter[Any](hint).validate_python(field.default)
        except ValidationError as error:
            why = error.errors()[0]["msg"]
            raise ToolDefinitionError(
                f"Tool {name!r}, parameter {field_name!r}: the default {field.default!r} breaks the parameter's own "
                f"rule ({why}). Change the default or the type."
            ) from None


def _dates(parameters: Mapping[str, Any]) -> dict[str, re.Pattern[str]]:
    """For each parameter that holds a date or a time: how it looks in JSON text when it was written as a date."""
    return {
        name: re.compile(rf'"{re.escape(name)}"\s*:\s*"\d{{4}}-')
        for name, node in parameters["properties"].items()
        if re.search(r'"format": "(date|time)', json.dumps(node))
    }


def _restricted(model: type[BaseModel]) -> dict[str, frozenset[str]]:
    found = {}
    for name, field in model.model_fields.items():
        mark = next((each for each in field.metadata if isinstance(each, OnlyFor)), None)
        if mark is not None:
            found[name] = mark.roles
    return found
