"""Lesson 05, put tools into other people's hands: its questions and exercises."""

from __future__ import annotations

from toolkit.lessons.exercise_05_redeem import REDEEM
from toolkit.lessons.exercise_05_stays_inside import STAYS_INSIDE
from toolkit.lessons.exercise_05_visible import VISIBLE
from toolkit.lessons.prediction import Question

EXERCISES = (VISIBLE, REDEEM, STAYS_INSIDE)

QUESTIONS = (
    Question(
        id="05.word",
        text="The user agreed to two nights. With that word the model books 14, then 2, then 2. What stands then?",
        options={
            "One booking, for 14 nights": "That call does not fit the word: the user was asked about two nights.",
            "One booking, for 2 nights": "14 did not fit, the first 2 used the word up, the second 2 came too late.",
            "Two bookings, for 2 nights each": "The word is good for one call. The second asks the user again.",
            "Nothing, as 14 spoilt the word": "A call that does not fit leaves the word unused.",
        },
        answer="One booking, for 2 nights",
    ),
    Question(
        id="05.caches",
        text="Three processes, each remembering the price it saw; one request in ten changes it. How many are right?",
        options={
            "Nearly all, since nine of ten only ask": "They ask a process that may have missed the last changes.",
            "About nine in ten, the others are changes": "A change is noticed by one process of three.",
            "Less than half, and it gets no better": "Each process knows only the changes that went through itself.",
            "None at all, after the first change": "The process that made the last change does know it.",
        },
        answer="Less than half, and it gets no better",
    ),
)
