"""Lesson 02: one source for contract and validation."""

from __future__ import annotations

from toolkit.lessons.exercise_02_model_of import MODEL_OF
from toolkit.lessons.exercise_02_quote_stay import QUOTE_STAY
from toolkit.lessons.exercise_02_strict_form import STRICT_FORM
from toolkit.lessons.prediction import Question

EXERCISES = (QUOTE_STAY, MODEL_OF, STRICT_FORM)

QUESTIONS = (
    Question(
        id="02.lax",
        text="Six calls go into a Pydantic model with its usual settings. How many come out as a stay?",
        options={
            "One: the number that was sent as text": "That one, and it is the only one that means well.",
            "Three: NaN, the misspelt name and the key sent twice are refused": (
                "A float takes NaN, an unknown name is ignored, and of two values the last one counts. All by default."
            ),
            "All six: none of them raises an error": (
                "Each default is sensible for some web form. Here it means that a model's mistake becomes a booking."
            ),
        },
        answer="All six: none of them raises an error",
    ),
    Question(
        id="02.null",
        text="In the strict form a model has to send all four. It sends null for room_type and arrival. What comes in?",
        options={
            "standard and None": (
                "Null was never allowed for room_type, so it means: you choose. For arrival it always was: tonight."
            ),
            "None for both": "Then every tool would have to look for None where it promised a room type.",
            "standard, and no arrival at all": (
                "Dropping every null would lose a value that the tool does allow: tonight, said on purpose."
            ),
        },
        answer="standard and None",
    ),
)
