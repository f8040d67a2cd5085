"""The reader's page: what the events amount to, what to do next, and three ways to show it."""

from __future__ import annotations

import re
import sqlite3
import time
from contextlib import closing
from html.parser import HTMLParser
from types import SimpleNamespace

import pytest
from typer.testing import CliRunner

from toolkit.cli import app
from toolkit.lessons import progress_page
from toolkit.lessons.catalogue import NOTEBOOKS, all_exercises, all_questions
from toolkit.lessons.interview import cards as card_file
from toolkit.lessons.progress.document import Document, Link, Section, Share
from toolkit.lessons.progress.file import Event, ProgressFile
from toolkit.lessons.progress.next_step import next_step
from toolkit.lessons.progress.page import address_from, build_section, document, lesson_section, weak_section
from toolkit.lessons.progress.summary import summarise
from tools.environment import ROOT

pytestmark = pytest.mark.row("X9")

CARDS = tuple(SimpleNamespace(id=id, lesson=lesson) for id, lesson in (("Q01", "01"), ("Q02", "03"), ("Q03", "03")))
DAY = 1_790_000_000.0  # 2026-09-21
BUILD = next(exercise for exercise in all_exercises() if exercise.rubric)
WHOLE = sum(criterion.points for criterion in BUILD.rubric)


@pytest.fixture(autouse=True)
def three_cards(monkeypatch):
    """Cards of two lessons, whatever the kit holds."""
    monkeypatch.setattr(card_file, "cards", lambda: CARDS)


@pytest.fixture
def path(tmp_path, monkeypatch):
    """The reader's file."""
    monkeypatch.setenv("TOOLKIT_PROGRESS", str(tmp_path / "progress.sqlite"))
    return tmp_path / "progress.sqlite"


def did(*steps):
    """Events from `kind id outcome` and details, a second apart."""
    return [Event(DAY + n, *step[:3], dict(step[3]) if step[3:] else {}) for n, step in enumerate(steps)]


def row(events, lesson):
    """A lesson's row of the table, as words."""
    return [str(cell) for cell in lesson_section(summarise(events)).rows[list(NOTEBOOKS).index(lesson)]][1:]


def lesson_03(*events):
    """The numbers of lesson 03 after these events: it has three exercises."""
    return row(did(*events), "03")


def everything():
    """Events after which all is done and firm."""
    return did(
        *(("exercise", each.id, "right") for each in all_exercises()),
        *(("question", each.id, "right") for each in all_questions()),
        *(("card", card.id, "staff") for card in CARDS),
    )


def sentence(events):
    """What to do next."""
    return next_step(summarise(events), events)


def test_the_table_counts_what_was_done():
    """Right of all, tries, different hints, solutions, first choices, cards by level."""
    predictions = [question.id for question in all_questions() if question.id.startswith("03.")]
    assert lesson_03(
        ("exercise", "03.retry", "wrong"),
        ("exercise", "03.retry", "raised"),
        ("hint", "03.retry", "looked at", {"number": 1}),
        ("hint", "03.retry", "looked at", {"number": 1}),
        ("hint", "03.retry", "looked at", {"number": 2}),
        ("solution", "03.waits", "looked at"),
        ("exercise", "03.retry", "right"),
        ("exercise", "03.retry", "right"),
        ("question", predictions[0], "right"),
        ("question", predictions[1], "no"),
        ("question", predictions[1], "right"),
        ("card", "Q02", "staff"),
        ("card", "Q03", "nothing yet"),
    ) == ["1 of 3", "2", "2", "1", f"1 of {len(predictions)}", "1 staff, 1 nothing yet"]


def test_what_is_no_longer_in_the_lessons_is_not_counted():
    """An event of an exercise that was taken out changes no number."""
    assert lesson_03(("exercise", "03.gone", "right")) == lesson_03()


