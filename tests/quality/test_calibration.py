"""E10: a judge against labels, its counts and what follows from them; and the weekly sample."""

from __future__ import annotations

import itertools
import json
import math
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolkit.lab.local_validation import EXAMPLES
from toolkit.quality.calibration import (
    Confusion,
    confusion,
    kappa,
    labelling_sheet,
    says_error,
    sweep,
    weekly_sample,
)
from toolkit.quality.case import PROMPTS, Case
from toolkit.quality.labelled import labelled_calls
from toolkit.resources import data_path

CALLS = labelled_calls()


@pytest.mark.row("E10")
def test_the_figures_follow_from_four_counts():
    """By hand: precision 6/8, recall 6/10, accuracy 14/20, and kappa (0.7 - 0.5) / (1 - 0.5)."""
    counted = Confusion(found=6, missed=4, false_alarms=2, cleared=8)
    assert (counted.precision, counted.recall, counted.accuracy) == (0.75, 0.6, 0.7)
    assert counted.kappa == pytest.approx(0.4)


@pytest.mark.row("E10")
@pytest.mark.parametrize(
    ("counted", "figures"),
    [
        (Confusion(0, 5, 0, 5), (None, 0.0, 0.5, 0.0)),  # flags nothing
        (Confusion(5, 0, 5, 0), (0.5, 1.0, 0.5, 0.0)),  # flags everything
        (Confusion(0, 0, 2, 8), (0.0, None, 0.8, 0.0)),  # nothing was bad
        (Confusion(0, 0, 0, 9), (None, None, 1.0, None)),  # nothing was bad, nothing flagged: chance says as much
        (Confusion(0, 0, 0, 0), (None, None, None, None)),
    ],
)
def test_a_figure_without_a_meaning_is_none(counted, figures):
    """Not 0 and not 1: a judge that flags nothing has no precision."""
    assert (counted.precision, counted.recall, counted.accuracy, counted.kappa) == figures


labels = st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=60)


@pytest.mark.row("E10")
@given(labels)
def test_counts_and_kappa_agree_with_the_definition(pairs):
    """Every call is counted once; kappa of the counts is kappa of the labels, at most 1, and 1 only for perfect."""
    bad, flagged = [one for one, _ in pairs], [other for _, other in pairs]
    counted = confusion(bad, flagged)
    assert sum(counted) == len(pairs)
    assert counted.kappa == kappa(bad, flagged) or math.isclose(counted.kappa, kappa(bad, flagged), abs_tol=1e-9)
    if counted.kappa is not None:
        assert -1 <= counted.kappa <= 1
        assert (counted.kappa == 1) == (bad == flagged)


@given(st.lists(st.tuples(st.booleans(), st.floats(0, 1)), min_size=1, max_size=40))
def test_a_higher_threshold_never_finds_fewer(calls):
    """Found and false alarms only grow; at 0 nothing is flagged, and above 1 everything."""
    bad, scores = [one for one, _ in calls], [score for _, score in calls]
    swept = list(sweep(bad, scores, [0.0, 0.2, 0.5, 0.9, 1.1]).values())
    assert all(a.found <= b.found and a.false_alarms <= b.false_alarms for a, b in itertools.pairwise(swept))
    assert swept[0].found + swept[0].false_alarms == 0
    assert swept[-1].missed + swept[-1].cleared == 0


def test_kappa_of_more_than_two_labels():
    """Cohen's own definition: (agreed - by chance) / (1 - by chance), here (0.6 - 0.28) / 0.72."""
    one, other = list("aabbc"), list("abbbd")
    assert kappa(one, other) == pytest.approx((3 / 5 - (2 * 1 + 2 * 3) / 25) / (1 - (2 * 1 + 2 * 3) / 25))
    assert kappa([], []) is None
    assert kappa(["a", "a"], ["a", "a"]) is None


