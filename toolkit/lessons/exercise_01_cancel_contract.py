"""Exercise 01.cancel_contract: a contract written by hand."""

from __future__ import annotations

from typing import Any

from toolkit.lessons.exercise import Exercise, WrongAnswer
from toolkit.lessons.expect import Wrong, expect, expect_equal


def check_cancel_contract(contract: Any) -> None:
    """The contract is a dict of three, and its schema accepts and refuses what the task says."""
    from jsonschema import Draft202012Validator, SchemaError

    expect(isinstance(contract, dict), f"a contract is a dict, not {type(contract).__name__}")
    expect(
        contract.get("type") != "function",
        "this is an entry of `tools=`; the contract is what stands inside, under 'function'",
    )
    expect_equal(sorted(contract), ["description", "name", "parameters"], "the keys of the contract")
    expect_equal(contract["name"], "cancel_booking", "the name")
    expect(str(contract["description"]).strip(), "the description is empty: how would a model know when to call it?")
    schema = contract["parameters"]
    try:
        Draft202012Validator.check_schema(schema)
    except SchemaError as error:
        at = ".".join(map(str, error.path)) or "its top"
        raise Wrong(f"this is no JSON Schema. At {at}: {error.message[:120]}") from None
    expect_equal(schema.get("type"), "object", "the type of the parameters")
    properties = schema.get("properties", {})
    expect_equal(sorted(properties), ["booking_id", "reason"], "the names of the parameters")
    for name, each in properties.items():
        expect(str(each.get("description", "")).strip(), f"{name} has no description, so the model has to guess")
    _accepts_and_refuses(Draft202012Validator(schema))


def _accepts_and_refuses(validator: Any) -> None:
    good: list[dict[str, object]] = [{"booking_id": "BK-0001"}, {"booking_id": "BK-0001", "reason": "too_expensive"}]
    bad: dict[str, dict[str, object]] = {
        "it has no booking_id": {"reason": "other"},
        "booking_id is a number": {"booking_id": 1},
        "the reason is none of the three": {"booking_id": "BK-0001", "reason": "bored"},
    }
    for arguments in good:
        expect(validator.is_valid(arguments), f"the schema refuses {arguments}, which is a good call")
    for why, arguments in bad.items():
        expect(not validator.is_valid(arguments), f"the schema accepts {arguments}, although {why}")


_CONTRACT = """\
cancel_contract = {{
    "name": "cancel_booking",
    "description": "Cancel a booking. Call it only when the user asks for it.",
    "parameters": {{
        "type": "object",
        "properties": {{
            "booking_id": {booking_id},
            "reason": {reason},
        }},
        {rest}
    }},
}}"""
_PARTS = {
    "booking_id": '{"type": "string", "description": "The id that book_hotel returned."}',
    "reason": '{"type": "string", "enum": ["changed_plans", "too_expensive", "other"], "description": "Why."}',
    "rest": '"required": ["booking_id"],',
}


def _contract(**changes: str) -> str:
    return _CONTRACT.format(**{**_PARTS, **changes})


_VALUE_BY_VALUE = """{
                "description": "Why the user cancels.",
                "oneOf": [
                    {"const": "changed_plans", "description": "The trip is off or on another day."},
                    {"const": "too_expensive", "description": "Another room costs less."},
                    {"const": "other", "description": "Anything else, also when no reason was given."},
                ],
            }"""


CANCEL_CONTRACT = Exercise(
    id="01.cancel_contract",
    task=(
        "Write the contract of a tool `cancel_booking`: a dict of `name`, `description` and `parameters`.\n\n"
        "It needs `booking_id`, a text such as `BK-0001`. It may get `reason`, one of `changed_plans`, "
        "`too_expensive`, `other`. Describe both."
    ),
    minutes=4,
    difficulty="easy",
    hints=(
        "`WEATHER` above has the same shape. What differs: one parameter may be left out, one has three values.",
        "`required` is a list beside `properties`. A parameter that is not in it may be left out.",
        'Three values and no other: `{"type": "string", "enum": [...], "description": "..."}`.',
    ),
    stub="cancel_contract = ...",
    solution=_contract(),
    alternatives=(
        _contract(rest='"required": ["booking_id"],\n        "additionalProperties": False,'),
        _contract(booking_id='{"type": "string", "pattern": "^BK-[0-9]{4}$", "description": "Such as BK-0001."}'),
        _contract(reason=_VALUE_BY_VALUE),
    ),
    wrong=(
        WrongAnswer(
            "says required on the parameter",
            _contract(booking_id='{"type": "string", "required": True, "description": "The id."}', rest=""),
            "no JSON Schema. At properties.booking_id.required",
        ),
        WrongAnswer("requires nothing", _contract(rest=""), "although it has no booking_id"),
        WrongAnswer(
            "requires the reason", _contract(rest='"required": ["booking_id", "reason"],'), "which is a good call"
        ),
        WrongAnswer(
            "any text for a reason",
            _contract(reason='{"type": "string", "description": "changed_plans, too_expensive or other"}'),
            "the reason is none of the three",
        ),
        WrongAnswer(
            "a Python type", _contract(booking_id='{"type": "str", "description": "The id."}'), "no JSON Schema"
        ),
        WrongAnswer("does not describe", _contract(booking_id='{"type": "string"}'), "booking_id has no description"),
        WrongAnswer(
            "wraps it for the wire",
            _contract() + '\ncancel_contract = {"type": "function", "function": cancel_contract}',
            "under 'function'",
        ),
        WrongAnswer("brings the function too", _contract() + '\ncancel_contract["func"] = print', "the keys"),
    ),
    checker=check_cancel_contract,
)
