"""Where something stands: JSON pointers into a recording, and paths into arguments and results.

A pointer (RFC 6901) such as `/3/tool_calls/0` names one place. A path such as `hotels[*].id` names many: keys
joined by dots, `[0]` for one element, `[*]` for every element, `*` for every member of an object, `**` for
everything inside.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Annotated, Any, TypeAlias

from pydantic import AfterValidator

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


def _readable(path: str) -> str:
    compile_path(path)
    return path


PathText: TypeAlias = Annotated[str, AfterValidator(_readable)]
"""A path as text; one that cannot be read is refused where a policy file is read."""


def values_at(value: Any, steps: tuple[Step, ...]) -> list[Any]:
    """Every value a compiled path leads to, in order; none where it leads nowhere.

    >>> values_at({"hotels": [{"id": "HT-001"}, {"id": "HT-002"}]}, compile_path("hotels[*].id"))
    ['HT-001', 'HT-002']
    """
    values = [value]
    for step in steps:
        if isinstance(step, int):
            values = [each[step] for each in values if isinstance(each, list) and step < len(each)]
        elif step == _EACH_ELEMENT:
            values = [inner for each in values if isinstance(each, list) for inner in each]
        elif step == _EACH_MEMBER:
            values = [inner for each in values if isinstance(each, dict) for inner in each.values()]
        elif step == _ANYTHING:
            values = [inner for each in values for inner in _everything(each)]
        else:
            values = [each[step] for each in values if isinstance(each, dict) and step in each]
    return values


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
