"""Interview cards: complete, linked to a cell that shows the answer, and quizzes that cannot be guessed by form."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import nbformat
import pytest

from toolkit.lessons.catalogue import NOTEBOOKS
from toolkit.lessons.interview import places
from toolkit.lessons.interview.cards import CardError, cards, find_card, parse_cards
from tools.environment import ROOT

CARDS = cards()
each_card = pytest.mark.parametrize("card", CARDS, ids=lambda card: card.id)


def cells_under(card):
    """The code cells between the card's heading and the next heading of its notebook."""
    notebook = nbformat.read(ROOT / "notebooks" / NOTEBOOKS[card.lesson], as_version=4)
    heading, found = "", []
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            headings = [line.lstrip("# ") for line in cell.source.splitlines() if line.startswith("#")]
            heading = headings[-1] if headings else heading
        elif heading == card.section:
            found.append(cell)
    return found


@pytest.mark.row("X9")
def test_there_are_at_least_forty_over_all_lessons():
    """Numbers run without a gap, and every lesson before the drills shows some answers."""
    assert [card.id for card in CARDS] == [f"Q{number:02}" for number in range(1, len(CARDS) + 1)]
    assert len(CARDS) >= 40
    assert {card.lesson for card in CARDS} == set(NOTEBOOKS) - {"12"}


@pytest.mark.row("X9")
@each_card
def test_the_link_leads_to_one_cell_that_shows_something(card):
    """Heading and cell are there, once, and the cell has an output or asserts."""
    found = [cell for cell in cells_under(card) if card.cell in cell.source]
    assert len(found) == 1, f"{len(found)} cells under {card.section!r} of {NOTEBOOKS[card.lesson]} hold {card.cell!r}"
    assert found[0].outputs or "assert" in found[0].source
    assert card.link == f"{NOTEBOOKS[card.lesson]}#cell-id={found[0].id}"


@pytest.mark.row("X9")
def test_each_card_has_a_cell_of_its_own():
    """Two answers are not shown by the same cell."""
    places = [(card.lesson, card.section, card.cell) for card in CARDS]
    assert len(set(places)) == len(places)


@pytest.mark.row("X9")
@each_card
def test_the_levels_say_different_things(card):
    """Nobody repeats another, and a higher level has more to say than a junior."""
    answers = [set(text.lower().split()) for text in (card.junior, card.senior, card.staff)]
    for one, other in combinations(answers, 2):
        assert len(one & other) < 0.6 * min(len(one), len(other))
    words = [len(text.split()) for text in (card.junior, card.senior, card.staff)]
    assert 10 <= words[0] < words[1]
    assert words[1] <= 80
    assert 30 <= words[2] <= 120


@pytest.mark.row("X9")
@each_card
def test_every_option_of_a_quiz_has_feedback_of_its_own(card):
    """Four options, four things said, one right."""
    question = card.as_question
    assert len(question.options) == len(set(question.options.values())) == 4
    assert question.feedback(question.answer).startswith("✓ right: ")
    assert sum(question.feedback(option).startswith("✓") for option in question.options) == 1


@pytest.mark.row("X9")
def test_neither_place_nor_length_gives_a_quiz_away():
    """No place holds more than three answers in ten; the longest or the shortest is right in less than 35 %."""
    questions = [card.as_question for card in CARDS]
    places = Counter(list(question.options).index(question.answer) for question in questions)
    assert max(places.values()) <= 0.3 * len(questions)
    for extreme in (min, max):
        told = [each for each in questions if len(each.answer) == extreme(map(len, each.options))]
        assert len(told) < 0.35 * len(questions)


WHOLE = """[[card]]
id = "Q01"
topic = "retries"
question = "Again?"
junior = "Yes."
senior = "It depends."
staff = "Who pays?"
follow_up = "And then?"
follow_up_answer = "Then I look."
section = "3. Once"
cell = "again()"
shows = "One booking."
quiz.question = "How often?"
quiz.answer = 2
quiz.options = [["once", "No."], ["twice", "Yes."]]
"""


@pytest.mark.parametrize("written", [None, "{", '{"cells": [{"cell_type": "code", "source": "again()"}]}'])
def test_a_notebook_that_cannot_be_read_breaks_no_card(tmp_path, monkeypatch, written):
    """Not there, half saved, cells without ids: the link is the lesson."""
    monkeypatch.setattr(places, "NOTEBOOK_FOLDER", tmp_path)
    if written is not None:
        (tmp_path / NOTEBOOKS["03"]).write_text(written)
    (card,) = parse_cards("03", WHOLE)
    assert card.link == NOTEBOOKS["03"]


def test_a_card_is_read_whole():
    """The quiz becomes a question of lesson 12; where no cell is found, the link is the lesson."""
    (card,) = parse_cards("03", WHOLE)
    assert card.link == "03_deadlines_retries_idempotency.ipynb"
    assert (card.as_question.id, card.as_question.answer) == ("12.Q01", "twice")


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('staff = "Who pays?"', "", "03.toml, Q01: staff: Field required"),
        ('staff = "Who pays?"', 'staff = " "', "03.toml, Q01: staff: String should have at least 1 character"),
        ('topic = "', 'tpoic = "x"\ntopic = "', "03.toml, Q01: tpoic: Extra inputs are not permitted"),
        ("quiz.answer = 2", "quiz.answer = 3", "03.toml, Q01: quiz: Value error, the answer is option 3, but there"),
        ('["twice"', '["once"', "03.toml, Q01: quiz: Value error, two options read alike"),
        ('id = "Q01"', 'id = "first"', "03.toml, first: id: String should match pattern"),
        ("[[card]]", "[[card]", "03.toml is no TOML: "),
        ("[[card]]", "[[cards]]", "03.toml: card: Field required"),
        ("[[card]]", "[card]", "03.toml: card: Input should be a valid list"),
    ],
)
def test_a_card_that_cannot_be_used_is_refused_by_name(old, new, says):
    """File, card, field and reason stand in the text."""
    with pytest.raises(CardError) as refused:
        parse_cards("03", WHOLE.replace(old, new))
    assert str(refused.value).startswith(says)


def test_a_card_that_is_not_there_is_told():
    """With the ids there are."""
    with pytest.raises(LookupError, match=f"no card 'Q99'; there are Q01 to {CARDS[-1].id}"):
        find_card("Q99")
