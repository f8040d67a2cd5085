"""A suite of JSON texts, as a value inside a call: must be read, must be refused, or limited by our own rules.

Our own list, of the kinds that RFC 8259 names and that parsers have been found to differ on; for accepted and refused
texts the standard library's strict reading serves as the oracle.
"""

from __future__ import annotations

import json

import pytest

from toolkit.arguments import MalformedArguments, parse_arguments

MUST_READ = {
    "array, empty": "[]",
    "array, blanks": "[ ]",
    "array, nested": "[[], [[]]]",
    "array of all kinds": '[null, 1, "1", {}, true, false]',
    "number 0": "0",
    "number -0": "-0",
    "number -0.0": "-0.0",
    "number with fraction": "123.456789",
    "number with exponent": "1e10",
    "number with capital exponent": "1E+2",
    "number with negative exponent": "1e-2",
    "number, very small": "1e-400",
    "number, many digits of fraction": "0." + "1" * 400,
    "number, leading zero in exponent": "1e01",
    "string, empty": '""',
    "string, blank": '" "',
    "string, escapes": r'"\"\\\/\b\f\n\r\t"',
    "string, escaped control": r'"\u0012"',
    "string, escaped null": r'"\u0000"',
    "string, surrogate pair": r'"\ud834\udd1e"',
    "string, capital hex": r'"\u00E9\uABCD"',
    "string, noncharacter": r'"\uFFFF"',
    "string, escaped by half": r'"\\u0000"',
    "string, delete": '"\x7f"',
    "string, line separator": '"\u2028\u2029"',
    "string, byte order mark inside": '"\ufeff"',
    "string, right to left": '"\u202eabc"',
    "string, private use": '"\U0010ffff"',
    "string, comment inside": '"/* a */ // b"',
    "object, empty": "{}",
    "object, empty key": '{"": 0}',
    "object, escaped null in key": r'{"a\u0000b": 0}',
    "object, key of many": '{"' + "k" * 1000 + '": 0}',
    "object, prototype": '{"__proto__": {"a": 1}, "constructor": 2, "__class__": 3}',
    "literal true": "true",
    "literal false": "false",
    "literal null": "null",
    "blanks": "\n \t\r[\n1\r]\t ",
}

MUST_REFUSE = {
    "array, comma at the end": "[1,]",
    "array, comma at the start": "[,1]",
    "array, two commas": "[1,,2]",
    "array, no comma": "[1 2]",
    "array, colon": '["a": 1]',
    "array, unclosed": "[1",
    "array, closed twice": "[1]]",
    "array, closed as an object": "[1}",
    "number, leading zero": "012",
    "number, negative leading zero": "-012",
    "number, plus": "+1",
    "number, two minuses": "--1",
    "number, minus alone": "-",
    "number, no digit before the point": ".5",
    "number, no digit after the point": "5.",
    "number, no digit in the exponent": "1e",
    "number, sign alone in the exponent": "1e+",
    "number, hex": "0x1F",
    "number, octal": "0o17",
    "number, underscore": "1_000",
    "number, comma": "1,000",
    "number, two points": "1.2.3",
    "number, full-width": "１",
    "number, infinity": "inf",
    "number, nan": "nan",
    "number, with a letter": "1a",
    "number, blank inside": "1 000",
    "string, single quotes": "'a'",
    "string, no quotes": "a",
    "string, unclosed": '"a',
    "string, unknown escape": r'"\x41"',
    "string, escaped apostrophe": r'"\'"',
    "string, short unicode escape": r'"\u12"',
    "string, unicode escape without hex": r'"\u12G4"',
    "string, braces in a unicode escape": r'"\u{41}"',
    "string, backslash at the end": '"\\"',
    "object, comma at the end": '{"a": 1,}',
    "object, no value": '{"a":}',
    "object, no colon": '{"a" 1}',
    "object, two colons": '{"a":: 1}',
    "object, key without quotes": "{a: 1}",
    "object, key in single quotes": "{'a': 1}",
    "object, number as key": "{1: 1}",
    "object, null as key": "{null: 1}",
    "object, unclosed": '{"a": 1',
    "object, semicolon": '{"a": 1; "b": 2}',
    "literal, capital": "True",
    "literal, Python's": "None",
    "literal, JavaScript's": "undefined",
    "literal, cut off": "tru",
    "literal, too long": "truee",
    "comment, line": "1 // one",
    "comment, block": "/* one */ 1",
    "comment, hash": "1 # one",
    "blank, no-break": "\u00a01",
    "blank, form feed": "\f1",
    "blank, vertical tab": "\v1",
    "blank, ideographic": "\u30001",
    "blank, zero width": "\u200b1",
    "nothing": "",
    "control, null byte": "\x00",
    "control, escape": "\x1b[0m",
    "XML": "<a/>",
    "two values": "1 2",
    "an ellipsis": "[1, ...]",
}

