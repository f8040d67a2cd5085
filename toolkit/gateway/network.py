"""Where a tool may connect to: out into the world, never back into the network it runs in.

A model that may name a URL may name `http://169.254.169.254/` or a host whose name resolves to 10.0.0.1. So every
address that a name resolves to is checked, and the connection goes to a checked address: a second look-up might give
another. `guarded_client.py` puts this under an HTTP client, where redirects pass through it as well.
"""

from __future__ import annotations

import asyncio
import ipaddress
import socket
from collections.abc import Awaitable, Callable, Collection
from urllib.parse import urlsplit

from toolkit.errors import ToolError

Resolver = Callable[[str, int], Awaitable[list[str]]]
_PUBLIC_V6 = ipaddress.ip_network("2000::/3")
_PORTS = {"http": 80, "https": 443}


async def system_resolver(host: str, port: int) -> list[str]:
    """Every address the system knows for a name."""
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [str(address[0]) for *_, address in found]


class NetworkGuard:
    """Checks addresses before a connection is made.

    Args:
        hosts: Only these names, where given.
        schemes: Of URLs.
        ports: That may be connected to.
        resolve: From a name and a port to all its addresses.
    """

    def __init__(
        self,
        *,
        hosts: Collection[str] | None = None,
        schemes: Collection[str] = ("https", "http"),
        ports: Collection[int] = (443, 80),
        resolve: Resolver = system_resolver,
    ) -> None:
        self._hosts = None if hosts is None else {_plain(host) for host in hosts}
        self._schemes, self._ports, self._resolve = frozenset(schemes), frozenset(ports), resolve

    async def check_url(self, url: str) -> list[str]:
        """The addresses a URL may be fetched from.

        Raises:
            ToolError: it may not be fetched.
        """
        try:
            parts = urlsplit(url)
            host, port = parts.hostname or "", parts.port
        except ValueError:
            raise ToolError("This is no URL that can be read.") from None
        if parts.username is not None or parts.password is not None:
            raise ToolError("A URL with a user name in it is not fetched.")
        return await self.check(parts.scheme, host, port)

    async def check(self, scheme: str, host: str, port: int | None = None) -> list[str]:
        """The addresses of a host, all of them public.

        Raises:
            ToolError: scheme, port or name is not allowed, the name is unknown, or one of its addresses is not public.
        """
        if scheme not in self._schemes:
            raise ToolError(f"Only {' and '.join(sorted(self._schemes))} URLs are fetched.")
        port = _PORTS.get(scheme) if port is None else port
        if port not in self._ports:
            raise ToolError(f"Port {port} is not open to tools.")
        name = _plain(host)
        if not name or (self._hosts is not None and name not in self._hosts):
            raise ToolError(f"{host[:100]!r} is not open to tools.")
        addresses = [name] if _is_address(name) else await self._look_up(name, port)
        if not all(is_public(address) for address in addresses):
            raise ToolError(f"{host[:100]!r} is not open to tools.")
        return addresses

    async def _look_up(self, name: str, port: int) -> list[str]:
        try:
            addresses = await self._resolve(name, port)
        except (OSError, UnicodeError):
            addresses = []
        if not addresses:
            raise ToolError(f"There is no host {name[:100]!r}.")
        return addresses


def is_public(address: str) -> bool:
    """Whether an address lies in the public internet.

    >>> [is_public(each) for each in ("93.184.215.14", "10.0.0.1", "::ffff:127.0.0.1", "64:ff9b::7f00:1")]
    [True, False, False, False]
    """
    try:
        ip = ipaddress.ip_address(address.split("%", 1)[0])
    except ValueError:
        return False
    if isinstance(ip, ipaddress.IPv6Address):
        if ip.ipv4_mapped is not None:
            return is_public(str(ip.ipv4_mapped))
        # Addresses that carry an IPv4 address inside may lead anywhere, whatever they look like from outside.
        if ip not in _PUBLIC_V6 or ip.sixtofour is not None or ip.teredo is not None:
            return False
    return ip.is_global and not ip.is_multicast


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name.split("%", 1)[0])
    except ValueError:
        return False
    return True


def _plain(host: str) -> str:
    return host.strip("[]").rstrip(".").lower()
