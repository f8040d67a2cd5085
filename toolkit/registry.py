"""LAYER 1: a dict of tools.

A tool is registered on purpose, under one name, with a description and a JSON Schema written by hand. Every
change replaces the whole state at once, so a reader in any thread sees one consistent state and needs no lock.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from toolkit.errors import ToolDefinitionError
from toolkit.json_schema import check_by_hand
from toolkit.records import Tool
from toolkit.wire import openai_tool

_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}\Z")
_MOST_EXPORTS = 64  # roles and values come from outside, so what is kept is bounded


class _State(NamedTuple):
    """All that a reader can see at one moment. `exports` holds `tools=` arrays as JSON, made when first asked for."""

    tools: Mapping[str, Tool]
    disabled: frozenset[str]
    active: Mapping[str, Tool]
    roles_in_use: bool
    version: int
    exports: dict[object, str]


class Registry:
    """Tools by name, in the order of their registration.

    >>> registry = Registry()
    >>> schema = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}
    >>> tool = registry.register(name="double", description="Double a.", parameters=schema, func=lambda a: 2 * a)
    >>> registry.dispatch("double", '{"a": 21}')
    42
    """

    def __init__(self) -> None:
        self._state = _State({}, frozenset(), MappingProxyType({}), False, 0, {})
        self._write = threading.Lock()

    @property
    def version(self) -> int:
        """Grows with every change, so that whoever keeps a copy knows when it is old."""
        return self._state.version

    @property
    def declared(self) -> Mapping[str, Tool]:
        """All registered tools, the disabled ones included."""
        return MappingProxyType(self._state.tools)

    @property
    def disabled(self) -> frozenset[str]:
        """The names of the tools that are hidden for now."""
        return self._state.disabled

    @property
    def roles_in_use(self) -> bool:
        """True once any tool declares roles; a tool without roles is then for nobody."""
        return self._state.roles_in_use

    def register(
        self,
        *,
        name: str,
        description: str,
        parameters: dict[str, Any],
        func: Callable[..., Any],
    ) -> Tool:
        """Add a tool whose schema was written by hand. The schema is copied: editing yours later changes nothing.

        Raises:
            ToolDefinitionError: the name is taken or illegal, the description is empty, `func` cannot be called,
                or no call could be held against the schema.
        """
        try:
            copied = json.loads(json.dumps(parameters, allow_nan=False))
        except (TypeError, ValueError, RecursionError) as error:
            raise ToolDefinitionError(f"The parameters of tool {name!r} are not JSON: {error}.") from None
        return self.add(Tool(name=name, description=description, parameters=copied, func=func))

    def add(self, tool: Tool) -> Tool:
        """Add a tool record. Raises `ToolDefinitionError` as `register` does."""
        _check(tool)
        with self._write:
            if tool.name in self._state.tools:
                raise ToolDefinitionError(
                    f"A tool named {tool.name!r} is already registered. Choose another name, or call "
                    f"registry.replace(tool) to swap it on purpose."
                )
            self._change({**self._state.tools, tool.name: tool}, self._state.disabled)
        return tool

    def replace(self, tool: Tool) -> Tool:
        """Swap a registered tool for a new record. Calls already running finish on the old one."""
        _check(tool)
        with self._write:
            self._known(tool.name)
            self._change({**self._state.tools, tool.name: tool}, self._state.disabled)
        return tool

    def update(self, tools: Iterable[Tool], disabled: Iterable[str]) -> None:
        """Swap several tools and set which ones are disabled, in one step: no reader ever sees half of it."""
        swapped, hidden = {tool.name: tool for tool in tools}, frozenset(disabled)
        for tool in swapped.values():
            _check(tool)
        with self._write:
            for name in (*swapped, *hidden):
                self._known(name)
            self._change({**self._state.tools, **swapped}, hidden)

    def remove(self, name: str) -> None:
        """Forget a tool."""
        with self._write:
            self._known(name)
            rest = {each: tool for each, tool in self._state.tools.items() if each != name}
            self._change(rest, self._state.disabled - {name})

    def disable(self, name: str) -> None:
        """Hide a tool from models and from calls; `enable` brings it back."""
        with self._write:
            self._known(name)
            self._change(self._state.tools, self._state.disabled | {name})

    def enable(self, name: str) -> None:
        """Bring a disabled tool back."""
        with self._write:
            self._known(name)
            self._change(self._state.tools, self._state.disabled - {name})

    def _known(self, name: str) -> None:
        if name not in self._state.tools:
            names = ", ".join(self._state.tools) or "none"
            raise ToolDefinitionError(f"No tool is named {name!r}. Registered: {names}.")

    def _change(self, tools: Mapping[str, Tool], disabled: frozenset[str]) -> None:
        active = MappingProxyType({name: tool for name, tool in tools.items() if name not in disabled})
        roles_in_use = any(tool.policy.roles is not None for tool in tools.values())
        self._state = _State(tools, disabled, active, roles_in_use, self._state.version + 1, {})

    def snapshot(self) -> Mapping[str, Tool]:
        """The enabled tools as they are now; later changes do not show in it."""
        return self._state.active

    def visible(self, role: str | None = None) -> Mapping[str, Tool]:
        """The tools this role may call. Once one tool names roles, a tool without roles is for nobody."""
        return _visible(self._state, role)

    def openai_tools(
        self,
        strict: bool = False,
        role: str | None = None,
        language: str = "en",
        values: Mapping[str, str] | None = None,
    ) -> list[dict[str, Any]]:
        """The list for `tools=` of chat completions, as this role may see it; it is yours to edit.

        `values` fills `{{ name }}` placeholders of descriptions. Built once per registry version.

        Raises:
            ToolDefinitionError: `strict` was asked of a tool that has no strict form.
            ToolkitError: a description has a placeholder that `values` does not fill.
        """
        state = self._state
        key = (strict, role, language, tuple(sorted((values or {}).items())))
        text = state.exports.get(key)
        if text is None:
            exported = [
                openai_tool(tool, strict=strict, role=role, language=language, values=values)
                for tool in _visible(state, role).values()
            ]
            text = json.dumps(exported)
            if len(state.exports) >= _MOST_EXPORTS:
                state.exports.clear()
            state.exports[key] = text
        exports: list[dict[str, Any]] = json.loads(text)
        return exports

    def dispatch(self, name: str, arguments: str) -> Any:
        """Run a tool the naive way: parse, look up, call. Later lessons show everything this gets wrong."""
        return self[name].func(**json.loads(arguments))

    def __getitem__(self, name: str) -> Tool:
        return self._state.active[name]

    def __contains__(self, name: object) -> bool:
        return name in self._state.active

    def __iter__(self) -> Iterator[str]:
        return iter(self._state.active)

    def __len__(self) -> int:
        return len(self._state.active)


def _visible(state: _State, role: str | None) -> Mapping[str, Tool]:
    if not state.roles_in_use:
        return state.active
    return {name: tool for name, tool in state.active.items() if tool.policy.roles and role in tool.policy.roles}


def _check(tool: Tool) -> None:
    if not isinstance(tool.name, str) or not _NAME.match(tool.name):
        raise ToolDefinitionError(
            f"Tool name {tool.name!r} is not allowed: models accept 1 to 64 of A-Z, a-z, 0-9, '_' and '-'. Rename it."
        )
    for text in (tool.description, *tool.descriptions.values()):
        if not isinstance(text, str) or not text.strip():
            raise ToolDefinitionError(f"Tool {tool.name!r} has no description. Say what it does and when to call it.")
    if not callable(tool.func):
        raise ToolDefinitionError(f"Tool {tool.name!r} has no function: {tool.func!r} cannot be called.")
    if tool.signature is None:  # layer 2's schemas are right by construction
        if not isinstance(tool.parameters, dict):
            raise ToolDefinitionError(f"The parameters of tool {tool.name!r} must be a dict, not {tool.parameters!r}.")
        check_by_hand(tool.name, tool.parameters)
