"""The Pydantic model of a tool's arguments: built from fields or closed around a given model, then described.

What Pydantic would accept and a contract must not is settled here, once: defaults that break their own rule, iterables
that are only checked while the tool runs, names that a JSON Schema cannot say.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Mapping
from typing import Any

from pydantic import AliasPath, BaseModel, ConfigDict, PydanticUserError, ValidationError, create_model
from pydantic.errors import PydanticSchemaGenerationError
from pydantic.json_schema import PydanticJsonSchemaWarning

from toolkit.errors import ToolDefinitionError
from toolkit.json_schema import tidy

_CONFIG = ConfigDict(allow_inf_nan=False, protected_namespaces=(), extra="forbid")
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
            model.__pydantic_validator__.validate_assignment(model.model_construct(), field_name, field.default)
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
    if _holds(model.__pydantic_core_schema__, "generator"):
        raise ToolDefinitionError(
            f"Tool {name!r}: an Iterable is checked only while the tool runs, too late for the model. Use list[...]."
        )
    return tidy(raw, name)


def _holds(core: Any, kind: str) -> bool:
    """Whether a part of this kind stands anywhere in a core schema."""
    if isinstance(core, dict):
        return core.get("type") == kind or any(_holds(each, kind) for each in core.values())
    return isinstance(core, list | tuple) and any(_holds(each, kind) for each in core)


def quick_dates(model: type[BaseModel]) -> dict[str, re.Pattern[str]] | None:
    """Whether a call can be read in one step, and what must then be looked at: None where it cannot.

    It can where the model is flat, of plain scalars and without code of the author's own. The dict has, for each
    field that holds a date, how its key and value look in JSON text when a date was written, and not a number.
    """
    core: Any = model.__pydantic_core_schema__
    if core["type"] != "model" or core.get("post_init") or core.get("custom_init"):
        return None
    if core["schema"]["type"] != "model-fields":
        return None
    dates = {}
    for name, field in core["schema"]["fields"].items():
        kind, key = _scalar(field["schema"]), field.get("validation_alias", name)
        if kind is None or not isinstance(key, str):
            return None
        if kind in ("date", "datetime"):
            dates[name] = re.compile(rf'"{re.escape(key)}"\s*:\s*"\d{{4}}-')
    return dates


def _scalar(core: Mapping[str, Any]) -> str | None:
    """The kind of a plain scalar, through defaults and None; None for everything else, such as True beside 1."""
    kind: str = core["type"]
    if kind in ("default", "nullable"):
        return _scalar(core["schema"])
    if kind == "literal":
        return "str" if all(isinstance(each, str) for each in core["expected"]) else None
    if kind == "enum":
        return "str" if all(isinstance(each.value, str) for each in core["members"]) and "missing" not in core else None
    return kind if kind in _SCALARS else None
