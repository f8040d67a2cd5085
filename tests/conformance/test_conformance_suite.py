"""X4: one suite over the three layers and the reader's own code; what each catches is held here, case by case."""

from __future__ import annotations

import re

import pytest

from toolkit.lab.three_layers import DictOfTools, Executor, OneSource
from toolkit.lessons.conformance.case import KINDS
from toolkit.lessons.conformance.implementation import implementation
from toolkit.lessons.conformance.report import conformance
from toolkit.lessons.conformance.suite import CASES, run_case

ONE, TWO, THREE = DictOfTools.title, OneSource.title, Executor.title
# What a dict of tools does right: the arguments that JSON itself refuses, the names that are told, what it cannot
# get wrong because it never tries (a retry, a wait).
LAYER_1 = """
    P13 P22 P23 P24 P26 P27 P28 P30 P37 P39 P43 F3.huge F3.deep
    P60 P61.caller P65 F12.circular P68 P69 P70 F8 F17 F11 P57
"""
# What is left once the arguments are held against the function: the rest is not about arguments.
NOT_LAYER_2 = """
    P21 P33 P34 P38 P40 P52 P53 P54 P61.tool P63 P66 P67 F12.none F12.size F1 F13 F16 F5 F6 F7 F10 F25 P58 P59
    F22 F23.other F23.missing F24 F2 F14 F18 F19 F20 F21.rate F21.at_once S12 T14.together
"""


@pytest.mark.row("X4")
def test_there_are_sixty_cases_each_with_an_id_and_a_source():
    """Ids stand once; a public report is a repository and a number; every kind of case is there."""
    ids = [case.id for case in CASES]
    assert len(CASES) >= 60
    assert len(set(ids)) == len(ids)
    assert {case.kind for case in CASES} == set(KINDS)
    public = [case for case in CASES if case.row.startswith("P")]
    assert len(public) >= 50
    assert [case.id for case in public if not re.search(r"^[\w.-]+/[\w.-]+(#\d+$| \()", case.source)] == []


@pytest.mark.row("X4", *sorted({case.row for case in CASES}))
def test_the_gateway_catches_every_case(report):
    """Layer 3 does in each case what a sensible user would want."""
    assert [(case.id, str(report[case.id, THREE])) for case in CASES if report[case.id, THREE].word != "caught"] == []


@pytest.mark.row("X4")
def test_what_layers_one_and_two_catch(report):
    """Exactly these; where schemas are written by hand there is nothing to ask."""
    assert set(report.caught(ONE)) == set(LAYER_1.split())
    assert {case.id for case in CASES} - set(report.caught(TWO)) == set(NOT_LAYER_2.split())
    not_asked = [case for case in CASES if report[case.id, ONE].word == "not asked"]
    assert len(not_asked) == 11
    assert {case.kind for case in not_asked} == {"schema"}


@pytest.mark.row("X4")
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_every_case_can_fail(report, case):
    """Some implementation gets it wrong: a layer, the interview's dict, or one that means too well."""
    assert {report[case.id, each.title].word for each in report.implementations} & {"missed", "died", "hung"}


@pytest.mark.row("X4")
def test_a_finding_says_what_is_wrong(report):
    """The reason is what the model reads, what was done, or what got out."""
    assert report["P32", ONE].reason == "told a value: 1000"
    assert report["F24", TWO].reason == "the tool was reached 2 times, not 1"
    assert report["F14", TWO].reason == "answered after 144000 s"
    assert (str(report["F13", TWO]), report["F13", TWO].reason) == ("died", "SystemExit: ")
    assert report["P65", "Interview"].reason == "ValueError: GET https://api.invalid/s?key=SECRET123 401"


@pytest.mark.row("X4")
def test_the_price_of_a_layer_is_told_in_lines_and_calls(report):
    """More lines catch more; layer 3 reaches the tools less often, though it tries again where that is safe."""
    rows = {row[0]: row[1:] for row in report.picture.rows}
    lines = [int(str(cell).removeprefix("about ")) for cell in rows["lines of code"][:3]]
    assert 500 <= lines[0] < lines[1] < lines[2] <= 6000
    assert rows["lines of code"][3] == 9
    assert rows["tools reached"][2] < rows["tools reached"][0]
    assert (report["F7", THREE].sent, report["F7", THREE].reached) == (1, 3)


@pytest.mark.row("X4")
def test_table_and_figure_tell_the_same(report):
    """A row per case; the figure's words hold the sums; its first line is that of the table."""
    assert [row[0] for row in report.table.rows] == [case.id for case in CASES]
    assert [str(row[3]) for row in report.table.rows].count("missed") + 2 == len(NOT_LAYER_2.split()) - 1
    assert "3 gateway 97 of 97" in report.chart.words
    assert report.chart.png.startswith(b"\x89PNG")
    assert report.picture.summary.startswith(f"Of {len(CASES)} cases, caught: {ONE} 24, {TWO} 60, {THREE} 97")


@pytest.mark.row("X4")
def test_a_suite_that_is_run_twice_says_the_same(report):
    """Time is virtual and jitter seeded, so every finding repeats, counts and reasons included."""
    again = conformance()
    assert again.findings == {key: found for key, found in report.findings.items() if key[1] in (ONE, TWO, THREE)}


def test_a_case_that_hangs_is_told_as_such():
    """An implementation that waits for nothing is found out, in no time."""

    async def call(raw):
        import asyncio

        await asyncio.Event().wait()

    made = implementation({"declare": lambda func: None, "call": call})
    (apostrophes,) = [case for case in CASES if case.id == "P26"]
    finding = run_case(apostrophes, made)
    assert (finding.word, finding.reason) == ("hung", "no answer, ever")
