"""Lesson 06, ask before and look after: its questions and exercises."""

from __future__ import annotations

from toolkit.lessons.exercise_06_groups import GROUPS
from toolkit.lessons.exercise_06_overall import OVERALL
from toolkit.lessons.exercise_06_words import WORDS
from toolkit.lessons.prediction import Question

EXERCISES = (OVERALL, WORDS, GROUPS)

QUESTIONS = (
    Question(
        id="06.mars",
        text="The schema says: a text of 1 to 80 characters. What does the weather service answer for Mars?",
        options={
            "An error: there is no such city": "A service that looks places up by name goes on looking.",
            "The forecast for a place of that name": "There is a Mars in Pennsylvania, and it is clear there.",
            "Nothing, and the call times out": "It has no reason to: the name is found at once.",
            "A refusal: the schema forbids it": "Mars is a text of four characters. The schema is content.",
        },
        answer="The forecast for a place of that name",
    ),
    Question(
        id="06.keywords",
        text="Asked: 西安十月一日下雨吗. Answered: 西安十月一日有雨. How many keywords are found by split()?",
        options={
            "None of its one keyword": "Without spaces the whole question is one word, and no answer holds it.",
            "One or two, as 吗 says nothing": "To leave a word out, one has to have found it first.",
            "Most: 西安, 十月, 一日 and 雨": "That is what a reader finds. Where are the spaces?",
            "Each of its nine characters": "A split by characters would. This one needs a space.",
        },
        answer="None of its one keyword",
    ),
    Question(
        id="06.average",
        text="Relevance 0.3, format 1.0, threshold 0.6. Is the answer good enough?",
        options={
            "Yes: 0.65 is above the threshold": "That is what the average says. Is it a good answer, too?",
            "No: the average is below it": "(0.3 + 1.0) / 2 is 0.65.",
            "Only if the format weighs more": "Then it would pay for even more of what failed.",
            "The average says so, yet it is not": "One good rule has paid for a failed one.",
        },
        answer="The average says so, yet it is not",
    ),
    Question(
        id="06.turn",
        text="A turn: two searches, a booking, a search. Each takes 1 s. When is the turn over?",
        options={
            "After 1 s: they all run together": "Then the last search may not see what the booking changed.",
            "After 2 s: searches, then the booking": "The last search would overtake the booking.",
            "After 3 s: the first two together": "Then the booking alone, then what stands behind it.",
            "After 4 s: one after the other": "The first two searches change nothing. Why should one wait?",
        },
        answer="After 3 s: the first two together",
    ),
)
