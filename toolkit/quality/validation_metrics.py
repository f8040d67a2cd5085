"""What is counted of validations, each count with its definition."""

from __future__ import annotations

import math
from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from toolkit.quality.opinion import Word

Judge = Literal["rule", "model"]
_MOST_REASONS = 100  # a model words one reason in many ways
_KEPT = 10_000  # latencies, the latest


def _latest() -> deque[float]:
    return deque(maxlen=_KEPT)


@dataclass(slots=True)
class ValidationMetrics:
    """Counts of one validator. `total` is the sum of the five below it.

    `timeouts` and `errors` are validations that came to no answer, all attempts used up: they are in no rate and in no
    latency. `tokens` are those of the model; a rule costs none.
    """

    passed: int = 0
    failed: int = 0
    unreadable: int = 0
    timeouts: int = 0
    errors: int = 0
    decided_by_rule: int = 0
    tokens: int = 0
    reasons: Counter[str] = field(default_factory=Counter)
    latency_ms: dict[Judge, deque[float]] = field(default_factory=lambda: {"rule": _latest(), "model": _latest()})

    @property
    def completed(self) -> int:
        """Validations that came to an answer, readable or not."""
        return self.passed + self.failed + self.unreadable

    @property
    def total(self) -> int:
        return self.completed + self.timeouts + self.errors

    @property
    def pass_rate(self) -> float | None:
        """Passed of completed; None where none was completed. It says nothing about how often that was right."""
        return self.passed / self.completed if self.completed else None

    def mean_latency_ms(self, judge: Judge) -> float | None:
        """Mean over the completed validations that a rule, or the model, decided; None where there are none."""
        latencies = self.latency_ms[judge]
        return sum(latencies) / len(latencies) if latencies else None

    def percentile_ms(self, judge: Judge, share: float) -> float | None:
        """The latency that this share of completed validations did not exceed; None where there are none.

        >>> metrics = ValidationMetrics()
        >>> for number in range(1, 101):
        ...     metrics.count("pass", "so", "model", latency_ms=number)
        >>> metrics.percentile_ms("model", 0.95)
        95
        """
        ordered: Sequence[float] = sorted(self.latency_ms[judge])
        return ordered[max(0, math.ceil(len(ordered) * share - 1e-9) - 1)] if ordered else None

    def count(self, word: Word, reason: str, judge: Judge, *, latency_ms: float, tokens: int = 0) -> None:
        """A validation was completed."""
        match word:
            case "pass":
                self.passed += 1
            case "fail":
                self.failed += 1
            case "unreadable":
                self.unreadable += 1
        if word != "pass":
            known = reason in self.reasons or len(self.reasons) < _MOST_REASONS
            self.reasons[reason if known else "(other)"] += 1
        self.decided_by_rule += judge == "rule"
        self.latency_ms[judge].append(latency_ms)
        self.tokens += tokens
