"""Which server to ask, from the environment: `OPENAI_BASE_URL`, `OPENAI_API_KEY`, `TOOLKIT_MODEL`.

The openai client reads the first two by itself, with four traps that are taken out here: an empty base URL breaks
every request, a missing key raises although a server on this machine needs none, a proxy from the environment catches
requests to this machine as well, and calls are retried behind the back of whoever counts attempts.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from ipaddress import ip_address
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from toolkit.errors import ToolkitError

if TYPE_CHECKING:
    from openai import AsyncOpenAI

BASE_URL, API_KEY, MODEL = "OPENAI_BASE_URL", "OPENAI_API_KEY", "TOOLKIT_MODEL"
DEFAULT_BASE_URL = "https://api.openai.com/v1"
_NO_KEY = "no-key-needed"  # the client insists on one; a server on this machine does not look at it


class EndpointError(ToolkitError):
    """The environment names no endpoint that could be asked. The text is for the person who set it."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A server that speaks the OpenAI protocol, and the model to ask it for. The key is not shown."""

    base_url: str
    api_key: str
    model: str

    def __repr__(self) -> str:
        return f"Endpoint({self.base_url!r}, model={self.model!r})"

    def client(self, timeout_s: float = 30.0) -> AsyncOpenAI:
        """Make a client that does not retry and waits at most so many seconds, by default 30."""
        from openai import AsyncOpenAI, DefaultAsyncHttpxClient

        return AsyncOpenAI(
            base_url=self.base_url,
            api_key=self.api_key,
            max_retries=0,
            timeout=timeout_s,
            http_client=DefaultAsyncHttpxClient(trust_env=False) if is_loopback(self.base_url) else None,
        )


def configured_endpoint(environment: Mapping[str, str] = os.environ) -> Endpoint | None:
    """Read the endpoint from the environment; None where none is meant. Blank counts as not set.

    `TOOLKIT_MODEL` says that one is meant; the base URL may be left out, and so may the key where the server runs on
    this machine.

    >>> configured_endpoint({}) is None
    True
    >>> configured_endpoint({"TOOLKIT_MODEL": "small", "OPENAI_BASE_URL": "http://127.0.0.1:8080/v1"})
    Endpoint('http://127.0.0.1:8080/v1', model='small')

    Raises:
        EndpointError: one is meant, and something is missing or cannot be right.
    """
    base_url, key, model = (environment.get(name, "").strip() for name in (BASE_URL, API_KEY, MODEL))
    if not model:
        return None
    base_url = base_url or DEFAULT_BASE_URL
    parts = urlsplit(base_url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise EndpointError(f"{BASE_URL} is no URL of a server. Write it like http://127.0.0.1:8080/v1.")
    if not key and not is_loopback(base_url):
        raise EndpointError(f"{MODEL} is set, but {API_KEY} is not. Set it, or set {BASE_URL} to a server of your own.")
    return Endpoint(base_url, key or _NO_KEY, model)


def is_loopback(url: str) -> bool:
    """Whether a URL leads to this machine.

    >>> [is_loopback(f"http://{host}/v1") for host in ("127.0.0.1:8080", "localhost", "[::1]:1", "10.0.0.1")]
    [True, True, True, False]
    """
    host = urlsplit(url).hostname or ""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
