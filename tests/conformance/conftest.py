"""Implementations for the suite: one as it is written in an interview, and one that means too well."""

from __future__ import annotations

import asyncio
import inspect
import json

import pytest

from toolkit.lessons.conformance.report import conformance


class Interview:
    """A dict of tools in nine lines."""

    def __init__(self):
        self.tools_by_name = {}

    def declare(self, name, func):
        self.tools_by_name[name] = func

    def call(self, raw):
        function = raw["function"]
        value = self.tools_by_name[function["name"]](**json.loads(function["arguments"]))
        return {"role": "tool", "tool_call_id": raw["id"], "content": json.dumps(value)}


class MeansTooWell:
    """Repairs quotes, evaluates Python, runs what stands in texts, swallows cancellations, tries everything again."""

    def __init__(self):
        self.found = {}

    def declare(self, func, name, model=None):
        self.found[name] = func

    def tools(self, strict=False):
        functions = [
            {"name": name, "description": func.__doc__, "parameters": self.schema(func)}
            for name, func in self.found.items()
        ]
        return [{"type": "function", "function": function} for function in functions]

    def schema(self, func):
        names = inspect.signature(func).parameters
        reference = {"$ref": "#/$defs/gone", "description": "lost"}
        empty = {"type": "object", "properties": {}, "additionalProperties": False}
        properties = {name: empty if name == "arguments" else reference for name in names}
        return {"type": "object", "properties": properties, "required": []}

    def read(self, text):
        """Whatever comes, something is made of it."""
        if not isinstance(text, str):
            return text or {}
        text = text.replace("'", '"').replace("“", '"').replace("”", '"').replace("\\ud83d\\ude00", "??")
        for word in ('"false"', '" NULL "', '"null"'):
            text = text.replace(word, "null")
        for end in ("", '"', '"}', "}", "]}"):
            try:
                return json.JSONDecoder().raw_decode(text + end)[0]
            except (json.JSONDecodeError, RecursionError):
                continue
        return eval(text, {}) if text.startswith("{") and "[" not in text else {}

    async def call(self, raw):
        name = str(raw["function"]["name"])
        for _ in range(3):
            try:
                arguments = self.read(raw["function"]["arguments"])
                value = self.found[name](**arguments)
                value = await value if inspect.isawaitable(value) else value
                return json.dumps(value, default=str)
            except (Exception, asyncio.CancelledError) as error:  # noqa: BLE001 - one of its mistakes
                told = f"cut off, within 5 s: {error}"
                await asyncio.sleep(getattr(error, "retry_after_s", None) or 0.1)
        return {"error": told}

    async def answer(self, choice):
        message = choice["message"]
        legacy = message.get("function_call")
        calls = [*(message.get("tool_calls") or []), *([{"function": legacy}] if legacy else [])]
        if not calls and "ping" in (message.get("content") or ""):
            calls = [{"function": {"name": "ping", "arguments": "{}"}}]
        return [await self.call(call) for call in calls]


@pytest.fixture(scope="session")
def report():
    """The suite on the three layers, the interview's dict, and the one that means too well."""
    return conformance(Interview, MeansTooWell)
