"""Tools switched and limited by a file, while the gateway runs.

The file is TOML, or JSON of the same shape. It names what differs from the declaration in code:

    [tools.book_hotel]
    enabled = false

    [tools.get_weather]
    timeout_s = 2.5
    rate_limit = { calls = 10, per_s = 60 }

A file is taken as a whole or not at all: one bad line, and the old state stays. What it no longer names goes back to
what the code declares. Calls already running finish on what they began with.
"""

from __future__ import annotations

import asyncio
import dataclasses
import json
import tomllib
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from toolkit.errors import ToolDefinitionError, ToolkitError
from toolkit.records import RateLimit, Tool
from toolkit.registry import Registry

MAX_BYTES = 1_000_000


class ConfigError(ToolkitError):
    """The file cannot be taken. The text names file, place and rule; nothing was changed."""


class _Limit(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)
    calls: int = Field(ge=1)
    per_s: float = Field(gt=0, allow_inf_nan=False)


class ToolConfig(BaseModel):
    """What a file may say of one tool. What it leaves out stays as the code declares it."""

    model_config = ConfigDict(extra="forbid", strict=True)
    enabled: bool = True
    timeout_s: float | None = Field(None, gt=0, allow_inf_nan=False)
    attempts: int | None = Field(None, ge=1)
    concurrency: int | None = Field(None, ge=1)
    max_calls: int | None = Field(None, ge=1)
    rate_limit: _Limit | None = None
    roles: list[str] | None = None
    confirm: bool | None = None


class _Config(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)
    tools: dict[str, ToolConfig] = {}


class HotUpdate:
    """Keeps a registry as a file says.

    Args:
        registry: Its tools are declared in code; a file adds none.
        path: A `.toml` or `.json` file.
    """

    def __init__(self, registry: Registry, path: str | Path) -> None:
        self._registry, self._path = registry, Path(path)
        self._applied: tuple[bytes, int] | None = None
        self._declared: dict[str, Tool] = {}  # by name, where the registry now holds ours
        self._ours: dict[str, Tool] = {}
        self._disabled: frozenset[str] = frozenset()

    def check(self) -> bool:
        """Take the file if it has changed, or if the registry has; True where either had.

        Raises:
            ConfigError: it cannot be read, or says something that cannot be. The old state stays.
        """
        content = self._read()
        if (content, self._registry.version) == self._applied:
            return False
        self._apply(self._parse(content))
        self._applied = content, self._registry.version
        return True

    async def watch(
        self,
        every_s: float = 1.0,
        *,
        on_error: Callable[[ConfigError], None],
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """Check again and again until cancelled. A bad file is told to `on_error`, once, and the old state stays."""
        told: str | None = None
        while True:
            try:
                self.check()
                told = None
            except ConfigError as error:
                if str(error) != told:
                    on_error(error)
                told = str(error)
            await sleep(every_s)

    def _read(self) -> bytes:
        try:
            with self._path.open("rb") as file:
                content = file.read(MAX_BYTES + 1)
        except OSError as error:
            raise ConfigError(f"{self._path} cannot be read ({type(error).__name__}).") from None
        if len(content) > MAX_BYTES:
            raise ConfigError(f"{self._path} is longer than {MAX_BYTES} bytes.")
        return content

    def _parse(self, content: bytes) -> _Config:
        try:
            text = content.decode("utf-8")
            raw = json.loads(text) if self._path.suffix == ".json" else tomllib.loads(text)
            return _Config.model_validate(raw)
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            place = ".".join(map(str, first["loc"])) or "the file"
            raise ConfigError(f"{self._path}: {place}: {first['msg']}.") from None
        except (ValueError, RecursionError) as error:  # not UTF-8, not TOML, not JSON
            raise ConfigError(f"{self._path} cannot be parsed: {str(error)[:200]}.") from None

    def _apply(self, config: _Config) -> None:
        tools = {name: self._as_declared(tool) for name, tool in self._registry.declared.items()}
        unknown = sorted(set(config.tools) - set(tools))
        if unknown:
            names = ", ".join(tools) or "none"
            raise ConfigError(f"{self._path}: tools.{unknown[0]}: there is no such tool. Registered: {names}.")
        changed = {name: self._changed(tools[name], entry) for name, entry in config.tools.items()}
        off = frozenset(name for name, entry in config.tools.items() if not entry.enabled)
        back = {name: tools[name] for name in self._ours if name in tools and name not in changed}
        self._registry.update({**back, **changed}.values(), (self._registry.disabled - self._disabled) | off)
        self._declared, self._ours, self._disabled = {name: tools[name] for name in changed}, changed, off

    def _as_declared(self, tool: Tool) -> Tool:
        return self._declared[tool.name] if self._ours.get(tool.name) is tool else tool

    def _changed(self, tool: Tool, entry: ToolConfig) -> Tool:
        values: dict[str, Any] = entry.model_dump(exclude_none=True, exclude={"enabled"})
        if "rate_limit" in values:
            values["rate_limit"] = RateLimit(**values["rate_limit"])
        if "roles" in values:
            values["roles"] = frozenset(values["roles"])
        try:
            return dataclasses.replace(tool, policy=dataclasses.replace(tool.policy, **values))
        except ToolDefinitionError as error:
            raise ConfigError(f"{self._path}: tools.{tool.name}: {error}") from None
