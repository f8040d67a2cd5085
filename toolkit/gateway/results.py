"""What a tool returned, as plain JSON: converted where the form is plain to see, refused otherwise.

Converted: date and time, Decimal (as text, so 1.10 stays 1.10), UUID, set, Enum, Pydantic model, dataclass.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

from pydantic import PydanticUserError, TypeAdapter, ValidationError
from pydantic.errors import PydanticSchemaGenerationError
from pydantic_core import from_json, to_json

from toolkit.arguments import INT_MAX, INT_MIN, MalformedArguments, check_plain
from toolkit.gateway.outcome import MalformedResult

MAX_RESULT_BYTES = 100_000


def result_check(promised: Any) -> Callable[[Any], Any]:
    """A function from what a tool returned to its plain JSON value.

    Args:
        promised: The function's return annotation, or `inspect.Signature.empty`.

    The returned function raises `MalformedResult`; its text names what is wrong, never the value.
    """
    return functools.partial(_checked, _validator(promised))


def _validator(promised: Any) -> Callable[[bytes], Any] | None:
    if promised is inspect.Signature.empty or promised is Any:
        return None
    try:
        adapter = TypeAdapter[Any](promised)
    except (PydanticSchemaGenerationError, PydanticUserError):
        return None  # a class of the tool's own without a JSON form: only the JSON rules below apply
    return functools.partial(adapter.validator.validate_json, strict=True)


def _checked(validate: Callable[[bytes], Any] | None, value: Any) -> Any:
    try:
        text = to_json(value)
    except (ValueError, RecursionError, TypeError) as error:
        kind = "circular" if "ircular" in str(error) or isinstance(error, RecursionError) else "no JSON form"
        raise MalformedResult(f"{kind}: {type(value).__name__}") from None
    except Exception as error:  # noqa: BLE001 - a property or a serializer of the tool's own failed
        raise MalformedResult(f"no JSON form: {type(value).__name__} ({type(error).__name__})") from None
    if len(text) > MAX_RESULT_BYTES:
        raise MalformedResult(f"{len(text)} bytes, the limit is {MAX_RESULT_BYTES}")
    if validate is not None:
        try:
            validate(text)
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False, include_context=False)[0]
            at = ".".join(map(str, first["loc"]))
            raise MalformedResult(f"{at + ': ' if at else ''}{first['msg']}") from None
    try:
        plain = from_json(text)
    except ValueError as error:
        raise MalformedResult(str(error).split(" at line")[0]) from None
    if not _surely_plain(plain, text):
        try:
            check_plain(plain)
        except MalformedArguments as error:
            raise MalformedResult(error.message) from None
    return plain


def _surely_plain(plain: Any, text: bytes) -> bool:
    """A quick yes for a flat object of small numbers and texts; anything else is looked at value by value."""
    if type(plain) is not dict or b"NaN" in text or b"Infinity" in text:
        return False
    for value in plain.values():
        kind = type(value)
        if kind is int:
            if not INT_MIN <= value <= INT_MAX:
                return False
        elif kind is not str and kind is not float and kind is not bool and value is not None:
            return False
    return True
