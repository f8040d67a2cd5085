"""Mistakes in judging a run by its calls."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from toolkit.lessons.bug_hunt.card import Card


def _turn(id: str, arguments: str) -> dict[str, Any]:
    return {"role": "assistant", "tool_calls": [{"id": id, "function": {"name": "search", "arguments": arguments}}]}


def _answer(id: str, content: str) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": id, "content": content}


def _paired(pairs: Callable[..., Any]) -> list[list[object]]:
    reused = [_turn("s:0", "a"), _answer("s:0", "A"), _turn("s:0", "b"), _answer("s:0", "B")]
    return [list(pair) for pair in pairs(reused)]


def _failures(failed: Callable[..., Any]) -> list[bool]:
    return [bool(failed(each)) for each in ({"error": None, "id": "BK-1"}, {"error": "No suite."}, {"id": "BK-1"})]


_SIBLINGS = [
    {"turn": 0, "name": "search_hotels", "result": '{"hotels": ["HT-003"]}'},
    {"turn": 1, "name": "search_hotels", "result": '{"hotels": ["HT-002"]}'},
    {"turn": 1, "name": "book_hotel", "result": '{"booking": "BK-0001"}'},
]


def _sources(has_source: Callable[..., Any]) -> dict[str, bool]:
    return {
        "an earlier result": has_source(_SIBLINGS, 2, "HT-003"),
        "a sibling's result": has_source(_SIBLINGS, 2, "HT-002"),
        "no result": has_source(_SIBLINGS, 2, "HT-022"),
    }


def _steps(done: Callable[..., Any]) -> list[bool]:
    failed = [{"name": "get_weather", "failed": True}, {"name": "book_hotel", "failed": False}]
    return [bool(done(failed, name)) for name in ("get_weather", "book_hotel", "search_hotels")]


_FORECASTS = [
    {"arguments": {"city": "Xi'an"}, "result": {"condition": "rain"}},
    {"arguments": {"city": "Lhasa"}, "result": {"condition": "clear"}},
]

CARDS = (
    Card(
        id="B43",
        topic="judging",
        title="Which result belongs to which call?",
        name="pairs",
        broken="""
def pairs(messages):
    results = {m["tool_call_id"]: m["content"] for m in messages if m["role"] == "tool"}
    calls = [call for m in messages for call in m.get("tool_calls", [])]
    return [(call["function"]["arguments"], results[call["id"]]) for call in calls]
""",
        mended="""
def pairs(messages):
    found, waiting = [], {}
    for message in messages:
        for call in message.get("tool_calls", []):
            waiting[call["id"]] = len(found)
            found.append((call["function"]["arguments"], None))
        if message["role"] == "tool" and message["tool_call_id"] in waiting:
            place = waiting.pop(message["tool_call_id"])
            found[place] = (found[place][0], message["content"])
    return found
""",
        probe=_paired,
        fails=[["a", "B"], ["b", "B"]],
        works=[["a", "A"], ["b", "B"]],
        asks="A server numbers its calls anew in each turn: s:0 asks for a and gets A, then s:0 asks for b and gets B. "
        "What is paired?",
        predicted=("a with B, b with B", "The dict keeps the last result of each id."),
        others=(
            ("a with A, b with B", "Both results have the same key."),
            ("a with A, b with A", "A dict keeps the last, not the first."),
            ("a with B, b with A", "One of the two results is gone."),
        ),
        cause="Results are kept by id alone, as if an id were never used again.",
    ),
    Card(
        id="B44",
        topic="judging",
        title="Did it fail?",
        name="failed",
        broken="""
def failed(result):
    return "error" in result
""",
        mended="""
def failed(result):
    return result.get("error") is not None
