"""Lesson 12, interview drills: its timed builds, its predictions, and a quiz for each card."""

from __future__ import annotations

from toolkit.lessons.exercise_12_booking_desk import BOOKING_DESK
from toolkit.lessons.exercise_12_call_with_retry import CALL_WITH_RETRY
from toolkit.lessons.exercise_12_log_line import LOG_LINE
from toolkit.lessons.exercise_12_registry import REGISTRY
from toolkit.lessons.exercise_12_room_check import ROOM_CHECK
from toolkit.lessons.exercise_12_run_agent import RUN_AGENT
from toolkit.lessons.exercise_12_ship_gate import SHIP_GATE
from toolkit.lessons.exercise_12_tool_guard import TOOL_GUARD
from toolkit.lessons.exercise_12_tool_schema import TOOL_SCHEMA
from toolkit.lessons.exercise_12_verdicts import VERDICTS
from toolkit.lessons.interview.cards import cards
from toolkit.lessons.prediction import Question

PREDICTIONS = (
    Question(
        id="12.first_try",
        text="The demonstration succeeded. How many of the twenty points of 12.Registry does it earn?",
        options={
            "None of them": "It does run a tool and list it. That is worth something.",
            "Five of them": "Running a tool and listing it is what a demonstration shows, and a quarter of the job.",
            "Twelve of them": "So many it would have if it told its errors and refused what it should.",
            "All twenty": "One call with good arguments says nothing about a bad one.",
        },
        answer="Five of them",
    ),
    Question(
        id="12.suite",
        text="The dict of lesson 01 catches 24 cases. How many does the first try catch, a dict as well?",
        options={
            "More than 60, like lesson 02": "Lesson 02 gets there by a check of every argument. Here is none.",
            "About 24, a dict being a dict": "That dict tells its errors to the model. This one dies of them.",
            "About 15, as most of them need no check": "Few cases are about calls in which all goes well.",
            "Fewer than 10": "It catches what needs nothing but a look-up and a parser of JSON.",
        },
        answer="Fewer than 10",
    ),
)
QUESTIONS = (*PREDICTIONS, *(card.as_question for card in cards()))

EXERCISES = (
    REGISTRY,
    RUN_AGENT,
    TOOL_SCHEMA,
    CALL_WITH_RETRY,
    BOOKING_DESK,
    TOOL_GUARD,
    VERDICTS,
    ROOM_CHECK,
    LOG_LINE,
    SHIP_GATE,
)
