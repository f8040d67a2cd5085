"""Ways of using a validating model that are published again and again, in our own words. Do not use them."""

from __future__ import annotations

from collections.abc import Iterable


def passes(answer: str) -> bool:
    """Whether a validating model said PASS.

    >>> passes("FAIL: this must not PASS")
    True
    """
    return "PASS" in answer.upper()


def running_mean_ms(latencies_ms: Iterable[float | None]) -> float:
    """The mean latency, brought up to date with every validation; None is one that timed out.

    >>> running_mean_ms([None, 100])
    50.0
    """
    mean = 0.0
    for total, latency_ms in enumerate(latencies_ms, start=1):
        if latency_ms is not None:
            mean = (mean * (total - 1) + latency_ms) / total
    return mean
