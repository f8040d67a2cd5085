"""Lesson 10, ask the log: its questions and exercises."""

from __future__ import annotations

from toolkit.lessons.exercise_10_holds import HOLDS
from toolkit.lessons.exercise_10_mtbf import MTBF
from toolkit.lessons.exercise_10_worst_argument import WORST_ARGUMENT
from toolkit.lessons.prediction import Question

EXERCISES = (WORST_ARGUMENT, MTBF, HOLDS)

QUESTIONS = (
    Question(
        id="10.deny_list",
        text="Four secrets stand in this record: a key, the same key under another spelling, one in a header, and a "
        "card number in a note. How many does the mask cover?",
        options={
            "All four": "It knows four names. Does it know the names these secrets stand under?",
            "Three, not the card": "No name gives the card away, true. Look at the other two once more.",
            "Two, both of the keys": "The list holds api_key; the record also holds API_KEY.",
            "One, spelt as in the list": "Another spelling, another depth, another field: each is a way past a list.",
        },
        answer="One, spelt as in the list",
    ),
    Question(
        id="10.p99",
        text="A tool has answered a hundred times. What is its p99?",
        options={
            "It takes more answers": "With so few, the true p99 may well lie above everything that was seen.",
            "The slowest answer but one": "So says the formula. The next hundred answers may say ten times as much.",
            "The same as the maximum": "Close to it, and as fickle: one slow answer more or less changes it.",
            "The mean and three sigma": "That is for a bell curve. Latencies have a long tail on one side.",
        },
        answer="It takes more answers",
    ),
    Question(
        id="10.operating_time",
        text="The tool fails as often an hour as before, but is called twice as often. What does this figure do?",
        options={
            "It stays, as the failures do": "It does not look at the failures at all.",
            "It doubles with the calls": "More successes lie closer together, not farther apart.",
            "It grows, for more succeed": "More of them fit into the same hour, so they lie closer together.",
            "It halves with the calls": "It is the distance between successes: the traffic, and nothing else.",
        },
        answer="It halves with the calls",
    ),
)
