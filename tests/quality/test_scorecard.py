"""E3: points 0 to 1 with a reason, put together so that nothing is hidden and nothing is lost."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolkit import ToolDefinitionError
from toolkit.quality import Finding, Rule, Scorecard


def gives(points, name="rule", reason="so", **options):
    return Rule(name=name, judge=lambda arguments, value: (points, reason), **options)


@pytest.mark.row("E3")
def test_the_overall_score_is_the_weighted_mean():
    """Where no rule failed: each counts by its weight."""
    score = Scorecard({"t": [gives(0.7, "a", weight=3), gives(1.0, "b")]}, threshold=0.6).judge("t", {}, None)
    assert score.overall == pytest.approx(0.775)
    assert (score.passed, score.failed) == (True, ())
    assert score.reason == "a 0.70: so; b 1.00: so"


@pytest.mark.row("E3")
def test_an_average_does_not_hide_a_failed_rule():
    """0.3 and 1.0 average to 0.65, above a threshold of 0.6; the answer is no better than its worst part."""
    score = Scorecard({"t": [gives(0.3, "relevance"), gives(1.0, "format")]}, threshold=0.6).judge("t", {}, None)
    assert (score.overall, score.passed, score.reason) == (0.3, False, "relevance 0.30: so")


@pytest.mark.row("E3")
def test_a_floor_below_the_threshold_is_a_rules_own_limit():
    """A rule with a lower floor may be weak as long as the average is good, and fails below its floor."""
    weak = Scorecard({"t": [gives(0.4, "a", floor=0.3), gives(1.0, "b")]}, threshold=0.6).judge("t", {}, None)
    failed = Scorecard({"t": [gives(0.2, "a", floor=0.3), gives(1.0, "b")]}, threshold=0.6).judge("t", {}, None)
    assert (weak.overall, weak.passed) == (0.7, True)
    assert (failed.overall, failed.passed) == (0.2, False)


@pytest.mark.row("E3")
@pytest.mark.parametrize("scorecard", [Scorecard(), Scorecard({"t": []}), Scorecard({"other": [gives(1.0)]})])
def test_without_rules_there_is_no_score(scorecard):
    """Nothing was asked, so nothing is good: None, not 1.0."""
    assert scorecard.judge("t", {}, None) is None
    assert scorecard("t", {}, None) is None


@pytest.mark.row("E3", "F27")
@pytest.mark.parametrize("error", [KeyError("temperature"), RecursionError(), SystemExit(3), TypeError()])
def test_a_crashing_rule_scores_nothing_and_loses_nothing(error):
    """It gets 0 with its reason; what the other rules found is there."""

    def crash(arguments, value):
        raise error

    score = Scorecard({"t": [Rule(name="a", judge=crash), gives(1.0, "b")]}).judge("t", {}, None)
    crashed = Finding("a", 0.0, f"the rule crashed with {type(error).__name__}", passed=False)
    assert score.findings == (crashed, Finding("b", 1.0, "so", passed=True))
    assert (score.overall, score.passed) == (0.0, False)


@pytest.mark.row("F27")
@pytest.mark.parametrize(
    ("points", "counted", "reason"),
    [
        (7, 1.0, "so"),
        (-1, 0.0, "so"),
        (math.nan, 0.0, "so (the rule returned nan)"),
        (math.inf, 0.0, "so (the rule returned inf)"),
        (True, 1.0, "so"),
        ("much", 0.0, "the rule crashed with ValueError"),
        (None, 0.0, "the rule crashed with TypeError"),
    ],
)
def test_points_lie_within_0_and_1(points, counted, reason):
    """Whatever a rule returns."""
    assert Scorecard({"t": [gives(points)]}).judge("t", {}, None).findings[0][1:3] == (counted, reason)


def test_a_rule_cannot_change_what_it_judges():
    """Each rule gets a copy of its own, so none spoils the value for the next or for the model."""

    def meddle(arguments, value):
        value["rooms"].clear()
        arguments.clear()
        return 1.0, "so"

    def count(arguments, value):
        return len(value["rooms"]) + len(arguments), "so"

    arguments, value = {"a": 1}, {"rooms": []}
    score = Scorecard({"t": [Rule(name="a", judge=meddle), Rule(name="b", judge=count)]}).judge("t", arguments, value)
    assert (score.findings[1].points, arguments, value) == (1.0, {"a": 1}, {"rooms": []})


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: gives(1, weight=0), "Rule 'rule': weight is 0, but must be above 0 and finite."),
        (lambda: gives(1, weight=math.nan), "Rule 'rule': weight is nan, but must be above 0 and finite."),
        (lambda: gives(1, floor=1.5), "Rule 'rule': floor is 1.5, but must lie between 0 and 1."),
        (lambda: Scorecard(threshold=-0.1), "threshold is -0.1, but must lie between 0 and 1."),
        (lambda: Scorecard({"t": [gives(1), gives(0)]}), "Tool 't' has two rules named 'rule'. Rename one."),
        (
            lambda: Scorecard({"t": [gives(1, floor=0.8)]}, threshold=0.6),
            "Tool 't', rule 'rule': its floor 0.8 lies above the threshold 0.6, so a failed rule could pass. "
            "Raise the threshold.",
        ),
    ],
)
def test_what_cannot_be_meant_is_refused(make, message):
    """Where it is declared, by name, with the rule."""
    with pytest.raises(ToolDefinitionError) as refused:
        make()
    assert str(refused.value) == message


points = st.floats(allow_nan=True, allow_infinity=True)


@pytest.mark.row("E3", "F27")
@given(
    st.lists(st.tuples(points, st.floats(0.01, 9), st.none() | st.floats(0, 1)), min_size=1, max_size=5),
    st.floats(0, 1),
)
def test_a_failed_rule_is_never_outweighed(rules, threshold):
    """For any points, weights and floors: passed exactly where the score reaches the threshold and no rule failed."""
    made = [
        gives(points, str(number), weight=weight, floor=None if floor is None else min(floor, threshold))
        for number, (points, weight, floor) in enumerate(rules)
    ]
    score = Scorecard({"t": made}, threshold).judge("t", {}, None)
    assert 0 <= score.overall <= 1
    assert score.passed == (score.overall >= threshold)
    if score.failed:
        assert not score.passed
        assert score.overall <= min(finding.points for finding in score.failed)
