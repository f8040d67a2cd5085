"""Read a Google-style docstring: what goes to the model as the tool's description, and what to each parameter.

Sections other than `Args:` (`Returns:`, `Raises:`, `Example:` ...) are for people and never reach a model.
"""

from __future__ import annotations

import inspect
import re
from typing import NamedTuple

_SECTIONS = "Args|Arguments|Parameters|Params|Returns?|Yields?|Raises|Examples?|Notes?|See Also|Attributes|Warns"
_SECTION = re.compile(rf"^(?P<name>{_SECTIONS})\s*:\s*$")
_PARAMETERS = {"Args", "Arguments", "Parameters", "Params"}
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
    for line in inspect.cleandoc(text or "").splitlines():
        section = _SECTION.match(line)
        if section:
            into = entries if section["name"] in _PARAMETERS else None
        elif into is not None:
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