def test_a_right_answer_after_the_solution_is_shaky():
    """Before the solution was looked at it is firm, after it is not, and the weakest lesson stands first."""
    events = did(
        ("exercise", "01.tool_loop", "right"),
        ("solution", "01.tool_loop", "looked at"),
        ("exercise", "01.answer_call", "wrong"),
        ("solution", "03.retry", "looked at"),
        ("exercise", "03.retry", "right"),
        ("card", "Q02", "junior"),
        ("exercise", "04.guarded", "right"),
    )
    assert [[str(cell) for cell in row[1:]] for row in weak_section(summarise(events)).rows] == [
        ["0 of 2", "03.retry right only after its solution; card Q02: junior"],
        ["1 of 2", "01.answer_call not right yet"],
    ]


@pytest.mark.parametrize(
    ("tries", "shown"),
    [
        ([], [f"0 of {WHOLE}", "not tried", f"limit {BUILD.minutes}"]),
        ([(3, "junior", None)], [f"3 of {WHOLE}", "junior", f"not timed, limit {BUILD.minutes}"]),
        ([(3, None, -4.0)], [f"3 of {WHOLE}", "none yet", f"not timed, limit {BUILD.minutes}"]),
        ([(5, "junior", 9.2), (3, "junior", 2)], [f"5 of {WHOLE}", "junior", f"10 of {BUILD.minutes}"]),
        (
            [(5, "junior", 9), (5, "junior", 4), (5, "junior", None)],
            [f"5 of {WHOLE}", "junior", f"4 of {BUILD.minutes}"],
        ),
        ([(5, "junior", 99.5)], [f"5 of {WHOLE}", "junior", f"100 of {BUILD.minutes}, over the limit"]),
        ([(5, "junior", 0.0)], [f"5 of {WHOLE}", "junior", f"1 of {BUILD.minutes}"]),
    ],
)
def test_a_build_shows_its_best_score(tries, shown):
    """Most points, then the level, then the time."""
    names = ("points", "level", "minutes")
    events = did(*(("exercise", BUILD.id, "wrong", dict(zip(names, each, strict=True))) for each in tries))
    row = next(row for row in build_section(summarise(events)).rows if row[0].text == BUILD.id)
    assert [str(cell) for cell in row[1:]] == shown


def test_a_beginner_is_sent_to_lesson_00():
    """Nothing recorded yet."""
    assert sentence([]) == ("Begin with lesson 00.", "00")


@pytest.mark.parametrize(
    ("steps", "said"),
    [
        ([("exercise", "03.retry", "wrong")], 'not right once so far: hint("03.retry", 1) says more.'),
        (
            [("hint", "03.retry", "looked at", {"number": 1}), *[("exercise", "03.retry", "wrong")] * 2],
            'not right 2 times so far: hint("03.retry", 2) says more.',
        ),
        (
            [*(("hint", "03.retry", "looked at", {"number": n}) for n in range(9)), ("exercise", "03.retry", "raised")],
            'not right once so far: solution("03.retry") shows one way, then write it without looking.',
        ),
    ],
)
def test_what_was_not_right_comes_first(steps, said):
    """With the help that is left."""
    assert sentence(did(*steps)) == (f"Try 03.retry again, {said}", "03")


def test_a_build_is_told_its_points():
    """Of a build the points so far are said, not the tries."""
    events = did(("exercise", BUILD.id, "wrong", {"points": 3, "level": None, "minutes": None}))
    assert sentence(events).text.startswith(f"Try {BUILD.id} again, 3 of {WHOLE} points so far:")


def test_then_the_lesson_at_hand_then_a_new_one():
    """The next exercise of the lesson; when none is left, the first lesson not begun; then the first not finished."""
    exercises = [each.id for each in all_exercises() if each.id.startswith("03.")]
    events = did(("exercise", exercises[0], "right"))
    assert sentence(events) == (f"Go on in lesson 03 with {exercises[1]}.", "03")
    assert sentence(did(*(("exercise", id, "right") for id in exercises))) == ("Go on with lesson 00.", "00")
    missing = [event for event in everything() if event.id != "00.both"]
    assert sentence(missing) == ("Finish lesson 00.", "00")


