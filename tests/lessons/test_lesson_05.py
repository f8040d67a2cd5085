"""What lesson 05 builds is what the package holds: the notebook's own definitions, on the same cases."""

from __future__ import annotations

import ast
import asyncio
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolkit import Registry, ToolError
from toolkit.gateway.confirmation import Confirmations
from toolkit.gateway.files import FileRoot
from toolkit.gateway.idempotency import MemoryStore, canonical
from toolkit.lessons.exercise_05_redeem import REDEEM, TWO
from toolkit.lessons.exercise_05_stays_inside import STAYS_INSIDE
from toolkit.lessons.exercise_05_stays_inside import cases as file_cases
from toolkit.lessons.exercise_05_visible import VISIBLE, cases
from toolkit.records import CallPolicy, Tool
from toolkit.sandbox import calculate
from tools.environment import ROOT
from tools.notebook_definitions import load_definitions

LESSON = load_definitions(ROOT / "notebooks" / "source" / "05_tools_in_production.py")
SIGNS = ["+", "-", "*", "/", "//", "%", "**"]
EXPRESSIONS = st.recursive(
    st.one_of(st.integers(0, 99), st.floats(0.1, 99, allow_nan=False)).map(repr),
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(SIGNS), inner).map(lambda three: f"({' '.join(three)})"),
        inner.map(lambda text: f"-{text}"),
    ),
    max_leaves=6,
)
REFUSED = [
    "9 ** 9 ** 9",
    "().__class__",
    "open('x')",
    "[1 for _ in range(9)]",
    "x",
    "'a' * 9",
    "True + 1",
    "1 if 2 else 3",
]


def by_hand(expression):
    return LESSON.value_of(ast.parse(expression, mode="eval").body)


@pytest.mark.row("T10", "S4")
@given(EXPRESSIONS)
def test_what_the_package_computes_the_lesson_computes(expression):
    """The package is stricter about size; where it gives a value, the lesson's few lines give the same."""
    try:
        value = calculate(expression)
    except ToolError:
        return
    assert by_hand(expression) == value


@pytest.mark.row("T10", "S4")
@pytest.mark.parametrize("expression", REFUSED)
def test_both_refuse_what_is_no_arithmetic(expression):
    """Attributes, calls, comprehensions, texts, names, truth values and a power without end."""
    for evaluate in (by_hand, calculate):
        with pytest.raises(ToolError):
            evaluate(expression)


@pytest.mark.row("S1")
def test_the_exercises_visible_is_the_registrys():
    """The same tools for the same caller, whether declared, forgotten or empty."""
    answer = VISIBLE.answer(VISIBLE.solution)
    for tools, role, wanted, case in cases():
        registry = Registry()
        for name, roles in tools.items():
            policy = CallPolicy(roles=None if roles is None else frozenset(roles))
            registry.add(Tool(name=name, description="d", parameters={"type": "object"}, func=print, policy=policy))
        assert list(registry.visible(role)) == wanted == answer(tools, role), case


@pytest.mark.row("S3")
def test_the_exercises_word_is_as_good_as_the_gateways_token():
    """The same calls are let through and refused, in the same order."""
    calls = [{**TWO, "nights": 14}, TWO, TWO, dict(reversed(TWO.items()))]
    redeem, asked = REDEEM.answer(REDEEM.solution), {"w1": ("book_hotel", dict(TWO))}
    confirmations = Confirmations(MemoryStore())
    token = confirmations.issue("book_hotel", canonical(TWO), "session")
    ours = [redeem(asked, "w1", "book_hotel", call) for call in calls]
    theirs = [asyncio.run(confirmations.redeem({token}, "book_hotel", canonical(call), "session")) for call in calls]
    assert ours == theirs == [False, True, False, False]


@pytest.mark.row("S10")
def test_what_stays_outside_the_file_root_refuses_too(tmp_path):
    """Every name the exercise says no to is refused by `FileRoot`, which also takes no detours."""
    answer = STAYS_INSIDE.answer(STAYS_INSIDE.solution)
    named = file_cases(tmp_path.resolve())
    files = FileRoot(tmp_path / "reports")
    for name, wanted, case in named:
        assert answer(tmp_path / "reports", name) is wanted, case
        if wanted and ".." not in name:
            assert files.offer(name).startswith("file_"), case
        else:
            with pytest.raises(ToolError):
                files.offer(name)


def test_the_lesson_knows_the_operators_of_the_package():
    """No operator was added on one side only."""
    values = {sign: (by_hand(f"7 {sign} 2"), calculate(f"7 {sign} 2")) for sign in SIGNS}
    assert len(LESSON.OPERATORS) == len(values)
    assert json.dumps([mine for mine, _ in values.values()]) == json.dumps([other for _, other in values.values()])
