"""Refuses every connection and look-up beyond this machine.

Python imports a module of this name at start-up, so a process with this folder on PYTHONPATH is guarded
before its first line runs. An audit hook, unlike a patched `socket.connect`, sees every library and cannot
be taken off again. What is no Python (a browser, a shell) is not seen: `make test-offline` takes the
network away from the whole process tree as well.
"""

from __future__ import annotations

import ipaddress
import sys

_CONNECTING = frozenset({"socket.connect", "socket.sendto", "socket.sendmsg"})
_LOOKING_UP = frozenset({"socket.getaddrinfo", "socket.gethostbyname"})


class BeyondLoopback(ConnectionRefusedError):
    """A test or a notebook tried to leave this machine."""


def is_local(host: object) -> bool:
    """True for a loopback address, its names, and "any address"; False for what needs the network.

    >>> is_local("127.0.0.1"), is_local("::1"), is_local(None), is_local("192.0.2.1"), is_local("example.org")
    (True, True, True, False, False)
    """
    if isinstance(host, (bytes, bytearray)):
        host = host.decode("ascii", "replace")
    if host is None or host in {"", "localhost", "localhost.localdomain", "0.0.0.0", "::"}:
        return True
    try:
        return ipaddress.ip_address(str(host).split("%")[0]).is_loopback
    except ValueError:
        return False


def _watch(event: str, arguments: tuple[object, ...]) -> None:
    if event in _CONNECTING:
        address = arguments[1]
        # A path or bytes is a Unix socket; None is a message on a socket that is already connected.
        if isinstance(address, tuple) and not is_local(address[0]):
            raise BeyondLoopback(f"no network here: {event} to {address[0]!r}")
    elif event in _LOOKING_UP and not is_local(arguments[0]):
        raise BeyondLoopback(f"no network here: {event} of {arguments[0]!r}")


def refuse_beyond_loopback() -> None:
    """Guard this process; a second call changes nothing."""
    if not getattr(sys, "_beyond_loopback_refused", False):
        sys._beyond_loopback_refused = True  # type: ignore[attr-defined]
        sys.addaudithook(_watch)


if __name__ == "sitecustomize":
    refuse_beyond_loopback()
