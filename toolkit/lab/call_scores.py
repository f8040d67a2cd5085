"""Automatic rules for the labelled calls: how much of a call stands in the question, and is the result all there?

They know no more than words and numbers. Where the user wrote 魔都 for Shanghai, or a dozen for 12, they are wrong, and
lesson 09 counts it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from typing import Any

from toolkit.hotel.quality import names_of
from toolkit.quality import Rule, Scorecard, speaks_of
from toolkit.quality.call_rules import arithmetic_only
from toolkit.quality.case import Case
from toolkit.quality.wording import fold, stands_in, terms

_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_ENGLISH = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_NUMBER_WORDS = {
    word: str(number) for words in (_ENGLISH, "一二三四五六七八九十") for number, word in enumerate(words, 1)
}
_NUMBER_WORDS["两"] = "2"
_ROOMS = {"suite": "套房", "standard": "标准间", "deluxe": "豪华间"}


def score_case(case: Case) -> float:
    """Score a call, 0 to 1, by the rules of its tool; the question goes with the arguments.

    A result that says error has no value to be scored, as in the gateway: only the arguments are looked at.
    """
    failed = isinstance(case.result, Mapping) and "error" in case.result
    rules = ARGUMENT_RULES[case.tool] if failed else [*ARGUMENT_RULES[case.tool], *RESULT_RULES[case.tool]]
    arguments = {**case.arguments, "question": case.question}
    score = Scorecard({case.tool: rules}, THRESHOLD).judge(case.tool, arguments, case.result)
    assert score is not None, f"there are no rules for {case.tool}"
    return score.overall


def words_said(argument: str) -> Rule:
    """Make the rule that an argument, or its other name, stands in the question: the share of its words that do.

    >>> words_said("city").judge({"question": "西安下雨吗？", "city": "Xi'an"}, None)
    (1.0, 'said')
    """

    def judge(arguments: Mapping[str, Any], value: Any) -> tuple[float, str]:
        name, said = str(arguments[argument]), terms(arguments["question"])
        shares = [len(terms(each) & said) / len(terms(each)) for each in (name, *names_of(name)) if terms(each)]
        share = max(shares, default=0.0)
        return share, "said" if share == 1 else f"not said: {', '.join(sorted(terms(name) - said))}"

    return Rule(name=f"{argument}_said", judge=judge)


def numbers_said(argument: str) -> Rule:
    """Make the rule that the numbers of an argument stand in the question; of a day, the day of the month.

    >>> numbers_said("date").judge({"question": "Rain on 1 October?", "date": "2026-10-11"}, None)
    (0.0, 'not said: 11')
    """

    def judge(arguments: Mapping[str, Any], value: Any) -> tuple[float, str]:
        wanted, said = _numbers(arguments[argument]), _numbers(arguments["question"])
        missing = [number for number in wanted if number not in said]
        return (
            1 - len(missing) / len(wanted) if wanted else 0.0
        ), f"not said: {', '.join(missing)}" if missing else "said"

    return Rule(name=f"{argument}_said", judge=judge)


def _numbers(value: object) -> list[str]:
    """The numbers in a text, those written as a word too; of a date, the day."""
    text = fold(str(value)).replace(",", "")
    try:
        return [str(date.fromisoformat(text).day)]
    except ValueError:
        words = [_NUMBER_WORDS[word] for word in _NUMBER_WORDS if stands_in(word, text)]
        return [*_NUMBER.findall(text), *words]


def _room_said(arguments: Mapping[str, Any], value: Any) -> tuple[float, str]:
    room, question = str(arguments["room_type"]), fold(arguments["question"])
    said = room in question or _ROOMS.get(room, "?") in question
    return (1.0, "said") if said else (0.0, f"not said: {room}")


def _arithmetic_only(arguments: Mapping[str, Any], value: Any) -> tuple[float, str]:
    """The rule of the validator, as points."""
    objection = arithmetic_only("calculate", "expression")(Case("", "calculate", arguments))
    return (1.0, "digits and operators") if objection is None else (0.0, objection.reason)


def _result_whole(arguments: Mapping[str, Any], value: Any) -> tuple[float, str]:
    """Nothing in the result is null or blank."""
    blank = [path for path, found in _leaves(value) if found is None or found == ""]
    return (0.0, f"blank: {', '.join(blank)}") if blank else (1.0, "whole")


def _leaves(value: Any, path: str = "") -> list[tuple[str, Any]]:
    if isinstance(value, dict):
        return [leaf for name, each in value.items() for leaf in _leaves(each, f"{path}.{name}".lstrip("."))]
    if isinstance(value, list):
        return [leaf for place, each in enumerate(value) for leaf in _leaves(each, f"{path}[{place}]")]
    return [(path, value)]


THRESHOLD = 0.5
_WHOLE = Rule(name="result_whole", judge=_result_whole)
ARGUMENT_RULES: Mapping[str, list[Rule]] = {
    "get_weather": [words_said("city"), numbers_said("date")],
    "search_hotels": [words_said("city"), numbers_said("check_in")],
    "calculate": [numbers_said("expression"), Rule(name="arithmetic_only", judge=_arithmetic_only)],
    "search_web": [words_said("query")],
    "book_hotel": [
        words_said("hotel_id"),
        Rule(name="room_said", judge=_room_said),
        numbers_said("check_in"),
        numbers_said("nights"),
    ],
}
RESULT_RULES: Mapping[str, list[Rule]] = {
    "get_weather": [_WHOLE],
    "search_hotels": [_WHOLE],
    "calculate": [_WHOLE],
    "search_web": [speaks_of("query", "title", "text", each="pages"), _WHOLE],
    "book_hotel": [_WHOLE],
}
