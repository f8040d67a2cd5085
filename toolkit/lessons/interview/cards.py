"""The interview cards: a question, what people of three levels say, what is asked next, and the cell that shows it.

They stand in `data/cards/NN.toml`, by the lesson whose cells show the answer; `data/cards/README.md` says what each
field is. They are read once and checked as they are read: a card that lacks something is refused by name.
"""

from __future__ import annotations

import tomllib
from functools import cache
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, model_validator

from toolkit.lessons.catalogue import NOTEBOOKS
from toolkit.lessons.interview.places import cell_id
from toolkit.lessons.prediction import Question
from toolkit.resources import data_path

Text = Annotated[str, Field(min_length=1)]
# As one line: the line breaks in a card file are for whoever edits it.
Paragraph = Annotated[Text, AfterValidator(lambda text: " ".join(text.split()))]


class CardQuiz(BaseModel):
    """A question about the idea behind a card. `answer` counts from 1; each option comes with what is said to it."""

    model_config = ConfigDict(extra="forbid", frozen=True, str_strip_whitespace=True)

    question: Paragraph
    answer: Annotated[int, Field(ge=1)]
    options: Annotated[tuple[tuple[Text, Text], ...], Field(min_length=2)]

    @model_validator(mode="after")
    def _answer_is_an_option(self) -> CardQuiz:
        if self.answer > len(self.options):
            raise ValueError(f"the answer is option {self.answer}, but there are {len(self.options)}")
        if len(dict(self.options)) != len(self.options):
            raise ValueError("two options read alike")
        return self


class InterviewCard(BaseModel):
    """One question of an interview.

    `junior`, `senior` and `staff` are what somebody of that level says. `cell` is a text that occurs in one code cell
    under the heading `section` of the lesson's notebook; `shows` says what to look at there.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, str_strip_whitespace=True)

    id: Annotated[str, Field(pattern=r"^Q\d\d$")]
    lesson: Annotated[str, Field(pattern=r"^\d\d$")]
    topic: Text
    question: Paragraph
    junior: Paragraph
    senior: Paragraph
    staff: Paragraph
    follow_up: Paragraph
    follow_up_answer: Paragraph
    section: Text
    cell: Text
    shows: Paragraph
    quiz: CardQuiz

    @property
    def link(self) -> str:
        """The cell, as a link from another notebook. JupyterLab goes to it; elsewhere the lesson is shown."""
        notebook = NOTEBOOKS[self.lesson]
        found = cell_id(notebook, self.section, self.cell)
        return f"{notebook}#cell-id={found}" if found else notebook

    @property
    def as_question(self) -> Question:
        """The quiz, asked with `predict("12.Q05")`."""
        options = dict(self.quiz.options)
        return Question(
            id=f"12.{self.id}", text=self.quiz.question, options=options, answer=list(options)[self.quiz.answer - 1]
        )

    def __repr__(self) -> str:
        return f"{self.id} ({self.topic}) {self.question}"


class _CardFile(BaseModel):
    model_config = ConfigDict(extra="forbid")

    card: list[dict[str, Any]]


class CardError(Exception):
    """A card file cannot be used. The text names the file, the card and what is wrong with it."""


def parse_cards(lesson: str, text: str) -> list[InterviewCard]:
    """The cards of one file.

    Raises:
        CardError: it is no TOML, holds something else than cards, or a card lacks something or has something too many.
    """
    try:
        written = _CardFile.model_validate(tomllib.loads(text)).card
    except tomllib.TOMLDecodeError as error:
        raise CardError(f"{lesson}.toml is no TOML: {error}") from None
    except ValidationError as error:
        raise CardError(f"{lesson}.toml: {_first_of(error)}") from None
    return [_card(lesson, fields) for fields in written]


def _card(lesson: str, fields: dict[str, Any]) -> InterviewCard:
    try:
        return InterviewCard.model_validate({**fields, "lesson": lesson})
    except ValidationError as error:
        raise CardError(f"{lesson}.toml, {fields.get('id', 'a card without id')}: {_first_of(error)}") from None


def _first_of(error: ValidationError) -> str:
    first = error.errors(include_url=False)[0]
    return f"{'.'.join(map(str, first['loc'])) or 'card'}: {first['msg']}"


@cache
def cards() -> tuple[InterviewCard, ...]:
    """Every card, by its number."""
    files = sorted(data_path("cards").glob("[0-9][0-9].toml"))
    found = [card for file in files for card in parse_cards(file.stem, file.read_text(encoding="utf-8"))]
    return tuple(sorted(found, key=lambda card: card.id))


def find_card(card_id: str) -> InterviewCard:
    """The card of this id, such as `Q05`.

    Raises:
        LookupError: there is none; the text says which there are.
    """
    for card in cards():
        if card.id == card_id:
            return card
    raise LookupError(f"no card {card_id!r}; there are {cards()[0].id} to {cards()[-1].id}")
