"""Timed builds: the clock starts once, survives a new kernel, and the score tells the time."""

from __future__ import annotations

import sys
from types import SimpleNamespace

import pytest

from toolkit.lessons import check, start
from toolkit.lessons.exercise import Exercise, judge
from toolkit.lessons.expect import expect_equal
from toolkit.lessons.progress.file import ProgressFile
from toolkit.lessons.progress.keeping import kept
from toolkit.lessons.rubric import Criterion

pytestmark = pytest.mark.row("X9")

RUBRIC = (
    Criterion("two and two are four", 3, "junior", lambda add: expect_equal(add(2, 2), 4, "add(2, 2)")),
    Criterion("no number at all is nothing", 2, "staff", lambda add: expect_equal(add(), 0, "add()")),
)
RIGHT, HALF = "def add(*numbers):\n    return sum(numbers)", "def add(a, b):\n    return a + b"


def exercise(**changes):
    """An exercise of lesson 98; timed where it has a rubric."""
    given = {"rubric": RUBRIC, "stub": "def add(*n):\n    raise NotImplementedError"}
    return Exercise(
        **{"id": "98.add", "task": "Add.", "minutes": 15, "difficulty": "easy", "hints": ("a",), "solution": RIGHT}
        | {"alternatives": (), "wrong": ()}
        | given
        | changes
    )


def asks_all(answer):
    """The same as a checker that ends at the first criterion which is not met."""
    for criterion in RUBRIC:
        criterion.checker(answer)


BUILD, DRILL = exercise(), exercise(id="98.drill", rubric=(), checker=asks_all)


@pytest.fixture(autouse=True)
def lesson(monkeypatch, tmp_path):
    """A lesson 98 with a build and a drill, and a progress file of its own."""
    monkeypatch.setitem(sys.modules, "toolkit.lessons.lesson_98", SimpleNamespace(EXERCISES=(BUILD, DRILL)))
    monkeypatch.setenv("TOOLKIT_PROGRESS", str(tmp_path / "own.sqlite"))


@pytest.fixture
def time():
    """A clock that stands still; `time.now` is set by hand."""
    return SimpleNamespace(now=1_000.0)


@pytest.fixture
def file(tmp_path, time):
    """A progress file by that clock."""
    return ProgressFile(tmp_path / "timed.sqlite", clock=lambda: time.now)


def last_line(file, code):
    """What the score says last."""
    return kept(judge(BUILD, BUILD.answer(code)), file).message.splitlines()[-1]


def test_the_start_says_the_limit_and_no_time_of_day():
    """Whole text, the same whenever it is run; solved at once, so is the score."""
    assert repr(start("98.add")) == "98.add: 15 minutes from now. Write your answer below and check it."
    assert str(check("98.add", BUILD.answer(RIGHT))).splitlines() == [
        "✓ right: 98.add",
        "  5 of 5 points; level: staff",
        "  ✓ 3 of 3  two and two are four (junior)",
        "  ✓ 2 of 2  no number at all is nothing (staff)",
        "  in time (15 minutes)",
    ]


def test_without_a_start_the_score_says_how_to():
    """An answer that was not timed is scored all the same."""
    assert check("98.add", BUILD.answer(HALF)).message.splitlines()[-1] == (
        'not timed; start("98.add") starts the clock'
    )


@pytest.mark.parametrize(
    ("minutes", "line"),
    [
        (0, "in time (15 minutes)"),
        (15, "in time (15 minutes)"),
        (15.01, "16 of 15 minutes, over the limit"),
        (21, "21 of 15 minutes, over the limit"),
        (-5, 'not timed, for the computer\'s clock was set back; start("98.add") starts it again'),
    ],
)
def test_the_time_is_told_after_a_new_kernel_too(file, time, minutes, line):
    """The start stands in the file: another object of another process reads it."""
    start("98.add", file)
    time.now += 60 * minutes
    another = ProgressFile(file.path, clock=file.clock)
    assert last_line(another, HALF) == line


def test_the_clock_stops_with_the_first_right_answer(file, time):
    """Half an answer does not stop it; checking again tomorrow does not make it late; a new start begins anew."""
    start("98.add", file)
    time.now += 600
    assert last_line(file, HALF) == last_line(file, RIGHT) == "in time (15 minutes)"
    time.now += 86_400
    assert last_line(file, RIGHT) == last_line(file, RIGHT) == "in time (15 minutes)"
    start("98.add", file)
    time.now += 1_200
    assert last_line(file, RIGHT) == "20 of 15 minutes, over the limit"


def test_points_level_and_minutes_are_kept(file, time):
    """What the page shows of a build."""
    start("98.add", file)
    time.now += 90
    last_line(file, HALF)
    assert file.events()[-1].detail == {"points": 3, "level": "senior", "minutes": 1.5}


def test_only_a_build_has_a_clock():
    """An exercise without a rubric is refused, with the builds there are; an unknown one as everywhere."""
    with pytest.raises(LookupError, match=r"^'98\.drill' is no timed build; those are: .*\b12\.\w+"):
        start("98.drill")
    with pytest.raises(LookupError, match=r"^no exercise '98\.nothing'; lesson 98 has: 98\.add, 98\.drill$"):
        start("98.nothing")


def test_a_stub_does_not_stop_the_clock_and_is_told_no_time(file):
    """Not attempted stays a single line."""
    start("98.add", file)
    feedback = kept(judge(BUILD, BUILD.answer(BUILD.stub)), file)
    assert repr(feedback).splitlines()[0] == "○ not attempted: 98.add"
    assert len(file.events()) == 1
