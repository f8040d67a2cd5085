"""What a policy is: something that stands between a call and its tool.

A policy gets a tool, the gateway's services and the step that comes after it, and returns a step. Where the tool does
not ask for the policy, it returns the next step itself, so what is off costs nothing.
"""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from toolkit.gateway.deadline import Orphans
from toolkit.gateway.settings import Settings
from toolkit.gateway.trace import Trace
from toolkit.records import Context, Tool
from toolkit.registry import Registry

if TYPE_CHECKING:
    from toolkit.gateway.breaker import Breaker
    from toolkit.gateway.confirmation import Confirmations
    from toolkit.gateway.lifecycle import Lifecycle
    from toolkit.gateway.limits import Quotas
    from toolkit.gateway.orders import Orders
    from toolkit.gateway.workers import Workers

Step = Callable[[Trace], Coroutine[Any, Any, Any]]
Hook = Callable[[str, dict[str, Any], Context], Awaitable[None] | None]
Scorer = Callable[[str, dict[str, Any], Any], tuple[float, str] | None]  # None: this tool has no score
Sink = Callable[[dict[str, Any]], None]


class Injector(Protocol):
    """A failure lab: may put a fault in the place of an attempt."""

    def fault_for(self, tool: Tool) -> tuple[str, Callable[[Callable[[], Awaitable[Any]]], Awaitable[Any]]] | None:
        """The fault's name, and a function from the real attempt to what happens instead; or None."""


@dataclass(slots=True, kw_only=True)
class Services:
    """What the policies of one gateway share. Clock (monotonic seconds), sleep and randomness are arguments."""

    registry: Registry
    settings: Settings
    clock: Callable[[], float]
    sleep: Callable[[float], Awaitable[None]]
    rng: random.Random
    hooks: Sequence[Hook]
    scorer: Scorer | None
    injector: Injector | None
    debug_sink: Sink | None
    workers: Workers
    quotas: Quotas
    confirmations: Confirmations
    orders: Orders
    lifecycle: Lifecycle
    orphans: Orphans = field(default_factory=Orphans)
    breakers: dict[str, Breaker] = field(default_factory=dict)


class Policy(Protocol):
    """Makes the step of one policy for one tool."""

    def __call__(self, tool: Tool, services: Services, then: Step) -> Step: ...
