"""The usual rules: is everything there, is it about what was asked, has it the right form?

Each function makes a `Rule` for a `Scorecard`. A field is a key of the value, or of each element of a list in it where
`each` names that list.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from toolkit.errors import ToolDefinitionError
from toolkit.quality.hooks import shown
from toolkit.quality.scoring import Rule
from toolkit.quality.wording import fold, terms

_MOST_SHOWN = 5


def complete(*fields: str, each: str | None = None, weight: float = 1.0, floor: float | None = None) -> Rule:
    """Make the rule that these fields are there: the share of them that is, neither null nor blank.

    With `each`, an empty list has nothing missing.

    >>> complete("condition", "high").judge({}, {"condition": "rain", "high": None})
    (0.5, 'missing: high')
    """
    _some(fields, "complete")

    def judge(arguments: Mapping[str, Any], value: Any) -> tuple[float, str]:
        places = [(at, item.get(name)) for prefix, item in _items(value, each) for name, at in _named(prefix, fields)]
        missing = [at for at, found in places if found is None or (isinstance(found, str) and not found.strip())]
        if not missing:
            return 1.0, "nothing is missing"
        return 1 - len(missing) / len(places), f"missing: {_listed(missing)}"

    return Rule(name="completeness", judge=judge, weight=weight, floor=floor, fields=fields, each=each)


def echoes(
    *names: str, same: Callable[[str, str], bool] | None = None, weight: float = 1.0, floor: float | None = None
) -> Rule:
    """Make the rule that a result is about what was asked: these fields of it equal the arguments of their names.

    Args:
        names: Each the name of an argument and of a field. An argument that was not given is not compared.
        same: Whether two texts mean one thing, such as 西安 and Xi'an; equal but for case and width if not given.

    >>> echoes("city").judge({"city": "Xi'an"}, {"city": "Shanghai"})
    (0.0, 'asked for city "Xi\\'an", got "Shanghai"')
    """
    _some(names, "echoes")
    equal = same or (lambda one, other: fold(one) == fold(other))

    def judge(arguments: Mapping[str, Any], value: Any) -> tuple[float, str]:
        asked = [name for name in names if arguments.get(name) is not None]
        others = [name for name in asked if not equal(str(arguments[name]), str(_items(value)[0][1].get(name)))]
        if not others:
            return 1.0, "about what was asked"
        told = [f"asked for {name} {shown(arguments[name])}, got {shown(value.get(name))}" for name in others]
        return 1 - len(others) / len(asked), "; ".join(told)

    return Rule(name="relevance", judge=judge, weight=weight, floor=floor, fields=names)


def speaks_of(
    argument: str, *fields: str, each: str | None = None, weight: float = 1.0, floor: float | None = None
) -> Rule:
    """Make the rule that a text is about a query: the share of the query's words that stand in it.

    Chinese is compared in pairs of characters, for it has no spaces to split at. Two languages have no word in common,
    so an answer in another language than the query scores 0.

    >>> speaks_of("query", "text").judge({"query": "西安 天气"}, {"text": "西安明天有雨"})
    (0.5, 'not mentioned: 天气')
    """
    _some(fields, "speaks_of")

    def judge(arguments: Mapping[str, Any], value: Any) -> tuple[float, str]:
        wanted = terms(str(arguments[argument]))
        if not wanted:
            return 1.0, "the query has no word to look for"
        found = terms("\n".join(str(item.get(name, "")) for _, item in _items(value, each) for name in fields))
        missing = sorted(wanted - found)
        if not missing:
            return 1.0, "every word of the query is mentioned"
        return 1 - len(missing) / len(wanted), f"not mentioned: {_listed(missing)}"

    return Rule(name="relevance", judge=judge, weight=weight, floor=floor, fields=fields, each=each)


def well_formed(
    field: str,
    holds: Callable[[Any], bool],
    *,
    expected: str,
    each: str | None = None,
    weight: float = 1.0,
    floor: float | None = None,
) -> Rule:
    """Make the rule that a field has its form: the share of values for which `holds` is true.

    >>> positive = well_formed("price", lambda price: price > 0, expected="a price above 0", each="rooms")
    >>> positive.judge({}, {"rooms": [{"price": 90}, {"price": -1}]})
    (0.5, 'expected a price above 0: rooms[1].price is -1')
    """

    def judge(arguments: Mapping[str, Any], value: Any) -> tuple[float, str]:
        values = [(at, item.get(field)) for prefix, item in _items(value, each) for _, at in _named(prefix, (field,))]
        wrong = [f"{at} is {shown(found)}" for at, found in values if not holds(found)]
        if not wrong:
            return 1.0, "well formed"
        return 1 - len(wrong) / len(values), f"expected {expected}: {_listed(wrong)}"

    return Rule(name="format", judge=judge, weight=weight, floor=floor, fields=(field,), each=each)


def _items(value: Any, each: str | None = None) -> list[tuple[str, Mapping[str, Any]]]:
    """The objects whose fields are looked at, each with its place in the value.

    Raises:
        TypeError, KeyError: the value has not that form; the rule then scores 0 and says so.
    """
    if each is not None:
        return [(f"{each}[{place}].", _object(item)) for place, item in enumerate(_object(value)[each])]
    return [("", _object(value))]


def _object(value: Any) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise TypeError(f"expected an object, got {type(value).__name__}")
    return value


def _named(prefix: str, fields: Iterable[str]) -> list[tuple[str, str]]:
    return [(name, prefix + name) for name in fields]


def _listed(items: list[str]) -> str:
    return ", ".join(items[:_MOST_SHOWN]) + (
        f" and {len(items) - _MOST_SHOWN} more" if len(items) > _MOST_SHOWN else ""
    )


def _some(names: tuple[str, ...], rule: str) -> None:
    if not names:
        raise ToolDefinitionError(f"{rule}() names no field, so it would be content with anything.")
