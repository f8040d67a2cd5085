"""Before a call: may these values be meant, and does the call follow from what was said?

A schema knows types and ranges. It does not know that there is no weather for Mars, that nobody asked about Lhasa, or
that a question about the weather is not answered by a calculator. What is refused here ends as `context_error`, with
a text that tells the model what to do instead.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from toolkit.errors import ToolError
from toolkit.gateway.policy import Hook
from toolkit.quality.features import Check, Features
from toolkit.quality.wording import nearest, stands_in
from toolkit.records import Context

_LONGEST = 60  # characters of a value that are repeated


def plausible(tool: str, argument: str, holds: Callable[[Any], bool], *, expected: str) -> Hook:
    """Make a hook that refuses a value no call can mean.

    Args:
        tool: The tool it is about.
        argument: The argument; where it was not given there is nothing to refuse.
        holds: Whether a value may be meant. It gets the validated value, such as a `date`.
        expected: What may be meant, in words: `a day from 2026-09-15 to 2026-10-14`.
    """

    def hook(name: str, arguments: dict[str, Any], context: Context) -> None:
        value = arguments.get(argument)
        if name == tool and value is not None and not holds(value):
            raise ToolError(
                f"{argument} {shown(value)} cannot be meant: expected {expected}.",
                next_step="correct it from what the user wrote, or ask the user",
            )

    return hook


def mentioned(
    tools: str | Sequence[str], argument: str, also_called: Callable[[str], Iterable[str]] = lambda value: ()
) -> Check:
    """Make a check that refuses a value the user never mentioned: the user is to be asked first.

    Args:
        tools: The tools it is about.
        argument: An argument that is a text.
        also_called: Other names of a value, such as 西安 for Xi'an; any of them will do.
    """
    names = (tools,) if isinstance(tools, str) else tuple(tools)

    def check(tool: str, arguments: Mapping[str, Any], found: Features) -> None:
        value = arguments.get(argument)
        if tool not in names or not isinstance(value, str):
            return
        if any(stands_in(name, found.user_text) for name in (value, *also_called(value))):
            return
        close = nearest(value, found.user_text)
        if close is not None:
            raise ToolError(
                f"The user wrote {shown(close)}, not {shown(value)}.", next_step=f"copy the {argument} exactly"
            )
        raise ToolError(f"The user has not mentioned {argument} {shown(value)}.", next_step=f"ask for the {argument}")

    return check


def follows(
    tool: str, topic: Sequence[str], *, first: str, unless: Callable[[str], bool] = lambda text: False
) -> Check:
    """Make a check that refuses a call which comes suspiciously early: right after a question about another matter.

    It is a suspicion, so there is a way on: once `first` has answered, the call may run.

    Args:
        tool: The tool that is suspicious there, such as a calculator.
        topic: Words of the other matter, such as `weather` and 天气.
        first: The tool that should have answered before.
        unless: Whether the question, as written, asks for the tool all the same.
    """

    def check(name: str, arguments: Mapping[str, Any], found: Features) -> None:
        if name != tool or first in found.answered or not found.asks_about(topic) or unless(found.question):
            return
        raise ToolError(
            f"{tool} does not follow from the user's last message, and {first} has not answered since.",
            next_step=f"call {first} first; {tool} may run after it",
        )

    return check


def shown(value: object) -> str:
    """A value as a message repeats it: quoted where it is a text, and cut where it is long."""
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= _LONGEST else text[: _LONGEST - 3] + "..."
