"""A chat model as the validator sees it, messages in and a text out; and one behind any OpenAI-compatible server."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

from toolkit.endpoint import BASE_URL, MODEL, configured_endpoint
from toolkit.errors import ToolkitError, TransientError

if TYPE_CHECKING:  # importing openai takes about a second
    from openai import APIStatusError, AsyncOpenAI

Messages = Sequence[Mapping[str, str]]


class ChatReply(NamedTuple):
    """A model's text, None where it said nothing, and the tokens of question and answer together."""

    text: str | None
    tokens: int = 0


class Chat(Protocol):
    """Any chat model. `TransientError`, `ConnectionError` and `TimeoutError` mean that asking again may help."""

    async def complete(self, messages: Messages, *, temperature: float) -> ChatReply: ...


class OpenAIChat:
    """A chat model behind the official client. Ours to retry: the client's own retries had better be off.

    Args:
        client: Any openai client: scripted, local, or of an endpoint. It is closed with this chat.
        model: The model's name, as the client's server knows it.
    """

    def __init__(self, client: AsyncOpenAI, model: str) -> None:
        self._client, self._model = client, model

    async def complete(self, messages: Messages, *, temperature: float) -> ChatReply:
        """Ask once.

        Raises:
            TransientError, ConnectionError, TimeoutError: asking again may help.
            ToolkitError: it will not; the text says why.
        """
        from openai import APIConnectionError, APIStatusError, APITimeoutError, OpenAIError

        try:
            completion = await self._client.chat.completions.create(
                model=self._model,
                messages=[dict(message) for message in messages],  # type: ignore[misc]
                temperature=temperature,
            )
        except APITimeoutError:
            raise TimeoutError("The model's server did not answer in time.") from None
        except APIConnectionError:
            raise ConnectionError("No connection to the model's server.") from None
        except APIStatusError as error:
            raise _of_status(error) from error
        except (OpenAIError, ValueError, RecursionError) as error:  # malformed JSON comes as a bare ValueError
            raise ToolkitError(f"The model's server sent no chat completion ({type(error).__name__}).") from error
        choices = getattr(completion, "choices", None)  # an HTML page arrives as a str, `{}` with choices=None
        if not choices:
            raise ToolkitError("The model's server sent no chat completion. For most servers the URL ends in /v1.")
        usage = getattr(completion, "usage", None)
        return ChatReply(choices[0].message.content, getattr(usage, "total_tokens", 0) or 0)

    async def close(self) -> None:
        """Close the client's connections."""
        await self._client.close()


def chat_from_environment(environment: Mapping[str, str] = os.environ) -> OpenAIChat:
    """The model of an OpenAI-compatible server, a local one for instance.

    Reads `OPENAI_BASE_URL` (such as http://127.0.0.1:8080/v1), `TOOLKIT_MODEL` and `OPENAI_API_KEY`, which a local
    server rarely asks for.

    Raises:
        ToolkitError: a name is missing; the text says which, and what to put there.
    """
    if not environment.get(BASE_URL, "").strip():
        raise ToolkitError(f"Set {BASE_URL} to the server's address, such as http://127.0.0.1:8080/v1.")
    endpoint = configured_endpoint(environment)
    if endpoint is None:
        raise ToolkitError(f"Set {MODEL} to the name the server gives its model.")
    return OpenAIChat(endpoint.client(), endpoint.model)


def _of_status(error: APIStatusError) -> Exception:
    """Whether to ask again: at 408, 429 and the server's own errors, after the wait it names."""
    status = error.status_code
    if status in (408, 409, 429) or status >= 500:
        wait = error.response.headers.get("retry-after", "")
        wait_s = float(wait) if wait.isdecimal() else None
        return TransientError(f"The model's server answered with status {status}.", retry_after_s=wait_s)
    hint = " Check OPENAI_API_KEY." if status in (401, 403) else ""
    return ToolkitError(f"The model's server refused the request with status {status}.{hint}")
