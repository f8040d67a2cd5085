"""X12: every card fails as described, and its mending passes; both are tried by the same probe."""

from __future__ import annotations

from collections import Counter

import pytest

from toolkit.lessons.bug_hunt.card import TOPICS
from toolkit.lessons.bug_hunt.cards import CARDS, card, cause_question, mend
from toolkit.lessons.bug_hunt.panel import NOTHING_YET, HuntPanel, show_card

each_card = pytest.mark.parametrize("each", CARDS, ids=lambda each: each.id)


@pytest.mark.row("X12")
def test_there_are_twenty_four_cards_and_more_of_every_kind():
    """Ids run from B01 without a gap, and every topic has its share."""
    assert len(CARDS) >= 24
    assert [each.id for each in CARDS] == [f"B{number:02}" for number in range(1, len(CARDS) + 1)]
    assert min(Counter(each.topic for each in CARDS)[topic] for topic in TOPICS) >= 4


@pytest.mark.row("X12")
@each_card
def test_a_card_fails_as_described(each):
    """What the broken code shows is what the card says; it repeats."""
    assert each.run() == each.fails
    assert each.run() == each.fails != each.works


@pytest.mark.row("X12")
@each_card
def test_its_mending_passes(each):
    """The mended code shows what it should, and the judge says so; the broken code is not taken for mended."""
    assert each.run(each.exercise.answer(each.mended)) == each.works
    assert mend(each.id, each.exercise.answer(each.mended)).feedback.outcome == "right"
    assert mend(each.id, each.exercise.answer(each.broken)).feedback.outcome == "wrong"


@pytest.mark.row("X12")
@each_card
def test_a_card_asks_before_it_is_run_and_says_something_to_every_answer(each):
    """Four different predictions with feedback of their own, a cause in a sentence, short code."""
    question = each.question
    assert len(question.options) == len(set(question.options.values())) == 4
    assert question.answer == each.predicted[0]
    assert each.cause.endswith(".")
    assert 2 <= len(each.broken.strip().splitlines()) <= 20
    assert all(len(part) <= 115 for code in (each.broken, each.mended) for part in code.splitlines())


@pytest.mark.row("X12")
@each_card
def test_the_cause_stands_among_causes_of_other_cards(each):
    """Choosing another's cause tells whose it is."""
    question = cause_question(each.id)
    wrong = [option for option in question.options if option != each.cause]
    assert question.options == cause_question(each.id).options
    assert question.answer == each.cause
    assert len(wrong) == 3
    assert all("That is the cause of B" in question.feedback(option) for option in wrong)


def test_neither_place_nor_length_gives_the_answer_away():
    """No place holds more than three answers in ten; longest or shortest is right in less than 35 %, causes too."""
    for questions in ([each.question for each in CARDS], [cause_question(each.id) for each in CARDS]):
        places = Counter(list(question.options).index(question.answer) for question in questions)
        assert max(places.values()) <= 0.3 * len(questions)
        for extreme in (min, max):
            told = [each for each in questions if len(each.answer) == extreme(map(len, each.options))]
            assert len(told) < 0.35 * len(questions)


@pytest.mark.row("X12", "X5")
def test_a_mending_of_ones_own_is_judged_by_the_same_probe():
    """Mended, not mended, raised: each is told, and nothing is raised."""
    right = mend("B05", lambda name: name[:-5] if name.endswith("_tool") else name)
    same = mend("B05", lambda name: name.replace("_tool", ""))
    broken = mend("B05", lambda name: name.no_such_method())
    assert repr(right) == "✓ mended: B05 Shorter names"
    assert repr(same) == (
        "✗ not mended yet: B05 Shorter names\n"
        "  B05, when it is tried, as before: expected ['weather', 'power_toolbox'], got ['weather', 'powerbox']"
    )
    assert repr(broken).startswith("! raised: B05 Shorter names\n  AttributeError: 'str' object has no attribute")
    assert [bool(each) for each in (right, same, broken)] == [True, False, False]


def test_a_card_is_shown_with_its_code_and_its_question_and_without_the_answer():
    """In text and in HTML; the cause is not there."""
    shown = card("B36")
    for text in (repr(shown), shown._repr_html_()):
        assert "text.upper()" in text
        assert shown.asks.split('"')[0] in text
        assert shown.cause not in text


def test_a_card_that_is_not_there_is_told():
    """With the ids there are."""
    with pytest.raises(LookupError, match=f"no card 'B99'; there are B01 to {CARDS[-1].id}"):
        card("B99")


@pytest.mark.row("X12", "K2")
def test_the_panel_shows_one_step_after_another():
    """Question, then what it shows, then the cause and the mending; a new card begins anew."""
    panel = HuntPanel("B16")
    assert panel.picture == show_card("B16")
    assert list(panel["cause"].options) == [NOTHING_YET]
    panel["prediction"].value = "3 seconds"
    panel.run.click()
    assert panel.picture == show_card("B16", "3 seconds")
    assert ["it shows", "[0, 1, 2] after 3 s", ""] in panel.picture.rows
    assert panel.mended.value == ""
    panel["cause"].value = card("B16").cause
    panel.run.click()
    assert panel.picture.rows[-1][1] == "[0, 1, 2] after 1 s"
    assert "asyncio.gather" in panel.mended.value
    panel["card_id"].value = "B20"
    assert (panel["prediction"].value, panel.mended.value, panel.error) == (NOTHING_YET, "", None)
    assert "wait_for" in panel.code.value


@pytest.mark.row("X12")
def test_the_panels_static_twin_holds_code_question_and_options():
    """Without a kernel a card can be read; the answer cannot."""
    page = HuntPanel("B16")._repr_mimebundle_()["text/html"]
    assert "return [await call for call in calls]" in page
    assert "<li>3 seconds</li>" in page
    assert card("B16").cause not in page
