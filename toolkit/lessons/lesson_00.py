"""Lesson 00, look behind the answer: its questions and exercises."""

from __future__ import annotations

from toolkit.lessons.exercise_00_failed_checks import FAILED_CHECKS
from toolkit.lessons.exercise_00_tools_called import TOOLS_CALLED
from toolkit.lessons.prediction import Question

EXERCISES = (TOOLS_CALLED, FAILED_CHECKS)

QUESTIONS = (
    Question(
        id="00.both",
        text="Two runs, one final answer. How many of the two did what the user asked?",
        options={
            "Both of them": "They say so. Whether they did it stands in the calls, which we have not seen yet.",
            "Only the first": "It may turn out so, but nothing seen so far speaks for it.",
            "The answers do not tell": "An answer is written by the model. We have to look at what was called.",
            "Neither of them": "Nothing seen so far speaks against either.",
        },
        answer="The answers do not tell",
    ),
    Question(
        id="00.outcome",
        text="All five answers say 'booked'. How many of the four bad runs does a look at the bookings find?",
        options={
            "None of the four": "One of them was refused by the hotel, so no booking stands.",
            "Only one of them": "Where the hotel refused. The other three each left one booking, by luck or not.",
            "Three of the four": "A lucky guess and a wrong room leave exactly one booking, as a good run does.",
            "All four of them": "A booking does not tell how it came about, nor whether the room was right.",
        },
        answer="Only one of them",
    ),
)
