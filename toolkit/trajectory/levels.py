"""What is usually looked at instead of the calls: the final answer, and the outcome.

Both stand beside the checks to be compared with them. No check calls anything here.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from toolkit.trajectory.reading import read_content
from toolkit.trajectory.records import CheckResult, Verdict

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|[。！？\n]")


@dataclass(frozen=True, slots=True)
class AnswerWords:
    """Words by which a final answer claims success: that it is done, what was done, and what takes it back."""

    done: tuple[str, ...]
    things: tuple[str, ...]
    denials: tuple[str, ...] = ()


def final_answer(messages: Sequence[Any]) -> tuple[str, str]:
    """Text of the last message, if the assistant wrote it and makes no call in it, with its pointer.

    >>> final_answer([{"role": "assistant", "content": "Booked."}])
    ('Booked.', '/0/content')
    """
    last = messages[-1] if messages else None
    if not isinstance(last, dict) or last.get("role") != "assistant" or last.get("tool_calls"):
        return "", ""
    text, suffix, _ = read_content(last.get("content"))
    return text, f"/{len(messages) - 1}{suffix}"


def answer_level(messages: Sequence[Any], words: AnswerWords, *, name: str = "answer") -> CheckResult:
    """Judge the final answer alone: it says done and names what was done.

    This is what a reader of the chat sees, and it proves nothing about the run.

    >>> words = AnswerWords(done=("booked",), things=("suite",), denials=("not",))
    >>> str(answer_level([{"role": "assistant", "content": "Booked: a suite."}], words).verdict)
    'pass'
    """
    text, at = final_answer(messages)
    if not text.strip():
        return CheckResult(name, Verdict.FAIL, "no_answer", "the run does not end with an answer", at)
    claims = [part for part in _SENTENCE_END.split(text) if _finds(words.done, part)]
    if not any(not _finds(words.denials, claim) for claim in claims):
        return CheckResult(name, Verdict.FAIL, "not_claimed", "the answer does not say that it is done", at)
    if not _finds(words.things, text):
        return CheckResult(name, Verdict.FAIL, "nothing_named", "the answer does not name what was done", at)
    return CheckResult(name, Verdict.PASS, "ok", "the answer says that it is done, and names what", at)


def _finds(words: tuple[str, ...], text: str) -> bool:
    return _pattern(words).search(text) is not None if words else False


@lru_cache(maxsize=64)
def _pattern(words: tuple[str, ...]) -> re.Pattern[str]:
    """Whole words where a script has words: no letter of the same kind may touch them."""
    return re.compile("|".join(map(_whole, words)), re.IGNORECASE)


def _whole(word: str) -> str:
    before = r"(?<![A-Za-z])" if word[0].isascii() and word[0].isalpha() and word != "n't" else ""
    after = r"(?![A-Za-z])" if word[-1].isascii() and word[-1].isalpha() else ""
    return f"{before}{re.escape(word)}{after}"
