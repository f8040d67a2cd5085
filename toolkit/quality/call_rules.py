"""Rules on a call that need no model. They run first, take microseconds, and are right on what they judge."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeAlias

from toolkit.quality.case import Case
from toolkit.quality.hooks import shown
from toolkit.quality.wording import nearest, stands_in


class Objection(NamedTuple):
    """What a rule has against a call: its name, the reason, and the arguments it would take, where it knows them."""

    rule: str
    reason: str
    correction: dict[str, Any] | None = None


CallRule: TypeAlias = Callable[[Case], Objection | None]

_NO_ARITHMETIC = re.compile(r"[^0-9.+\-*/%() ]")


def copied(tools: str | Sequence[str], argument: str) -> CallRule:
    """Make the rule that an argument is copied character by character from the question.

    >>> rule = copied("get_weather", "city")
    >>> rule(Case("上海明天的天气", "get_weather", {"city": "上晦"})).correction
    {'city': '上海'}
    >>> rule(Case("上海明天的天气", "get_weather", {"city": "上海"})) is None
    True
    """
    names = (tools,) if isinstance(tools, str) else tuple(tools)

    def rule(case: Case) -> Objection | None:
        value = case.arguments.get(argument)
        if case.tool not in names or value is None:
            return None
        if isinstance(value, str) and value in case.question and stands_in(value, case.question):
            return None
        close = nearest(value, case.question) if isinstance(value, str) else None
        told = f"{argument} {shown(value)} does not stand in the question"
        if close is None:
            return Objection("copied", told)
        return Objection("copied", f"{told}; {shown(close)} does", {**case.arguments, argument: close})

    return rule


def arithmetic_only(tool: str, argument: str) -> CallRule:
    """Make the rule that an expression holds only digits, operators and brackets.

    >>> arithmetic_only("calculate", "expression")(Case("2π?", "calculate", {"expression": "2*π"})).reason
    'expression "2*π" holds "π": only digits, operators and brackets'
    """

    def rule(case: Case) -> Objection | None:
        value = case.arguments.get(argument)
        if case.tool != tool or value is None:
            return None
        found = _NO_ARITHMETIC.search(value) if isinstance(value, str) else None
        if isinstance(value, str) and found is None and any(character.isdigit() for character in value):
            return None
        what = f"holds {shown(found[0])}" if found else "holds no number"
        return Objection("arithmetic_only", f"{argument} {shown(value)} {what}: only digits, operators and brackets")

    return rule
