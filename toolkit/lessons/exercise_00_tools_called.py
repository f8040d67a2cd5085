"""Exercise 00.tools_called: the calls of a run, read from its messages."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from toolkit.hotel.controls import load_control
from toolkit.lessons.exercise import Exercise, WrongAnswer
from toolkit.lessons.expect import expect_equal


def _says(*calls: str, text: str | None = None) -> dict[str, Any]:
    asked = [{"id": f"c{place}", "function": {"name": name, "arguments": "{}"}} for place, name in enumerate(calls)]
    return {"role": "assistant", "content": text, "tool_calls": asked}


def check_tools_called(tools_called: Callable[[Sequence[Any]], Any]) -> None:
    """Every call of every message, in order, and nothing that was only talked about."""
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


TOOLS_CALLED = Exercise(
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
    checker=check_tools_called,
    setup="from toolkit.trajectory import evaluate, extract_calls",
)
