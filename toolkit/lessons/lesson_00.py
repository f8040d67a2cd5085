"""Lesson 00, look behind the answer: its questions and exercises."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from toolkit.hotel import HOTEL_POLICY
from toolkit.hotel.controls import load_control
from toolkit.lab.edit_run import edit_run
from toolkit.lessons.exercise import Exercise, WrongAnswer
from toolkit.lessons.expect import expect, expect_equal
from toolkit.lessons.prediction import Question
from toolkit.trajectory import CheckResult, Report, evaluate

QUESTIONS = (
    Question(
        id="00.both",
        text="Two runs, one final answer. How many of the two did what the user asked?",
        options={
            "Both of them": "They say so. Whether they did it stands in the calls, which we have not seen yet.",
            "Only the first": "It may turn out so, but nothing seen so far speaks for it.",
            "The answers do not tell": "An answer is written by the model. We have to look at what was called.",
            "Neither of them": "Nothing seen so far speaks against either.",
        },
        answer="The answers do not tell",
    ),
    Question(
        id="00.harm",
        text="The second agent booked a suite, it rains, and the hotel exists. Is anything wrong with its run?",
        options={
            "No, the user got the right room": "This time. On a dry day the same run books the same suite.",
            "Yes, the room was a lucky guess": "It knew neither the weather nor the hotels. Next time it may be wrong.",
            "Yes, it should have made more calls": "The number is not the point. It lacked what its decision rests on.",
            "No, the plan shows all steps done": "The plan says done for a step that no call was made for.",
        },
        answer="Yes, the room was a lucky guess",
    ),
    Question(
        id="00.rewritten",
        text="The last message of skip becomes 'Sorry, nothing is booked.' Which verdicts change?",
        options={
            "The final answer and the outcome": "The outcome counts bookings, and the booking still stands.",
            "All verdicts change at once": "The checks read calls and results. None of these was touched.",
            "None of the verdicts": "One level reads nothing but the answer, and the answer is another now.",
            "Only that of the final answer": "It is the only level that reads the answer.",
        },
        answer="Only that of the final answer",
    ),
)


def _says(*calls: str, text: str | None = None) -> dict[str, Any]:
    asked = [{"id": f"c{place}", "function": {"name": name, "arguments": "{}"}} for place, name in enumerate(calls)]
    return {"role": "assistant", "content": text, "tool_calls": asked}


def _check_tools_called(tools_called: Callable[[Sequence[Any]], Any]) -> None:
    expect_equal(tools_called([]), [], "a run without messages")
    plain = [{"role": "user", "content": "Hello"}, {"role": "assistant", "content": "I will call get_weather."}]
    expect_equal(tools_called(plain), [], "a tool that is only mentioned in the text was not called")
    null = [{"role": "assistant", "content": "Done.", "tool_calls": None}]
    expect_equal(tools_called(null), [], "a message whose tool_calls is null")
    pair = [_says("get_weather", "search_hotels")]
    expect_equal(tools_called(pair), ["get_weather", "search_hotels"], "two calls in one message")
    again = [_says("search_hotels"), _says("get_weather"), _says("search_hotels")]
    wanted = ["search_hotels", "get_weather", "search_hotels"]
    expect_equal(tools_called(again), wanted, "the same tool called twice counts twice, in the order of the calls")
    skip = ["set_plan", "book_hotel", "mark_step", "mark_step", "mark_step"]
    expect_equal(tools_called(load_control("skip")), skip, "the run skip")


def _check_failed_checks(failed_checks: Callable[[Report], Any]) -> None:
    def report(name: Any, **edit: Any) -> Report:
        return evaluate(edit_run(load_control(name), **edit), policy=HOTEL_POLICY)

    found = failed_checks(report("no_plan"))
    expect(not isinstance(found, str), f"expected a list of names, got one text: {found!r}")
    results = isinstance(found, list) and any(isinstance(each, CheckResult) for each in found)
    expect(not results, "expected a list of names, got the results themselves: a result has its name at .name")
    expect_equal(found, ["plan_first"], "the run no_plan")
    three = ["no_skipped_step", "argument_provenance", "room_matches_weather"]
    expect_equal(failed_checks(report("skip")), three, "the run skip, every failed check")
    expect_equal(failed_checks(report("ok")), [], "the run ok, no check failed")
    cut = report("ok", taken_out="the weather's result")
    expect_equal(failed_checks(cut), [], "a recording without the weather's result: not_judgeable is no fail")
    empty = report("ok", taken_out="the booking")
    expect_equal(failed_checks(empty), ["no_skipped_step"], "a run without a booking: not_applicable is no fail")


EXERCISES = (
    Exercise(
        id="00.tools_called",
        task="Read a run yourself. The messages are plain dicts: those of the model have the role `assistant`, and "
        "where it asks for tools they hold a list `tool_calls`. Each entry has its name at `function`, then `name`. "
        "Return the names of all tools that were called, in order.",
        minutes=5,
        difficulty="easy",
        hints=(
            "Go through the messages in order, and within each message through its calls.",
            "Most messages have no `tool_calls`, and in some it is None: `message.get('tool_calls') or []` is a list "
            "for all of them.",
            "A comprehension with two `for`: `[... for message in messages for call in ...]`.",
        ),
        stub='''
def tools_called(messages):
    """The names of the tools a run called, in order.

    >>> tools_called([{"role": "user", "content": "Book it."}])
    []
    """
    raise NotImplementedError
''',
        solution='''
def tools_called(messages):
    """The names of the tools a run called, in order.

    >>> tools_called([{"role": "user", "content": "Book it."}])
    []
    """
    return [call["function"]["name"] for message in messages for call in message.get("tool_calls") or []]
''',
        alternatives=(
            """
