"""What lesson 08 builds is what the package holds, and what its text counts is what the package counts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolkit.hotel.controls import CONTROLS, LANGUAGES, load_control
from toolkit.hotel.mutations import OPERATORS, base_runs
from toolkit.hotel.mutations.checkers import controls, noticed_by
from toolkit.trajectory import Verdict, extract_calls
from toolkit.trajectory.mutate import mutants
from toolkit.trajectory.mutate_checks import broken_checks
from toolkit.trajectory.statistics import wilson_interval
from tools.environment import ROOT
from tools.notebook_definitions import load_definitions

SOURCE = ROOT / "notebooks" / "source" / "08_testing_the_checks.py"
LESSON = load_definitions(SOURCE)
BROKEN = broken_checks()


@given(st.integers(1, 1_000), st.data())
def test_wilson_is_the_packages_interval(trials, data):
    """The same two ends, for z = 1.96 to three digits of z."""
    hits = data.draw(st.integers(0, trials))
    assert LESSON.wilson(hits, trials) == pytest.approx(wilson_interval(hits, trials), abs=1e-4)


@pytest.mark.row("X3")
def test_the_lessons_survivors_are_those_of_the_package():
    """Every tenth broken check, against the controls."""
    some, runs = BROKEN[::10], controls()
    assert LESSON.survivors(some, runs) == [broken for broken in some if noticed_by(broken, runs) is None]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("control", CONTROLS)
def test_no_lost_result_improves_a_control(control, language):
    """The law, by the lesson's own function, in both languages."""
    run = load_control(control, language)
    results = [place for place, message in enumerate(run) if message["role"] == "tool"]
    assert results
    assert [LESSON.improved(run, place) for place in results] == [[]] * len(results)


def test_the_law_finds_a_run_that_improves(monkeypatch):
    """Were a lost result taken for a good one, `improved` would say so."""
    shorter = len(load_control("skip"))
    monkeypatch.setitem(
        LESSON.improved.__globals__,
        "verdicts",
        lambda messages: {"plan_first": "fail" if len(messages) == shorter else "pass"},
    )
    assert LESSON.improved(load_control("skip"), 3) == ["plan_first"]


def test_the_missing_check_notices_other_nights_and_nothing_else():
    """Proven with the mutant it was written for, and quiet on every run that passes."""
    (operator,) = [operator for operator in OPERATORS if operator.name == "book other nights"]
    for mutant in mutants(base_runs(), [operator]):
        assert LESSON.nights_as_asked(extract_calls(mutant.messages).calls).verdict is Verdict.FAIL
    for run in base_runs().values():
        assert LESSON.nights_as_asked(extract_calls(run).calls).verdict is Verdict.PASS
    assert LESSON.nights_as_asked([]).verdict is Verdict.NOT_APPLICABLE


def test_the_figures_of_the_text_are_those_of_the_readme():
    """How many broken checks there are, and how many survive, stands in both."""
    text, readme = SOURCE.read_text("utf-8"), (ROOT / "data" / "mutations" / "README.md").read_text("utf-8")
    assert f"169 of {len(BROKEN)}" in text
    assert f"{len(BROKEN)} broken checks; the controls notice 54, all runs 169" in readme