OUR_LIMITS = {
    "NaN": "NaN",
    "Infinity": "Infinity",
    "-Infinity": "-Infinity",
    "number, beyond float": "1e400",
    "number, far beyond float": "-1e99999",
    "integer, beyond 64 bits": "18446744073709551616",
    "integer, thousands of digits": "9" * 5000,
    "half a surrogate pair, first": r'"\ud800"',
    "half a surrogate pair, second": r'"\udc00"',
    "half a surrogate pair, twice the first": r'"\ud800\ud800"',
    "half a surrogate pair, in the wrong order": r'"\udc00\ud800"',
    "half a surrogate pair, then text": r'"\ud800abc"',
    "half a surrogate pair, in a key": r'{"\ud800": 1}',
    "a key twice": '{"a": 1, "a": 1}',
    "a key twice, one escaped": r'{"a": 1, "\u0061": 1}',
    "an empty key twice": '{"": 1, "": 1}',
    "levels": "[" * 20 + "]" * 20,
    "many levels": "[" * 5_000 + "]" * 5_000,
    "open levels": "[" * 10_000,
    "open levels of objects": '{"":' * 4_000,
}

CONTROLS = {f"control, {number:#04x} in a text": f'"a{chr(number)}b"' for number in range(32)}


def strict_json(text: str) -> object:
    """The standard library without its extensions."""

    def no_constant(word: str) -> None:
        raise ValueError(word)

    return json.loads(text, parse_constant=no_constant)


@pytest.mark.row("S5")
@pytest.mark.parametrize("lenient", [True, False])
@pytest.mark.parametrize("text", MUST_READ.values(), ids=MUST_READ)
def test_what_is_json_is_read(text, lenient):
    """The value is the one the standard library reads."""
    raw = f'{{"a": {text}}}'
    values, notes = parse_arguments(raw, lenient=lenient)
    assert (repr(values), notes) == (repr(strict_json(raw)), ())


@pytest.mark.row("S5")
@pytest.mark.parametrize("lenient", [True, False])
@pytest.mark.parametrize("text", MUST_REFUSE.values(), ids=MUST_REFUSE)
def test_what_is_not_json_is_refused(text, lenient):
    """In both modes: nothing is repaired; the standard library refuses it as well."""
    raw = f'{{"a": {text}}}'
    with pytest.raises(ValueError):
        strict_json(raw)
    with pytest.raises(MalformedArguments):
        parse_arguments(raw, lenient=lenient)


@pytest.mark.row("S5")
@pytest.mark.parametrize("lenient", [True, False])
@pytest.mark.parametrize("text", OUR_LIMITS.values(), ids=OUR_LIMITS)
def test_what_parsers_differ_on_is_refused(text, lenient):
    """JSON by the letter, or by custom, and still no plain value."""
    with pytest.raises(MalformedArguments):
        parse_arguments(f'{{"a": {text}}}', lenient=lenient)


@pytest.mark.row("S5")
@pytest.mark.parametrize("text", CONTROLS.values(), ids=CONTROLS)
def test_a_raw_control_character_is_read_in_lenient_mode_only(text):
    """Noted there, refused in strict mode, and never changed."""
    raw = f'{{"a": {text}}}'
    assert parse_arguments(raw) == ({"a": text[1:-1]}, ("control_chars",))
    with pytest.raises(MalformedArguments):
        parse_arguments(raw, lenient=False)


@pytest.mark.row("S5")
@pytest.mark.parametrize("text", [*MUST_REFUSE.values(), *OUR_LIMITS.values(), *MUST_READ.values()])
def test_alone_as_arguments(text):
    """The same texts where an object is expected: an object, nothing at all, or a refusal."""
    try:
        values, _ = parse_arguments(text)
    except MalformedArguments:
        return
    assert values == (strict_json(text) or {} if text.strip() else {})