def tools_called(messages):
    names = []
    for message in messages:
        if message["role"] == "assistant" and message.get("tool_calls"):
            for call in message["tool_calls"]:
                names.append(call["function"]["name"])
    return names
""",
            "def tools_called(messages):\n    return [call.name for call in extract_calls(messages).calls]",
        ),
        wrong=(
            WrongAnswer(
                "takes only the first call of a message",
                "def tools_called(messages):\n"
                "    return [m['tool_calls'][0]['function']['name'] for m in messages if m.get('tool_calls')]",
                "two calls in one message",
            ),
            WrongAnswer(
                "drops repeats",
                "def tools_called(messages):\n"
                "    names = [c['function']['name'] for m in messages for c in m.get('tool_calls') or []]\n"
                "    return list(dict.fromkeys(names))",
                "counts twice",
            ),
            WrongAnswer(
                "sorts the names",
                "def tools_called(messages):\n"
                "    return sorted(c['function']['name'] for m in messages for c in m.get('tool_calls') or [])",
                "in the order of the calls",
            ),
            WrongAnswer(
                "takes null for a list",
                "def tools_called(messages):\n"
                "    return [c['function']['name'] for m in messages for c in m.get('tool_calls', [])]",
                "'NoneType' object is not iterable (line 2 of the cell)",
                outcome="raised",
            ),
            WrongAnswer(
                "looks for names in the text",
                "def tools_called(messages):\n"
                "    tools = ('set_plan', 'get_weather', 'search_hotels', 'book_hotel', 'mark_step')\n"
                "    return [t for m in messages for t in tools if t in str(m)]",
                "only mentioned in the text",
            ),
            WrongAnswer(
                "reads the name beside the function",
                "def tools_called(messages):\n"
                "    return [c.get('name') for m in messages for c in m.get('tool_calls') or []]",
                "got [None, None]",
            ),
        ),
        checker=_check_tools_called,
        setup="from toolkit.trajectory import evaluate, extract_calls",
    ),
    Exercise(
        id="00.failed_checks",
        task="Name the checks that failed. `report.results` is a list; each result has a `name` and a `verdict`. "
        "There are four verdicts: `pass`, `fail`, `not_judgeable` (the recording does not tell) and `not_applicable` "
        '(nothing to judge). A verdict equals its word: `result.verdict == "fail"`.',
        minutes=3,
        difficulty="easy",
        hints=(
            "Keep the order of `report.results`, and return names, not results.",
            "Only `fail` counts: a check that cannot be judged has not failed.",
            'A comprehension with a condition: `[... for result in report.results if result.verdict == "fail"]`.',
        ),
        stub='''
def failed_checks(report):
    """The names of the checks that failed, in the order of the report.

    >>> failed_checks(evaluate(load_control("wrong_room"), policy=HOTEL_POLICY))
    ['room_matches_weather']
    """
    raise NotImplementedError
''',
        solution='''
def failed_checks(report):
    """The names of the checks that failed, in the order of the report.

    >>> failed_checks(evaluate(load_control("wrong_room"), policy=HOTEL_POLICY))
    ['room_matches_weather']
    """
    return [result.name for result in report.results if result.verdict == "fail"]
''',
        alternatives=(
            """
def failed_checks(report):
    names = []
    for result in report.results:
        if str(result.verdict) == "fail":
            names.append(result.name)
    return names
""",
        ),
        wrong=(
            WrongAnswer(
                "takes whatever is not a pass",
                "def failed_checks(report):\n    return [r.name for r in report.results if r.verdict != 'pass']",
                "not_judgeable is no fail",
            ),
            WrongAnswer(
                "returns the first only",
                "def failed_checks(report):\n    return [r.name for r in report.results if r.verdict == 'fail'][:1]",
                "the run skip, every failed check",
            ),
            WrongAnswer(
                "joins them into one text",
                "def failed_checks(report):\n"
                "    return ', '.join(r.name for r in report.results if r.verdict == 'fail')",
                "got one text: 'plan_first'",
            ),
            WrongAnswer(
                "returns the results",
                "def failed_checks(report):\n    return [r for r in report.results if r.verdict == 'fail']",
                "expected a list of names, got the results themselves: a result has its name at .name",
            ),
            WrongAnswer(
                "takes what does not apply for failed",
                "def failed_checks(report):\n"
                "    return [r.name for r in report.results if r.verdict in ('fail', 'not_applicable')]",
                "not_applicable is no fail",
            ),
            WrongAnswer(
                "looks for another word",
                "def failed_checks(report):\n    return [r.name for r in report.results if r.verdict == 'failed']",
                "expected ['plan_first'], got []",
            ),
        ),
        checker=_check_failed_checks,
        setup="from toolkit.hotel import HOTEL_POLICY\n"
        "from toolkit.hotel.controls import load_control\n"
        "from toolkit.trajectory import evaluate",
    ),
)
