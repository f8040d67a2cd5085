"""Predict before running: a question with a few answers, each with its feedback.

Live, it is a row of radio buttons. On a page without a kernel the options are a list, and the answer with its
reason is folded under it. The text form, which is what a terminal prints, holds no answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from typing import Any

from toolkit.lessons.feedback import Shown
from toolkit.lessons.progress import record


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """`options` maps each answer to what is said when it is chosen; `answer` is the right one."""

    id: str
    text: str
    options: Mapping[str, str]
    answer: str

    def feedback(self, choice: str) -> str:
        """What to say to this choice.

        Raises:
            LookupError: it is none of the options.
        """
        if choice not in self.options:
            raise LookupError(f"{choice!r} is no option of {self.id}; they are: {', '.join(self.options)}")
        return f"{'✓ right' if choice == self.answer else '✗ no'}: {self.options[choice]}"


class Quiz:
    """The radio buttons of one question. `choice` and `said` are its widgets."""

    def __init__(self, question: Question) -> None:
        import ipywidgets

        self.question = question
        self.choice = ipywidgets.RadioButtons(options=list(question.options), value=None)
        self.choice.layout.width = "100%"
        self.said = ipywidgets.HTML()
        self.choice.observe(self._on_choice, names="value")
        heading = ipywidgets.HTML(f"<b>{escape(question.text)}</b>")
        self.box = ipywidgets.VBox([heading, self.choice, self.said])

    def _on_choice(self, change: Mapping[str, Any]) -> None:
        self.said.value = escape(_answered(self.question, change["new"])) if change["new"] else ""

    def __repr__(self) -> str:
        options = "\n".join(f"  ( ) {option}" for option in self.question.options)
        return f"{self.question.text}\n{options}"

    def _repr_mimebundle_(self, **selection: Any) -> dict[str, Any]:
        options = "".join(f"<li>{escape(option)}</li>" for option in self.question.options)
        answer = self.question.answer
        folded = f"<p><b>{escape(answer)}</b></p><p>{escape(self.question.options[answer])}</p>"
        static = (
            f"<p><b>{escape(self.question.text)}</b></p><ul>{options}</ul>"
            f"<details><summary>Answer</summary>{folded}</details>"
        )
        live = self.box._repr_mimebundle_(**selection) or {}
        return {**live, "text/plain": repr(self), "text/html": static}


def predict(question_id: str, choice: str | None = None) -> Quiz | Shown:
    """Show the question; with a `choice`, say what is to be said to it."""
    from toolkit.lessons.catalogue import find_question  # it imports the lessons, which import this module

    question = find_question(question_id)
    return Quiz(question) if choice is None else Shown(_answered(question, choice))


def _answered(question: Question, choice: str) -> str:
    """What is said to a choice, which is kept in the reader's progress."""
    said = question.feedback(choice)
    record("question", question.id, "right" if choice == question.answer else "no")
    return said
