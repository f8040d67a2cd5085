"""The limits of plain JSON, one by one, with the whole text of each refusal."""

from __future__ import annotations

import json
import time
from collections import UserDict
from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from toolkit.arguments import MalformedArguments, check_plain, parse_arguments, parse_value, split_values

CUT_OFF = "The arguments end in the middle, as if cut off. Send the whole call again."
TOO_DEEP = "The arguments are nested more than 20 levels deep."


def nested(levels: int) -> str:
    """An object of that many levels, itself counted."""
    return '{"a":' * (levels - 1) + "{}" + "}" * (levels - 1)


REFUSED: dict[str, tuple[Any, str]] = {
    "20,001 bytes": (
        '{"a": "%s"}' % ("x" * 19_992),
        "The arguments are 20001 bytes long; the limit is 20000. Send less.",
    ),
    "20,001 bytes of Chinese": (
        '{"a": "%s"}' % ("西" * 6_664),
        "The arguments are 20001 bytes long; the limit is 20000. Send less.",
    ),
    "an object as large": (
        {"a": "x" * 20_000},
        "The arguments are 20009 bytes long; the limit is 20000. Send less.",
    ),
    "21 levels": (nested(21), TOO_DEEP),
    "21 levels of lists": ('{"a": ' + "[" * 20 + "]" * 20 + "}", TOO_DEEP),
    "deeper than Python reads": ('{"a": ' + "[" * 19_000, TOO_DEEP),
    "a second object deeper than Python reads": (
        '{}{"a": ' + "[" * 19_000,
        "The arguments are not valid JSON: Extra data at char 2. Send one JSON object.",
    ),
    "5,001 values": (json.dumps({"a": [1] * 4_999}), "The arguments hold more than 5000 values. Send less."),
    "NaN": ('{"a": NaN}', "NaN is not a JSON number; send a finite number."),
    "Infinity": ('{"a": [Infinity]}', "Infinity is not a JSON number; send a finite number."),
    "-Infinity": ('{"a": -Infinity}', "-Infinity is not a JSON number; send a finite number."),
    "1e999": ('{"a": 1e999}', "inf is not a JSON number; send a finite number."),
    "NaN in an object": ({"a": float("nan")}, "nan is not a JSON number; send a finite number."),
    "64 bits and one": ('{"a": 9223372036854775808}', "An integer does not fit into 64 bits."),
    "below 64 bits": ('{"a": -9223372036854775809}', "An integer does not fit into 64 bits."),
    "10**5000": ('{"a": 1%s}' % ("0" * 5000), "An integer of 5001 digits does not fit into 64 bits."),
    "10**5000 in an object": ({"a": 10**5000}, "An integer does not fit into 64 bits."),
    "a key twice": ('{"a": 1, "b": 2, "a": 1}', "The key 'a' stands twice in one object."),
    "a key twice, escaped": ('{"a": 1, "\\u0061": 2}', "The key 'a' stands twice in one object."),
    "a key twice, deep inside": ('{"x": [{"y": {"a": 1, "a": 2}}]}', "The key 'a' stands twice in one object."),
    "a long key twice": (
        "{" + ", ".join(['"' + "k" * 200 + '": 1'] * 2) + "}",
        f"The key '{'k' * 80}' stands twice in one object.",
    ),
    "a key that is no text": ({1: 2}, "Object keys must be text, received 1."),
    "bytes": (b"{}", "Arguments must be a JSON object, received bytes."),
    "a tuple": ({"a": (1,)}, "tuple is not a JSON value."),
    "a set": ({"a": {1}}, "set is not a JSON value."),
    "an object that holds itself": (..., TOO_DEEP),
    "a comment": (
        '{"a": 1} // done',
        "The arguments are not valid JSON: Extra data at char 9. Send one JSON object.",
    ),
    "a byte order mark": (
        "\ufeff{}",
        "The arguments are not valid JSON: Expecting value at char 0. Send one JSON object.",
    ),
    "words before": (
        'Sure! {"a": 1}',
        "The arguments are not valid JSON: Expecting value at char 0. Send one JSON object.",
    ),
}

ACCEPTED: dict[str, str] = {
    "20,000 bytes": '{"a": "%s"}' % ("x" * 19_991),
    "20 levels": nested(20),
    "5,000 values": json.dumps({"a": [1] * 4_998}),
    "4,999 keys": json.dumps({str(number): 1 for number in range(1_500)}),
    "64 bits": '{"a": [9223372036854775807, -9223372036854775808]}',
    "the largest float": '{"a": 1.7976931348623157e308}',
    "escapes": '{"a": "\\u0000\\n\\"\\\\\\/"}',
    "an empty key": '{"": {"": []}}',
    "the same key at two places": '{"a": {"a": [{"a": 1}]}}',
    "keys alike but not equal": '{"a": 1, "A": 2, "\u00e1": 3, "a\u0301": 4}',
    "blanks all over": ' \n\t{ "a" :\r\n1 } ',
}


