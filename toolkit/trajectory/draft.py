"""A recorded run taken apart so that it can be changed: turns, their calls, and what came back for each.

Only chat messages of a run that the agent loop kept whole are taken apart: every result stands behind the turn that
asked for it. What is put together again are chat messages; they may be as damaged as an edit wants them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any, TypeAlias

Message: TypeAlias = dict[str, Any]


@dataclass(eq=False, slots=True)
class Exchange:
    """A call and its answers: one, or none or more after an edit. `arguments` and `contents` are texts."""

    id: str
    name: str
    arguments: str
    contents: list[Any] = field(default_factory=list)

    @classmethod
    def of(cls, name: str, arguments: Mapping[str, Any], *results: Any) -> Exchange:
        """A new call, its id made of what it asks."""
        text = _text(arguments)
        return cls(f"call_new_{name}_{len(text)}", name, text, [_text(result) for result in results])

    def argue(self, **changes: Any) -> None:
        """Change arguments; None takes one away."""
        changed = {**json.loads(self.arguments), **changes}
        self.arguments = _text({key: value for key, value in changed.items() if value is not None})

    def told(self) -> dict[str, Any]:
        """The first answer as an object; empty where it is none."""
        try:
            value = json.loads(self.contents[0])
        except (IndexError, ValueError):
            return {}
        return value if isinstance(value, dict) else {}

    def tell(self, **changes: Any) -> None:
        """Change fields of the answer."""
        self.contents = [_text({**self.told(), **changes})]

    def answer(self, *results: Any) -> None:
        """Give other answers, or none at all."""
        self.contents = [_text(result) for result in results]

    @property
    def succeeded(self) -> bool:
        """True where the answer is an object that declares no error."""
        told = self.told()
        return bool(told) and not told.get("error")


@dataclass(eq=False, slots=True)
class Turn:
    """An assistant message that makes calls; `rest` is the message without them."""

    exchanges: list[Exchange]
    rest: Message = field(default_factory=lambda: {"role": "assistant", "content": None})


class Draft:
    """A copy of a run, open for changes. `parts` are its messages, turns with calls taken apart.

    >>> call = {"id": "a", "function": {"name": "get_weather", "arguments": "{}"}}
    >>> answer = {"role": "tool", "tool_call_id": "a", "content": '{"condition": "rain"}'}
    >>> draft = Draft([{"role": "assistant", "tool_calls": [call]}, answer])
    >>> draft.done("get_weather").tell(condition="clear")
    >>> draft.messages()[1]["content"]
    '{"condition": "clear"}'
    """

    def __init__(self, messages: Sequence[Message]) -> None:
        self.parts: list[Message | Turn] = []
        waiting: dict[str, Exchange] = {}
        for message in messages:
            if message.get("tool_calls"):
                functions = [(raw["id"], raw["function"]) for raw in message["tool_calls"]]
                turn = Turn([Exchange(id, each["name"], each["arguments"]) for id, each in functions])
                turn.rest = {key: value for key, value in message.items() if key != "tool_calls"}
                waiting = {each.id: each for each in turn.exchanges}
                self.parts.append(turn)
            elif message.get("tool_call_id") in waiting:
                waiting[message["tool_call_id"]].contents.append(message["content"])
            else:
                self.parts.append(deepcopy(message))

    def messages(self) -> list[Message]:
        """Put the run together again."""
        messages: list[Message] = []
        for part in self.parts:
            if not isinstance(part, Turn):
                messages.append(part)
                continue
            functions = [{"name": each.name, "arguments": each.arguments} for each in part.exchanges]
            ids = [each.id for each in part.exchanges]
            calls = [{"id": id, "type": "function", "function": f} for id, f in zip(ids, functions, strict=True)]
            messages.append({**part.rest, "tool_calls": calls})
            for each in part.exchanges:
                messages += [{"role": "tool", "tool_call_id": each.id, "content": text} for text in each.contents]
        return messages

    def turns(self) -> list[Turn]:
        """The turns that make calls."""
        return [part for part in self.parts if isinstance(part, Turn)]

    def calls(self, *tools: str) -> list[Exchange]:
        """The calls of these tools, in order; of all tools where none is named."""
        every = [each for turn in self.turns() for each in turn.exchanges]
        return [each for each in every if each.name in tools or not tools]

    def done(self, tool: str) -> Exchange:
        """The last call of a tool that succeeded, else the last one."""
        calls = self.calls(tool)
        return next((each for each in reversed(calls) if each.succeeded), calls[-1])

    def turn_of(self, exchange: Exchange) -> Turn:
        """The turn that makes a call."""
        return next(turn for turn in self.turns() if exchange in turn.exchanges)

    def remove(self, *exchanges: Exchange) -> None:
        """Take calls out, with their answers; a turn without calls goes, too."""
        for turn in self.turns():
            turn.exchanges = [each for each in turn.exchanges if each not in exchanges]
        self.parts = [part for part in self.parts if not isinstance(part, Turn) or part.exchanges]

    def insert(self, exchange: Exchange, *, before: Exchange | None = None, after: Exchange | None = None) -> None:
        """Let a call stand in a turn of its own, right before or right after the turn of another call."""
        other = before or after
        if other is None:
            raise ValueError("insert needs a call to stand before or after.")
        place = self.parts.index(self.turn_of(other))
        self.parts.insert(place + (before is None), Turn([exchange]))

    def move(self, exchange: Exchange, *, before: Exchange | None = None, after: Exchange | None = None) -> None:
        """Take a call out and insert it again."""
        self.remove(exchange)
        self.insert(exchange, before=before, after=after)

    def join(self, exchange: Exchange, other: Exchange, *, first: bool = False) -> None:
        """Make a call the sibling of another, at the end of its turn, or at its beginning."""
        self.remove(exchange)
        siblings = self.turn_of(other).exchanges
        siblings.insert(0 if first else len(siblings), exchange)


def _text(value: Any) -> Any:
    """Objects and lists as JSON; text, null and what else a message may hold as it is."""
    return json.dumps(value, ensure_ascii=False) if isinstance(value, dict) else value
