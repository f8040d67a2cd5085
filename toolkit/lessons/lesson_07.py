"""Lesson 07, judge a run by its calls: its questions and exercises."""

from __future__ import annotations

from toolkit.lessons.exercise_07_booked_once import BOOKED_ONCE
from toolkit.lessons.exercise_07_shop_policy import SHOP_POLICY
from toolkit.lessons.exercise_07_within_limit import WITHIN_LIMIT
from toolkit.lessons.prediction import Question

EXERCISES = (BOOKED_ONCE, WITHIN_LIMIT, SHOP_POLICY)

QUESTIONS = (
    Question(
        id="07.renumbered",
        text="The good run ok, its ids numbered anew in each turn. What does the quick judge say?",
        options={
            "Fail: it finds no hotel id": "Three ids for seven results: the search is lost, and with it each hotel id.",
            "Pass: the calls are the same": "They are, but the judge looks results up by id, and ids repeat now.",
            "Nothing: it raises KeyError": "Each id is found. What is found belongs to another call.",
        },
        answer="Fail: it finds no hotel id",
    ),
    Question(
        id="07.siblings",
        text="Search and booking in one turn, and the id is right. Did the booking take it from the search?",
        options={
            "Yes: the search stands before it": "It does in the list. But both were written before any result came.",
            "Yes: the id is in its result": "The id is there, and the booking cannot have read it there.",
            "No: it had not seen the result": "Calls of one turn are written together. The id was a lucky guess.",
        },
        answer="No: it had not seen the result",
    ),
)
