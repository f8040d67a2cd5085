"""What lesson 06 builds is what the package holds: the notebook's own definitions, on the same cases."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolkit import Context, ToolError
from toolkit.lab.scored_answers import ANSWERS, show_scores
from toolkit.lab.slow_desk import slow_desk
from toolkit.lab.virtual_time import VirtualTime
from toolkit.lessons.exercise_06_groups import GROUPS
from toolkit.lessons.exercise_06_overall import OVERALL
from toolkit.lessons.exercise_06_words import WORDS
from toolkit.quality import Pipeline, Rule, Scorecard, complete, in_conversation, mentioned
from toolkit.quality.features import Features
from toolkit.quality.wording import terms
from tools.environment import ROOT
from tools.notebook_definitions import load_definitions

LESSON = load_definitions(ROOT / "notebooks" / "source" / "06_before_during_after.py")


@pytest.mark.row("E1")
@pytest.mark.parametrize("said", ["Rain in Xi’an?", "上海的天气", "in Yorkshire", "", "XI'AN"])
@pytest.mark.parametrize("city", ["Xi'an", "上海", "上晦", "York", None, 7])
@pytest.mark.parametrize("tool", ["get_weather", "search_hotels", "calculate"])
def test_mentioned_refuses_what_the_packages_refuses(said, city, tool):
    """The same calls pass and the same are refused, whatever was said."""

    def refused(check):
        try:
            check(tool, {"city": city}, Features(user_text=said))
        except ToolError:
            return True
        return False

    tools = ("get_weather", "search_hotels")
    assert refused(LESSON.mentioned(tools, "city")) == refused(mentioned(tools, "city"))


@pytest.mark.row("E1")
@given(st.lists(st.sampled_from(["call", "message", "copy"]), max_size=20))
def test_read_once_reads_as_often_as_the_packages(steps):
    """One reading for each state of a conversation, in any order of calls and new messages."""
    counts = {"lesson": 0, "package": 0}

    def counting(name):
        def read(messages):
            counts[name] += 1
            return Features()

        return read

    reader = LESSON.read_once(counting("lesson"))
    hook = in_conversation(read=counting("package"))
    talk = []
    for step in steps:
        if step == "call":
            reader(talk)
            hook("f", {}, Context(messages=talk))
        elif step == "message":
            talk.append({"role": "user"})
        else:
            talk = list(talk)
    assert counts["lesson"] == counts["package"]


@pytest.mark.row("E3")
@pytest.mark.parametrize("value", [{}, {"a": 1}, {"a": None, "b": ""}, {"a": 0, "b": False}, {"b": "x", "c": 1}])
def test_completeness_gives_the_packages_points(value):
    """And names the same fields."""
    points, reason = complete("a", "b").judge({}, value)
    mine, told = LESSON.completeness("a", "b")({}, value)
    assert (mine, told.removeprefix("missing: ")) == (
        points,
        reason.removeprefix("missing: ").replace("nothing is missing", "nothing"),
    )


points = st.floats(0, 1)


@pytest.mark.row("E3")
@given(st.lists(st.tuples(points, st.floats(0.1, 9)), max_size=5), points)
def test_the_exercises_overall_is_the_scorecards(rules, threshold):
    """For any points and weights, and None where there is no rule."""
    made = [
        Rule(name=str(number), judge=lambda arguments, value, found=found: (found, ""), weight=weight)
        for number, (found, weight) in enumerate(rules)
    ]
    score = Scorecard({"t": made}, threshold).judge("t", {}, None)
    answer = OVERALL.answer(OVERALL.solution)([found for found, _ in rules], [weight for _, weight in rules], threshold)
    assert answer == (None if score is None else pytest.approx(score.overall))


@pytest.mark.parametrize("text", ["西安下雨 Hotel 17", "雨", "下雨。上海 tomorrow", "", "西安Hotel很好"])
def test_the_exercises_words_are_the_packages_terms(text):
    """Where no word is one that says nothing."""
    assert set(WORDS.answer(WORDS.solution)(text)) == terms(text)


@pytest.mark.row("E4")
@given(st.text("sb", max_size=7))
def test_the_exercises_groups_are_the_pipelines(turn):
    """Each group begins when the one before it is over: a second later."""
    clock = VirtualTime()
    registry, begun = slow_desk(clock.now)
    names = {"s": "search", "b": "book"}
    calls = [
        {"id": str(place), "name": names[letter], "arguments": json.dumps({"what": str(place)})}
        for place, letter in enumerate(turn)
    ]
    clock.run(Pipeline(registry, clock=clock.now, log_sink=None).call_all(calls))
    groups = GROUPS.answer(GROUPS.solution)([names[letter] for letter in turn], {"book"})
    assert [at for at, _ in begun] == [float(at) for at, group in enumerate(groups) for _ in group]


@pytest.mark.row("E3")
@pytest.mark.parametrize("weight", [1.0, 3.0, 5.0])
def test_no_weight_brings_a_failed_answer_back(weight):
    """The panel's claim: by the scorecard the same three pass whatever the weight; by the average more do."""
    bounded = show_scores(0.6, weight, average_decides=False)
    averaged = show_scores(0.6, weight, average_decides=True)
    passing = [row[0] for row in bounded.rows if row[-1] == "passes"]
    assert passing == ["all there", "city in Chinese", "no humidity"]
    assert sum(row[-1].startswith("passes") for row in averaged.rows) > 3
    assert len(bounded.rows) == len(ANSWERS)


def test_the_panel_says_what_passes_although_a_rule_failed():
    """Sentence, table and figure tell the same, and no letter of it needs a colour."""
    picture = show_scores(0.6, 1.0, average_decides=True)
    assert picture.summary == "8 of 8 answers pass. 5 of them with a failed rule."
    assert picture.rows[-1] == ["170 degrees", "1.00", "1.00", "0.00", "0.67", "passes, although format failed"]
    assert picture.chart.words == "threshold 0.6; below it: none"
