"""The front door: what lesson 00 says of the two runs, and where its map leads."""

from __future__ import annotations

import re

import nbformat
import pytest

from toolkit.hotel import HOTEL_POLICY
from toolkit.hotel.controls import LANGUAGES, load_control
from toolkit.trajectory import evaluate, extract_calls
from tools.notebooks import find_sources, targets

NOTEBOOKS = [path for script in find_sources(["00"]) for path, _ in targets(script)]
LESSONS = {script.stem + ".ipynb" for script in find_sources([])}


@pytest.mark.row("J1", "J3")
@pytest.mark.parametrize("language", LANGUAGES)
def test_two_answers_word_for_word_the_same_and_two_runs(language):
    """`ok` and `skip` end alike; one never looked at the weather, and three checks say so."""
    first, second = load_control("ok", language), load_control("skip", language)
    failed = [result.name for result in evaluate(second, policy=HOTEL_POLICY).results if result.verdict == "fail"]
    assert first[-1] == second[-1]
    assert "get_weather" not in {call.name for call in extract_calls(second).calls}
    assert str(evaluate(first, policy=HOTEL_POLICY).verdict) == "pass"
    assert failed == ["no_skipped_step", "argument_provenance", "room_matches_weather"]


def test_the_map_gives_the_minutes_that_each_lesson_gives():
    """The time a lesson takes is the same on the map and in its own first cell."""
    (front,) = find_sources(["00"])
    rows = re.findall(r"^# \| \[(\d\d)\].*\| (\d+) \| \d+ \|$", front.read_text("utf-8"), flags=re.MULTILINE)
    heads = {number: next(find_sources([number])).read_text("utf-8").split("# %%\n")[0] for number, _ in rows}
    assert len(rows) >= 8
    assert [number for number, minutes in rows if f"{minutes} minutes" not in heads[number].replace("\n# ", " ")] == []


@pytest.mark.parametrize("path", NOTEBOOKS, ids=["lesson", "solution"])
def test_the_map_leads_to_notebooks_that_are_there(path):
    """Every link of the front door opens a lesson, and every lesson is on the map."""
    text = "\n".join(cell.source for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "markdown")
    linked = set(re.findall(r"\]\((\w+\.ipynb)\)", text))
    assert linked == LESSONS - {path.name}
    assert [name for name in linked if not (path.parent / name).exists()] == []