def test_at_the_end_cards_then_what_is_shaky_then_an_interview():
    """When every lesson is done there is still something to do."""
    events = everything()
    assert sentence(events[:-2]).text == "Turn the interview cards of lesson 12: 2 of 3 are not answered yet."
    looked = did(("solution", "03.retry", "looked at"))
    text = sentence([*looked, *events]).text
    assert re.fullmatch(r"Go over lesson 03: (\d+) of (\d+) things are firm there\.", text)
    assert sentence(events) == ("Everything here is firm; take a mock interview in lesson 12.", "12")


ODD = Document(
    "A <title> & more",
    ["A sentence with *stars*."],
    ("Go.", Link("Open <it>", "a b.ipynb")),
    [Section("Head", "Text.", ("<what>", "share"), [[Link("x_y", "a b.ipynb"), Share(1, 3)], ["a|b", Share(0, 0)]])],
)


class Seen(HTMLParser):
    """The links, the visible text, and every tag that asks for something outside."""

    def __init__(self, text):
        super().__init__()
        self.links, self.text, self.asks = [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.links += [given["href"]] if tag == "a" else []
        self.asks += [tag] if tag in {"script", "img", "link", "iframe"} or "src" in given else []

    def handle_data(self, data):
        self.text.append(data)


def test_html_escapes_and_asks_for_nothing():
    """Texts stay texts, a bar has its numbers beside it, and a link is written as an address."""
    seen = Seen(ODD.html(lambda notebook: f"notebooks/{notebook}"))
    assert seen.links == ["notebooks/a%20b.ipynb"] * 2
    assert {"A <title> & more", "1 of 3", "–", "a|b", "<what>"} <= set(seen.text)
    assert seen.asks == []


def test_markdown_is_whole():
    """The same in Markdown, its own signs marked as text; without notebooks the names stand alone."""
    assert ODD.markdown(lambda notebook: None) == (
        "# A <title> & more\n\nA sentence with \\*stars\\*.\n\n**Next:** Go. Open \\<it\\>\n\n## Head\n\nText.\n\n"
        "| \\<what\\> | share |\n| --- | --- |\n| x\\_y | 1 of 3 |\n| a\\|b | – |\n"
    )


def test_links_lead_from_the_page_to_the_notebooks(tmp_path):
    """Relative to where the page is written; a notebook that is not there gets no link."""
    address = address_from(ROOT / "docs")
    assert address("00_two_answers.ipynb") == "../notebooks/00_two_answers.ipynb"
    assert address("99_none.ipynb") is None


def test_from_another_drive_no_link_leads_to_the_notebooks(monkeypatch):
    """The page is written all the same; on Windows no relative path leads from C: to D:."""

    def relpath(path, start):
        raise ValueError("path is on mount 'C:', start on mount 'D:'")

    monkeypatch.setattr("toolkit.lessons.progress.page.os.path.relpath", relpath)
    assert address_from(ROOT)("00_two_answers.ipynb") is None


def test_the_page_of_an_empty_file_says_where_to_begin(path):
    """Nothing is recorded, nothing is shaky, and everything is open."""
    page = document(ProgressFile(path))
    assert page.sentences == ["Nothing is recorded yet: check an exercise or predict an outcome in a lesson."]
    assert [section.heading for section in page.sections] == ["By lesson", "Timed builds", "Open"]
    assert not path.exists()


def test_the_page_tells_of_a_file_that_was_set_aside_or_cannot_be_used(path):
    """Nobody has to wonder where the progress went."""
    path.with_name("progress.broken-1.sqlite").touch()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 99")
    assert document(ProgressFile(path)).sentences[1:] == [
        f"Not kept: {path}: it was written by a newer toolkit-lessons; update this one. "
        "What stands here is lost when this session ends.",
        "progress.broken-1.sqlite beside the file was no database and is not counted.",
    ]


def test_in_a_notebook_the_links_lead_to_its_neighbours(path):
    """The notebooks stand side by side; the text form has no address, and neither has a date: a build stores it."""
    ProgressFile(path, clock=lambda: DAY).append("exercise", "03.retry", "right")
    page = progress_page()
    assert "03_deadlines_retries_idempotency.ipynb" in Seen(page._repr_html_()).links
    assert repr(page).splitlines()[2].startswith("1 of ")
    assert ".ipynb" not in repr(page)
    assert "2026-" not in page._repr_html_() + repr(page)


def run(*arguments, says=""):
    """The command, with what is typed when it asks."""
    return CliRunner().invoke(app, ["progress", *map(str, arguments)], input=says)


def test_the_command_shows_lessons_builds_and_the_next_step(path):
    """A table each, and last the sentence with the notebook's place."""
    ProgressFile(path, clock=lambda: DAY).append("exercise", "03.retry", "wrong")
    done = run()
    assert done.exit_code == 0
    assert "Timed builds" in done.output
    assert done.output.splitlines()[-1] == (
        'Next: Try 03.retry again, not right once so far: hint("03.retry", 1) says more. '
        "notebooks/03_deadlines_retries_idempotency.ipynb"
    )


def test_without_the_notebooks_the_command_names_no_place(path, monkeypatch, tmp_path):
    """As after an install of the wheel alone."""
    monkeypatch.setattr("toolkit.lessons.progress.page.NOTEBOOK_FOLDER", tmp_path)
    assert run().output.splitlines()[-1] == "Next: Begin with lesson 00."


def test_the_command_writes_both_pages(path, tmp_path):
    """One file each, said by name; a folder that is not there is a usage error."""
    ProgressFile(path, clock=lambda: DAY).append("card", "Q01", "staff")
    done = run("--html", tmp_path / "p.html", "--markdown", tmp_path / "p.md")
    assert done.output == f"Written to {tmp_path / 'p.html'}.\nWritten to {tmp_path / 'p.md'}.\n"
    assert (tmp_path / "p.html").read_text("utf-8").startswith("<!doctype html>")
    assert (tmp_path / "p.md").read_text("utf-8").startswith("# Your progress\n")
    assert "\n\nLast worked on: 2026-09-21.\n\n" in (tmp_path / "p.md").read_text("utf-8")
    assert run("--html", tmp_path / "none" / "p.html").exit_code == 2


@pytest.mark.skipif(not hasattr(time, "tzset"), reason="this system's time zone cannot be set")
def test_the_day_is_the_readers_own(path, monkeypatch):
    """In the evening in Greenwich it is the next morning in Xi'an."""
    ProgressFile(path, clock=lambda: DAY + 3 * 3600).append("card", "Q01", "staff")
    with monkeypatch.context() as zone:
        zone.setenv("TZ", "CST-8")
        time.tzset()
        page = document(ProgressFile(path), dated=True)
    time.tzset()
    assert page.sentences[1] == "Last worked on: 2026-09-22."


def test_forgetting_asks_and_renames(path):
    """A no changes nothing; a yes renames the file, and the next event begins a new one."""
    assert run("--forget").output == "Nothing is recorded.\n"
    ProgressFile(path).append("card", "Q01", "junior")
    before = path.read_bytes()
    assert run("--forget", says="n\n").exit_code == 1
    assert path.read_bytes() == before
    done = run("--forget", says="y\n")
    kept = path.with_name("progress.forgotten-1.sqlite")
    assert done.output.splitlines()[-1] == f"It is {kept} now. To have it back, rename it to progress.sqlite."
    assert (kept.read_bytes(), path.exists()) == (before, False)
