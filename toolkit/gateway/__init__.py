"""LAYER 3: the executor gateway. `order.py` holds the order of a call, every policy has a file of its own."""

from toolkit.gateway.breaker import BreakerSettings
from toolkit.gateway.gateway import Gateway
from toolkit.gateway.idempotency import IdempotencyStore, MemoryStore
from toolkit.gateway.retry import Backoff
from toolkit.gateway.settings import BARE, Settings

__all__ = ["BARE", "Backoff", "BreakerSettings", "Gateway", "IdempotencyStore", "MemoryStore", "Settings"]
