"""What lesson 09 builds is what the package holds: the notebook's own definitions, on the same cases."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolkit.lab.virtual_time import VirtualTime
from toolkit.lab.worked_cases import CALL_RULES, QUICK, ScriptedChat, worked_cases
from toolkit.lessons.exercise_09_corrected import CORRECTED
from toolkit.lessons.exercise_09_kappa import AGREEMENT
from toolkit.lessons.exercise_09_read_verdict import READ_VERDICT
from toolkit.quality.calibration import confusion, kappa
from toolkit.quality.call_rules import arithmetic_only
from toolkit.quality.call_validator import CallValidator
from toolkit.quality.case import Case
from toolkit.quality.chat import ChatReply
from toolkit.quality.opinion import read_opinion
from toolkit.quality.validator_config import ValidatorConfig
from tools.environment import ROOT
from tools.notebook_definitions import load_definitions

LESSON = load_definitions(ROOT / "notebooks" / "source" / "09_a_model_that_validates.py")
labels = st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=30)


@pytest.mark.row("V5")
@given(st.text("0123456789.+-*/%() π,×=a", min_size=1, max_size=12))
def test_digits_only_objects_where_the_packages_rule_does(expression):
    """To the same expressions; ours also wants a number in it."""
    case = Case("?", "calculate", {"expression": expression})
    ours = arithmetic_only("calculate", "expression")(case)
    assert bool(LESSON.digits_only(case)) == (ours is not None and "holds no number" not in ours.reason)


@pytest.mark.row("V2", "V5")
@pytest.mark.parametrize(
    "worked", [each for each in worked_cases() if each.expected != "timeout"], ids=lambda worked: worked.id
)
def test_validate_ends_as_the_packages_validator(worked):
    """On every worked case, word and reason."""

    async def ask(prompt):
        return (await chat.complete([{"role": "user", "content": prompt}], temperature=0.0)).text

    chat = ScriptedChat([worked])
    mine = VirtualTime().run(LESSON.validate(worked.case, CALL_RULES, ask))
    theirs = VirtualTime().run(CallValidator(ScriptedChat([worked]), QUICK, rules=CALL_RULES).validate(worked.case))
    assert mine == (theirs.word, theirs.reason)


@pytest.mark.row("E10")
@given(labels)
def test_four_counts_are_the_packages(pairs):
    """For any labels and flags."""
    bad, flagged = [one for one, _ in pairs], [other for _, other in pairs]
    assert LESSON.four_counts(bad, flagged) == list(confusion(bad, flagged))


@pytest.mark.row("E10")
@given(labels)
def test_the_exercises_agreement_is_the_packages_kappa(pairs):
    """For any two labellings, and None where chance alone agrees."""
    one, other = [first for first, _ in pairs], [second for _, second in pairs]
    answer = AGREEMENT.answer(AGREEMENT.solution)(one, other)
    expected = kappa(one, other)
    assert answer == (expected if expected is None else pytest.approx(expected, abs=1e-9))


LINES = ("PASS", "FAIL: no", "PASS: so", "bypass", "It may PASS", "PASSING", "", "x")
lines = st.lists(st.sampled_from(LINES), max_size=6)


@pytest.mark.row("V2")
@given(lines)
def test_the_exercises_verdict_is_the_packages_opinion(answer):
    """Word for word, on answers without Markdown."""
    text = "\n".join(answer)
    assert READ_VERDICT.answer(READ_VERDICT.solution)(text) == read_opinion(text).word


ANSWERS = st.sampled_from(["PASS", "FAIL", "hm", *(f'FAIL\nCORRECTION: {{"n": {number}}}' for number in range(4))])


@pytest.mark.row("V2")
@given(st.lists(ANSWERS, min_size=4, max_size=4), st.integers(0, 4))
def test_the_exercises_corrections_are_the_packages(answers, most):
    """For any model over four calls and any bound: the same last word about the same arguments."""

    class Chat:
        async def complete(self, messages, *, temperature):
            number = next(n for n in range(4) if f'{{"n": {n}}}' in messages[-1]["content"])
            return ChatReply(answers[number])

    def validate(arguments):
        opinion = read_opinion(answers[arguments["n"]])
        return opinion.word, opinion.correction

    validator = CallValidator(Chat(), ValidatorConfig(corrections=most))
    found = asyncio.run(validator.correct(Case("?", "f", {"n": 0})))
    assert CORRECTED.answer(CORRECTED.solution)(validate, {"n": 0}, most) == (found.word, found.arguments)