@pytest.mark.row("F3", "S5")
@pytest.mark.parametrize("lenient", [True, False])
@pytest.mark.parametrize(("raw", "text"), REFUSED.values(), ids=REFUSED)
def test_a_broken_rule_is_named(raw, text, lenient):
    """In both modes, because none of these is plainly meant well."""
    if raw is ...:
        raw = {}
        raw["a"] = raw
    with pytest.raises(MalformedArguments) as caught:
        parse_arguments(raw, lenient=lenient)
    assert str(caught.value) == text


@pytest.mark.row("S5")
@pytest.mark.parametrize("raw", ACCEPTED.values(), ids=ACCEPTED)
def test_the_last_value_before_each_limit(raw):
    """Is taken, as text and as an object, and says the same both ways."""
    assert parse_arguments(raw, lenient=False) == (json.loads(raw), ())
    assert parse_arguments(json.loads(raw), lenient=False) == (json.loads(raw), ("object_arguments",))


@pytest.mark.parametrize("mapping", [UserDict, MappingProxyType, dict])
def test_any_mapping_is_an_object(mapping):
    """What comes back is a plain dict of one's own."""
    given_mapping = mapping({"a": [1]})
    found, _ = parse_arguments(given_mapping)
    found["a"].append(2)
    assert (type(found), given_mapping["a"]) == (dict, [1])


@pytest.mark.row("S5")
@pytest.mark.parametrize(
    "raw",
    [
        "```" + "\n" * 19_990,
        "```" + " \n" * 9_990 + "```",
        "```" + "a" * 19_990,
        "`" * 20_000,
        "{}" * 10_000,
        '{"a":' * 4_000,
        json.dumps({str(number): 0 for number in range(1_500)})[:-1] + ', "1499": 1}',
        '"' * 20_000,
        "\\" * 20_000,
    ],
)
def test_no_text_takes_long_to_refuse(raw):
    """Reading happens on the event loop: no text of the allowed size may hold it up."""
    started = time.process_time()
    with pytest.raises(MalformedArguments):
        parse_arguments(raw)
    assert time.process_time() - started < 0.1


@given(st.dictionaries(st.text(max_size=3), st.integers() | st.text(max_size=5) | st.booleans(), max_size=4), st.data())
def test_a_cut_off_text_is_called_cut_off(values, data):
    """Every beginning of a call's text, but for the empty one; never repaired, never half a call."""
    text = json.dumps(values, ensure_ascii=data.draw(st.booleans()))
    begun = text[: data.draw(st.integers(1, len(text) - 1))]
    with pytest.raises(MalformedArguments) as caught:
        parse_arguments(begun)
    assert "cut off" in str(caught.value) or "64 bits" in str(caught.value)


@pytest.mark.row("F3", "S5")
@given(st.text() | st.text(alphabet='{}[]",:0123456789.eE+-truefalsn \\u`\n'), st.booleans())
@example('{"a":' + "9" * 5000 + "}", True)
@example("```\n```", True)
@example('"{"', True)
def test_any_text_is_read_or_refused(text, lenient):
    """`MalformedArguments` is the only exception there is, and what is read is plain."""
    try:
        values, notes = parse_arguments(text, lenient=lenient)
    except MalformedArguments as error:
        values, notes = {}, (str(error)[400:],) if len(str(error)) > 400 else ()
    check_plain(values)
    assert notes == () or (lenient and set(notes) <= {"fence_stripped", "double_encoded", "control_chars"})


plain = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=30,
)


@pytest.mark.row("S5")
@given(st.dictionaries(st.text(max_size=5), plain, max_size=5))
def test_plain_arguments_survive_the_round_trip(values):
    """As text, as text without escapes, as an object: the same values, in both modes."""
    for raw in (json.dumps(values), json.dumps(values, ensure_ascii=False), values):
        for lenient in (True, False):
            found, notes = parse_arguments(raw, lenient=lenient)
            assert json.dumps(found) == json.dumps(values)
            assert notes in ((), ("object_arguments",))


@given(st.dictionaries(st.text(max_size=5), plain, max_size=3))
def test_unwrapping_changes_nothing_inside(values):
    """A fenced and a doubly encoded object are what they hold."""
    text = json.dumps(values)
    assert parse_arguments(f"```json\n{text}\n```") == (json.loads(text), ("fence_stripped",))
    assert parse_arguments(json.dumps(text)) == (json.loads(text), ("double_encoded",))


def test_one_value_of_any_kind():
    """For what was sent as text inside a call: the same rules, no unwrapping."""
    assert parse_value("[1, 2]") == [1, 2]
    for text in ('[1], "x": 2', "[NaN]", "```\n[1]\n```", '{"a": 1, "a": 2}'):
        with pytest.raises(MalformedArguments):
            parse_value(text)


def test_values_one_after_another():
    """Or None, where anything else stands between them."""
    assert split_values(' {"a": 1}\n[2] 3 ') == [{"a": 1}, [2], 3]
    assert split_values("") == []
    assert split_values("{} x") is None
