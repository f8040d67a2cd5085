"""The progress file: what is kept, by several kernels at once, and what must never make a lesson fail."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import pytest

from toolkit.lessons import check, hint, predict, solution
from toolkit.lessons.exercise import Exercise
from toolkit.lessons.expect import expect_equal
from toolkit.lessons.prediction import Question
from toolkit.lessons.progress import card_levels, location, reader_file, record
from toolkit.lessons.progress.file import VERSION, ProgressFile, set_aside
from tools.environment import ROOT

pytestmark = pytest.mark.row("X9")

DOUBLE = Exercise(
    id="98.double",
    task="Return twice the number.",
    minutes=1,
    difficulty="easy",
    hints=("Multiply.", "By two."),
    stub="def double(number):\n    raise NotImplementedError",
    solution="def double(number):\n    return 2 * number",
    alternatives=(),
    wrong=(),
    checker=lambda double: expect_equal(double(2), 4, "double(2)"),
)
SUM = Question(id="98.sum", text="1 + 1?", options={"2": "It is.", "3": "One too many."}, answer="2")


@pytest.fixture
def path(tmp_path, monkeypatch):
    """The reader's file, in a folder that is not there yet."""
    path = tmp_path / "kept" / "progress.sqlite"
    monkeypatch.setenv("TOOLKIT_PROGRESS", str(path))
    return path


@pytest.fixture
def lesson(monkeypatch):
    """A lesson 98 that is not in the package."""
    declared = SimpleNamespace(EXERCISES=(DOUBLE,), QUESTIONS=(SUM,))
    monkeypatch.setitem(sys.modules, "toolkit.lessons.lesson_98", declared)


def kept(path):
    """What another process would find in the file."""
    return [(event.kind, event.id, event.outcome) for event in ProgressFile(path).events()]


def in_another_process(program, path):
    """Start a Python with this code and this progress file."""
    variables = {**os.environ, "TOOLKIT_PROGRESS": str(path), "PYTHONPATH": str(ROOT)}
    return subprocess.Popen([sys.executable, "-c", program], env=variables, stderr=subprocess.PIPE, text=True)


def test_what_a_reader_does_is_kept_in_order(path, lesson):
    """Outcomes, looks at hints and solution, choices by word and by button, and a card's level."""
    check("98.double", lambda number: number)
    check("98.double", lambda number: 1 / 0)
    hint("98.double", 2)
    solution("98.double")
    check("98.double", lambda number: 2 * number)
    predict("98.sum", "3")
    predict("98.sum").choice.value = "2"
    record("card", "Q05", "senior")
    assert kept(path) == [
        ("exercise", "98.double", "wrong"),
        ("exercise", "98.double", "raised"),
        ("hint", "98.double", "looked at"),
        ("solution", "98.double", "looked at"),
        ("exercise", "98.double", "right"),
        ("question", "98.sum", "no"),
        ("question", "98.sum", "right"),
        ("card", "Q05", "senior"),
    ]
    assert ProgressFile(path).events()[2].detail == {"number": 2}


def test_what_is_no_answer_is_not_kept(path, lesson):
    """A stub, a question that is only shown, a hint that is not there: no file is even made."""
    check("98.double", ...)
    check("98.double", DOUBLE.answer(DOUBLE.stub))
    predict("98.sum")
    hint("98.double", 3)
    assert not path.exists()


def test_the_last_level_of_a_card_counts(path):
    """Rated twice, the later word holds."""
    record("card", "Q05", "junior")
    record("card", "Q06", "staff")
    record("card", "Q05", "senior")
    assert card_levels() == {"Q05": "senior", "Q06": "staff"}


def test_an_event_has_the_time_of_the_clock(tmp_path):
    """Seconds of the clock that was given, and a detail as JSON, also what JSON does not know."""
    file = ProgressFile(tmp_path / "a.sqlite", clock=lambda: 17.5)
    file.append("exercise", "98.double", "right", words="说", path=Path("x"))
    (event,) = ProgressFile(tmp_path / "a.sqlite").events()
    assert (event.at, event.detail) == (17.5, {"words": "说", "path": "x"})


