"""The cards as a panel: a question, then one answer after another, and what your own answer was worth.

Uncovering is a pure function of the card and the step. What you said your answer was worth goes into your progress,
and the next card is the one that needs you most.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from html import escape
from typing import Any

from toolkit.lab.panel import Anchor, Panel, Picture
from toolkit.lessons.interview.cards import InterviewCard, cards, find_card
from toolkit.lessons.prediction import Quiz
from toolkit.lessons.progress import card_levels, record

STEPS = ("the question", "a junior", "a senior", "a staff engineer", "what is asked next", "an answer to that")
WORTH = ("(not said)", "nothing yet", "junior", "senior", "staff")


def show_answers(card_id: str, uncovered: str = STEPS[0]) -> Picture:
    """A card as far as it was uncovered: a row for each step.

    Raises:
        LookupError: there is no such card, or no such step.
    """
    card = find_card(card_id)
    if uncovered not in STEPS:
        raise LookupError(f"no step {uncovered!r}; they are: {', '.join(STEPS)}")
    said = (card.question, card.junior, card.senior, card.staff, card.follow_up, card.follow_up_answer)
    shown = STEPS.index(uncovered) + 1
    rows = [[step, text] for step, text in zip(STEPS[1:shown], said[1:shown], strict=True)]
    return Picture(f"{card.id} · {card.topic}. {card.question}", ["who says it", "what"] if rows else (), rows)


def card_table() -> Picture:
    """Every card: its question, and a link to where in the lessons the answer is shown."""
    rows = [
        [card.id, card.topic, card.question, Anchor(f"{card.lesson}, {card.section}", card.link)] for card in cards()
    ]
    return Picture(f"{len(rows)} cards.", ["card", "topic", "question", "where the answer is shown"], rows)


def next_card(worth: Mapping[str, str], after: str = "") -> str:
    """The card that needs the reader most: one not rated yet, else the lowest rated; in order, from behind `after`.

    >>> next_card({}, after="Q01")
    'Q02'
    """
    ids = [card.id for card in cards()]
    turn = ids.index(after) + 1 if after in ids else 0
    others = [card_id for card_id in [*ids[turn:], *ids[:turn]] if card_id != after]
    return min(others, key=lambda card_id: WORTH.index(_said_of(card_id, worth)))


def _said_of(card_id: str, worth: Mapping[str, str]) -> str:
    """What the answer was worth; a word of another version of the kit counts as not said."""
    said = worth.get(card_id)
    return said if said in WORTH else WORTH[0]


def _keep_worth(card_id: str, worth: str) -> None:
    record("card", card_id, worth)


class CardPanel(Panel):
    """All cards in one panel. `remember` keeps what an answer was worth, `worth` says what was kept."""

    def __init__(
        self,
        first: str = "Q01",
        remember: Callable[[str, str], None] = _keep_worth,
        worth: Callable[[], Mapping[str, str]] = card_levels,
    ) -> None:
        import ipywidgets

        self._remember, self._worth = remember, worth
        self.where, self.asked = ipywidgets.HTML(), ipywidgets.VBox()
        self.next = ipywidgets.Button(description="Next card", tooltip="Next card: the one that needs you most")
        self.next.on_click(lambda _: self._turn_to(next_card(self._worth(), self["card_id"].value)))
        choices = {
            "card_id": ipywidgets.Dropdown(
                options=[(f"{card.id} {card.topic}", card.id) for card in cards()], value=first, description="card"
            ),
            "uncovered": ipywidgets.Dropdown(options=STEPS, description="uncovered up to"),
        }
        self.mine = ipywidgets.Dropdown(options=WORTH, description="my answer")
        super().__init__("Interview cards", show_answers, choices)
        self.mine.style.description_width = self["uncovered"].style.description_width
        self["card_id"].observe(lambda _: self._turn_to(self["card_id"].value), names="value")
        self.mine.observe(lambda change: self._keep(change["new"]), names="value")
        self.box.children = (*self.box.children, self.where, self.mine, self.asked, self.next)
        self._turn_to(first)

    def refresh(self) -> None:
        """The place in the lessons is told with the staff engineer's answer, not before; the quiz comes last."""
        super().refresh()
        card, step = find_card(self["card_id"].value), STEPS.index(self["uncovered"].value)
        self.where.value = _where(card) if step >= STEPS.index("a staff engineer") else ""
        self.asked.children = [Quiz(card.as_question).box] if step == len(STEPS) - 1 else []

    def _turn_to(self, card_id: str) -> None:
        self["card_id"].value, self["uncovered"].value = card_id, STEPS[0]
        self.mine.value = _said_of(card_id, self._worth())

    def _keep(self, worth: str) -> None:
        card_id = self["card_id"].value
        if worth != WORTH[0] and worth != self._worth().get(card_id):
            self._remember(card_id, worth)

    def _repr_mimebundle_(self, **selection: Any) -> dict[str, Any]:
        """Without a kernel: the question, and the answers folded under it."""
        card = find_card(self["card_id"].value)
        live = self.box._repr_mimebundle_(**selection) or {}
        folded = show_answers(card.id, STEPS[-1])
        static = (
            f"<p><b>{escape(self.title)}</b>. Run the notebook to turn the cards.</p><p>{escape(folded.summary)}</p>"
            f"<details><summary>Answers</summary>{Picture('', folded.columns, folded.rows).to_html()}{_where(card)}"
            "</details>"
        )
        return {**live, "text/plain": repr(self), "text/html": static}


def _where(card: InterviewCard) -> str:
    """Beside a notebook a relative link leads to the next one, in JupyterLab as on a page."""
    section, cell, shows = (escape(text) for text in (card.section, card.cell, card.shows))
    return (
        f'<p>Shown in lesson {card.lesson}, <a href="{escape(card.link)}" target="_blank">{section}</a>, '
        f"in the cell with <code>{cell}</code>: {shows}</p>"
    )
