"""The study of examples: what the model is shown and asked, and how its calls are counted."""

from __future__ import annotations

import json
from collections import Counter
from datetime import date

import jsonschema
import pytest

from toolkit.agent.local import Completion
from toolkit.lab.example_study import (
    CONDITIONS,
    Condition,
    StudyCall,
    read_study,
    shown_tool,
    study_prompt,
    write_study,
)
from toolkit.lab.example_table import changes_lines, study_cells, study_changes, table_lines
from toolkit.lab.study_requests import OTHER_CALLS, OWN_CALLS, Request, study_requests
from toolkit.lab.study_tools import FORMS, GROUPS, study_registry
from toolkit.resources import data_path

WEATHER = Request("get_weather", "Weather in Oslo on 3 May 2027?", {"city": "Oslo", "date": "2027-05-03"})
ALARM = Request("set_alarm", "Wake me at 7:05 pm.", {"time": "19:05"})


class FakeModel:
    """Always writes the same arguments, and remembers what it was asked."""

    name = "fake"

    def __init__(self, text="{}"):
        self.settings, self.versions = {"threads": 1}, {"runtime": "1.2"}
        self.text, self.asked = text, []

    def complete(self, prompt, schema, **options):
        self.asked.append((prompt, schema, options))
        return Completion(self.text, cut_off=False, prompt_tokens=1, completion_tokens=1)


def study_call(request, arguments, *, examples=False, worked_call=False):
    text = arguments if isinstance(arguments, str) else json.dumps(arguments)
    return StudyCall(request, Condition(examples, worked_call), text)


def kinds(request, arguments):
    (cell,) = study_cells([study_call(request, arguments)])
    return dict(cell.arguments)


@pytest.mark.row("T6")
def test_a_hundred_requests_whose_arguments_the_tools_accept():
    """Twenty for each tool, no two alike, and each value written as the tool needs it."""
    requests = study_requests()
    assert Counter(request.tool for request in requests) == dict.fromkeys(GROUPS, 20)
    assert len({request.text for request in requests}) == 100
    assert {cell.errors for cell in study_cells([study_call(each, each.expected) for each in requests])} == {0}


def test_no_request_asks_for_a_value_shown_elsewhere():
    """A copied value can never be right by luck: neither that of an example nor that of a worked call."""
    registry = study_registry()
    for request in study_requests():
        (example,) = registry[request.tool].parameters["examples"]
        free = {"room_type", "nights"}  # three values and six: they cannot all differ
        for shown in (example, OWN_CALLS[request.tool].expected):
            assert not {name for name in shown if shown[name] == request.expected[name]} - free


def test_the_described_tools_say_how_values_are_written_and_the_others_do_not():
    """That is what divides the two groups."""
    for tool, group in GROUPS.items():
        properties = study_registry()[tool].parameters["properties"]
        formed = [properties[name]["description"] for name in properties if name in FORMS]
        said = ["YYYY" in text or "HT-" in text for text in formed]
        assert said == [group == "described"] * len(formed)


@pytest.mark.row("T6")
def test_conditions_differ_in_the_examples_and_in_nothing_else():
    """The schemas of the other tools lose theirs as well; the worked calls stay."""
    without = study_prompt(WEATHER, Condition(examples=False, worked_call=False))
    with_examples = study_prompt(WEATHER, Condition(examples=True, worked_call=False))
    assert "examples" not in without
    assert with_examples.count('"examples"') == len(OTHER_CALLS) + 1
    for tool in [*(call.tool for call in OTHER_CALLS), "get_weather"]:
        example = json.dumps(study_registry()[tool].parameters["examples"], ensure_ascii=False)
        with_examples = with_examples.replace(f', "examples": {example}', "")
    assert with_examples == without


def test_a_worked_call_stands_right_before_the_request():
    """The prompt ends with both."""
    assert study_prompt(ALARM, Condition(examples=False, worked_call=True)).endswith(
        "Arguments of set_alarm: "
        + json.dumps(shown_tool("set_alarm", examples=False)["function"]["parameters"])
        + '\nRequest: Wake me at 3:20 pm.\nCall of set_alarm:\n{"time": "15:20"}'
        + "\nRequest: Wake me at 7:05 pm.\nCall of set_alarm:\n"
    )


def test_leaving_examples_out_leaves_the_tool_as_it_is():
    """The registry's schema is not touched, and a stripped schema accepts what the whole one does."""
    shown = shown_tool("start_timer", examples=False)["function"]["parameters"]
    whole = shown_tool("start_timer", examples=True)["function"]["parameters"]
    assert {**shown, "examples": whole["examples"]} == whole
    jsonschema.Draft202012Validator(shown).validate(whole["examples"][0])