@pytest.mark.parametrize(
    ("result", "says"),
    [
        ({"error": "No city."}, True),
        ({"error": None}, False),
        ({"error": ""}, False),
        ({"note": "an error"}, False),
        ("error", False),
        (None, False),
    ],
)
def test_the_baseline_reads_one_field(result, says):
    """`"error": null` is no error, and neither is a word in a text."""
    assert says_error(Case("?", "f", {}, result)) is says


@pytest.mark.row("E10")
def test_the_weekly_sample():
    """A hundred of a week's calls, each once, the same ones when drawn again, others in another week."""
    calls = [{"id": number} for number in range(5000)]
    drawn = weekly_sample(iter(calls), "2026-W40")
    assert len({call["id"] for call in drawn}) == 100
    assert drawn == weekly_sample(iter(calls), "2026-W40")
    assert drawn != weekly_sample(iter(calls), "2026-W41")
    assert weekly_sample(calls[:30], "2026-W40") == calls[:30]


@pytest.mark.row("E10")
def test_every_call_of_a_week_has_the_same_chance():
    """Over 2,000 weeks of 200 calls, each is drawn about half of the time: early, late and in between."""
    times = Counter(call for week in range(2000) for call in weekly_sample(range(200), f"w{week}"))
    assert len(times) == 200
    assert all(880 < times[call] < 1120 for call in range(200))  # 5 standard deviations
    one_of_two = Counter(call for week in range(2000) for call in weekly_sample(range(2), f"w{week}", size=1))
    assert all(880 < one_of_two[call] < 1120 for call in range(2))


def test_a_person_does_not_see_what_a_judge_said():
    """The sheet has the call and a place for the label; scores and reasons are left out."""
    call = {"id": "c1", "question": "?", "score": 0.2, "word": "fail", "reason": "x", "notes": [], "label": "bad"}
    assert labelling_sheet([call]) == [{"id": "c1", "question": "?", "label": None}]


@pytest.mark.row("E10")
def test_120_labelled_calls_half_of_them_traps():
    """Thirty of each kind, in two languages; sixty have a result in which nothing looks wrong, for wrong arguments."""
    assert len({call.id for call in CALLS}) == 120
    assert Counter(call.kind for call in CALLS) == dict.fromkeys(
        ("city", "expression", "relevance", "completeness"), 30
    )
    assert min(Counter(call.language for call in CALLS).values()) >= 50
    assert sum(call.is_trap for call in CALLS) == 60
    assert all(call.label == "bad" for call in CALLS if call.is_trap)


@pytest.mark.row("E10")
def test_labelled_twice():
    """The two labellings differ in three calls, and where they differ a note says why the label is what it is."""
    differ = [call for call in CALLS if call.first != call.second]
    assert [call.id for call in differ] == ["call-005", "call-009", "call-101"]
    assert all(call.note for call in differ)
    assert all(call.label == call.first for call in CALLS if call.first == call.second)
    assert kappa([call.first for call in CALLS], [call.second for call in CALLS]) == pytest.approx(0.947, abs=0.001)


@pytest.mark.row("E10")
def test_a_label_stands_in_no_file_that_a_judge_reads():
    """The calls' file holds question, call and result, and nothing of what was found."""
    lines = data_path("calibration", "calls.jsonl").read_text(encoding="utf-8").splitlines()
    fields = {"id", "kind", "language", "question", "tool", "arguments", "result"}
    assert all(set(json.loads(line)) == fields for line in lines)


@pytest.mark.row("E10")
def test_no_labelled_call_stands_in_a_prompt():
    """Neither in the templates nor in the examples that the small model is shown."""
    shown = "\n".join([*PROMPTS.values(), *(str(case) for case, _, _ in EXAMPLES)])
    assert not [call.id for call in CALLS if call.case.question in shown]
    asked = {json.dumps(call.case.arguments, sort_keys=True) for call in CALLS}
    assert not asked & {json.dumps(case.arguments, sort_keys=True) for case, _, _ in EXAMPLES}
