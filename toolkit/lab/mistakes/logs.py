"""Logs that cannot be asked, and figures that say something else than their names."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from typing import Any

SECRETS = ("password", "api_key", "token", "secret")


def log_as_text(name: str, arguments: Mapping[str, Any], seconds: float | None) -> str:
    """Log a call."""
    began = f"calling {name} with {dict(arguments)}\n"
    return began + (f"{name} done in {seconds}s\n" if seconds is not None else "something went wrong, see above\n")


def careless_minute() -> str:
    """What `log_as_text` leaves of a minute in which three calls ran at once and one search failed."""
    calls: list[tuple[str, dict[str, Any], float | None]] = [
        ("search_hotels", {"city": "Xi'an"}, None),
        ("book_hotel", {"hotel_id": "HT-002", "card": "4111 1111 1111 1111"}, 0.9),
        ("search_hotels", {"city": "Shanghai"}, 0.5),
    ]
    began, ended = zip(*(log_as_text(*call).splitlines() for call in calls), strict=True)
    return "\n".join([*began, ended[2], ended[0], ended[1]])


def without_secrets(record: Mapping[str, Any]) -> dict[str, Any]:
    """Mask what must not be logged."""
    return {name: "***" if name in SECRETS else value for name, value in record.items()}


def input_id(arguments: Mapping[str, Any]) -> str:
    """Identify an input without logging it."""
    return hashlib.sha256(str(arguments).encode()).hexdigest()[:8]


class MeanLatency:
    """The mean latency of all calls so far."""

    def __init__(self) -> None:
        self.calls, self.mean_ms = 0, 0.0

    def add(self, duration_ms: float, ok: bool) -> None:
        """Take in one call."""
        self.calls += 1
        if ok:
            self.mean_ms += (duration_ms - self.mean_ms) / self.calls


def mean_time_between_failures(calls: Iterable[tuple[float, bool]]) -> float:
    """The mean distance of the calls that succeeded, from pairs of a moment and whether it did."""
    moments = [moment for moment, ok in calls if ok]
    return (moments[-1] - moments[0]) / (len(moments) - 1)
