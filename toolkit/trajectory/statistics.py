"""How sure a rate is that was counted on so many runs."""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

_Z_95 = 1.959963984540054  # of the normal distribution, two-sided


class Interval(NamedTuple):
    """Where a rate lies, 0 to 1, with the confidence it was made for."""

    low: float
    high: float


def wilson_interval(hits: int, trials: int, z: float = _Z_95) -> Interval:
    """Wilson's score interval of a rate, 95 % unless another `z` is given.

    It holds also for few trials and for rates at 0 or 1, where the usual `rate ± z * error` has no width.
    Source: E. B. Wilson, Journal of the American Statistical Association 22 (1927), 209-212.

    Raises:
        ValueError: no trials, or hits outside 0 to trials.

    >>> [round(each, 3) for each in wilson_interval(0, 10)]
    [0.0, 0.278]
    >>> [round(each, 3) for each in wilson_interval(81, 263)]
    [0.255, 0.366]
    """
    if not 0 <= hits <= trials or trials == 0:
        raise ValueError(f"{hits} of {trials} is no rate: there must be trials, and hits between 0 and their number.")
    rate, spread = hits / trials, z * z / trials
    middle = (rate + spread / 2) / (1 + spread)
    half = z / (1 + spread) * sqrt(rate * (1 - rate) / trials + spread / (4 * trials))
    return Interval(max(0.0, middle - half), min(1.0, middle + half))
