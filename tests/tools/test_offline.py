"""The guard that keeps tests and notebooks on this machine."""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys

import pytest

from tools.environment import REMOVED, REPEATABLE
from tools.offline.sitecustomize import is_local

REFUSED = (
    ConnectionRefusedError  # in a child the guard's own class is `sitecustomize.BeyondLoopback`, which is one, too
)
ELSEWHERE = ("192.0.2.1", 80)  # set aside for documentation, so nothing is there


@pytest.mark.row("X1")
def test_a_connection_beyond_loopback_is_refused():
    """The guard answers before anything leaves the machine."""
    with socket.socket() as client:
        client.settimeout(1)
        with pytest.raises(REFUSED, match=r"^no network here: socket\.connect to '192\.0\.2\.1'$"):
            client.connect(ELSEWHERE)


@pytest.mark.row("X1")
@pytest.mark.parametrize("look_up", [socket.gethostbyname, lambda name: socket.getaddrinfo(name, 80)])
def test_a_name_is_not_looked_up(look_up):
    """A question to a name server is traffic too."""
    with pytest.raises(REFUSED, match=r"of 'example\.org'$"):
        look_up("example.org")


def test_a_datagram_is_refused():
    """UDP needs no connection, and is refused all the same."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender, pytest.raises(REFUSED, match=r"^no network here"):
        sender.sendto(b"hello", ELSEWHERE)


def test_asyncio_is_guarded_too():
    """The event loop connects by the same call."""
    with pytest.raises(REFUSED, match=r"^no network here"):
        asyncio.run(asyncio.open_connection(*ELSEWHERE))


@pytest.mark.row("X1")
def test_a_child_process_is_guarded_from_its_first_line():
    """Kernels and worker processes import the guard before their own code."""
    program = f"import socket; socket.socket().connect({ELSEWHERE!r})"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=30)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].endswith("BeyondLoopback: no network here: socket.connect to '192.0.2.1'")


def test_loopback_stays_open():
    """A server on this machine can be reached: kernels need it."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        client = socket.create_connection(("localhost", server.getsockname()[1]), timeout=5)
        assert client.getpeername()[0] == "127.0.0.1"
        client.close()


@pytest.mark.parametrize(
    ("host", "local"),
    [
        ("127.0.0.1", True),
        ("127.9.9.9", True),
        ("::1", True),
        (b"localhost", True),
        (None, True),
        ("10.0.0.1", False),
        ("::ffff:192.0.2.1", False),
        ("fe80::1%eth0", False),
        ("localhost.example.org", False),
        ("127.0.0.1.example.org", False),
    ],
)
def test_what_counts_as_local(host, local):
    """Loopback in both families and its names; no private network, no look-alike."""
    assert is_local(host) is local


def test_the_environment_is_in_force():
    """Every value that makes outputs repeat is set, and no endpoint or key of the person is left."""
    assert {name: os.environ.get(name) for name in REPEATABLE} == REPEATABLE
    assert not set(REMOVED) & set(os.environ)
