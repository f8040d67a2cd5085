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
        id="00.rewritten",
        text="The last message of skip becomes 'Sorry, nothing is booked.' Which verdicts change?",
        options={
            "The final answer and the outcome": "The outcome counts bookings, and the booking still stands.",
            "All verdicts change at once": "The checks read calls and results. None of these was touched.",
            "None of the verdicts": "One level reads nothing but the answer, and the answer is another now.",
            "Only that of the final answer": "It is the only level that reads the answer.",
        },
        answer="Only that of the final answer",
    ),
)
