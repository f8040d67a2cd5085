"""Read a Google-style docstring: what goes to the model as the tool's description, and what to each parameter.

Sections other than `Args:` (`Returns:`, `Raises:`, `Example:` ...) are for people and never reach a model.
"""

from __future__ import annotations

import inspect
import re
from typing import NamedTuple

_PARAMETERS = re.compile(r"((Keyword |Other )?(Args|Arguments|Parameters|Params))\s*:\s*", re.IGNORECASE)
_FOR_PEOPLE = re.compile(
    r"(Returns?|Yields?|Raises|Examples?|Usage|Notes?|Warnings?|Warns|See Also|Attributes|References|Todo)\s*:\s*",
    re.IGNORECASE,
)
_ENTRY = re.compile(r"^\*{0,2}(?P<name>[^\W\d]\w*)\s*(?:\((?P<type>[^()]*(?:\([^()]*\)[^()]*)*)\))?\s*:(?P<text>.*)$")


class Docstring(NamedTuple):
    """The parts of a docstring a model may read."""

    description: str
    parameters: dict[str, str]


def parse_docstring(text: str | None) -> Docstring:
    """Split a docstring into the description and the text of each parameter.

    >>> parse_docstring("Convert money.\\nArgs:\\n    src (str) : Source currency.\\n    dst: Target.")
    Docstring(description='Convert money.', parameters={'src': 'Source currency.', 'dst': 'Target.'})
    """
    description: list[str] = []
    entries: list[str] = []
    into: list[str] | None = description
    indented = False  # whether the body of the section we are in is
    for line in inspect.cleandoc(text or "").splitlines():
        if _PARAMETERS.fullmatch(line) or _FOR_PEOPLE.fullmatch(line):
            into, indented = entries if _PARAMETERS.fullmatch(line) else None, False
            continue
        if line[:1].isspace():
            indented = True
        elif line and indented:
            into = description  # flush left again: the section is over
        if into is not None:
            into.append(line)
    return Docstring("\n".join(description).strip(), _parameters(entries))


def _parameters(lines: list[str]) -> dict[str, str]:
    """Entries stand at the smallest indent; whatever is indented deeper continues the entry above it."""
    found: dict[str, list[str]] = {}
    margin = min((_indent(line) for line in lines if line.strip()), default=0)
    current: list[str] | None = None
    for line in lines:
        entry = _ENTRY.match(line.strip()) if line.strip() and _indent(line) == margin else None
        if entry:
            current = found.setdefault(entry["name"], [])
            current.append(entry["text"].strip())
        elif current is not None:
            current.append(line)
    return {name: _joined(parts) for name, parts in found.items()}


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _joined(parts: list[str]) -> str:
    first, rest = parts[0], inspect.cleandoc("\n" + "\n".join(parts[1:])) if parts[1:] else ""
    return f"{first}\n{rest}".strip()
