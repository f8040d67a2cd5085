"""The Pydantic model of a tool's arguments: built from fields or closed around a given model, then described.

What Pydantic would accept and a contract must not is settled here, once: defaults that break their own rule, iterables
that are only checked while the tool runs, names that a JSON Schema cannot say.
"""

from __future__ import annotations

import math
import re
import warnings
from collections.abc import Callable, Iterator, Mapping
from enum import Enum
from functools import partial
from typing import Any, NamedTuple

from pydantic import AliasPath, BaseModel, ConfigDict, PydanticUserError, ValidationError, create_model
from pydantic.errors import PydanticSchemaGenerationError
from pydantic.json_schema import PydanticJsonSchemaWarning

from toolkit.arguments import INT_MAX, INT_MIN
from toolkit.errors import ToolDefinitionError
from toolkit.json_schema import tidy

_CONFIG = ConfigDict(
    strict=True,
    extra="forbid",
    allow_inf_nan=False,
    validate_by_alias=True,
    validate_by_name=False,
    protected_namespaces=(),
)
_SCALARS = {"str", "int", "float", "bool", "none", "date", "datetime", "time", "timedelta", "uuid"}


def build_model(name: str, fields: Mapping[str, tuple[Any, Any]]) -> type[BaseModel]:
    """A model of these fields, each a pair of annotation and default (`...` where there is none).

    Raises:
        ToolDefinitionError: a type has no schema, or a default breaks the rule of its own parameter.
    """
    definitions: dict[str, Any] = dict(fields)
    model = _guarded(name, lambda: create_model(name, __config__=_CONFIG, **definitions))
    for field_name, field in model.model_fields.items():
        if field.is_required() or field.default_factory is not None:
            continue
        try:
            model.__pydantic_validator__.validate_assignment(
                model.model_construct(), field_name, field.default, strict=False
            )
        except ValidationError as error:
            why = error.errors()[0]["msg"]
            raise ToolDefinitionError(
                f"Tool {name!r}, parameter {field_name!r}: the default {field.default!r} breaks the parameter's own "
                f"rule ({why}). Change the default or the type."
            ) from None
    return model


def close_model(name: str, model: type[BaseModel]) -> type[BaseModel]:
    """A subclass of a given model that refuses unknown keys and infinite numbers, as the schema says."""
    if not (isinstance(model, type) and issubclass(model, BaseModel)):
        raise ToolDefinitionError(f"Tool {name!r}: model must be a class derived from BaseModel, not {model!r}.")
    for field_name, field in model.model_fields.items():
        if isinstance(field.validation_alias, AliasPath):
            raise ToolDefinitionError(
                f"Tool {name!r}: {model.__name__}.{field_name} is read by an AliasPath, which no schema can say. "
                "Nest a model, or use a plain alias."
            )
    body = {"model_config": _CONFIG, "__module__": model.__module__}
    return _guarded(name, lambda: type(model.__name__, (model,), body))


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


def describe(model: type[BaseModel], name: str) -> dict[str, Any]:
    """The JSON Schema a language model reads.

    Raises:
        ToolDefinitionError: a type, or a default, has no form in JSON.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", PydanticJsonSchemaWarning)
            raw = model.model_json_schema()
    except (PydanticUserError, PydanticJsonSchemaWarning) as error:
        first = str(error).splitlines()[0]
        raise ToolDefinitionError(
            f"Tool {name!r}: a parameter cannot be described in JSON Schema. {first}. Use a type with a JSON form."
        ) from None
    return tidy(raw, name)


class Quick(NamedTuple):
    """What is left to look at once a flat call has passed in one step.

    `numbers` are the fields whose own bounds do not keep them within 64 bits. `dates` has, for each field that holds
    a date, a search in the JSON text for its key and the beginning of a date, which no number begins like.
    """

    numbers: tuple[str, ...]
    dates: tuple[tuple[str, Callable[[str], re.Match[str] | None]], ...]


class Reader(NamedTuple):
    """How a call's JSON becomes a model.

    `validate_json` is strict and takes the names of the schema only. `quick` is None where a call always needs the
    complete check. `confusable`: Pydantic may take one thing for another here, a number for a date, true for 1.
    """

    validate_json: Callable[..., BaseModel]
    quick: Quick | None
    confusable: bool


def reader_of(model: type[BaseModel], name: str) -> Reader:
    """The reader of a model.

    Raises:
        ToolDefinitionError: it holds an iterable, which Pydantic checks only when the tool consumes it.
    """
    core: Any = model.__pydantic_core_schema__
    validate_json = model.__pydantic_validator__.validate_json
    quick = _quick(core)
    if quick is not None:
        return Reader(validate_json, quick, bool(quick.dates))
    kinds = set(_kinds(core))
    if "generator" in kinds:
        raise ToolDefinitionError(
            f"Tool {name!r}: an Iterable is checked only while the tool runs, too late for the model. Use list[...]."
        )
    # A model's config does not reach into nested models, so there it is said again.
    everywhere = partial(validate_json, strict=True, extra="forbid", by_alias=True, by_name=False)
    return Reader(everywhere, None, bool(kinds & {"date", "datetime", "choice", "is-instance"}))


def _kinds(core: Any) -> Iterator[str]:
    """The kinds of all parts of a core schema; choices that are not all texts count as `choice`."""
    if isinstance(core, dict):
        if isinstance(kind := core.get("type"), str):
            yield "choice" if kind in ("literal", "enum") and not _texts(core) else kind
        yield from (kind for key, each in core.items() if key != "metadata" for kind in _kinds(each))
    elif isinstance(core, list | tuple):
        yield from (kind for each in core for kind in _kinds(each))


def _texts(core: Mapping[str, Any]) -> bool:
    if core["type"] == "literal":
        return all(isinstance(value, str) for value in core["expected"])
    guesses = core["cls"]._missing_.__func__ is not Enum._missing_.__func__  # type: ignore[attr-defined]
    return not guesses and all(isinstance(member.value, str) for member in core["members"])


def _quick(core: Any) -> Quick | None:
    """The quick check of a model that is flat, of plain scalars and without code of the author's own; else None."""
    if core["type"] != "model" or core.get("post_init") or core.get("custom_init"):
        return None
    if core["schema"]["type"] != "model-fields":
        return None
    numbers, dates = [], []
    for name, field in core["schema"]["fields"].items():
        scalar, key = _scalar(field["schema"]), field.get("validation_alias", name)
        if scalar is None or not isinstance(key, str):
            return None
        if scalar["type"] in ("int", "float") and not _bounded(scalar):
            numbers.append(name)
        if scalar["type"] in ("date", "datetime"):
            dates.append((name, re.compile(rf'"{re.escape(key)}"\s*:\s*"\d{{4}}-').search))
    return Quick(tuple(numbers), tuple(dates))


def _scalar(core: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The schema of a plain scalar, through defaults and None; None for everything else, such as True beside 1."""
    kind: str = core["type"]
    if kind in ("default", "nullable"):
        return _scalar(core["schema"])
    plain = _texts(core) if kind in ("literal", "enum") else kind in _SCALARS
    return core if plain else None


def _bounded(core: Mapping[str, Any]) -> bool:
    low, high = core.get("ge", core.get("gt", -math.inf)), core.get("le", core.get("lt", math.inf))
    return bool(low >= INT_MIN and high <= INT_MAX)
