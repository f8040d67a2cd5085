"""Arithmetic by an allow-list: right where it is arithmetic, refused in words where it is not, quick always."""

from __future__ import annotations

import math
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolkit import ToolError
from toolkit.sandbox import calculate


@pytest.mark.row("T10")
@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("2 + 3 * 4", 14),
        ("(2 + 3) * 4", 20),
        ("7 // 2", 3),
        ("-7 % 3", 2),
        ("2 ** 10", 1024),
        ("2 ** -1", 0.5),
        ("--1", 1),
        ("  1 \n+ 1", 2),
        ("1e3 / 4", 250.0),
        (".5 + 2.", 2.5),
        ("800 * 1.19", 952.0),
        ("round(2 / 3, 2)", 0.67),
        ("max(1, 2.5, 2) - min(3, 4)", -0.5),
        ("sqrt(abs(-16))", 4.0),
        ("2 * pi", 2 * math.pi),
        ("9223372036854775807", 2**63 - 1),
        ("10**18 // 7", 10**18 // 7),
    ],
)
def test_arithmetic_is_computed(expression, value):
    """As Python computes it, whole numbers staying whole."""
    result = calculate(expression)
    assert (result, type(result)) == (value, type(value))


REFUSED = {
    "": "'' is no complete arithmetic expression.",
    "1 +": "'1 +' is no complete arithmetic expression.",
    "(1": "'(1' is no complete arithmetic expression.",
    "1,234 + 1": "'(1, 234 + 1)' is not arithmetic. For 1,234 write 1234.",
    "2 ^ 3": "'^' at position 2 is not allowed in an arithmetic expression. Use **.",
    "2 × 3": "'×' at position 2 is not allowed in an arithmetic expression. Use *.",
    "2π": "'π' at position 1 is not allowed in an arithmetic expression. Use pi.",
    "x + 1": "'x' is not known here. Known: pi, e, abs, max, min, round, sqrt.",
    "1 if 2 else 3": "'if' is not known here. Known: pi, e, abs, max, min, round, sqrt.",
    "1 == 1": "'=' at position 2 is not allowed in an arithmetic expression. Use an expression without it.",
    "'a' * 9": '"\'" at position 0 is not allowed in an arithmetic expression.',
    "().__class__": "'.' at position 2 is not allowed in an arithmetic expression.",
    "abs": "'abs' is not arithmetic. For 1,234 write 1234.",
    "pi(2)": "'pi(2)' is not arithmetic. For 1,234 write 1234.",
    "max(*1)": "'*1' is not arithmetic. For 1,234 write 1234.",
    "[1][0]": "'[' at position 0 is not allowed in an arithmetic expression.",
    "1; 2": "';' at position 1 is not allowed in an arithmetic expression.",
    "1 / 0": "'1 / 0' divides by zero.",
    "0 ** -1": "'0 ** -1' divides by zero.",
    "(-8) ** 0.5": "'(-8) ** 0.5' has no finite real value.",
    "sqrt(-1)": "'sqrt(-1)' has no finite real value.",
    "1e308 * 10": "'1e308 * 10' has no finite real value.",
    "1e999": "'1e999' has no finite real value.",
    "abs()": "'abs()' has no finite real value.",
    "9 ** 9 ** 9": "9 ** 387420489 is too large.",
    "2 ** 1000 * 2 ** 1000": "(a number of 302 digits) * (a number of 302 digits) is too large.",
    "10 ** 30": "The result has 31 digits; whole numbers have at most 18 here.",
    "9" * 400: "A number of 1329 bits is too large.",
    "1" + "+1" * 300: "The expression is 601 characters long; the limit is 500.",
    "0x10": "'0' at position 0 is not allowed in an arithmetic expression.",
    "1_000": "'1' at position 0 is not allowed in an arithmetic expression.",
    "２+２": "'２' at position 0 is not allowed in an arithmetic expression.",
}


@pytest.mark.row("T10", "S4")
@pytest.mark.parametrize(("expression", "message"), REFUSED.items(), ids=[repr(each)[:30] for each in REFUSED])
def test_what_is_no_arithmetic_is_refused_in_words(expression, message):
    """The text names what was found, the rule, and what to write instead."""
    with pytest.raises(ToolError) as raised:
        calculate(expression)
    assert raised.value.message == message


ESCAPES = [
    "__import__('os').system('id')",
    "eval('1')",
    "exec('1')",
    "().__class__.__base__.__subclasses__()",
    "(lambda: 1)()",
    "[n for n in (1,)]",
    "f'{1}'",
    "max.__self__",
    "e.real",
    "round.__globals__",
    "print(1)",
    "(yield)",
    "(a := 1)",
    "max(abs, key=1)",
    "min(1, key=abs)",
    "True",
    "1j",
    "...",
    "1 and 2",
    "~1",
    "1 << 100",
    "a" * 400,
    "(" * 250 + ")" * 250,
    "-" * 499 + "1",
    "((((((((1" * 60,
    "\x00",
    "1\x002",
    "\ud800",
    "1if 1else 2",
    "max(" * 120 + "1" + ")" * 120,
]


@pytest.mark.row("S4", "T10")
@pytest.mark.parametrize("expression", ESCAPES, ids=[repr(each)[:30] for each in ESCAPES])
def test_no_way_out(expression):
    """Refused, or a number, and quick: nothing else can come of a text."""
    started = time.perf_counter()
    try:
        result = calculate(expression)
    except ToolError:
        result = 0
    assert type(result) in (int, float)
    assert time.perf_counter() - started < 2


@pytest.mark.row("S4", "T10")
@given(st.text("0123456789.+-*/%()e, \n", max_size=60) | st.text(max_size=40))
def test_any_text_is_a_finite_number_or_a_refusal(expression):
    """Whatever stands there, the answer fits into JSON or is a `ToolError`."""
    try:
        value = calculate(expression)
    except ToolError:
        pass  # that it is one is all there is to say
    else:
        assert math.isfinite(value)
        assert isinstance(value, float) or -(2**63) <= value < 2**63


def trees():
    numbers = st.integers(0, 50).map(str)
    return st.recursive(
        numbers,
        lambda inner: st.tuples(inner, st.sampled_from("+-*"), inner).map(lambda parts: f"({' '.join(parts)})"),
        max_leaves=8,
    )


@pytest.mark.row("T10")
@given(trees())
def test_it_computes_what_python_computes(expression):
    """Against an independent oracle, on expressions we made ourselves."""
    assert calculate(expression) == eval(expression)
