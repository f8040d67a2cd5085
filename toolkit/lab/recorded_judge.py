"""A validating model from a recording: the same prompt gets the answer it got then, and any other prompt is refused."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from toolkit.quality.case import Case, prompt_for
from toolkit.quality.chat import ChatReply, Messages
from toolkit.quality.opinion import read_opinion
from toolkit.resources import data_path
from toolkit.trajectory import extract_calls

JUDGED = ("get_weather", "search_hotels", "book_hotel")  # a plan answers no question of the user's


def prompt_key(prompt: str) -> str:
    """A short name for a prompt.

    >>> prompt_key("PASS or FAIL?")
    '377890ba2f3c'
    """
    return hashlib.sha256(prompt.encode()).hexdigest()[:12]


@cache
def recorded_answers() -> Mapping[str, str]:
    """The answers of the small model to the calls of the controls, by the key of their prompt."""
    with data_path("validation", "control_answers.jsonl").open(encoding="utf-8") as lines:
        return {answer["prompt"]: answer["answer"] for answer in map(json.loads, lines) if "prompt" in answer}


class RecordedChat:
    """A chat model that repeats what was recorded."""

    async def complete(self, messages: Messages, *, temperature: float) -> ChatReply:
        """Look the prompt up.

        Raises:
            LookupError: it was never asked.
        """
        key = prompt_key(messages[-1]["content"])
        if key not in recorded_answers():
            raise LookupError(f"the model was never asked this (prompt {key})")
        return ChatReply(recorded_answers()[key])


def cases_of(messages: Sequence[Mapping[str, Any]]) -> list[Case]:
    """The calls of a run that answer the user, each as a case of its own: the goal, the call, its result."""
    goal = next(message["content"] for message in messages if message["role"] == "user")
    calls = [call for call in extract_calls(messages).calls if call.name in JUDGED]
    return [Case(goal, call.name, call.arguments or {}, call.result) for call in calls]


def objected(messages: Sequence[Mapping[str, Any]]) -> list[str]:
    """The tools whose calls the recorded model did not pass, in order, each once."""
    flagged = [
        case.tool
        for case in cases_of(messages)
        if read_opinion(recorded_answers()[prompt_key(prompt_for(case))]).word != "pass"
    ]
    return list(dict.fromkeys(flagged))
