"""A mail tool that fails in three ways and opens one connection."""

from __future__ import annotations

import pytest

from toolkit.gateway import Gateway
from toolkit.lab.front_desk import call_of
from toolkit.lab.mail_desk import MailServer, mail_desk
from toolkit.lab.virtual_time import VirtualTime


@pytest.mark.row("T4", "T7", "F20")
def test_each_failure_has_its_turn():
    """Corrected by the model, covered by a text message, and one connection for all of it."""
    server = MailServer()

    async def calls():
        async with Gateway(mail_desk(server), log_sink=None) as gateway:
            good = await gateway.call(call_of("send_mail", to="ada@example.org", text="Hello."))
            bad = await gateway.call(call_of("send_mail", to="room 12", text="Hello."))
            server.up = False
            down = await gateway.call(call_of("send_mail", to="ada@example.org", text="Hello."))
        return good, bad, down

    good, bad, down = VirtualTime().run(calls())
    assert (good.status, bad.status, down.status) == ("success", "execution_error", "degraded")
    assert (bad.error.next_step, bad.attempts) == ("correct the arguments and call again", 1)
    assert (down.value, down.attempts) == ({"to": "ada@example.org", "sent_as": "text message"}, 3)
    assert (server.opened, server.closed) == (1, 1)
