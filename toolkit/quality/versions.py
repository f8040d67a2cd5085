"""Tools change, and old calls keep coming: from a recorded run, from an agent that was given last week's schema.

What changed is declared, version by version. An old call can then be read for what it meant, with a warning (lenient),
or left to the schema, which refuses it, with a remark on the version it has (strict). Only a declared change is
forgiven: a misspelt argument is no old version, and stays an error of the schema.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from toolkit.arguments import MalformedArguments, parse_arguments
from toolkit.errors import ToolDefinitionError
from toolkit.quality.hooks import shown
from toolkit.records import ToolCall
from toolkit.registry import Registry
from toolkit.wire import clean_name

Mode = Literal["lenient", "strict"]
NOTE = "old_version"


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What became different with one version of a tool.

    Args:
        version: The version that has it, as in `@tool(version=...)`.
        added: New required parameters, each with the value that a call from before means.
        removed: Parameters that are gone.
        renamed: Old name to new name.
    """

    version: str
    added: Mapping[str, Any] = field(default_factory=dict)
    removed: Sequence[str] = ()
    renamed: Mapping[str, str] = field(default_factory=dict)

    def apply(self, arguments: dict[str, Any]) -> list[str]:
        """Turn a call from before into one of this version, in place; say what was done.

        >>> arguments = {"hotel": "HT-002", "smoking": False}
        >>> Change(version="2", renamed={"hotel": "hotel_id"}, removed=["smoking"]).apply(arguments)
        ['hotel is called hotel_id since version 2', 'smoking is gone since version 2']
        >>> arguments
        {'hotel_id': 'HT-002'}
        """
        done = []
        for old, new in self.renamed.items():
            if old in arguments and new not in arguments:
                arguments[new] = arguments.pop(old)
                done.append(f"{old} is called {new} since version {self.version}")
        for name in self.removed:
            if name in arguments:
                del arguments[name]
                done.append(f"{name} is gone since version {self.version}")
        for name, value in self.added.items():
            if name not in arguments:
                arguments[name] = value
                done.append(f"{name} is new in version {self.version}, taken as {shown(value)}")
        return done


class Versions:
    """The history of some tools, and how to read a call that is older than the tool.

    Args:
        registry: The tools as they are now.
        changes: For each tool its changes, oldest first.
        mode: `lenient` reads an old call for what it meant; `strict` leaves it as it is, to be refused.

    Raises:
        ToolDefinitionError: the history does not lead to the tool that is registered.
    """

    def __init__(self, registry: Registry, changes: Mapping[str, Sequence[Change]], mode: Mode = "lenient") -> None:
        for name, history in changes.items():
            _check(registry, name, history)
        self._changes, self._mode = dict(changes), mode

    def read(self, call: ToolCall) -> tuple[ToolCall, str | None]:
        """The call to be run, and a remark on how it differs from today's; a call of today has none."""
        name, _ = clean_name(call.name, self._changes)
        history = self._changes.get(name)
        if history is None or call.error is not None:
            return call, None
        try:
            arguments, _ = parse_arguments(call.arguments)
        except MalformedArguments:
            return call, None  # the gateway says what is wrong with it
        differences = [said for change in history for said in change.apply(arguments)]
        if not differences:
            return call, None
        call = call._replace(notes=(*call.notes, NOTE))
        if self._mode == "lenient":
            call = call._replace(arguments=json.dumps(arguments, ensure_ascii=False))
        return call, f"This call has an older form of {name}: {'; '.join(differences)}."


def _check(registry: Registry, name: str, history: Sequence[Change]) -> None:
    tool = registry.snapshot().get(name)
    if tool is None:
        raise ToolDefinitionError(f"There are versions of {name!r}, which is no tool. Tools: {', '.join(registry)}.")
    if not history or history[-1].version != tool.version:
        last = history[-1].version if history else "none"
        raise ToolDefinitionError(f"The last change of {name!r} is {last}, but version {tool.version} is registered.")
    now = set(tool.parameters.get("properties", {}))
    gone = [old for change in history for old in (*change.removed, *change.renamed) if old in now]
    if gone:
        raise ToolDefinitionError(f"{name!r} still has {gone[0]!r}, so a call that sends it is not an old one.")
    optional = [
        new for change in history for new in change.added if new in now - set(tool.parameters.get("required", ()))
    ]
    if optional:
        raise ToolDefinitionError(f"{optional[0]!r} of {name!r} is optional, so a call without it is not an old one.")
    known = now | {old for change in history for old in (*change.removed, *change.renamed)}
    strange = [new for change in history for new in (*change.added, *change.renamed.values()) if new not in known]
    if strange:
        raise ToolDefinitionError(f"{name!r} has no parameter {strange[0]!r}. Parameters: {', '.join(sorted(now))}.")
