"""Every lesson in a real JupyterLab: all cells run, every prediction answers, every control can be read aloud."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from toolkit.lessons.catalogue import find_question

BROKEN = re.compile(r"Javascript Error|Error displaying widget|Error creating widget|Loading widget", re.IGNORECASE)


@pytest.mark.row("K2")
def test_every_cell_runs_and_only_the_announced_errors_come(lesson, shoot):
    """A cell ends in an error exactly where its tag says so."""
    raised = {
        place: output["ename"]
        for place, cell in enumerate(lesson.cells)
        for output in cell.get("outputs", [])
        if output["output_type"] == "error"
    }
    announced = {
        place for place, cell in enumerate(lesson.cells) if "raises-exception" in cell["metadata"].get("tags", [])
    }
    assert set(raised) == announced, raised
    shoot(None, "page")


@pytest.mark.row("K2")
def test_every_widget_is_shown(lesson):
    """No output says that a widget or a script could not be shown."""
    shown = [box.text_content() for box in lesson.outputs.all()]
    assert [text for text in shown if BROKEN.search(text)] == []
    views = sum("application/vnd.jupyter.widget-view+json" in str(cell.get("outputs")) for cell in lesson.cells)
    expect(lesson.page.locator(".jp-OutputArea-output > .widget-vbox")).to_have_count(views)


@pytest.mark.lesson("00")
def test_what_goes_wrong_on_a_page_is_noticed(lesson):
    """A request that leaves this machine, and an error in a script: every other test fails on either."""
    lesson.page.evaluate("() => fetch('http://192.0.2.1/news').catch(() => {})")
    lesson.page.evaluate("() => { setTimeout(() => { throw new Error('on purpose'); }); }")
    lesson.page.wait_for_timeout(100)
    assert (lesson.outside, lesson.errors) == (["http://192.0.2.1/news"], ["on purpose"])
    lesson.outside.clear()
    lesson.errors.clear()


def test_a_prediction_answers(lesson, shoot):
    """Each choice of the first question gets its own feedback."""
    sources = "\n".join(cell["source"] for cell in lesson.cells if cell["cell_type"] == "code")
    question = find_question(re.search(r'^predict\("([\w.]+)"\)', sources, re.MULTILINE)[1])
    box = lesson.box(question.text)
    for choice in question.options:
        box.get_by_role("radio", name=choice, exact=True).check()
        expect(box.get_by_text(question.feedback(choice), exact=True)).to_be_visible()
    shoot(box, "prediction")


def test_every_control_has_a_name(lesson):
    """A screen reader can say what each control is; a slider's handle has no name, the number before it has."""
    for box in lesson.page.locator(".jp-OutputArea-output > .widget-vbox").all():
        controls = lesson.controls(box)
        unnamed = [place for place, (_, name) in enumerate(controls) if name.strip() in {"", "null"}]
        assert controls
        for place in unnamed:
            assert controls[place][0] == "slider", controls
            assert controls[place - 1][0] == "spinbutton", controls
