"""LAYER 1: a dict of tools.

A tool is registered on purpose, under one name, with a description and a JSON Schema written by hand. Every
change replaces the dict as a whole, so a reader always sees one consistent state and needs no lock.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

from toolkit.errors import ToolDefinitionError
from toolkit.records import Tool
from toolkit.wire import openai_tool

_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}\Z")


class Registry:
    """Tools by name, in the order of their registration.

    >>> registry = Registry()
    >>> schema = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}
    >>> tool = registry.register(name="double", description="Double a.", parameters=schema, func=lambda a: 2 * a)
    >>> registry.dispatch("double", '{"a": 21}')
    42
    """

    def __init__(self) -> None:
        self._tools: dict[str, Tool] = {}
        self._disabled: frozenset[str] = frozenset()
        self._exports: dict[object, list[dict[str, Any]]] = {}
        self._write = threading.Lock()
        self.version = 0
        self.roles_in_use = False

    def register(
        self,
        *,
        name: str,
        description: str,
        parameters: dict[str, Any],
        func: Callable[..., Any],
    ) -> Tool:
        """Add a tool whose schema was written by hand.

        Raises:
            ToolDefinitionError: the name is taken or illegal, the description is empty, the schema is not that
                of an object, or `func` cannot be called.
        """
        return self.add(Tool(name=name, description=description, parameters=parameters, func=func))

    def add(self, tool: Tool) -> Tool:
        """Add a tool record. Raises `ToolDefinitionError` as `register` does."""
        _check(tool)
        with self._write:
            if tool.name in self._tools:
                raise ToolDefinitionError(
                    f"A tool named {tool.name!r} is already registered. Choose another name, or call "
                    f"registry.replace(tool) to swap it on purpose."
                )
            self._change({**self._tools, tool.name: tool}, self._disabled)
        return tool

    def replace(self, tool: Tool) -> Tool:
        """Swap a registered tool for a new record. Calls already running finish on the old one."""
        _check(tool)
        with self._write:
            self._known(tool.name)
            self._change({**self._tools, tool.name: tool}, self._disabled)
        return tool

    def remove(self, name: str) -> None:
        """Forget a tool."""
        with self._write:
            self._known(name)
            rest = {each: tool for each, tool in self._tools.items() if each != name}
            self._change(rest, self._disabled - {name})

    def disable(self, name: str) -> None:
        """Hide a tool from models and from calls; `enable` brings it back."""
        with self._write:
            self._known(name)
            self._change(self._tools, self._disabled | {name})

    def enable(self, name: str) -> None:
        """Bring a disabled tool back."""
        with self._write:
            self._known(name)
            self._change(self._tools, self._disabled - {name})

    def _known(self, name: str) -> None:
        if name not in self._tools:
            names = ", ".join(self._tools) or "none"
            raise ToolDefinitionError(f"No tool is named {name!r}. Registered: {names}.")

    def _change(self, tools: dict[str, Tool], disabled: frozenset[str]) -> None:
        self._tools, self._disabled = tools, disabled
        self._exports = {}
        self.version += 1
        self.roles_in_use = any(tool.policy.roles is not None for tool in tools.values())
        self._active = MappingProxyType({n: t for n, t in tools.items() if n not in disabled})

    _active: Mapping[str, Tool] = MappingProxyType({})

    def snapshot(self) -> Mapping[str, Tool]:
        """The enabled tools as they are now; later changes do not show in it."""
        return self._active

    def visible(self, role: str | None = None) -> Mapping[str, Tool]:
        """The tools this role may call. Once one tool names roles, a tool without roles is for nobody."""
        tools = self._active
        if not self.roles_in_use:
            return tools
        return {name: tool for name, tool in tools.items() if tool.policy.roles and role in tool.policy.roles}

    def openai_tools(
        self,
        strict: bool = False,
        role: str | None = None,
        language: str = "en",
        values: Mapping[str, str] | None = None,
    ) -> list[dict[str, Any]]:
        """The list for `tools=` of chat completions, as this role may see it.

        `values` fills `{{ name }}` placeholders of descriptions. The list is built once per registry version.
        """
        key = (strict, role, language, tuple(sorted((values or {}).items())))
        exports = self._exports
        if key not in exports:
            exports[key] = [
                openai_tool(tool, strict=strict, role=role, language=language, values=values)
                for tool in self.visible(role).values()
            ]
        return json.loads(json.dumps(exports[key]))  # type: ignore[no-any-return]  # a copy: callers may edit it

    def dispatch(self, name: str, arguments: str) -> Any:
        """Run a tool the naive way: parse, look up, call. Later lessons show everything this gets wrong."""
        return self._tools[name].func(**json.loads(arguments))

    def __getitem__(self, name: str) -> Tool:
        return self._active[name]

    def __contains__(self, name: object) -> bool:
        return name in self._active

    def __iter__(self) -> Iterator[str]:
        return iter(self._active)

    def __len__(self) -> int:
        return len(self._active)


def _check(tool: Tool) -> None:
    if not isinstance(tool.name, str) or not _NAME.match(tool.name):
        raise ToolDefinitionError(
            f"Tool name {tool.name!r} is not allowed: models accept 1 to 64 of A-Z, a-z, 0-9, '_' and '-'. Rename it."
        )
    if not isinstance(tool.description, str) or not tool.description.strip():
        raise ToolDefinitionError(f"Tool {tool.name!r} has no description. Say what it does and when to call it.")
    if not isinstance(tool.parameters, dict) or tool.parameters.get("type") != "object":
        raise ToolDefinitionError(
            f"The parameters of tool {tool.name!r} must be a JSON Schema with type 'object', such as "
            '{"type": "object", "properties": {}}.'
        )
    if not callable(tool.func):
        raise ToolDefinitionError(f"Tool {tool.name!r} has no function: {tool.func!r} cannot be called.")
