"""What the checks before a call want to know of the conversation, read once per turn for all of them.

A hook is asked before every call, and a conversation grows. A hook that reads all of it each time makes a turn of ten
calls and five checks fifty readings. So one hook reads it, and the checks get what was found.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from toolkit.gateway.policy import Hook
from toolkit.quality.wording import fold
from toolkit.records import Context
from toolkit.wire import calls_from

Messages: TypeAlias = Sequence[Mapping[str, Any]]
_KEPT = 32  # conversations whose latest turn is remembered; a gateway serves several at once


class Features(NamedTuple):
    """What was found in a conversation.

    `user_text` is all the user wrote, `question` the last of it, both as written. `answered` names the tools whose
    results came back since that question, in order.
    """

    user_text: str = ""
    question: str = ""
    answered: tuple[str, ...] = ()

    def asks_about(self, topic: Sequence[str]) -> bool:
        """Whether the last question holds one of these words, in any case, also as a part of a longer one."""
        question = fold(self.question)
        return any(fold(word) in question for word in topic)


Check: TypeAlias = Callable[[str, Mapping[str, Any], Features], None]
"""Looks at a tool's name, the arguments and the conversation; raises `ToolError` where the call should not run."""


def features_of(messages: Messages) -> Features:
    """Read a conversation of chat messages. What it cannot read it leaves out; it never raises.

    >>> features_of([{"role": "user", "content": "Rain in Xi'an?"}]).question
    "Rain in Xi'an?"
    """
    said: list[str] = []
    answered: list[str] = []
    names: dict[str, str] = {}
    for message in messages:
        match message.get("role"):
            case "user":
                said.append(_text(message.get("content")))
                answered.clear()
            case "assistant":
                names.update((call.id, call.name) for call in calls_from(message))
            case "tool" if (name := names.get(str(message.get("tool_call_id")))) is not None:
                answered.append(name)
    return Features("\n".join(said), said[-1] if said else "", tuple(answered))


def in_conversation(*checks: Check, read: Callable[[Messages], Features] = features_of) -> Hook:
    """Make one hook of many checks. The conversation is read once per turn, however many calls the turn has.

    Args:
        checks: Asked in turn; the first that refuses ends it.
        read: What reads the conversation.
    """
    turns: dict[int, tuple[Messages, int, Features]] = {}

    def features(messages: Messages) -> Features:
        known = turns.get(id(messages))
        if known is not None and known[1] == len(messages):
            return known[2]
        found = read(messages)
        turns.pop(id(messages), None)
        turns[id(messages)] = (messages, len(messages), found)  # holding it, so that its id is not given again
        if len(turns) > _KEPT:
            del turns[next(iter(turns))]
        return found

    def hook(tool: str, arguments: dict[str, Any], context: Context) -> None:
        found = features(context.messages)
        for check in checks:
            check(tool, arguments, found)

    return hook


def _text(content: object) -> str:
    """A message's text; of a list of parts, the text of those that have one."""
    if isinstance(content, list):
        parts = (part.get("text") for part in content if isinstance(part, Mapping))
        return "".join(part for part in parts if isinstance(part, str))
    return content if isinstance(content, str) else ""
