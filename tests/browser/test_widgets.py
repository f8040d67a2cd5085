"""One interaction with each kind of widget, by what a reader reads after it."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.laboratory import READY, SHUT_DOWN
from toolkit.lab.control_table import show_control
from toolkit.lessons.bug_hunt.panel import show_card
from toolkit.lessons.interview.cards import cards
from toolkit.lessons.interview.panel import show_answers

pytestmark = pytest.mark.row("K2")

# A number typed, a choice made or a box ticked, and the first sentence that stands there afterwards.
MOVES = {
    "03": (
        "A booking that answers late",
        {"attempts": "1", "key": False},
        "The model heard outcome_unknown, then outcome_unknown. 2 bookings stand in the store.",
    ),
    "04": ("Who holds the threads", {"per tool": "6"}, "Prices answered: 47 of 80. Threads with the weather: up to 6."),
    "05": ("A word at the front desk", {"role": "nobody"}, "As nobody:"),
    "06": (
        "Which answers are good enough?",
        {"relevance weight": "1", "average decides": True},
        "8 of 8 answers pass. 5 of them with a failed rule.",
    ),
    "07": ("The run ok, edited", {"taken out": "nothing"}, "Overall: pass. No verdict turned."),
    "08": (
        "Many runs of a simulated agent",
        {"temperature": "0", "runs": "4", "lost results": "0"},
        "Overall: 4 attempted",
    ),
    "09": (
        "Where to put the threshold of the rules",
        {"threshold": "0", "kind": "all"},
        "At 0: 0 of 75 bad calls found",
    ),
    "10": ("Calls fail", {"threshold": "0.6"}, "It woke nobody, the outage went unnoticed."),
}

# The keys pressed on a control of the failure lab when the keyboard has come to it.
KEYS = {
    "layer": ("Space", "ArrowDown", "Enter"),
    "runs": ("ArrowUp",),
    "idempotency key (layer 3)": ("Space",),
    "prediction": ("Space", "ArrowDown", "Enter"),
}


@pytest.mark.lesson(*MOVES)
def test_a_moved_control_changes_what_is_read(lesson, number, shoot):
    """The panel of each lesson: the controls set, and its sentence."""
    title, moves, said = MOVES[number]
    box = lesson.box(title)
    before = box.text_content()
    for label, value in moves.items():
        control = box.get_by_label(label, exact=True)
        if isinstance(value, bool):
            control.set_checked(value)
        elif control.evaluate("element => element.tagName") == "SELECT":
            control.select_option(value)
        else:
            control.fill(value)
            control.press("Enter")
    expect(box).to_contain_text(said)
    assert box.text_content() != before
    shoot(box, "panel")


@pytest.mark.lesson("00")
def test_the_control_panel_shows_another_run_in_another_language(lesson, shoot):
    """Two choices give the sentence, and the picture, of the function that the panel calls."""
    box = lesson.box("One control, call by call")
    box.get_by_label("control", exact=True).select_option("wrong_room")
    box.get_by_label("language", exact=True).select_option("zh")
    shown = show_control("wrong_room", "zh")
    expect(box.get_by_text(shown.summary, exact=True)).to_be_visible()
    expect(box.get_by_role("img", name=shown.chart.words, exact=True)).to_be_visible()
    shoot(box, "panel")


@pytest.mark.lesson("01")
def test_a_text_is_typed_and_sent(lesson, shoot):
    """The panel of lesson 01 runs the call that was typed."""
    box = lesson.box("Send a call")
    box.get_by_label("name", exact=True).select_option("get_weather")
    box.get_by_label("arguments", exact=True).fill('{"city": "Dunhuang"')
    box.get_by_label("arguments", exact=True).press("Enter")
    expect(box).to_contain_text("bare dict: the run ends. errors told: the run goes on, the call is refused.")
    shoot(box, "panel")


@pytest.mark.lesson("02")
def test_a_slider_moves_by_keyboard_and_its_number_follows(lesson, shoot):
    """Home, then two steps to the right, on the handle: the fewest nights are 1."""
    box = lesson.box("Declare nights")
    box.get_by_role("slider").first.focus()
    for key in ("Home", "ArrowRight", "ArrowRight"):
        lesson.page.keyboard.press(key)
    expect(box.get_by_label("fewest", exact=True)).to_have_value("1")
    expect(box.get_by_text("nights that pass, of -1 to 18: 1 to 14", exact=True)).to_be_visible()
    shoot(box, "panel")


@pytest.mark.lesson("11")
def test_a_fault_is_chosen_predicted_and_injected(lesson, shoot):
    """The failure lab: nothing happens before the button, then the summary names prediction and ending."""
    box = lesson.box("Failure lab")
    box.get_by_role("button", name="Reset").click()
    expect(box.get_by_text("Predict how it will end, then press Inject.", exact=True)).to_be_visible()
    box.get_by_label("layer", exact=True).select_option("1 dict of tools")
    box.get_by_label("fault", exact=True).select_option("result_lost")
    box.get_by_label("prediction", exact=True).select_option("twice")
    box.get_by_role("button", name="Inject").click()
    said = "You predicted 'twice', which is wrong. It ended as 'hidden': done, and the model was told that it failed."
    expect(box.get_by_text(said, exact=True)).to_be_visible()
    shoot(box, "panel")


@pytest.mark.lesson("11")
def test_the_failure_lab_is_worked_by_keyboard_alone(lesson):
    """Tab goes from control to control; the space bar opens a list, ticks a box and presses a button.

    A list has to be opened first: JupyterLab takes plain arrow keys for itself.
    """
    box, keyboard = lesson.box("Failure lab"), lesson.page.keyboard
    box.get_by_role("button", name="Reset").click()
    box.get_by_label("layer", exact=True).focus()
    passed = []
    while (label := lesson.focused()) not in {"Inject", *passed}:
        passed.append(label)
        for key in KEYS.get(label, ()):
            keyboard.press(key)
        keyboard.press("Tab")
        if lesson.focused() == "":  # a slider's handle, which has no name; the number before it has
            keyboard.press("Tab")
    assert passed == [
        *("layer", "fault", "tool", "probability", "count", "seed", "runs", "seconds"),
        *("idempotency key (layer 3)", "prediction"),
    ]
    keyboard.press("Space")
    said = "You predicted 'done', which is wrong. It ended as 'hidden': done, and the model was told that it failed."
    expect(box.get_by_text(f"{said} Struck: 1 of 2 runs (1 hidden). Shown: run 1.", exact=True)).to_be_visible()
    expect(box.get_by_label("idempotency key (layer 3)")).not_to_be_checked()


@pytest.mark.lesson("11")
def test_a_card_of_the_bug_hunt_is_run(lesson, shoot):
    """Another card, a prediction, the button: what the card really shows, with what is said to the prediction."""
    box = lesson.box("Bug hunt")
    box.get_by_label("card", exact=True).select_option("B05 Shorter names")
    box.get_by_label("prediction", exact=True).select_option("powerbox")
    box.get_by_role("button", name="Run it").click()
    shown = show_card("B05", "powerbox")
    expect(box.get_by_text(shown.summary, exact=True)).to_be_visible()
    expect(box.get_by_text(str(shown.rows[1][2]), exact=True)).to_be_visible()
    shoot(box, "bug_hunt")


@pytest.mark.lesson("12")
def test_a_card_is_uncovered_step_by_step(lesson, shoot):
    """Another card shows its question alone; then the junior's answer; what mine was worth survives the next card."""
    box = lesson.box("Interview cards")
    card, other = cards()[:2]
    box.get_by_label("card", exact=True).select_option(f"{card.id} {card.topic}")
    expect(box.get_by_text(show_answers(card.id).summary, exact=True)).to_be_visible()
    box.get_by_label("uncovered up to", exact=True).select_option("a junior")
    expect(box.get_by_text(str(show_answers(card.id, "a junior").rows[0][1]), exact=True)).to_be_visible()
    worth = box.get_by_label("my answer", exact=True)
    worth.select_option("senior")
    box.get_by_label("card", exact=True).select_option(f"{other.id} {other.topic}")
    expect(worth).to_have_value("(not said)")
    box.get_by_label("card", exact=True).select_option(f"{card.id} {card.topic}")
    expect(worth).to_have_value("senior")
    shoot(box, "panel")


