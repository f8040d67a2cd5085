"""The 90-minute route: its marks, its minutes, and that its cells need no other."""

from __future__ import annotations

import re
import subprocess
import sys

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from toolkit.lessons.catalogue import all_exercises
from tools.environment import ROOT
from tools.notebooks import find_sources
from tools.reading_time import code_seconds, prose_seconds
from tools.route import read_lesson, read_lessons, table

LESSONS = {lesson.number: lesson for lesson in read_lessons()}
FRONT = next(find_sources(["00"])).read_text("utf-8")
MAP = {
    number: (int(whole), int(route))
    for number, whole, route in re.findall(r"^# \| \[?(\d\d)\b.*\| (\d+) \| (\d+) \|$", FRONT, re.M)
}
DRILLS = "12"  # its builds have minutes of their own, and are taken one at a time


def written(path, *cells):
    """A notebook on disk."""
    nbformat.write(new_notebook(cells=list(cells)), path)
    return path


def run(*wanted):
    """`python -m tools.route_run`, its exit code and its lines."""
    command = [sys.executable, "-m", "tools.route_run", *map(str, wanted)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120)
    return done.returncode, (done.stdout + done.stderr).splitlines()


def test_the_route_takes_ninety_minutes():
    """A reader who keeps to it is through within 90 minutes, and has seen more than an hour."""
    assert 60 <= sum(lesson.route_min for lesson in LESSONS.values()) <= 90


@pytest.mark.parametrize("number", LESSONS)
def test_every_lesson_contributes(number):
    """Its opening, at least one marked section with code, a few minutes, and no exercise."""
    lesson = LESSONS[number]
    code = [cell for cell in lesson.cells if cell.cell_type == "code"]
    assert lesson.sections
    assert lesson.route_min >= 3
    assert lesson.cells[0].source.startswith(f"# {number} · ")
    assert len(code) >= 2
    assert not [cell for cell in code if "exercise" in cell.metadata.get("tags", []) or 'check("' in cell.source]


def test_the_marked_cells_run_by_themselves():
    """Of each notebook only the route's cells run, in order; none raises, each shows what is stored."""
    assert run() == (0, ["the marked cells run by themselves, and show what is stored"])


def test_the_map_says_what_the_tool_measures():
    """Lesson 00 gives each lesson's minutes on the route, rounded, and they add up to 90 at most."""
    assert {number: route for number, (_, route) in MAP.items()} == {
        number: round(lesson.route_min) for number, lesson in LESSONS.items()
    }
    assert sum(route for _, route in MAP.values()) <= 90


@pytest.mark.parametrize("number", [number for number in LESSONS if number != DRILLS])
def test_a_lesson_takes_what_it_says(number):
    """By the same rule, with the minutes of its exercises, no lesson is a tenth longer than the map says."""
    exercises = sum(each.minutes for each in all_exercises() if each.id.startswith(number))
    said = MAP[number][0]
    assert LESSONS[number].whole_min + exercises <= 1.1 * said


def test_a_section_ends_where_the_next_begins(tmp_path):
    """Text above a heading belongs to the section before it, and a `#` in a code block begins none."""
    lesson = read_lesson(
        written(
            tmp_path / "99_marks.ipynb",
            new_markdown_cell("# 99 · A lesson"),
            new_code_cell("import json"),
            new_markdown_cell("## One\nLeft out."),
            new_code_cell("left_out"),
            new_markdown_cell("Left out.\n\n## Two ◆\nKept.\n```\n# no heading\n```"),
            new_code_cell("kept"),
            new_markdown_cell("Kept.\n### Three\nLeft out."),
            new_code_cell("# ## No heading ◆\nleft_out"),
        )
    )
    kept = [part.text for part in lesson.parts if part.on_route]
    assert kept[:2] == ["# 99 · A lesson", "import json"]
    assert kept[2:] == ["## Two ◆\nKept.\n```\n# no heading\n```", "kept", "Kept.\n"]
    assert lesson.sections == ["Two"]


def test_an_exercise_never_belongs(tmp_path):
    """Task, stub and check stay out, though they stand under a marked heading."""
    lesson = read_lesson(
        written(
            tmp_path / "99_exercise.ipynb",
            new_markdown_cell("## Marked ◆"),
            new_markdown_cell("**Exercise 99.double**"),
            new_code_cell("def double(): ...", metadata={"tags": ["exercise"]}),
            new_code_cell('check("99.double", double)'),
            new_markdown_cell("And on."),
        )
    )
    assert [cell.source for cell in lesson.cells] == ["## Marked ◆", "And on."]
    assert lesson.whole_min == lesson.route_min


def test_a_lesson_without_marks_has_no_route(tmp_path):
    """Its opening alone is no contribution."""
    lesson = read_lesson(written(tmp_path / "99_bare.ipynb", new_markdown_cell("# 99 · A lesson"), new_code_cell("1")))
    assert (lesson.cells, lesson.route_min) == ([], 0)


def test_a_route_that_does_not_stand_by_itself_is_found(tmp_path):
    """A name from a section that is left out, another output, another error: each is a complaint with its cell."""
    shown = new_output("execute_result", {"text/plain": "2"}, execution_count=1)
    raised = new_output("error", ename="ZeroDivisionError", evalue="no", traceback=[])
    head, tag = new_markdown_cell("## Marked ◆"), {"tags": ["raises-exception"]}
    out = new_markdown_cell("## Left out")
    paths = [
        written(tmp_path / "97_name.ipynb", out, new_code_cell("x = 1"), head, new_code_cell("x + 1", outputs=[shown])),
        written(
            tmp_path / "98_output.ipynb",
            head,
            new_code_cell("import asyncio\nawait asyncio.sleep(0, 3)", outputs=[shown]),
        ),
        written(tmp_path / "99_error.ipynb", head, new_code_cell("1 / 0", outputs=[raised], metadata=tag)),
    ]
    assert run(*paths) == (
        1,
        [
            "97: 'x + 1' raised NameError: name 'x' is not defined",
            "98: 'import asyncio' shows [('text/plain', '3')], stored is [('text/plain', '2')]",
            "99: '1 / 0' shows [('error', 'ZeroDivisionError: division by zero')], "
            "stored is [('error', 'ZeroDivisionError: no')]",
        ],
    )


def test_the_minutes_follow_the_rule():
    """200 words a minute; 4 s a line of code, 1.5 s a line of output up to twelve, and so on."""
    assert prose_seconds("one two three [four](an/address.md) " * 50) == 60
    lines = new_output("stream", text="row\n" * 40)
    figure = new_output("execute_result", {"image/png": "", "text/plain": "Figure: bars"})
    question = new_output("execute_result", {"text/plain": "Which of them?\n  ( ) one\n  ( ) two"})
    code = "import json\nfrom a import (\n    b,\n)\n\n# why\nx = await b()\nx"
    assert code_seconds(new_code_cell(code, outputs=[lines])) == 2 + 2 * 4 + 12 * 1.5
    assert code_seconds(new_code_cell("x.chart", outputs=[figure])) == 2 + 4 + 10
    assert code_seconds(new_code_cell('predict("a")', outputs=[question])) == pytest.approx(2 + 4 + 15 + 5 * 0.3)
    assert code_seconds(new_code_cell('panel["a"].value = 1')) == 2 + 4 + 15


def test_the_table_has_a_row_for_each_lesson():
    """`python -m tools.route` prints them with their sections, and all of them at the end."""
    rows = table(list(LESSONS.values())).splitlines()
    assert [row.split()[0] for row in rows] == ["lesson", *LESSONS, "all"]
    assert rows[2].endswith("Close the loop · What we have, and what is still wrong")
