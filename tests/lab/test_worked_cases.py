"""V6: the worked cases, in two languages, each with its verdict."""

from __future__ import annotations

import asyncio
import json
import os

import pytest

from toolkit.lab.virtual_time import VirtualTime
from toolkit.lab.worked_cases import CALL_RULES, QUICK, ScriptedChat, ending_of, run_worked, worked_cases
from toolkit.quality.call_validator import CallValidator, ValidatorTimeout
from toolkit.quality.chat import chat_from_environment
from toolkit.quality.validator_config import ValidatorConfig

WORKED = worked_cases()
ids = [worked.id for worked in WORKED]


@pytest.mark.row("V6", "V5")
@pytest.mark.parametrize("worked", WORKED, ids=ids)
def test_each_case_ends_as_the_data_says(worked):
    """The right city, a wrong character, another city, π, a sum, two answers that are hard to read, and silence."""
    clock = VirtualTime()
    chat = ScriptedChat([worked])
    validator = CallValidator(chat, QUICK, rules=CALL_RULES, clock=clock.now)
    [found] = clock.run(validator.validate_all([worked.case]))
    assert ending_of(found) == worked.expected
    if worked.expected == "timeout":
        assert isinstance(found, ValidatorTimeout)
        return
    assert (found.by, found.correction) == (worked.by, worked.correction)


@pytest.mark.row("V6", "V2")
@pytest.mark.parametrize("worked", [each for each in WORKED if each.correction], ids=lambda worked: worked.id)
def test_each_suggested_correction_passes(worked):
    """A rule's and a model's: the corrected call is validated again, and passes."""
    clock = VirtualTime()
    validator = CallValidator(ScriptedChat([worked]), QUICK, rules=CALL_RULES, clock=clock.now)

    async def run(arguments):
        return worked.case.result

    found = clock.run(validator.correct(worked.case, run))
    assert (found.word, found.arguments) == ("pass", worked.correction)
    assert found.corrected == (worked.case.arguments,)


@pytest.mark.row("V6")
def test_passed_is_not_as_expected():
    """The batch has a summary of two numbers: four of sixteen pass, and all sixteen end as they should."""
    picture = VirtualTime().run(run_worked(ScriptedChat(WORKED), WORKED))
    assert picture.summary == "4 of 16 calls passed. 16 of 16 ended as expected."
    assert [row[0] for row in picture.rows] == ids


@pytest.mark.row("V6")
def test_every_case_stands_in_both_languages():
    """And the user speaks that language."""
    names = {worked.id.split(".")[0] for worked in WORKED}
    assert set(ids) == {f"{name}.{language}" for name in names for language in ("zh", "en")}
    for worked in WORKED:
        assert worked.case.question.isascii() == worked.id.endswith(".en")


@pytest.mark.row("V6")
@pytest.mark.skipif(not (os.environ.get("OPENAI_BASE_URL") and os.environ.get("TOOLKIT_MODEL")), reason="no endpoint")
def test_on_an_endpoint_every_case_has_an_ending():
    """What a real model answers is its own business; the rules' cases end as always."""
    picture = asyncio.run(run_worked(chat_from_environment(), WORKED, ValidatorConfig(timeout_s=60)))
    by_rule = [row for row in picture.rows if row[2] in ("copied", "arithmetic_only")]
    assert len(picture.rows) == 16
    assert {row[1] for row in by_rule} == {"fail"}


def test_the_script_is_read_in_order():
    """A question asked once more gets the next answer, and no other question's."""
    worked = worked_cases("other_city.en")
    chat = ScriptedChat(worked)
    message = [{"role": "user", "content": f"Question: {json.dumps(worked[0].case.question)}"}]
    told = [VirtualTime().run(chat.complete(message, temperature=0)).text for _ in range(2)]
    assert tuple(told) == worked[0].model_says