@pytest.mark.parametrize(
    ("request_", "arguments", "expected"),
    [
        (WEATHER, {"city": "Oslo", "date": "2027-05-03"}, {"right": 2}),
        (WEATHER, {"city": "Lhasa", "date": "2027-05-04"}, {"copied": 1, "wrong": 1}),
        (WEATHER, {"city": "Oslo", "date": "3 May 2027"}, {"rejected": 2}),
        (WEATHER, '{"city": "Os', {"rejected": 2}),
        (ALARM, {"time": "7:05 pm"}, {"malformed": 1}),
        (ALARM, {"time": "07:05"}, {"wrong": 1}),
        (ALARM, {"time": "18:45"}, {"copied": 1}),
    ],
)
def test_every_argument_is_of_one_kind(request_, arguments, expected):
    """Right, copied from the example, not in the tool's form, another value, or refused with its call."""
    assert kinds(request_, arguments) == expected


def test_a_call_counts_once_however_many_of_its_arguments_are_wrong():
    """Errors are of calls, kinds of arguments."""
    (cell,) = study_cells(
        [study_call(WEATHER, {"city": "Lima", "date": "2027-01-01"}), study_call(WEATHER, WEATHER[2])]
    )
    assert (cell.calls, cell.errors, cell.arguments) == (2, 1, Counter(wrong=2, right=2))


def test_changes_are_counted_on_the_same_request():
    """One mended, one broken; a request that stays as it was counts as neither."""
    other = WEATHER._replace(text="Weather in Oslo on 2027-05-03?")
    wrong, right = {"city": "Lima", "date": "2027-01-01"}, WEATHER.expected
    calls = [
        study_call(WEATHER, wrong),
        study_call(WEATHER, right, examples=True),
        study_call(other, right),
        study_call(other, wrong, examples=True),
        study_call(ALARM, {"time": "1"}),
        study_call(ALARM, {"time": "2"}, examples=True),
    ]
    assert [tuple(change) for change in study_changes(calls)] == [
        ("described", False, 1, 1),
        ("undescribed", False, 0, 0),
    ]


def test_the_study_is_written_as_it_is_read(tmp_path):
    """Every condition, every request; the schema the model is held to never has examples."""
    model = FakeModel('{"time": "19:05"}')
    write_study(tmp_path / "calls.json", lambda: model, [ALARM], date(2026, 11, 30))
    assert read_study(tmp_path / "calls.json") == [StudyCall(ALARM, each, '{"time": "19:05"}') for each in CONDITIONS]
    meta = json.loads((tmp_path / "calls.json").read_text("utf-8"))["meta"]
    assert (meta["model"], meta["recorded"], meta["versions"]["runtime"]) == ("fake", "2026-11-30", "1.2")
    assert all("examples" not in schema for _, schema, _ in model.asked)
    assert {options["temperature"] for *_, options in model.asked} == {0.0}


def test_the_table_in_words():
    """A line for each group and condition."""
    assert table_lines([study_call(ALARM, {"time": "7:05 pm"}), study_call(ALARM, ALARM.expected, examples=True)]) == [
        "| how values are written | worked call | examples | calls with an error | 95 % | right | copied | malformed "
        "| wrong | rejected |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |",
        "| undescribed | no | no | 1 of 1 | 21 to 100 % | 0 | 0 | 1 | 0 | 0 |",
        "| undescribed | no | yes | 0 of 1 | 0 to 79 % | 1 | 0 | 0 | 0 | 0 |",
    ]


@pytest.mark.row("T6")
def test_the_committed_calls_answer_the_requests_of_today():
    """Each of the hundred, once under each condition."""
    calls = read_study()
    assert {call.request.text: call.request for call in calls} == {each.text: each for each in study_requests()}
    assert Counter(call.condition for call in calls) == dict.fromkeys(CONDITIONS, 100)


@pytest.mark.row("T6")
def test_the_readme_shows_what_the_committed_calls_give():
    """Both tables, as the command prints them, and the sums in its sentences."""
    readme = data_path("examples", "README.md").read_text("utf-8")
    calls = read_study()
    assert "\n".join(table_lines(calls)) in readme
    assert "\n".join(changes_lines(calls)) in readme
    errors, kinds = Counter(), {condition: Counter() for condition in CONDITIONS}
    for cell in study_cells(calls):
        condition = Condition(cell.examples, cell.worked_call)
        errors[condition] += cell.errors
        kinds[condition] += cell.arguments
    first, shown, _, both = CONDITIONS
    assert [errors[condition] for condition in CONDITIONS] == [89, 96, 56, 52]
    assert (kinds[first]["malformed"], kinds[shown]["malformed"], kinds[shown]["copied"]) == (88, 4, 144)
    assert kinds[both]["copied"] == 1
