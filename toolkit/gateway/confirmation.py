"""A write waits for the user's word. The word is bound to one tool and its arguments, and good for one call."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from typing import Any

from toolkit.gateway.idempotency import IdempotencyStore
from toolkit.gateway.outcome import stop
from toolkit.gateway.policy import Services, Step
from toolkit.gateway.trace import Trace
from toolkit.records import Status, Tool


def confirm(tool: Tool, services: Services, then: Step) -> Step:
    """Redeem a token that fits the call, or stop it with a fresh token, for the caller to ask the user with."""
    if not tool.policy.confirm:
        return then
    confirmations = services.confirmations

    async def run(trace: Trace) -> Any:
        context = trace.context
        if await confirmations.redeem(context.confirmed, tool.name, trace.canonical, context.session):
            return await then(trace)
        raise stop(
            Status.NEEDS_CONFIRMATION,
            "needs_confirmation",
            f"{tool.name} changes something, so the user has to agree first. It was not run.",
            next_step="ask the user",
            confirmation=confirmations.issue(tool.name, trace.canonical, context.session),
        )

    return run


class Confirmations:
    """Issues and redeems tokens. A token is signed, so nothing needs to be remembered until it is used.

    Args:
        store: Where used tokens are claimed, as orders are: good for one call after a restart and among processes, too.
        key: Secret bytes; give the same to a restarted process if its predecessor's questions should stay valid.
    """

    def __init__(self, store: IdempotencyStore, key: bytes | None = None) -> None:
        self._store, self._key = store, key or secrets.token_bytes(32)

    def issue(self, tool: str, arguments: str, session: str) -> str:
        """A fresh token for this call. `arguments` is their canonical text."""
        nonce = secrets.token_hex(8)
        return f"{nonce}.{self._sign(nonce, tool, arguments, session)}"

    async def redeem(self, given: frozenset[str] | set[str], tool: str, arguments: str, session: str) -> bool:
        """Use up one of the given tokens if it fits this call exactly."""
        for token in given:
            nonce, _, signature = token.partition(".")
            fits = hmac.compare_digest(signature.encode(), self._sign(nonce, tool, arguments, session).encode())
            if fits and await self._store.claim(f"token {nonce}", arguments) is None:  # no tool's name holds a space
                await self._store.finish(f"token {nonce}", "null")
                return True
        return False

    def _sign(self, *parts: str) -> str:
        text = "\0".join(f"{len(part)}:{part}" for part in parts)
        return hashlib.blake2b(text.encode(), key=self._key, digest_size=16).hexdigest()
