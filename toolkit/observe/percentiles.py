"""Percentiles, and how many values one needs before a share of them says anything."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple

Z_95 = 1.959963984540054  # of the normal distribution, two-sided


class Percentile(NamedTuple):
    """The value that a `share` of the values does not exceed, the sample it rests on, and the sample it needs."""

    share: float
    value: float | None
    sample: int
    needed: int

    @property
    def enough(self) -> bool:
        return self.sample >= self.needed

    def __str__(self) -> str:
        name = f"p{self.share * 100:g}"
        if self.value is None or not self.enough:
            return f"{name}: needs {self.needed} values, has {self.sample}"
        return f"{name}: {self.value:g}"


def percentile(values: Iterable[float], share: float) -> Percentile:
    """The nearest-rank percentile: a value that did occur, not one between two.

    >>> str(percentile(range(1, 101), 0.95))
    'p95: 95'
    >>> str(percentile([12.0, 15.0, 400.0], 0.95))
    'p95: needs 73 values, has 3'

    Raises:
        ValueError: a share that does not lie between 0 and 1.
    """
    ordered, needed = sorted(values), sample_needed(share)
    rank = math.ceil(round(share * len(ordered), 9))  # 0.07 * 100 is a little more than 7 in floating point
    value = ordered[max(rank, 1) - 1] if ordered else None
    return Percentile(share, value, len(ordered), needed)


def sample_needed(share: float) -> int:
    """How many trials it takes to show that at least this share succeeds, if not a single one fails.

    From there on Wilson's interval (95 %) of n successes in n trials begins above the share. For a percentile a trial
    succeeds where a value lies below: with fewer values the largest of them may well be smaller than the percentile.

    >>> [sample_needed(share) for share in (0.5, 0.95, 0.99, 0.995, 0.999)]
    [4, 73, 381, 765, 3838]

    Raises:
        ValueError: a share that does not lie between 0 and 1.
    """
    if not 0 < share < 1:
        raise ValueError(f"A share must lie between 0 and 1, and {share} does not.")
    return math.ceil(share * Z_95**2 / (1 - share))
