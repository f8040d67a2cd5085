"""V1 to V5: rules first, then a chat model, within limits on time, attempts and corrections, and counted."""

from __future__ import annotations

import asyncio
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from toolkit import ToolkitError, TransientError
from toolkit.gateway import Backoff
from toolkit.lab.virtual_time import VirtualTime
from toolkit.quality.call_rules import arithmetic_only, copied
from toolkit.quality.call_validator import CallValidator, ValidatorError, ValidatorTimeout
from toolkit.quality.case import Case
from toolkit.quality.chat import ChatReply
from toolkit.quality.validator_config import ValidatorConfig

RIGHT = Case("上海下雨吗？", "get_weather", {"city": "上海"}, {"condition": "rain"})
WRONG = RIGHT._replace(arguments={"city": "上晦"})
RULES = [copied("get_weather", "city"), arithmetic_only("calculate", "expression")]


class FakeChat:
    """Answers from a list: a text, an exception to raise, or seconds to be silent before PASS."""

    def __init__(self, *answers):
        self.answers, self.asked, self.closed = list(answers), [], 0

    async def complete(self, messages, *, temperature):
        self.asked.append((messages[-1]["content"], temperature))
        answer = self.answers.pop(0) if self.answers else "PASS: fine"
        if isinstance(answer, BaseException):
            raise answer
        if isinstance(answer, int):
            await asyncio.sleep(answer)
            answer = "PASS: late"
        return ChatReply(answer, tokens=100)

    def close(self):
        self.closed += 1


@pytest.fixture
def validator_for(clock):
    """Makes a validator on the test's clock that waits a second between attempts at most."""

    def make(chat, config=None, **more):
        return CallValidator(chat, config or ValidatorConfig(), clock=clock.now, rng=random.Random(1), **more)

    return make


@pytest.mark.row("V1")
@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("temperature", 2.1),
        ("temperature", -0.1),
        ("temperature", float("nan")),
        ("timeout_s", 0),
        ("timeout_s", float("inf")),
        ("retries", -1),
        ("retries", 1.5),
        ("retries", True),
        ("corrections", -1),
        ("template", "Is it right? {{ question }} {{ tool }} {{ arguments }}"),
        ("temprature", 1.0),
    ],
)
def test_a_config_refuses_what_cannot_be_meant(option, value):
    """The error names the option."""
    with pytest.raises(ValidationError, match=option):
        ValidatorConfig(**{option: value})


@pytest.mark.row("V1", "V6")
async def test_a_config_of_ones_own(validator_for):
    """Temperature and template reach the model; the bounds themselves are allowed."""
    chat = FakeChat()
    template = "{{question}} {{tool}} {{arguments}} {{result}} PASS or FAIL"
    config = ValidatorConfig(temperature=2, timeout_s=0.5, retries=0, corrections=0, template=template)
    assert (await validator_for(chat, config).validate(RIGHT)).passed
    assert chat.asked == [('"上海下雨吗？" get_weather {"city": "上海"} {"condition": "rain"} PASS or FAIL', 2)]


@pytest.mark.row("V1")
@pytest.mark.parametrize("chat", [5, None, object(), type("Sync", (), {"complete": lambda self: "PASS"})()])
def test_what_is_no_chat_model_is_refused_at_once(chat):
    """`chat = 5` would satisfy a protocol that is only looked at; this one has to be able to answer."""
    with pytest.raises(TypeError, match=r"but must have an async method complete\(messages, \*, temperature\)\.$"):
        CallValidator(chat)


@pytest.mark.row("V1")
@pytest.mark.parametrize("kind", ["sync", "async", "none"])
async def test_the_chat_is_closed_at_the_end(validator_for, kind):
    """By a method that may be async or not, or be missing; also when the block ends in an error."""
    closed = []

    class Chat(FakeChat):
        close = None

    async def close_async():
        closed.append("async")

    chat = Chat()
    chat.close = {"sync": lambda: closed.append("sync"), "async": close_async, "none": None}[kind]

    async def work():
        async with validator_for(chat) as validator:
            await validator.validate(RIGHT)
            raise KeyError

    with pytest.raises(KeyError):
        await work()
    assert closed == ([] if kind == "none" else [kind])


