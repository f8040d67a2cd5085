"""What a tool returned, as plain JSON: converted where the form is plain to see, refused otherwise.

Converted: date and time, Decimal (as text, so 1.10 stays 1.10), UUID, set, Enum, Pydantic model, dataclass.
"""

from __future__ import annotations

import functools
import inspect
import math
from collections.abc import Callable
from typing import Any, get_args

from pydantic import BaseModel, PydanticUserError, TypeAdapter, ValidationError
from pydantic.errors import PydanticSchemaGenerationError
from pydantic_core import from_json, to_json
from pydantic_core.core_schema import ErrorType

from toolkit.arguments import INT_MAX, INT_MIN
from toolkit.errors import ToolError
from toolkit.gateway.outcome import MalformedResult

MAX_RESULT_BYTES = 100_000
_OWN_WORDS = frozenset({"value_error", "assertion_error"})
_PYDANTIC_WORDS = frozenset(get_args(ErrorType)) - _OWN_WORDS


def result_check(promised: Any) -> Callable[[Any], Any]:
    """A function from what a tool returned to its plain JSON value.

    Args:
        promised: The function's return annotation, or `inspect.Signature.empty`.

    The returned function raises `MalformedResult`, whose text names what is wrong, never the value; and `ToolError`
    for a result of MCP's that says `isError`.
    """
    own_class = promised if isinstance(promised, type) and issubclass(promised, BaseModel) else None
    return functools.partial(_checked, _validator(promised), own_class)


def _validator(promised: Any) -> Callable[[bytes], Any] | None:
    if promised is inspect.Signature.empty or promised is Any:
        return None
    try:
        adapter = TypeAdapter[Any](promised)
    except (PydanticSchemaGenerationError, PydanticUserError, NameError, TypeError):
        return None  # a class of the tool's own without a JSON form: only the JSON rules below apply
    return functools.partial(adapter.validator.validate_json, strict=True)


def _checked(validate: Callable[[bytes], Any] | None, own_class: type[BaseModel] | None, value: Any) -> Any:
    simple = _surely_plain(value)
    text = _serialized(value, simple)
    if len(text) > MAX_RESULT_BYTES:
        raise MalformedResult(f"{len(text)} bytes, the limit is {MAX_RESULT_BYTES}")
    if validate is not None and (own_class is None or type(value) is not own_class):
        try:
            validate(text)
        except ValidationError as error:
            raise MalformedResult(_first(error)) from None
    try:
        plain = from_json(text)
    except ValueError:
        raise MalformedResult("an integer beyond 64 bits, or nested too deeply") from None
    if not simple:
        _check_numbers(plain)
    if type(plain) is dict and plain.get("isError") is True:
        raise ToolError(_mcp_text(plain))
    return plain


def _surely_plain(value: Any) -> bool:
    """A quick yes for a flat object of small numbers and texts; anything else is looked at value by value."""
    if type(value) is not dict:
        return False
    for each in value.values():
        kind = type(each)
        if kind is int:
            if not INT_MIN <= each <= INT_MAX:
                return False
        elif kind is float:
            if not math.isfinite(each):
                return False
        elif kind is not str and kind is not bool and each is not None:
            return False
    return True


def _serialized(value: Any, simple: bool) -> bytes:
    try:
        if not simple and _holds_iterator(value):
            raise MalformedResult("an iterator, which may have no end")
        return to_json(value)
    except (ValueError, RecursionError, TypeError) as error:
        kind = "circular" if "ircular" in str(error) or isinstance(error, RecursionError) else "no JSON form"
        raise MalformedResult(f"{kind}: {type(value).__name__}") from None
    except MalformedResult:
        raise
    except Exception as error:  # noqa: BLE001 - a property or a serializer of the tool's own failed
        raise MalformedResult(f"no JSON form: {type(value).__name__} ({type(error).__name__})") from None


def _holds_iterator(value: Any) -> bool:
    kind = type(value)
    if kind is dict:
        return any(map(_holds_iterator, value.values()))
    if kind is list or kind is tuple:
        return any(map(_holds_iterator, value))
    return hasattr(kind, "__next__")


def _first(error: ValidationError) -> str:
    """Where and what, in Pydantic's words; never in the words of a validator of the tool's own."""
    first = error.errors(include_url=False, include_input=False, include_context=False)[0]
    at = ".".join(map(str, first["loc"]))
    what = first["msg"] if first["type"] in _PYDANTIC_WORDS else "refused by the rule of its type"
    return f"{at}: {what}" if at else what


def _mcp_text(result: dict[str, Any]) -> str:
    """The words of a failed MCP result, which says so in a field instead of raising."""
    content = result.get("content")
    parts = [part.get("text") for part in content if isinstance(part, dict)] if isinstance(content, list) else []
    return "\n".join(part for part in parts if isinstance(part, str)) or "The tool reported an error without a text."


def _check_numbers(plain: Any) -> None:
    pending = [plain]
    while pending:
        item = pending.pop()
        if isinstance(item, dict):
            pending.extend(item.values())
        elif isinstance(item, list):
            pending.extend(item)
        elif isinstance(item, float):
            if not math.isfinite(item):
                raise MalformedResult(f"{item} is not a JSON number")
        elif isinstance(item, int) and not INT_MIN <= item <= INT_MAX:
            raise MalformedResult("an integer beyond 64 bits")
