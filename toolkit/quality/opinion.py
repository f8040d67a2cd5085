"""What a validating model says of a call, read exactly. It is an opinion, so the type does not say verdict.

A line that begins with PASS or FAIL decides, in capitals, as the model was told to write it. Only one kind of such line
may stand in an answer, whatever is written around it: `FAIL: must not PASS` is a FAIL, and so is one in a hundred lines
of thought. No such line, or both kinds, cannot be read, and what cannot be read is no pass.
"""

from __future__ import annotations

import json
import re
from typing import Any, Literal, NamedTuple, TypeAlias

from toolkit.arguments import MalformedArguments, parse_arguments

Word: TypeAlias = Literal["pass", "fail", "unreadable"]

_MARKS = r"[\s*_#>`-]*"  # what Markdown puts before a word
_LINE = re.compile(rf"^{_MARKS}(PASS|FAIL)(?![\w?？])([^\n]*)$", re.MULTILINE)
_OR = r"(?:/|\||,|、|or|and|vs\.?|或者|或|还是|和|与)"
_EITHER = re.compile(rf"^[\s*_`]*{_OR}[\s*_`]*(?:PASS|FAIL)\b")  # the question repeated: `PASS or FAIL`
_CORRECTION = re.compile(rf"^{_MARKS}CORRECTION{_MARKS}[:：]", re.MULTILINE)
_LONGEST = 500  # characters of a reason that are kept


class Opinion(NamedTuple):
    """A word, the reason given for it, and the arguments suggested instead, where it is a fail."""

    word: Word
    reason: str
    correction: dict[str, Any] | None = None


def read_opinion(answer: str | None) -> Opinion:
    """Read the answer of a validating model.

    >>> read_opinion("Let me see.\\nFAIL: it must not PASS").word
    'fail'
    >>> read_opinion("This will bypass nothing, so it passes.").word
    'unreadable'
    >>> read_opinion('**FAIL** - 上晦 is not 上海\\nCORRECTION: {"city": "上海"}')
    Opinion(word='fail', reason='上晦 is not 上海', correction={'city': '上海'})
    """
    if not answer or not answer.strip():
        return Opinion("unreadable", "the answer is empty")
    lines = list(_LINE.finditer(answer))
    words = {line[1] for line in lines if not _EITHER.match(line[2])}
    if any(_EITHER.match(line[2]) for line in lines):
        words = {"PASS", "FAIL"}
    if len(words) > 1:
        return Opinion("unreadable", "lines begin with PASS and with FAIL")
    if not words:
        return Opinion("unreadable", "no line begins with PASS or FAIL")
    reason = _reason(answer, lines[0])
    return Opinion("pass", reason) if words == {"PASS"} else Opinion("fail", reason, _correction(answer))


def _reason(answer: str, line: re.Match[str]) -> str:
    """What stands behind the word; where nothing does, the next line."""
    told = _stripped(line[2])
    following = (_stripped(each) for each in answer[line.end() :].splitlines() if not _CORRECTION.match(each))
    return (told or next(filter(None, following), "no reason given"))[:_LONGEST]


def _stripped(text: str) -> str:
    return text.strip(" \t\r*_#>`:：-—–.,，。")


def _correction(answer: str) -> dict[str, Any] | None:
    """The JSON object behind CORRECTION, or None where there is none, or more than one."""
    places = list(_CORRECTION.finditer(answer))
    if len(places) != 1:
        return None
    start = answer.find("{", places[0].end())
    try:
        _, end = json.JSONDecoder().raw_decode(answer, start)
        arguments, _ = parse_arguments(answer[start:end], lenient=False)
    except (ValueError, RecursionError, MalformedArguments):
        return None
    return arguments