@pytest.mark.row("V2", "V6")
@pytest.mark.parametrize(
    ("answer", "word", "reason"),
    [
        ("PASS: the city is copied", "pass", "the city is copied"),
        ("FAIL: this must not PASS", "fail", "this must not PASS"),
        ("I would let it pass.", "unreadable", "no line begins with PASS or FAIL"),
        (None, "unreadable", "the answer is empty"),
    ],
)
async def test_the_models_opinion(validator_for, answer, word, reason):
    """One attempt; an answer that cannot be read is an answer, so it is not asked for again."""
    found = await validator_for(FakeChat(answer)).validate(RIGHT)
    assert (found.word, found.reason, found.by, found.attempts) == (word, reason, "model", 1)
    assert found.arguments == {"city": "上海"}


@pytest.mark.row("V5", "V6")
@pytest.mark.parametrize(
    ("case", "rule", "correction"),
    [
        (WRONG, "copied", {"city": "上海"}),
        (Case("半径3米的圆面积？", "calculate", {"expression": "π * 3**2"}), "arithmetic_only", None),
    ],
)
async def test_rules_come_first_and_cost_no_model(validator_for, case, rule, correction):
    """A wrong character and a π are found without a question, whatever the model would say."""
    chat = FakeChat("PASS: looks fine")
    validator = validator_for(chat, rules=RULES)
    found = await validator.validate(case)
    assert (found.word, found.by, found.correction, found.attempts) == ("fail", rule, correction, 0)
    assert (chat.asked, validator.metrics.decided_by_rule, validator.metrics.tokens) == ([], 1, 0)


async def test_a_rule_that_crashes_lets_nothing_through(validator_for):
    """Its crash is the objection; the model is not asked in its place."""

    def broken(case):
        raise KeyError("city")

    found = await validator_for(FakeChat(), rules=[broken]).validate(RIGHT)
    assert (found.word, found.reason) == ("fail", "the rule crashed with KeyError")


@pytest.mark.row("V3", "V6")
async def test_a_timeout_says_so_when_the_attempts_are_used_up(validator_for, clock):
    """Three attempts of 2 s and the waits between them; nothing was validated, and it is counted as a timeout."""
    config = ValidatorConfig(timeout_s=2, retries=2, backoff=Backoff(base_s=1, cap_s=1))
    validator = validator_for(FakeChat(60, 60, 60), config)
    with pytest.raises(ValidatorTimeout) as raised:
        await validator.validate(RIGHT)
    assert str(raised.value) == "The validating model gave no answer within 2 s, in 3 attempts."
    assert 6 < clock.now() < 8
    assert (validator.metrics.timeouts, validator.metrics.completed) == (1, 0)


@pytest.mark.row("V3")
@pytest.mark.parametrize("failure", [60, TransientError("busy"), ConnectionError("refused"), TimeoutError()])
async def test_what_may_pass_is_tried_again(validator_for, failure):
    """Silence, a busy server, no connection: the second attempt answers."""
    found = await validator_for(FakeChat(failure, "PASS: fine")).validate(RIGHT)
    assert (found.word, found.attempts) == ("pass", 2)


@pytest.mark.row("V3")
async def test_the_wait_a_server_names_is_kept(validator_for, clock):
    """A 429 with Retry-After is not asked again before that."""
    await validator_for(FakeChat(TransientError("429", retry_after_s=30), "PASS")).validate(RIGHT)
    assert clock.now() == 30.0


