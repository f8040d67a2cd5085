"""E10, V7: judges of calls beside a baseline, on labelled calls, and the figures the lesson tells."""

from __future__ import annotations

import pytest

from toolkit.agent.local import Completion
from toolkit.lab.call_scores import ARGUMENT_RULES, RESULT_RULES, score_case
from toolkit.lab.judges import (
    JUDGES,
    KINDS,
    THRESHOLDS,
    by_model,
    by_rules,
    compare_judges,
    counts,
    recall_by_kind,
    recorded_opinions,
    recording_header,
    show_threshold,
    threshold_panel,
)
from toolkit.lab.local_validation import ASSURANCE, EXAMPLES, LocalChat, assured, record_calls, record_controls
from toolkit.lab.recorded_judge import RecordedChat, prompt_key, recorded_answers
from toolkit.lab.virtual_time import VirtualTime
from toolkit.quality.calibration import Confusion
from toolkit.quality.case import Case, prompt_for
from toolkit.quality.labelled import labelled_calls

CALLS = labelled_calls()


@pytest.mark.row("E10")
@pytest.mark.parametrize(
    ("judge", "counted"),
    [
        ("flags every call", Confusion(75, 0, 45, 0)),
        ("result says error", Confusion(10, 65, 9, 36)),
        ("rules", Confusion(38, 37, 13, 32)),
        ("small model", Confusion(22, 53, 18, 27)),
        ("rules, then model", Confusion(50, 25, 25, 20)),
    ],
)
def test_the_four_counts_of_each_judge(judge, counted):
    """The baseline and a judge that flags everything stand beside rules and model."""
    assert counts(JUDGES[judge]) == counted


@pytest.mark.row("V7")
def test_the_recorded_model_is_no_better_than_chance_and_the_rules_are():
    """By kappa; of the traps about a city it found none."""
    assert counts(by_model).kappa < 0 < 0.15 < counts(by_rules).kappa
    cities = [call for call in CALLS if call.kind == "city" and call.is_trap]
    assert len(cities) == 15
    assert not any(map(by_model, cities))


@pytest.mark.row("V7")
def test_praise_in_a_result_turns_most_fails_into_passes():
    """One sentence of a text from outside; and no rule moves, for none reads it."""
    plain, praised = recorded_opinions("plain"), recorded_opinions("assured")
    failed = [name for name, opinion in plain.items() if opinion.word == "fail"]
    assert len(failed) == 33
    assert sum(praised[name].word == "pass" for name in failed) == 23
    assert [score_case(assured(call.case)) for call in CALLS] == [score_case(call.case) for call in CALLS]


def test_every_tool_of_the_labelled_calls_has_rules():
    """A call without rules would have no score."""
    assert {call.case.tool for call in CALLS} == set(ARGUMENT_RULES) == set(RESULT_RULES)


@pytest.mark.parametrize(
    ("question", "tool", "arguments", "result", "score"),
    [
        ("西安10月1日？", "get_weather", {"city": "Xi'an", "date": "2026-10-01"}, {"high": 17}, 1.0),
        ("西安10月1日？", "get_weather", {"city": "Xi'an", "date": "2026-10-11"}, {"high": 17}, 0.0),
        ("西安10月1日？", "get_weather", {"city": "Xi'an", "date": "2026-10-01"}, {"high": None}, 0.0),
        ("西安12月1日？", "get_weather", {"city": "西安", "date": "2026-12-01"}, {"error": "no forecast"}, 1.0),
        ("two nights at 400?", "calculate", {"expression": "2 * 400"}, {"value": 800}, 1.0),
        ("两晚每晚1,400元？", "calculate", {"expression": "2 * 1400"}, {"value": 2800}, 1.0),
        ("2π?", "calculate", {"expression": "2 * π"}, {"value": 6.28}, 0.0),
        ("A suite.", "book_hotel", {"hotel_id": "", "room_type": "suite", "check_in": "1", "nights": 1}, {}, 0.0),
    ],
)
def test_the_rules_know_words_and_numbers(question, tool, arguments, result, score):
    """Another name of a city, a number written as a word or with a comma; an error has no value to be scored."""
    assert score_case(Case(question, tool, arguments, result)) == score