def test_kernels_that_begin_and_write_at_once_lose_nothing(tmp_path):
    """Four processes begin each of thirty new files together; every event of each is there, and nobody complains."""
    program = (
        "import os, sys\nfrom pathlib import Path\nfrom toolkit.lessons.progress.file import ProgressFile\n"
        "folder = Path(os.environ['TOOLKIT_PROGRESS'])\nprint('ready', file=sys.stderr, flush=True)\n"
        "while not (folder / 'go').exists(): pass\n"
        "for n in [n // 3 for n in range(90)]:\n    ProgressFile(folder / f'{n}.sqlite').append('card', 'Q01', 'staff')"
    )
    started = [in_another_process(program, tmp_path) for _ in range(4)]
    assert [process.stderr.readline() for process in started] == ["ready\n"] * 4
    (tmp_path / "go").touch()
    assert [process.communicate(timeout=60)[1] for process in started] == [""] * 4
    assert [len(kept(tmp_path / f"{n}.sqlite")) for n in range(30)] == [12] * 30


@pytest.mark.parametrize(
    "content", [b"no database at all, but a letter of some length\n" * 30, b"SQLite format 3\0" + b"\7" * 4000]
)
def test_a_file_that_is_no_database_is_renamed_and_said_once(path, caplog, content):
    """The old file keeps its bytes under a free name, a new one begins, and nothing is lost."""
    path.parent.mkdir()
    path.write_bytes(content)
    taken = path.with_name("progress.broken-1.sqlite")
    taken.write_text("an earlier one")
    record("card", "Q01", "junior")
    record("card", "Q02", "junior")
    assert kept(path) == [("card", "Q01", "junior"), ("card", "Q02", "junior")]
    assert (taken.read_text(), path.with_name("progress.broken-2.sqlite").read_bytes()) == ("an earlier one", content)
    assert caplog.messages == [
        "The progress file was no database; it stands beside the new one as progress.broken-2.sqlite."
    ]


def test_a_database_damaged_in_the_middle_is_renamed_too(path):
    """A page in its middle that makes no sense is found when it is read."""
    for number in range(400):
        reader_file().append("card", f"Q{number}", "junior", words="x" * 60)
    damaged = bytearray(path.read_bytes())
    damaged[8192:20480] = b"\xff" * 12288
    path.write_bytes(damaged)
    assert reader_file().events() == []
    assert path.with_name("progress.broken-1.sqlite").read_bytes() == damaged


def newer(path):
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA user_version = {VERSION + 1}")


def foreign(path):
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE bookmarks (address TEXT)")


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (newer, "it was written by a newer toolkit-lessons; update this one"),
        (foreign, "it is the database of another program"),
        (Path.mkdir, "unable to open database file"),
    ],
)
def test_a_file_that_is_not_ours_to_write_is_left_alone(path, caplog, lesson, make, reason):
    """A newer version's, another program's, a folder: said once, untouched, and the lesson and the session go on."""
    path.parent.mkdir()
    make(path)
    before = path.read_bytes() if path.is_file() else None
    assert check("98.double", lambda number: 2 * number)
    record("card", "Q01", "junior")
    assert (path.read_bytes() if path.is_file() else None) == before
    assert caplog.messages == [
        f"Progress is not kept ({path}: {reason}). Until it can be, it lives in this session only; "
        "TOOLKIT_PROGRESS may name another file."
    ]
    assert [event.id for event in reader_file().events()] == ["98.double", "Q01"]


def test_what_a_lock_kept_out_is_written_with_the_next_event(path, caplog, monkeypatch):
    """While another program holds the file the lesson goes on; afterwards nothing is missing."""
    monkeypatch.setattr("toolkit.lessons.progress.file._LOCKED_S", 0.0)
    record("card", "Q01", "junior")
    with closing(sqlite3.connect(path)) as other:
        other.execute("BEGIN EXCLUSIVE")
        record("card", "Q02", "junior")
        assert reader_file().problem.endswith("database is locked")
    record("card", "Q03", "junior")
    assert [id for _, id, _ in kept(path)] == ["Q01", "Q02", "Q03"]
    assert (reader_file().problem, len(caplog.messages)) == ("", 1)


