"""Exercise 01.tool_loop: the loop, from memory."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from toolkit.lessons.exercise import Exercise, WrongAnswer
from toolkit.lessons.expect import expect, expect_equal

Message = dict[str, Any]


class _Tape:
    """A model that says its turns one after the other, and notes the history it was shown each time."""

    def __init__(self, *turns: Message, most: int = 20) -> None:
        self.turns, self.most = turns, most
        self.seen: list[list[Message]] = []

    def __call__(self, messages: list[Message]) -> Message:
        expect(len(self.seen) < self.most, f"the model was asked more than {self.most} times: does the loop end?")
        self.seen.append([dict(message) for message in messages])
        return dict(self.turns[min(len(self.seen), len(self.turns)) - 1])


def check_tool_loop(tool_loop: Callable[..., Any]) -> None:
    """The loop keeps every turn, answers every call, and ends."""
    shapes: tuple[Mapping[str, object], ...] = ({}, {"tool_calls": None}, {"tool_calls": []})
    for shape in shapes:
        text, history, _ = _looped(tool_loop, _Tape({"role": "assistant", "content": "Hello.", **shape}))
        expect_equal(text, "Hello.", f"a turn without calls ({shape or 'no key tool_calls'}): the text returned")
        _expect_roles(history, "user assistant", "a turn without calls: the roles in the history")
    tape = _Tape(_asks("a"), _asks("b", "c"), {"role": "assistant", "content": "Booked."})
    text, history, answered = _looped(tool_loop, tape)
    expect_equal(text, "Booked.", "three turns: the text returned")
    expect_equal(answered, ["a", "b", "c"], "three turns: the calls that were answered, in order")
    whole = "user assistant tool assistant tool tool assistant"
    _expect_roles(history, whole, "three turns: the roles in the history")
    _expect_roles(tape.seen[1], "user assistant tool", "what the model is shown when it is asked again")
    endless = _Tape(_asks("a"), most=3)
    text, history, answered = _looped(tool_loop, endless, max_turns=3)
    expect(len(endless.seen) == 3, f"max_turns=3: the model was asked {len(endless.seen)} times")
    expect(text is None, f"max_turns=3, and no answer came: expected None, got {text!r}")
    expect(len(answered) == 3, "max_turns=3: the last turn's call was left without an answer")


def _looped(tool_loop: Callable[..., Any], tape: _Tape, max_turns: int = 8) -> tuple[Any, list[Message], list[str]]:
    history: list[Message] = [{"role": "user", "content": "Book a room."}]
    answered: list[str] = []

    def answer(call: Message) -> Message:
        answered.append(call["id"])
        return {"role": "tool", "tool_call_id": call["id"], "content": "{}"}

    return tool_loop(tape, answer, history, max_turns), history, answered


def _asks(*ids: str) -> Message:
    calls = [{"id": one, "type": "function", "function": {"name": "book", "arguments": "{}"}} for one in ids]
    return {"role": "assistant", "content": None, "tool_calls": calls}


def _expect_roles(history: list[Message], wanted: str, case: str) -> None:
    found = _roles(history)
    lost = wanted.split().count("assistant") > found.split().count("assistant")
    why = ". Append every turn of the model to `messages` itself, also the last one: what is not there, it never said"
    expect(found == wanted, f"{case}: expected {wanted!r}, got {found!r}{why if lost else ''}")


def _roles(history: list[Message]) -> str:
    return " ".join(str(message.get("role")) for message in history)


_TOOL_LOOP = '''\
def tool_loop(ask, answer, messages, max_turns=8):
    """Let the model ask for tools until it answers. Returns its text, or None when it never did."""
    for _ in range(max_turns):
        turn = ask(messages)
        messages.append(turn)
        if not turn.get("tool_calls"):
            return turn["content"]
        for call in turn["tool_calls"]:
            messages.append(answer(call))
    return None'''

TOOL_LOOP = Exercise(
    id="01.tool_loop",
    task=(
        "The interview question, from memory. `ask(messages)` is the model: it returns its next turn as a dict. "
        "`answer(call)` runs one call and returns its tool message.\n\n"
        "Keep everything in `messages`, the list you are given. Return the text of the answer, or `None` when there is "
        "none after `max_turns` turns."
    ),
    minutes=8,
    difficulty="medium",
    hints=(
        "Count turns with `for`, not `while True`: a model may ask for ever.",
        "In each round: ask, append the turn, leave if it asks for nothing, else answer every call it asks for.",
        '`tool_calls` may be missing, None or empty: `turn.get("tool_calls")` is false for all three.',
    ),
    stub='''\
def tool_loop(ask, answer, messages, max_turns=8):
    """Let the model ask for tools until it answers. Returns its text, or None when it never did.

    >>> tool_loop(lambda messages: {"role": "assistant", "content": "Hello."}, None, [])
    'Hello.'
    """
    raise NotImplementedError''',
    solution=_TOOL_LOOP,
    alternatives=(
        """\
def tool_loop(ask, answer, messages, max_turns=8):
    while max_turns:
        max_turns -= 1
        messages += [ask(messages)]
        calls = messages[-1].get("tool_calls") or []
        messages += map(answer, calls)
        if not calls:
            return messages[-1]["content"]""",
        """\
def tool_loop(ask, answer, messages, max_turns=8):
    if max_turns == 0:
        return None
    turn = ask(messages)
    messages.append(turn)
    if not turn.get("tool_calls"):
        return turn["content"]
    messages.extend(answer(call) for call in turn["tool_calls"])
    return tool_loop(ask, answer, messages, max_turns - 1)""",
    ),
    wrong=(
        WrongAnswer(
            "never appends the assistant's turn",
            _TOOL_LOOP.replace("        messages.append(turn)\n", ""),
            "expected 'user assistant', got 'user'. Append every turn of the model to `messages` itself",
        ),
        WrongAnswer(
            "appends the turn only when it asks",
            _TOOL_LOOP.replace("        messages.append(turn)\n", "").replace(
                "        for call", "        messages.append(turn)\n        for call"
            ),
            "expected 'user assistant', got 'user'",
        ),
        WrongAnswer(
            "answers the first call only",
            _TOOL_LOOP.replace('for call in turn["tool_calls"]:', 'for call in turn["tool_calls"][:1]:'),
            "the calls that were answered, in order: expected ['a', 'b', 'c'], got ['a', 'b']",
        ),
        WrongAnswer(
            "works on a copy",
            _TOOL_LOOP.replace("    for _ in", "    messages = list(messages)\n    for _ in"),
            "expected 'user assistant', got 'user'",
        ),
        WrongAnswer(
            "never ends", _TOOL_LOOP.replace("for _ in range(max_turns):", "while True:"), "does the loop end?"
        ),
        WrongAnswer(
            "returns the turn", _TOOL_LOOP.replace('return turn["content"]', "return turn"), "the text returned"
        ),
        WrongAnswer(
            "does not expect a turn without the key",
            _TOOL_LOOP.replace('turn.get("tool_calls")', 'turn["tool_calls"]'),
            "KeyError: 'tool_calls' (line 6 of the cell)",
            outcome="raised",
        ),
        WrongAnswer(
            "leaves after the last turn without answering it",
            _TOOL_LOOP.replace("for _ in range(max_turns):", "for number in range(max_turns):").replace(
                "        for call", "        if number == max_turns - 1:\n            return None\n        for call"
            ),
            "left without an answer",
        ),
    ),
    checker=check_tool_loop,
)
