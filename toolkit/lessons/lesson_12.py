"""Lesson 12, interview drills: its timed builds."""

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
from toolkit.lessons.prediction import Question

QUESTIONS: tuple[Question, ...] = ()

EXERCISES = (
    REGISTRY,
    RUN_AGENT,
    TOOL_SCHEMA,
    CALL_WITH_RETRY,
    BOOKING_DESK,
    VERDICTS,
    ROOM_CHECK,
    TOOL_GUARD,
    LOG_LINE,
    SHIP_GATE,
)