def test_reading_does_not_hide_that_something_is_not_kept(path, monkeypatch):
    """A file that can be read and not written: the page, which reads, still has to say so."""
    monkeypatch.setattr("toolkit.lessons.progress.file._LOCKED_S", 0.0)
    record("card", "Q01", "junior")
    with closing(sqlite3.connect(path)) as other:
        other.execute("BEGIN IMMEDIATE")
        record("card", "Q02", "junior")
        assert [event.id for event in reader_file().events()] == ["Q01", "Q02"]
        assert reader_file().problem == f"{path}: database is locked"
    record("card", "Q03", "junior")
    assert reader_file().problem == ""


def test_a_full_disk_is_said_and_survived(tmp_path, caplog, monkeypatch):
    """SQLite's own error for a full disk, made by a limit on the pages of this connection."""
    file = ProgressFile(tmp_path / "a.sqlite")
    file.append("card", "Q01", "junior")
    whole = sqlite3.connect

    def small(*arguments, **options):
        connection = whole(*arguments, **options)
        connection.execute("PRAGMA max_page_count = 2")
        return connection

    monkeypatch.setattr("toolkit.lessons.progress.file.sqlite3.connect", small)
    file.append("card", "Q02", "junior", words="x" * 20_000)
    assert "database or disk is full" in caplog.text
    monkeypatch.setattr("toolkit.lessons.progress.file.sqlite3.connect", whole)
    file.append("card", "Q03", "junior")
    assert [id for _, id, _ in kept(file.path)] == ["Q01", "Q02", "Q03"]


def test_a_folder_that_cannot_be_made_is_said_and_survived(tmp_path, caplog, monkeypatch, lesson):
    """Where a file stands in the place of the folder, nobody can make it, not even root."""
    (tmp_path / "kept").write_text("a file")
    monkeypatch.setenv("TOOLKIT_PROGRESS", str(tmp_path / "kept" / "progress.sqlite"))
    assert check("98.double", lambda number: 2 * number)
    assert len(caplog.messages) == 1
    assert len(reader_file().events()) == 1


def test_setting_aside_overwrites_nothing_and_takes_the_journal_along(tmp_path):
    """A journal left beside a new file could be taken for its own."""
    for number in (1, 2):
        (tmp_path / "a.sqlite").write_text(f"file {number}")
        (tmp_path / "a.sqlite-journal").write_text(f"journal {number}")
        assert set_aside(tmp_path / "a.sqlite", "forgotten").name == f"a.forgotten-{number}.sqlite"
    assert sorted((each.name, each.read_text()) for each in tmp_path.iterdir()) == [
        ("a.forgotten-1.sqlite", "file 1"),
        ("a.forgotten-1.sqlite-journal", "journal 1"),
        ("a.forgotten-2.sqlite", "file 2"),
        ("a.forgotten-2.sqlite-journal", "journal 2"),
    ]
    with pytest.raises(FileNotFoundError):
        set_aside(tmp_path / "a.sqlite", "forgotten")
    assert not (tmp_path / "a.forgotten-3.sqlite").exists()


def test_where_the_file_is(tmp_path, monkeypatch):
    """What is named, with the home folder written out; else the user's data folder; in a solution's kernel nowhere."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    assert location({"TOOLKIT_PROGRESS": "~/mine.sqlite"}) == Path(os.path.expanduser("~/mine.sqlite"))
    assert location({"TOOLKIT_PROGRESS": " "}).parts[-2:] == ("toolkit-lessons", "progress.sqlite")
    assert location({"TOOLKIT_PROGRESS": ":memory:"}) is None
    (tmp_path / "notebooks" / "solutions").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "notebooks" / "solutions")
    monkeypatch.setitem(sys.modules, "ipykernel", SimpleNamespace())
    assert location({"TOOLKIT_PROGRESS": "mine.sqlite"}) is None
