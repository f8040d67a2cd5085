"""A mock interview: cards of different topics and one timed build, drawn by a number so that it can be had again."""

from __future__ import annotations

from random import Random

from toolkit.lab.panel import Picture
from toolkit.lessons.catalogue import all_exercises
from toolkit.lessons.interview.cards import InterviewCard, cards

CARD_MINUTES = 4  # a question of 15 seconds, an answer of two minutes, a follow-up: what speaking them takes


def mock_interview(number: int, *, of_cards: int = 5) -> Picture:
    """What is asked, minute by minute: cards of as many lessons, then a timed build; a number always draws the same.

    Raises:
        ValueError: fewer than one card, or more than there are lessons to draw from.
    """
    by_lesson = sorted({card.lesson for card in cards()})
    if not 1 <= of_cards <= len(by_lesson):
        raise ValueError(f"an interview has 1 to {len(by_lesson)} cards, one from a lesson; not {of_cards}")
    draw = Random(number)
    lessons = sorted(draw.sample(by_lesson, of_cards))
    asked: list[InterviewCard] = [draw.choice([card for card in cards() if card.lesson == each]) for each in lessons]
    rows: list[list[object]] = []
    for place, card in enumerate(asked):
        rows.append([_span(place * CARD_MINUTES, CARD_MINUTES), card.id, card.question])
    build = draw.choice([exercise for exercise in all_exercises() if exercise.rubric])
    begins = of_cards * CARD_MINUTES
    rows.append([_span(begins, build.minutes), build.id, f"the timed build of {build.minutes} minutes, below"])
    return Picture(f"Interview {number}: {begins + build.minutes} minutes.", ["minutes", "what", "asked"], rows)


def _span(begins: int, lasts: int) -> str:
    return f"{begins} to {begins + lasts}"
