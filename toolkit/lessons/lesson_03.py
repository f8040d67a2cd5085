"""Lesson 03, give every call an end and book once: its questions and exercises."""

from __future__ import annotations

from toolkit.lessons.exercise_03_may_repeat import MAY_REPEAT
from toolkit.lessons.exercise_03_retry import RETRY
from toolkit.lessons.exercise_03_waits import WAITS
from toolkit.lessons.prediction import Question

EXERCISES = (WAITS, MAY_REPEAT, RETRY)

QUESTIONS = (
    Question(
        id="03.checked_afterwards",
        text="The search takes 1 s and stands inside this limit of 0.1 s. When does the caller go on?",
        options={
            "After 0.1 s, with an error": "Nothing wakes it then. Look for the line that sets a timer.",
            "After 1 s, with the result": "It does wait that long, but on the way out the clock is looked at.",
            "After 1 s, with an error": "The limit is noticed when the block is over, and by then it helps nobody.",
            "Never, the limit is too short": "The search does end, and with it the block.",
        },
        answer="After 1 s, with an error",
    ),
    Question(
        id="03.lost_answer",
        text="Three attempts, each given up after 1 s. How many bookings stand in the store?",
        options={
            "None, as all three timed out": "Only the answers came too late. What does the first line of the tool do?",
            "One, as the store sees doubles": "It cannot: three guests may want the same kind of room on the same day.",
            "One, made by the last attempt": "Giving up an attempt does not undo what it has done.",
            "Three, one for each attempt": "Each attempt wrote its booking before its answer was lost.",
        },
        answer="Three, one for each attempt",
    ),
    Question(
        id="03.storm",
        text="Ten calls a second, up to three attempts each, and the tool goes down. How often is it reached then?",
        options={
            "Fewer, as the waits double": "A wait moves an attempt to a later second, it does not take it away.",
            "About 10 times a second": "That is the load of a tool that works. A failed call comes back.",
            "About 13 times a second": "Only if few calls failed. Here every single one does.",
            "About 30 times a second": "Every failing call comes back twice: the dead tool gets three times its load.",
        },
        answer="About 30 times a second",
    ),
)
