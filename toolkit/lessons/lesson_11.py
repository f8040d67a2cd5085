"""Lesson 11, break it on purpose, then mend it: its questions and exercises."""

from __future__ import annotations

from toolkit.lessons.exercise_11_answer_all import ANSWER_ALL
from toolkit.lessons.exercise_11_ending import ENDING
from toolkit.lessons.exercise_11_lose_answer import LOSE_ANSWER
from toolkit.lessons.prediction import Question

EXERCISES = (LOSE_ANSWER, ENDING, ANSWER_ALL)

QUESTIONS = (
    Question(
        id="11.two_errors",
        text="Two bookings, and two errors that read alike. In how many of the two stores does a booking stand?",
        options={
            "In none, as both failed": "The model was told so. The store was not asked yet.",
            "In one of the two": "In one the tool was never reached. In the other its answer got lost on the way back.",
            "In both, as both were reached": "One of the faults strikes before the tool is reached.",
            "It is different each time": "With a seed and a count it is the same each time.",
        },
        answer="In one of the two",
    ),
    Question(
        id="11.gateway",
        text="Seventeen faults strike a booking on layer 3, with an idempotency key. How many end well?",
        options={
            "All seventeen of them": "One of them happens below the gateway, where it sees a single call.",
            "Sixteen of the seventeen": "A client that sends the request twice by itself is out of its sight.",
            "Ten, as many as on layer 1": "Layer 1 cannot end a call that hangs, nor tell one order from two.",
            "Only those it can repair": "To say honestly that nobody knows is a good end, too.",
        },
        answer="Sixteen of the seventeen",
    ),
)
