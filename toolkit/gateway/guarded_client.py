"""An HTTP client whose every connection passes the guard. Imported by tools that use the network, by nothing else."""

from __future__ import annotations

from typing import Any

import httpx2

from toolkit.gateway.network import NetworkGuard


class GuardedTransport(httpx2.AsyncBaseTransport):
    """Checks each request, redirected ones included, and connects to the address that was checked.

    Args:
        guard: What may be reached.
        inner: The real transport. It takes no proxy from the environment, which would be a way around the guard, and
            keeps no connection: kept ones go by address, and two names may share one.
    """

    def __init__(self, guard: NetworkGuard, inner: httpx2.AsyncBaseTransport | None = None) -> None:
        self._guard = guard
        limits = httpx2.Limits(max_keepalive_connections=0)
        self._inner = inner if inner is not None else httpx2.AsyncHTTPTransport(trust_env=False, limits=limits)

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Check, then send. Raises `ToolError` where the guard refuses."""
        url = request.url
        address = (await self._guard.check(url.scheme, url.host, url.port))[0]
        pinned = httpx2.Request(
            request.method,
            url.copy_with(host=address),
            headers=request.headers,  # `Host` among them, with the name
            stream=request.stream,
            extensions={**request.extensions, "sni_hostname": url.host},  # the certificate is checked for the name
        )
        return await self._inner.handle_async_request(pinned)

    async def aclose(self) -> None:
        await self._inner.aclose()


def guarded_client(guard: NetworkGuard, *, inner: httpx2.AsyncBaseTransport | None = None, **options: Any) -> Any:
    """An `httpx2.AsyncClient` behind the guard: no proxy from the environment, five redirects at most."""
    transport = GuardedTransport(guard, inner)
    settings = {"follow_redirects": True, "max_redirects": 5, "timeout": 10.0, **options}
    return httpx2.AsyncClient(transport=transport, trust_env=False, **settings)
