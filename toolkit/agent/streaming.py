"""A reply that comes in pieces: shown as it comes, and only believed when it is whole.

A stream has more ways to fail than a reply in one piece, and some of them look like an end: a server that sends no
stream gives an empty one, and a stream that breaks off between two events just stops. So a reply counts only once the
server has said why it ended.
"""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from toolkit.agent.replies import ModelError, Reply, explaining, read_choice
from toolkit.wire import calls_from_deltas

if TYPE_CHECKING:
    from openai import AsyncOpenAI


async def ask_streaming(
    client: AsyncOpenAI, *, on_text: Callable[[str], None] = lambda text: None, **request: Any
) -> Reply:
    """Like `ask`, in pieces: `run_agent(ask=partial(ask_streaming, on_text=...))`.

    Args:
        client: Any openai client.
        on_text: Told of each piece of text as it comes. What it was told may still end in a `ModelError`.
        request: Of a chat completion.

    Raises:
        ModelError: the server was not reached, refused, sent no stream, or broke its reply off.
    """
    request = {"stream_options": {"include_usage": True}, **request, "stream": True}
    texts: dict[str, list[str]] = {"content": [], "refusal": []}
    deltas: list[Any] = []
    finish_reason = usage = None
    events = 0
    with explaining(client):
        async for event in await client.chat.completions.create(**request):
            events += 1
            usage = getattr(event, "usage", None) or usage
            choice = next(iter(getattr(event, "choices", None) or ()), None)
            delta = getattr(choice, "delta", None)
            finish_reason = getattr(choice, "finish_reason", None) or finish_reason
            deltas += getattr(delta, "tool_calls", None) or ()
            for name, pieces in texts.items():
                if isinstance(piece := getattr(delta, name, None), str) and piece:
                    pieces.append(piece)
                    on_text(piece)
    if events == 0:
        raise ModelError("The model's server sent no stream. Check the base URL, or ask without streaming.")
    if finish_reason is None:
        raise ModelError("The model's reply broke off: its stream ended without saying why. Try again.")
    joined = {name: "".join(pieces) or None for name, pieces in texts.items()}
    return read_choice(_choice(joined, deltas, finish_reason), usage)


def _choice(texts: dict[str, str | None], deltas: list[Any], finish_reason: str) -> Any:
    """The choice as a reply in one piece would have it."""
    calls = [
        {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
        for call in calls_from_deltas(deltas)
    ]
    message = SimpleNamespace(role="assistant", **texts, tool_calls=calls or None)
    return SimpleNamespace(message=message, finish_reason=finish_reason)
