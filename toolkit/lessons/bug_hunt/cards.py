"""All cards, and what the notebooks import: show one, predict, run it, name its cause, mend it."""

from __future__ import annotations

import random

from toolkit.lessons.bug_hunt import (
    declaring,
    judging,
    limits,
    reading,
    recording,
    retrying,
    schemas,
    scores,
    telling,
    threads,
    validators,
)
from toolkit.lessons.bug_hunt.card import Card, Mended, judge_mend
from toolkit.lessons.prediction import Question

_TOPICS = (schemas, declaring, reading, limits, threads, retrying, recording, scores, validators, telling, judging)
CARDS: tuple[Card, ...] = tuple(sorted((card for topic in _TOPICS for card in topic.CARDS), key=lambda card: card.id))


def card(card_id: str) -> Card:
    """The card of this id.

    >>> card("B05").run()
    ['weather', 'powerbox']

    Raises:
        LookupError: there is no such card.
    """
    for each in CARDS:
        if each.id == card_id:
            return each
    raise LookupError(f"no card {card_id!r}; there are {CARDS[0].id} to {CARDS[-1].id}")


def mend(card_id: str, answer: object) -> Mended:
    """Judge a mending of the reader's own: it is tried just as the broken code was.

    >>> mend("B05", lambda name: name.removesuffix("_tool"))
    ✓ mended: B05 Shorter names
    """
    return judge_mend(card(card_id), answer)


def cause_question(card_id: str) -> Question:
    """Name the cause: this card's, among those of three others; a wrong choice says where it would be right.

    >>> cause_question("B05").feedback(card("B05").cause)
    '✓ right: So it is.'
    """
    this = card(card_id)
    others = random.Random(card_id).sample([each for each in CARDS if each.id != card_id], 3)
    said = {each.cause: f"That is the cause of {each.id}, {each.title!r}." for each in others}
    place = (int(card_id[1:]) + 2) % 4
    options = [*said.items()]
    options.insert(place, (this.cause, "So it is."))
    return Question(id=f"{card_id}.cause", text="What is the cause?", options=dict(options), answer=this.cause)
