"""The bug hunt as a panel: a card's code, a prediction, what it shows when it is run, its cause, its mending."""

from __future__ import annotations

from html import escape
from typing import Any

from toolkit.lab.listing import Listing
from toolkit.lab.panel import Panel, Picture
from toolkit.lessons.bug_hunt.cards import CARDS, card, cause_question

NOTHING_YET = "(choose)"


def show_card(card_id: str, prediction: str = NOTHING_YET, cause: str = NOTHING_YET) -> Picture:
    """A card as far as the reader has come: the question; what it shows; and, once a cause is named, the mending.

    >>> print(show_card("B05", "powerbox").summary)
    B05 Shorter names. It shows ['weather', 'powerbox'].
    """
    chosen = card(card_id)
    if prediction not in chosen.question.options:
        return Picture(f"{chosen.id} {chosen.title}. {chosen.asks}")
    rows: list[list[object]] = [["the question", chosen.asks, ""]]
    rows.append(["your prediction", prediction, chosen.question.feedback(prediction)])
    rows.append(["it shows", chosen.run(), ""])
    named = cause_question(card_id)
    if cause in named.options:
        rows.append(["the cause", cause, named.feedback(cause)])
        rows.append(["mended, it shows", chosen.run(chosen.exercise.answer(chosen.mended)), ""])
    return Picture(
        f"{chosen.id} {chosen.title}. It shows {chosen.run()!r}.", ["step", "answer", "what is said to it"], rows
    )


class HuntPanel(Panel):
    """All cards in one panel. `code` shows the broken code, `mended` the mending once a cause was named."""

    def __init__(self, first: str = CARDS[0].id) -> None:
        import ipywidgets

        self.code, self.mended = ipywidgets.HTML(), ipywidgets.HTML()
        choices = {
            "card_id": ipywidgets.Dropdown(
                options=[(f"{each.id} {each.title}", each.id) for each in CARDS], value=first, description="card"
            ),
            "prediction": ipywidgets.Dropdown(options=[NOTHING_YET]),
            "cause": ipywidgets.Dropdown(options=[NOTHING_YET]),
        }
        super().__init__("Bug hunt", show_card, choices, button="Run it")
        for name in ("prediction", "cause"):
            self[name].layout.width = "auto"
        self["card_id"].observe(lambda _: self._turn_to(), names="value")
        heading, *rest = self.box.children
        self.box.children = (heading, self.code, *rest, self.mended)
        self._turn_to()

    def refresh(self) -> None:
        """Show as much as has been asked for; the causes are offered once a prediction was made."""
        super().refresh()
        cause = cause_question(self["card_id"].value)
        if self["prediction"].value != NOTHING_YET and len(self["cause"].options) == 1:
            self["cause"].options = [NOTHING_YET, *cause.options]
        named = self["cause"].value in cause.options
        self.mended.value = Listing(card(self["card_id"].value).mended.strip())._repr_html_() if named else ""

    def _turn_to(self) -> None:
        """Another card: its code, its question, and nothing chosen."""
        chosen = card(self["card_id"].value)
        self.code.value = Listing(chosen.broken.strip())._repr_html_()
        self["prediction"].options = [NOTHING_YET, *chosen.question.options]
        self["cause"].options = [NOTHING_YET]
        self.refresh()

    def __repr__(self) -> str:
        chosen = card(self["card_id"].value)
        return f"{self.title}\n\n{chosen.broken.strip()}\n\n{self.picture!r}"

    def _repr_mimebundle_(self, **selection: Any) -> dict[str, Any]:
        live = self.box._repr_mimebundle_(**selection) or {}
        options = "".join(f"<li>{escape(option)}</li>" for option in card(self["card_id"].value).question.options)
        static = f"<p><b>{escape(self.title)}</b> Run the notebook to turn the cards.</p>{self.code.value}"
        return {
            **live,
            "text/plain": repr(self),
            "text/html": f"{static}{self.picture._repr_html_()}<ul>{options}</ul>",
        }
