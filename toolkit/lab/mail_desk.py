"""A mail tool with a shared connection, and three ways for it to fail: the model's turn, the gateway's, nobody's."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Annotated

from pydantic import Field

from toolkit.decorator import tool
from toolkit.errors import ToolError, TransientError
from toolkit.registry import Registry
from toolkit.schema import Resource


class BadAddress(ToolError):
    """The address is none; the model can correct it."""


class MailServer:
    """A mail server that is up or down. It counts its connections."""

    def __init__(self) -> None:
        self.up = True
        self.opened = self.closed = 0

    @asynccontextmanager
    async def connect(self) -> AsyncIterator[MailServer]:
        """One connection, for as long as the gateway lives."""
        self.opened += 1
        try:
            yield self
        finally:
            self.closed += 1

    def deliver(self, to: str) -> None:
        """Hand a mail over, or raise what is wrong."""
        if not self.up:
            raise TransientError("connection refused", sent=False)
        if "@" not in to:
            raise BadAddress(f"{to!r} is no mail address; it has no @.")


def mail_desk(server: MailServer) -> Registry:
    """`send_mail` on this server; where it is down, a text message goes out."""
    registry = Registry()

    async def send_text_message(to: str, text: str) -> dict[str, str]:
        return {"to": to, "sent_as": "text message"}

    @tool(registry, recovery={BadAddress: "correct_input"}, fallback=send_text_message)
    async def send_mail(
        to: Annotated[str, Field(description="The guest's mail address.")],
        text: Annotated[str, Field(description="What to say.")],
        connection: Annotated[MailServer, Resource(server.connect)],
    ) -> dict[str, str]:
        """Send a mail to a guest."""
        connection.deliver(to)
        return {"to": to, "sent_as": "mail"}

    return registry