@pytest.mark.row("E10")
def test_the_threshold_panel():
    """Moving the threshold moves the four counts; sentence, table and figure tell the same."""
    panel = threshold_panel()
    assert panel.picture.summary == "At 0.5: 38 of 75 bad calls found, 13 false alarms. Precision 0.75, recall 0.51."
    assert panel.picture.rows == [["bad", 38, 37], ["good", 13, 32]]
    panel["threshold"].value, panel["kind"].value = 1.0, "expression"
    assert panel.picture.rows == [["bad", 9, 9], ["good", 6, 6]]
    assert panel.picture.chart.words.startswith("from threshold 0.05 to 1, recall goes from ")
    assert panel.error is None


@pytest.mark.row("E10")
@pytest.mark.parametrize("kind", ["all", *KINDS])
def test_a_threshold_shows_every_call_of_its_kind(kind):
    """At each threshold the four counts add up."""
    for threshold in THRESHOLDS:
        rows = show_threshold(threshold, kind).rows
        assert sum(rows[0][1:] + rows[1][1:]) == (120 if kind == "all" else 30)


def test_the_tables_can_be_read():
    """A row for each judge, figures in two digits, none where a figure has no meaning."""
    table = compare_judges({"nothing": lambda call: False}, CALLS[:2])
    assert table.rows == [["nothing", 0, 0, 0, 2, "none", "none", "1.00", "none"]]
    assert recall_by_kind({"nothing": lambda call: False}).rows[0][1:] == [
        "0 of 18",
        "0 of 18",
        "0 of 18",
        "0 of 21",
        "0 of 60",
    ]


class Texts:
    """A text model that repeats one text and keeps the prompts."""

    name, settings, versions = "fake", {"threads": 1}, {"fake": "1"}

    def __init__(self, text):
        self.text, self.prompts = text, []

    def complete(self, prompt, schema, *, temperature, seed, max_tokens):
        self.prompts.append(prompt)
        return Completion(self.text, False, 10, 5)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('{"reason": "The city is right. ", "verdict": "PASS"}', "PASS: The city is right."),
        ('{"reason": "The city is', '{"reason": "The city is'),
    ],
)
def test_a_model_that_continues_texts_is_a_chat_model(text, told):
    """Examples, then the call; its JSON is told as a line, and a text that was cut off stays as it is."""
    model = Texts(text)
    reply = VirtualTime().run(LocalChat(model).complete([{"role": "user", "content": "the call"}], temperature=0.0))
    assert reply == (told, 15)
    assert model.prompts[0].endswith("\n\nthe call\nAnswer: ")
    assert model.prompts[0].count("Answer: ") == len(EXAMPLES) + 1


def test_what_is_recorded():
    """A header and a line for each call, asked twice; for the controls a line for each prompt there is."""

    async def all_of(lines):
        return [line async for line in lines]

    model = Texts('{"reason": "so", "verdict": "FAIL"}')
    lines = VirtualTime().run(all_of(record_calls(model)))
    assert (lines[0]["model"], len(lines), len(model.prompts)) == ("fake", 121, 240)
    assert lines[1] == {"id": "call-001", "plain": "FAIL: so", "assured": "FAIL: so", "tokens": 15}
    assert sum(ASSURANCE in prompt for prompt in model.prompts) == 120
    controls = VirtualTime().run(all_of(record_controls(model)))
    assert {line["prompt"] for line in controls[1:]} == set(recorded_answers())


def test_a_recording_says_what_was_recorded():
    """Model, versions, settings, seed, day and the form of the prompt; and every labelled call is there."""
    assert {"model", "settings", "versions", "temperature", "seed", "recorded", "form"} == set(recording_header())
    assert set(recorded_opinions()) == {call.id for call in CALLS}


def test_a_recorded_model_answers_what_it_was_asked_and_nothing_else():
    """The same prompt gets the same answer; any other is refused, by the short name of the prompt."""
    chat, clock = RecordedChat(), VirtualTime()
    goal = [{"role": "user", "content": prompt_for(Case("Rain?", "f", {}))}]
    with pytest.raises(LookupError, match=prompt_key(goal[0]["content"])):
        clock.run(chat.complete(goal, temperature=0.0))
