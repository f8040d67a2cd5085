"""The namespace that has only loopback."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tools.environment import ROOT

TRY = """
import socket
server = socket.create_server(("127.0.0.1", 0))
print(socket.create_connection(server.getsockname()).getpeername()[0])
socket.socket().connect(("192.0.2.1", 80))
"""


def without_network(*command, **variables):
    """Run a command there, without the guard that the tests have inherited."""
    everything = {**os.environ, "PYTHONPATH": str(ROOT), **variables}
    arguments = [sys.executable, "-m", "tools.without_network", *command]
    return subprocess.run(arguments, env=everything, capture_output=True, text=True, timeout=60)


@pytest.fixture(scope="module")
def allowed():
    """Skip where the system makes no namespaces: not Linux, or a strict container."""
    done = without_network("true") if sys.platform == "linux" else None
    if done is None or done.returncode:
        pytest.skip("no network namespace can be made here")


@pytest.mark.row("X1")
def test_only_loopback_is_left(allowed):
    """A process without the guard reaches itself and nobody else."""
    done = without_network(sys.executable, "-c", TRY)
    assert done.stdout == "127.0.0.1\n"
    assert done.stderr.splitlines()[-1] == "OSError: [Errno 101] Network is unreachable"


def test_the_exit_code_is_the_command_s(allowed):
    """CI sees what the tests said."""
    assert without_network(sys.executable, "-c", "raise SystemExit(3)").returncode == 3
