"""No test of the sample domain may open a connection."""

from __future__ import annotations

import socket

import pytest


@pytest.fixture(autouse=True)
def _no_connection(monkeypatch):
    """Fail on any attempt to connect, so a model without a socket is proven to be one."""

    def refuse(self, address):
        raise AssertionError(f"a connection to {address} was attempted")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket.socket, "connect_ex", refuse)