@pytest.mark.lesson("12")
def test_a_cards_link_opens_the_lesson_at_its_cell(lesson):
    """A click in the table of cards: that notebook opens beside this one, at the cell that shows the answer."""
    card = next(each for each in cards() if each.id == "Q16")
    lesson.outputs.get_by_role("link", name=f"03, {card.section}").first.click()
    lesson.page.wait_for_function(READY)
    lesson.page.wait_for_function(
        "id => window.jupyterapp.shell.currentWidget.content.activeCell.model.id === id",
        arg=card.link.partition("=")[2],
    )
    lesson.page.evaluate(SHUT_DOWN)
    lesson.page.evaluate("() => window.jupyterapp.shell.currentWidget.dispose()")


@pytest.mark.lesson("12")
def test_the_panels_link_opens_the_lesson_in_another_tab(lesson):
    """Under the staff engineer's answer stands where it is shown; JupyterLab opens the notebook at its top."""
    card = next(each for each in cards() if each.id == "Q16")
    box = lesson.box("Interview cards")
    box.get_by_label("card", exact=True).select_option(f"{card.id} {card.topic}")
    box.get_by_label("uncovered up to", exact=True).select_option("a staff engineer")
    with lesson.page.context.expect_page() as opened:
        box.get_by_role("link", name=card.section).click()
    tab = opened.value
    tab.wait_for_function(READY, timeout=60_000)
    assert card.link.startswith(tab.evaluate("() => window.jupyterapp.shell.currentWidget.title.label"))
    tab.evaluate(SHUT_DOWN)
    tab.close()
