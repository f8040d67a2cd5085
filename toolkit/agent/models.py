"""Models without a key and without a network: the real openai client over a transport that opens no socket.

What such a model answers is made here, so every reply says so: its model is called `simulated`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:  # importing openai takes about a second; only a client needs it
    import httpx2
    from openai import AsyncOpenAI

SIMULATED = "simulated"

Request: TypeAlias = Mapping[str, Any]
"""The body of a chat completion request: `model`, `messages`, `tools` and so on."""

Reply: TypeAlias = "Mapping[str, Any] | httpx2.Response | Exception"
"""An assistant message; or a raw response, or an error to raise, for what a broken endpoint does."""


def says(text: str, **more: object) -> dict[str, Any]:
    """Build an assistant message of text only.

    >>> says("Booked.")
    {'role': 'assistant', 'content': 'Booked.'}
    """
    return {"role": "assistant", "content": text, **more}


def asks_for(*calls: tuple[str, Mapping[str, Any] | str], **more: object) -> dict[str, Any]:
    """Build an assistant message that calls tools; arguments given as text are sent as they are.

    >>> asks_for(("get_weather", {"city": "西安"}))["tool_calls"][0]["function"]
    {'name': 'get_weather', 'arguments': '{"city": "西安"}'}
    """
    tool_calls = [
        {
            "type": "function",
            "function": {
                "name": name,
                "arguments": given if isinstance(given, str) else json.dumps(given, ensure_ascii=False),
            },
        }
        for name, given in calls
    ]
    return {"role": "assistant", "content": None, "tool_calls": tool_calls, **more}


def client_answering(answer: Callable[[Request], Reply]) -> AsyncOpenAI:
    """Make an openai client whose every request is answered by a function, without a socket.

    A call without an id gets one that is unique in its run. A key `finish_reason` in the message, such as
    `length`, is sent as the reply's; otherwise it is `tool_calls` or `stop`.
    """
    import httpx2
    from openai import AsyncOpenAI

    def respond(http_request: httpx2.Request) -> httpx2.Response:
        request = json.loads(http_request.content)
        if request.get("stream"):  # a whole reply where a stream is expected would read as an empty one
            return httpx2.Response(400, json=_refusal("A simulated model does not stream."))
        reply = answer(request)
        if isinstance(reply, Exception):
            raise reply
        return reply if isinstance(reply, httpx2.Response) else httpx2.Response(200, json=_body(request, reply))

    return AsyncOpenAI(
        api_key=SIMULATED,
        base_url="http://simulated.invalid/v1",
        http_client=httpx2.AsyncClient(transport=httpx2.MockTransport(respond)),
        max_retries=0,
    )


def scripted_client(script: Iterable[Reply]) -> AsyncOpenAI:
    """Make an openai client that gives the replies of a script in turn, whatever it is asked.

    Asked once more after the last reply, it answers with an error that says so.
    """
    replies = list(script)
    remaining = iter(replies)

    def next_reply(request: Request) -> Reply:
        import httpx2

        ended = httpx2.Response(400, json=_refusal(f"The script ends after {len(replies)} replies."))
        return next(remaining, ended)

    return client_answering(next_reply)


def _refusal(text: str) -> dict[str, Any]:
    return {"error": {"message": text, "type": "invalid_request_error"}}


def _body(request: Request, message: Reply) -> dict[str, Any]:
    assert isinstance(message, Mapping)
    sent: Sequence[Mapping[str, Any]] = request.get("messages", [])
    turn = 1 + sum(1 for earlier in sent if earlier.get("role") == "assistant")
    told = {"role": "assistant", **{key: value for key, value in message.items() if key != "finish_reason"}}
    if calls := told.get("tool_calls"):
        told["tool_calls"] = [{"id": f"call_{turn}_{index}", **call} for index, call in enumerate(calls)]
    prompt, completion = _tokens(sent), _tokens(told)
    return {
        "id": f"chatcmpl-simulated-{turn}",
        "object": "chat.completion",
        "created": 0,
        "model": SIMULATED,
        "choices": [
            {
                "index": 0,
                "message": told,
                "finish_reason": message.get("finish_reason", "tool_calls" if calls else "stop"),
                "logprobs": None,
            }
        ],
        "usage": {
            "prompt_tokens": prompt,
            "completion_tokens": completion,
            "total_tokens": prompt + completion,
        },
    }


def _tokens(value: object) -> int:
    """Estimate tokens as a quarter of the characters, a rule of thumb: nothing here has a tokenizer."""
    return -(-len(json.dumps(value, ensure_ascii=False)) // 4)
