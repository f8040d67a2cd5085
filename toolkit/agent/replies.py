"""Between the agent and the model's server: one reply read, or one clear message why there is none.

What a server sends is checked here, because the client does not: an HTML page with status 200 arrives as a
`str`, `{}` as a completion whose `choices` is None, and malformed JSON as a bare `ValueError`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from toolkit.errors import ToolkitError

if TYPE_CHECKING:
    from openai import APIStatusError, AsyncOpenAI, OpenAIError

_COUNTS = ("prompt_tokens", "completion_tokens", "total_tokens")
_LONGEST_QUOTE = 200  # characters of a server's own text that are repeated
_CHECK_ADDRESS = "Check the base URL; for most servers it ends in /v1."


class ModelError(ToolkitError):
    """The model gave no reply that can be used. The text is for the person who runs the agent."""


class Reply(NamedTuple):
    """The first choice of a completion, its text, whether it hit its length limit, and the tokens counted."""

    choice: Any
    text: str | None
    cut_off: bool
    usage: dict[str, int] | None


async def ask(client: AsyncOpenAI, **request: Any) -> Reply:
    """Send one chat completion request and read the reply, which has a text or a tool call.

    Raises:
        ModelError: the server was not reached, refused, or sent something that is no reply.
    """
    with explaining(client):
        completion = await client.chat.completions.create(**request)
    if isinstance(completion, str):
        start = " ".join(completion.split())[:_LONGEST_QUOTE]
        raise ModelError(f"The model's server sent a text instead of JSON: {start!r}. {_CHECK_ADDRESS}")
    choices = getattr(completion, "choices", None)
    if not isinstance(choices, list) or not choices:
        raise ModelError(f"The model's reply has no choices. {_CHECK_ADDRESS}")
    return read_choice(choices[0], getattr(completion, "usage", None))


def read_choice(choice: Any, usage: object) -> Reply:
    """Read the choice of a completion.

    Raises:
        ModelError: it has neither a text nor a call.
    """
    message = getattr(choice, "message", None)
    texts = (getattr(message, name, None) for name in ("content", "refusal"))
    text = next((text for text in texts if isinstance(text, str) and text), None)
    if text is None and not any(getattr(message, name, None) for name in ("tool_calls", "function_call")):
        raise ModelError("The model's reply is empty: neither text nor a tool call.")
    return Reply(choice, text, getattr(choice, "finish_reason", None) == "length", _usage(usage))


@contextmanager
def explaining(client: AsyncOpenAI) -> Iterator[None]:
    """Turn what an openai client raises into a `ModelError` that says what to look at."""
    from openai import OpenAIError

    try:
        yield
    except OpenAIError as error:
        address = client.base_url.copy_with(userinfo=b"", query=None)  # both may hold a secret
        raise ModelError(_explain(error, str(address))) from error
    except (json.JSONDecodeError, RecursionError) as error:  # the client lets them through bare
        why = error if isinstance(error, ValueError) else "nested too deeply"
        raise ModelError(f"The model's server sent malformed JSON ({why}). {_CHECK_ADDRESS}") from error
    except ValueError as error:  # such as half a surrogate pair, which has no UTF-8
        raise ModelError(f"The request or its reply could not be encoded: {error}") from error


def _usage(usage: object) -> dict[str, int] | None:
    counts = {name: getattr(usage, name, None) for name in _COUNTS}
    return {name: count for name, count in counts.items() if isinstance(count, int)} or None


def _explain(error: OpenAIError, address: str) -> str:
    from httpx2 import ReadError, RemoteProtocolError
    from openai import (
        APIConnectionError,
        APIError,
        APIStatusError,
        APITimeoutError,
        AuthenticationError,
        RateLimitError,
    )

    match error:
        case APITimeoutError():
            return f"The model's server at {address} did not answer in time. Try again, or raise the timeout."
        case APIConnectionError() if isinstance(error.__cause__, ReadError | RemoteProtocolError):
            return f"The connection to the model's server at {address} broke before the reply was whole. Try again."
        case APIConnectionError():
            return f"No connection to the model's server at {address}. Is it running, and is the address right?"
        case AuthenticationError():  # its own text can repeat a part of the key
            return f"The model's server at {address} refused the key (status 401). Check OPENAI_API_KEY."
        case RateLimitError():
            wait = error.response.headers.get("retry-after")
            when = f" Try again in {wait} s." if wait else " Try again later."
            return f"The model's server at {address} limits requests (status 429).{when}"
        case APIStatusError():
            return f"The model's server answered with status {error.status_code}: {_reason(error)}"
        case APIError():  # an event of a stream that is an error
            told = " ".join(error.message.split())[:_LONGEST_QUOTE]
            return f"The model's server broke its reply off with an error: {told}"
        case _:
            return f"The openai client failed: {type(error).__name__}: {error}"


def _reason(error: APIStatusError) -> str:
    body = error.body
    told = body.get("message") if isinstance(body, Mapping) else None
    text = told if isinstance(told, str) else error.response.text
    return " ".join(text.split())[:_LONGEST_QUOTE] or "no reason given."