""",
        probe=_failures,
        fails=[True, True, False],
        works=[False, True, False],
        asks='{"error": null, "id": "BK-1"}: did this call fail?',
        predicted=("It says yes", "The key is there, though nothing stands under it."),
        others=(
            ("It says no", "It asks for the key, not for what stands under it."),
            ("It raises", "Looking for a key raises nothing."),
            ("It says None, as null stands there", "in gives true or false."),
        ),
        cause="The presence of a key is taken for its meaning; many tools always send the key.",
    ),
    Card(
        id="B45",
        topic="judging",
        title="Where does the hotel id come from?",
        name="has_source",
        broken='''
def has_source(calls, index, value):
    """Whether a result holds the value that call number `index` uses."""
    return any(value in call["result"] for call in calls)
''',
        mended='''
def has_source(calls, index, value):
    """Whether a result that the model had seen holds the value that call number `index` uses."""
    turn = calls[index]["turn"]
    return any(f'"{value}"' in call["result"] for call in calls if call["turn"] < turn)
''',
        probe=_sources,
        fails={"an earlier result": True, "a sibling's result": True, "no result": False},
        works={"an earlier result": True, "a sibling's result": False, "no result": False},
        asks="A search and a booking are asked for in one turn, and the booking uses an id that the search then finds. "
        "Has it a source?",
        predicted=("It says yes", "It looks at all results, also at those that came later."),
        others=(
            ("It says no", "Where does it ask what had been seen by then?"),
            ("It raises", "Every call has a result."),
            ("It says yes, after a second look", "It looks once."),
        ),
        cause="A source is looked for in the whole run; what is asked for together has not seen each other's results.",
    ),
    Card(
        id="B46",
        topic="judging",
        title="Was the step done?",
        name="done",
        broken="""
def done(calls, name):
    return any(call["name"] == name for call in calls)
""",
        mended="""
def done(calls, name):
    return any(call["name"] == name and not call["failed"] for call in calls)
""",
        probe=_steps,
        fails=[True, True, False],
        works=[False, True, False],
        asks="The only weather call of a run failed. Was the step done?",
        predicted=("It says yes", "It asks whether the tool was called, not how that ended."),
        others=(
            ("It says no", "Nothing here looks at the outcome."),
            ("It raises", "Each call has a name."),
            ("It says that it cannot tell", "It says true or false to everything."),
        ),
        cause="A call is taken for a success.",
    ),
    Card(
        id="B47",
        topic="judging",
        title="It rains, so a suite",
        name="weather_in",
        broken='''
def weather_in(city, forecasts):
    """The last forecast."""
    return forecasts[-1]["result"]["condition"]
''',
        mended='''
def weather_in(city, forecasts):
    """The last forecast for this city, or None."""
    found = [each for each in forecasts if each["arguments"]["city"] == city]
    return found[-1]["result"]["condition"] if found else None
''',
        probe=lambda weather_in: [weather_in(city, _FORECASTS) for city in ("Xi'an", "Lhasa", "Chengdu")],
        fails=["clear", "clear", "clear"],
        works=["rain", "clear", None],
        asks="The run looks at Xi'an, where it rains, and then at Lhasa, where it is clear. The weather in Xi'an?",
        predicted=("clear", "It takes the last forecast of the run, of whatever city."),
        others=(
            ("rain", "Is the city ever used?"),
            ("None, for two disagree", "It does not compare."),
            ("rain, then clear", "It returns one word."),
        ),
        cause="The last forecast of any city is taken; the argument is never looked at.",
    ),
    Card(
        id="B48",
        topic="judging",
        title="All checks passed",
        name="verdict",
        broken="""
def verdict(checks):
    return "pass" if all(checks) else "fail"
""",
        mended="""
def verdict(checks):
    if not checks:
        return "not judged"
    return "pass" if all(checks) else "fail"
""",
        probe=lambda verdict: [verdict(checks) for checks in ([], [True, True], [True, False])],
        fails=["pass", "pass", "fail"],
        works=["not judged", "pass", "fail"],
        asks="A run without a single call, so nothing was checked. What is its verdict?",
        predicted=("pass", "All of nothing is true."),
        others=(
            ("fail", "all of an empty list is no failure."),
            ("not judged", "There are two words here, and that is none of them."),
            ("an error", "all takes an empty list."),
        ),
        cause="An empty list of checks counts as passed: the run that did nothing is the best of all.",
    ),
)
