"""What lesson 11 builds is what the package holds, and what it says of the lab, the suite and the cards is so."""

from __future__ import annotations

import re

import nbformat
import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolkit.lab.failure_course import LAYER_TITLES, run_fault
from toolkit.lab.failure_ending import ending_of
from toolkit.lab.faults import FAULTS, Faults
from toolkit.lessons.bug_hunt.cards import CARDS, mend
from toolkit.lessons.conformance.report import conformance
from toolkit.lessons.conformance.suite import CASES
from toolkit.lessons.exercise_11_ending import ENDING
from toolkit.records import Tool
from tools.environment import ROOT
from tools.notebook_definitions import load_definitions

SCRIPT = ROOT / "notebooks" / "source" / "11_break_it_on_purpose.py"
LESSON = load_definitions(SCRIPT)
DICT, SOURCE, GATEWAY = LAYER_TITLES
SEARCH = Tool(name="search_hotels", description="Search.", parameters={}, func=print)


@pytest.mark.row("X8", "F30")
@given(st.floats(0, 1), st.one_of(st.none(), st.integers(0, 5)), st.integers(0, 50))
def test_strikes_is_the_packages(probability, count, seed):
    """The lesson's class and the package's faults strike the same attempts, before and after a reset."""
    strikes, faults = LESSON.Strikes(probability, count, seed), Faults(seed)
    for _ in range(2):
        faults.reset()
        strikes.reset()
        faults.switch_on("flaky", probability=probability, count=count)
        ours = [strikes() for _ in range(20)]
        assert ours == [faults.fault_for(SEARCH) is not None for _ in range(20)]


@pytest.mark.row("X4")
def test_the_lessons_own_tool_loop_is_an_implementation():
    """`Mine` catches what JSON refuses to break; telling errors gains cases and loses none."""
    report = conformance(LESSON.Mine, LESSON.Better, layers=False)
    mine, better = (set(report.caught(name)) for name in ("Mine", "Better"))
    assert mine < better
    assert {"P65", "P70"} <= better - mine


@pytest.mark.row("X12")
def test_the_lessons_mending_is_one():
    """`passed` of the lesson mends its card."""
    assert mend("B36", LESSON.passed)


@pytest.mark.row("X8")
@pytest.mark.parametrize("layer", LAYER_TITLES)
@pytest.mark.parametrize("fault", FAULTS)
def test_the_exercises_ending_is_the_packages(layer, fault):
    """From the first answer and the store alone, it comes to the same word, except for a run that died."""
    (course,) = run_fault(layer, fault)
    word = ending_of(course)
    told = course.told[0] if course.told else None
    answer = ENDING.answer(ENDING.solution)
    wanted = {"ended": "stuck"}.get(word, word)
    if (layer, fault) == (DICT, "wrong_type"):
        wanted = "done"  # one night for two: only who knows the undisturbed answer can tell
    assert answer(told, course.bookings) == wanted


@pytest.mark.row("X4", "X8", "X12")
def test_the_numbers_in_the_text_are_those_of_the_package():
    """Faults, cards and cases are counted in words; a number that moved is found here."""
    cells = nbformat.read(ROOT / "notebooks" / "11_break_it_on_purpose.ipynb", as_version=4).cells
    text = re.sub(r"\s+", " ", " ".join(cell.source for cell in cells if cell.cell_type == "markdown"))
    words = {17: "Seventeen faults", 48: "Forty-eight cards", 51: "all fifty-one"}
    assert (len(FAULTS), len(CARDS), len(FAULTS) * 3) == tuple(words)
    assert [said for said in words.values() if said not in text] == []
    assert f"Of {len(CASES)} cases" in str([cell.get("outputs") for cell in cells])
