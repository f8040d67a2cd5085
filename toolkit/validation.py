"""Arguments against the contract: strict first, then mended where the model plainly meant well.

The strict pass takes what JSON can say exactly. Where it fails, each error is looked at: "2" for an integer, a list
sent as text, null for an optional that has a default, `boardId` for `board_id` are mended and noted. True for 1,
NaN, a date from a number, an unknown key are not: they hide a mistake, and the model is told field, expectation
and what came.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from toolkit.argument_model import Quick
from toolkit.arguments import INT_MAX, INT_MIN, parse_arguments
from toolkit.confusion import confusions
from toolkit.errors import ToolError
from toolkit.locations import Error, Location, Schema, located
from toolkit.mending import could_mend, mend
from toolkit.records import Tool
from toolkit.rejection import Rejected, rejected
from toolkit.schema import Signature

__all__ = ["Rejected", "refuse_hidden", "settle", "validate"]

T = TypeVar("T")
_SMALL = 5_000  # characters; at most 20,000 bytes of UTF-8
# Code of the author's own that runs before a field hands it Python values, of which the strict check then refuses
# what JSON can only say as a text or a list.
_JSON_FORMS: Mapping[str, tuple[type, ...]] = {
    **dict.fromkeys(("date_type", "datetime_type", "time_type", "time_delta_type", "uuid_type", "bytes_type"), (str,)),
    **dict.fromkeys(("set_type", "frozen_set_type", "tuple_type"), (list,)),
    "decimal_type": (str, int, float),
    "dataclass_exact_type": (dict,),
}


def validate(
    tool: Tool, raw: object, *, lenient: bool = True, hidden: frozenset[str] = frozenset()
) -> tuple[BaseModel, tuple[str, ...]]:
    """The validated argument model, and notes on what was mended.

    Args:
        tool: A tool with a signature (layer 2).
        raw: The arguments as they came: JSON text, an object, or None.
        lenient: False takes what the exported schema allows and nothing else.
        hidden: Parameters this caller may not send; they are unknown to it.

    Raises:
        MalformedArguments: the arguments are no plain JSON object.
        Rejected: they break the contract; the text names field, expectation and what was received.
    """
    signature = tool.signature
    assert signature is not None, "a tool of layer 1 has no argument model"
    errors, reader = None, signature.reader
    if reader.quick is not None and type(raw) is str and len(raw) < _SMALL and not hidden:
        try:
            model = reader.validate_json(raw)
            if _certain(raw, model, reader.quick):
                return model, ()
        except ValidationError as error:
            errors = _errors(error)
            if not errors[0]["loc"]:
                errors = None  # an error without a place is about the text, not about what it says
            elif not could_mend(errors):
                raise rejected(tool.name, errors, signature.names, signature.parameters) from None
    accepted = [name for name in signature.names if name not in hidden]
    arguments, notes = parse_arguments(raw, lenient=lenient)
    refuse_hidden(tool.name, arguments, hidden, accepted)
    known = None if notes else errors
    check = partial(_strict, signature)
    return settle(tool.name, signature.parameters, accepted, check, arguments, notes, errors=known, lenient=lenient)


def refuse_hidden(tool: str, arguments: Mapping[str, Any], hidden: frozenset[str], accepted: Sequence[str]) -> None:
    """Parameters that are kept for other callers are unknown to this one. Raises `Rejected`."""
    errors = [Error(type="extra_forbidden", loc=(name,), msg="", input=None) for name in arguments if name in hidden]
    if errors:
        raise rejected(tool, errors, accepted, {})


def _certain(raw: str, model: BaseModel, quick: Quick) -> bool:
    """True where a flat object passed that certainly holds no key twice, no huge number, no date from a number.

    Each key brings one colon, so as many colons as fields means that every key stands once. A colon inside a text
    only sends the call down the slower, complete path.
    """
    given = model.__pydantic_fields_set__
    if raw.count(":") != len(given):
        return False
    for name in quick.numbers:
        value = getattr(model, name)
        if value is not None and not INT_MIN <= value <= INT_MAX:
            return False
    for name, written in quick.dates:  # noqa: SIM110 - a generator costs more than the whole check
        if name in given and not written(raw):
            return False
    return True


def _strict(signature: Signature, arguments: dict[str, Any]) -> tuple[BaseModel | None, list[Error]]:
    """The model, or the errors, each at its place in the arguments."""
    try:
        model, errors = _read(signature, json.dumps(arguments))
    except ToolError as refusal:  # a validator of the author's own that speaks to the model
        raise Rejected(refusal.message) from None
    if model is None:
        return None, located(arguments, errors)
    found = confusions(arguments, model) if signature.reader.confusable else []
    return (None, found) if found else (model, [])


def _read(signature: Signature, text: str) -> tuple[BaseModel | None, list[Error]]:
    try:
        return signature.reader.validate_json(text), []
    except ValidationError as error:
        errors = _errors(error)
    forms = [error["loc"] for error in errors if type(error["input"]) in _JSON_FORMS.get(error["type"], ())]
    if not forms:
        return None, errors
    model, lax = None, list[Error]()
    try:
        model = signature.reader.validate_json(text, strict=False)
    except ValidationError as error:
        lax = _errors(error)
    left = [error for error in errors if error["loc"] not in forms] + [error for error in lax if error["loc"] in forms]
    return (None, left or lax) if left or model is None else (model, [])


def settle(
    tool: str,
    parameters: Schema,
    accepted: Sequence[str],
    check: Callable[[dict[str, Any]], tuple[T | None, list[Error]]],
    arguments: dict[str, Any],
    notes: tuple[str, ...],
    *,
    errors: list[Error] | None = None,
    lenient: bool,
) -> tuple[T, tuple[str, ...]]:
    """Check, mend what was plainly meant, and check again, as long as that leads on.

    What was sent as text is mended inside once it is read. `errors` are those of a first check already made.

    Raises:
        Rejected: the check still finds errors. What was mended in vain is told as it was sent.
    """
    checked: T | None = None
    if errors is None:
        checked, errors = check(arguments)
    first: dict[Location, Error] = {}
    while checked is None:
        arguments, done = mend(arguments, errors, parameters, accepted, lenient=lenient)
        again = any(error["loc"] in first for error in errors)
        if again or not done:
            raise rejected(tool, [first.get(error["loc"], error) for error in errors], accepted, parameters)
        notes = (*notes, *done.values())
        first.update({error["loc"]: error for error in errors if error["loc"] in done})
        checked, errors = check(arguments)
    return checked, notes


def _errors(error: ValidationError) -> list[Error]:
    return error.errors(include_url=False, include_context=False)  # type: ignore[return-value]
