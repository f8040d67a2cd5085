"""The card panel, the next card, and the mock interview."""

from __future__ import annotations

import pytest

from toolkit.lessons.interview.cards import cards, find_card
from toolkit.lessons.interview.mock import CARD_MINUTES, mock_interview
from toolkit.lessons.interview.panel import STEPS, WORTH, CardPanel, card_table, next_card, show_answers


@pytest.fixture
def kept():
    """What was remembered, by card."""
    return {}


@pytest.fixture
def panel(kept):
    """A panel that remembers into a dict."""
    return CardPanel("Q01", kept.__setitem__, lambda: dict(kept))


@pytest.mark.row("X9")
def test_answers_are_uncovered_one_after_another():
    """No step shows what belongs to the next."""
    card = find_card("Q02")
    said = [card.junior, card.senior, card.staff, card.follow_up, card.follow_up_answer]
    for number, step in enumerate(STEPS):
        shown = show_answers("Q02", step)
        assert [row[1] for row in shown.rows] == said[:number]
        assert shown.summary == f"Q02 · {card.topic}. {card.question}"


def test_a_step_that_is_not_there_is_told():
    """With the steps there are."""
    with pytest.raises(LookupError, match="no step 'principal'; they are: the question, a junior"):
        show_answers("Q02", "principal")


@pytest.mark.row("X9", "K2")
def test_the_panel_calls_the_same_function(panel):
    """Moving the slider shows what the function says; the cell is told from the staff engineer's answer on."""
    panel["uncovered"].value = "a senior"
    assert panel.picture == show_answers("Q01", "a senior")
    assert panel.where.value == ""
    panel["uncovered"].value = "a staff engineer"
    assert f'href="{find_card("Q01").link}"' in panel.where.value
    assert panel.asked.children == ()


@pytest.mark.row("X9")
def test_the_quiz_comes_when_all_is_uncovered(panel):
    """Its question is the card's, nothing is chosen, and choosing is answered."""
    panel["uncovered"].value = STEPS[-1]
    (box,) = panel.asked.children
    _, choice, said = box.children
    question = find_card("Q01").as_question
    assert (list(choice.options), choice.value) == (list(question.options), None)
    choice.value = question.answer
    assert said.value.startswith("✓ right: ")


@pytest.mark.row("X9")
def test_what_an_answer_was_worth_is_kept_and_decides_the_next_card(panel, kept):
    """Rated once, a card gives way to those not rated; turning back shows the rating, and keeps nothing twice."""
    panel.mine.value = "senior"
    assert kept == {"Q01": "senior"}
    panel.next.click()
    assert (panel["card_id"].value, panel["uncovered"].value, panel.mine.value) == ("Q02", STEPS[0], WORTH[0])
    kept["Q01"] = "junior"
    panel["card_id"].value = "Q01"
    assert (panel.mine.value, kept) == ("junior", {"Q01": "junior"})


def test_a_word_of_another_version_counts_as_not_said(panel, kept):
    """The progress file may outlive the words for a level."""
    kept["Q02"] = "principal"
    panel.next.click()
    assert (panel["card_id"].value, panel.mine.value) == ("Q02", WORTH[0])


@pytest.mark.row("X9")
def test_the_next_card_is_the_one_that_needs_the_reader_most():
    """First what was never rated, then the lowest; the card at hand does not come twice running."""
    worth = {card.id: "staff" for card in cards()}
    assert next_card({**worth, "Q07": "nothing yet", "Q03": "junior"}) == "Q07"
    assert next_card({**worth, "Q07": "nothing yet", "Q03": "junior"}, after="Q07") == "Q03"
    del worth["Q09"]
    assert next_card(worth, after="Q20") == "Q09"
    assert next_card({}, after=cards()[-1].id) == "Q01"


@pytest.mark.row("X9", "K2")
def test_without_a_kernel_the_answers_are_folded(panel):
    """The static twin has the question, all answers and the link under a fold; the text form has no answer."""
    bundle = panel._repr_mimebundle_()
    card = find_card("Q01")
    assert card.staff[:40] not in bundle["text/plain"]
    before, fold = bundle["text/html"].split("<details>")
    assert "Q01" in before
    assert f'href="{card.link}"' in fold
    assert "a staff engineer" in fold


@pytest.mark.row("X9")
def test_the_table_lists_every_card_and_leads_to_its_heading():
    """With its topic, and a link that JupyterLab opens at the heading; in text the heading's words."""
    table, card = card_table(), find_card("Q16")
    assert [row[0] for row in table.rows] == [each.id for each in cards()]
    assert f'<a href="{card.link}">03, {card.section}</a>' in table.to_html()
    assert f"| 03, {card.section}" in repr(table)


@pytest.mark.row("X9")
def test_a_mock_interview_can_be_had_again():
    """One number, one interview; cards of different lessons, then a build, and minutes without a gap."""
    first, again, other = mock_interview(1), mock_interview(1), mock_interview(2)
    assert first == again
    assert first != other
    *asked, build = first.rows
    lessons = [find_card(row[1]).lesson for row in asked]
    assert lessons == sorted(set(lessons))
    assert len(asked) == 5
    spans = [tuple(map(int, row[0].split(" to "))) for row in first.rows]
    assert [begins for begins, _ in spans] == [0, *(ends for _, ends in spans[:-1])]
    assert spans[4] == (4 * CARD_MINUTES, 5 * CARD_MINUTES)
    assert build[1].startswith("12.")


def test_an_interview_of_too_many_cards_is_refused():
    """It names the number and what there is."""
    with pytest.raises(ValueError, match="an interview has 1 to 12 cards, one from a lesson; not 13"):
        mock_interview(1, of_cards=13)