@pytest.mark.row("V3")
@pytest.mark.parametrize(
    ("failures", "message"),
    [
        ([ConnectionError("refused")] * 3, "The validating model could not be reached, in 3 attempts: refused"),
        ([ToolkitError("The key was refused.")], "The validating model failed: The key was refused."),
        ([KeyError("x")], "The validating model failed: 'x'"),
        ([asyncio.CancelledError()] * 3, "The validating model could not be reached, in 3 attempts: "
         "the chat cancelled itself"),
    ],
)  # fmt: skip
async def test_an_error_that_stays_is_told(validator_for, failures, message):
    """After as many attempts as it is worth; a refusal or a bug is not repeated."""
    chat = FakeChat(*failures)
    validator = validator_for(chat)
    with pytest.raises(ValidatorError) as raised:
        await validator.validate(RIGHT)
    assert (str(raised.value), len(chat.asked)) == (message, len(failures))
    assert (type(raised.value), validator.metrics.errors) == (ValidatorError, 1)


async def test_a_cancel_of_the_caller_is_no_failure(validator_for):
    """It reaches the caller, and nothing is counted."""
    validator = validator_for(FakeChat(60))
    task = asyncio.ensure_future(validator.validate(RIGHT))
    await asyncio.sleep(1)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert validator.metrics.total == 0


@pytest.mark.row("V2")
async def test_a_correction_becomes_a_call_that_is_validated_again(validator_for):
    """The rule's suggestion is run and judged with its new result; what failed before is kept."""
    chat, ran = FakeChat("PASS: rain in 上海"), []

    async def run(arguments):
        ran.append(arguments)
        return {"condition": "rain"}

    found = await validator_for(chat, rules=RULES).correct(WRONG, run)
    assert (found.word, found.arguments, found.corrected) == ("pass", {"city": "上海"}, ({"city": "上晦"},))
    assert ran == [{"city": "上海"}]
    assert 'Result: {"condition": "rain"}' in chat.asked[0][0]


async def test_a_corrected_call_that_is_not_run_is_validated_as_such(validator_for):
    """A booking is not made twice to see whether it is right."""
    chat = FakeChat("PASS: fine")
    await validator_for(chat, rules=RULES).correct(WRONG)
    assert "Result: (not run yet)" in chat.asked[0][0]


@pytest.mark.row("V2")
@pytest.mark.parametrize(
    ("answers", "asked", "word"),
    [
        ([f'FAIL: no\nCORRECTION: {{"n": {number}}}' for number in range(1, 9)], 3, "fail"),  # never content
        (['FAIL: no\nCORRECTION: {"n": 1}', 'FAIL: no\nCORRECTION: {"n": 0}'], 2, "fail"),  # back to where it began
        (['FAIL: no\nCORRECTION: {"n": 0}'], 1, "fail"),  # the same once more
        (["FAIL: ask the user"], 1, "fail"),
        (['FAIL: no\nCORRECTION: {"n": 1}', "hm"], 2, "unreadable"),
    ],
)
async def test_corrections_are_bounded(validator_for, answers, asked, word):
    """By their number, and by going round in circles."""
    chat = FakeChat(*answers)
    found = await validator_for(chat, ValidatorConfig(corrections=2)).correct(Case("?", "f", {"n": 0}))
    assert (found.word, len(chat.asked), len(found.corrected)) == (word, asked, asked - 1)


@pytest.mark.row("V5")
async def test_a_correction_of_the_model_meets_the_rules_too(validator_for):
    """A model that suggests a wrong character is stopped by the rule, without another question."""
    chat = FakeChat('FAIL: wrong city\nCORRECTION: {"city": "上诲"}')
    config = ValidatorConfig(corrections=1)
    found = await validator_for(chat, config, rules=RULES).correct(RIGHT)
    assert (found.by, found.arguments, len(chat.asked)) == ("copied", {"city": "上诲"}, 1)


