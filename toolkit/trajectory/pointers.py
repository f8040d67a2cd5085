"""Where something stands: JSON pointers into a recording, and paths into arguments and results.

A pointer (RFC 6901) such as `/3/tool_calls/0` names one place. A path such as `hotels[*].id` names many: keys
joined by dots, `[0]` for one element, `[*]` for every element, `*` for every member of an object, `**` for
everything inside.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, TypeAlias

Step: TypeAlias = str | int
_EACH_ELEMENT, _EACH_MEMBER, _ANYTHING = "[*]", "*", "**"
_TOKEN = r"\[(?:\*|\d+)\]|[^.\[\]]+"
_PATH = re.compile(rf"(?:{_TOKEN})(?:\.[^.\[\]]+|\[(?:\*|\d+)\])*")


def pointer_to(*steps: Step) -> str:
    """The pointer made of these keys and indices.

    >>> pointer_to(3, "tool_calls", "a/b~c")
    '/3/tool_calls/a~1b~0c'
    """
    return "".join(f"/{str(step).replace('~', '~0').replace('/', '~1')}" for step in steps)


def resolve(document: Any, pointer: str) -> Any:
    """The value at a pointer.

    Raises:
        LookupError: nothing stands there.

    >>> resolve([{"role": "user"}], "/0/role")
    'user'
    """
    value = document
    for step in pointer.split("/")[1:]:
        key = step.replace("~1", "/").replace("~0", "~")
        if isinstance(value, dict) and key in value:
            value = value[key]
        elif isinstance(value, list) and key.isdecimal() and int(key) < len(value):
            value = value[int(key)]
        else:
            raise LookupError(f"nothing stands at {pointer!r}: {key!r} leads nowhere")
    return value


@lru_cache(maxsize=1024)
def compile_path(path: str) -> tuple[Step, ...]:
    """The steps of a path.

    Raises:
        ValueError: the path cannot be read.

    >>> compile_path("hotels[*].id")
    ('hotels', '[*]', 'id')
    """
    if not _PATH.fullmatch(path):
        raise ValueError(f"cannot read the path {path!r}; write it like hotels[*].id")
    tokens = re.findall(_TOKEN, path)
    return tuple(int(token[1:-1]) if token[1:-1].isdecimal() and token[0] == "[" else token for token in tokens)


def values_at(value: Any, steps: tuple[Step, ...], start: int = 0) -> Iterator[Any]:
    """Every value a compiled path leads to, in order; none where it leads nowhere.

    >>> list(values_at({"hotels": [{"id": "HT-001"}, {"id": "HT-002"}]}, compile_path("hotels[*].id")))
    ['HT-001', 'HT-002']
    """
    for position in range(start, len(steps)):
        step = steps[position]
        if step in (_EACH_ELEMENT, _EACH_MEMBER):
            for inner in _members(value, step):
                yield from values_at(inner, steps, position + 1)
            return
        if step == _ANYTHING:
            for inner in _everything(value):
                yield from values_at(inner, steps, position + 1)
            return
        if isinstance(step, int):
            if not isinstance(value, list) or step >= len(value):
                return
        elif not isinstance(value, dict) or step not in value:
            return
        value = value[step]
    yield value


def _members(value: Any, step: Step) -> list[Any]:
    if step == _EACH_ELEMENT:
        return value if isinstance(value, list) else []
    return list(value.values()) if isinstance(value, dict) else []


def _everything(value: Any) -> Iterator[Any]:
    """The value and everything inside it, without recursion: a result may be deep."""
    waiting = [value]
    while waiting:
        current = waiting.pop()
        yield current
        if isinstance(current, dict):
            waiting.extend(reversed(list(current.values())))
        elif isinstance(current, list):
            waiting.extend(reversed(current))