@pytest.mark.row("V6")
async def test_a_batch_keeps_its_order_and_its_errors(validator_for, clock):
    """Two at once; the one that timed out stands in its place, and the others are there."""
    chat = FakeChat("PASS: a", 60, "FAIL: c", "PASS: d")
    validator = validator_for(chat, ValidatorConfig(timeout_s=5, retries=0))
    found = await validator.validate_all([RIGHT] * 4, at_once=2)
    assert [getattr(each, "word", type(each)) for each in found] == ["pass", ValidatorTimeout, "fail", "pass"]
    assert clock.now() == 5.0


@pytest.mark.row("V4", "V6")
async def test_what_is_counted(validator_for, clock):
    """Each validation once; the pass rate and the latency are those of completed ones."""
    answers = ["PASS: a", "FAIL: wrong city", "FAIL: wrong city", "hm", 60, 1, KeyError("x")]
    validator = validator_for(FakeChat(*answers), ValidatorConfig(timeout_s=5, retries=0), rules=RULES)
    await validator.validate_all([RIGHT] * 7 + [WRONG], at_once=1)
    counted = validator.metrics
    assert (counted.total, counted.passed, counted.failed, counted.unreadable) == (8, 2, 3, 1)
    assert (counted.timeouts, counted.errors, counted.completed, counted.decided_by_rule) == (1, 1, 6, 1)
    assert counted.pass_rate == 2 / 6
    assert counted.reasons.most_common(1) == [("wrong city", 2)]
    assert (counted.tokens, counted.percentile_ms("model", 1.0)) == (500, 1000.0)


@pytest.mark.row("V4")
async def test_a_timeout_is_in_no_mean_latency(validator_for):
    """A timeout, then an answer after 100 ms: the mean is 100, not 50 and not 5,100."""
    config = ValidatorConfig(timeout_s=0.5, retries=0)

    class Chat(FakeChat):
        async def complete(self, messages, *, temperature):
            await asyncio.sleep(self.answers.pop(0))
            return ChatReply("PASS")

    validator = validator_for(Chat(10, 0.1), config)
    await validator.validate_all([RIGHT] * 2, at_once=1)
    assert validator.metrics.mean_latency_ms("model") == pytest.approx(100)
    assert validator.metrics.mean_latency_ms("rule") is None


@pytest.mark.row("V4")
async def test_a_rule_and_a_model_side_by_side(validator_for):
    """Time and tokens of each, so that they can be compared: the model's second, the rule's nothing."""
    validator = validator_for(FakeChat(1), rules=RULES)
    await validator.validate_all([WRONG, RIGHT], at_once=1)
    counted = validator.metrics
    assert (counted.mean_latency_ms("rule"), counted.mean_latency_ms("model"), counted.tokens) == (0.0, 1000.0, 100)


def test_nothing_counted_is_no_rate():
    """No validation, no pass rate and no latency: None, not 0 and not 1."""
    counted = CallValidator(FakeChat()).metrics
    assert (counted.pass_rate, counted.mean_latency_ms("model"), counted.percentile_ms("rule", 0.5)) == (
        None,
        None,
        None,
    )


answers = st.sampled_from(
    ["PASS: a", "FAIL: b", "hm", None, "PASS: a\nFAIL: b", 60, KeyError("x"), TransientError("y")]
)


@pytest.mark.row("V4")
@given(st.lists(st.tuples(answers, st.booleans()), max_size=12))
def test_every_validation_is_counted_once(cases):
    """For any answers: the counts add up to the number of calls, and what is no readable PASS is no pass."""
    clock = VirtualTime()
    chat = FakeChat(*[answer for answer, wrong in cases if not wrong])
    config = ValidatorConfig(retries=0, timeout_s=1)
    validator = CallValidator(chat, config, rules=RULES, clock=clock.now)
    found = clock.run(validator.validate_all([WRONG if wrong else RIGHT for _, wrong in cases], at_once=1))
    counted = validator.metrics
    assert counted.total == len(found) == len(cases)
    assert counted.passed == sum(answer == "PASS: a" and not wrong for answer, wrong in cases)
    assert sum(counted.reasons.values()) == counted.failed + counted.unreadable
