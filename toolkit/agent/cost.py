"""What a run costs: tokens, which grow with the square of its turns, and errors, which add up over its steps."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

_CHARACTERS_PER_TOKEN = 4  # a rule of thumb, for servers that count nothing


class TurnCost(NamedTuple):
    """Tokens of one reply: `sent` to the model, `received` from it. Estimated unless the server `counted` them."""

    sent: int
    received: int
    counted: bool

    @property
    def total(self) -> int:
        return self.sent + self.received


def turn_costs(messages: Sequence[Mapping[str, Any]]) -> list[TurnCost]:
    """The tokens of each reply in a history, in order: the whole history before it is sent with every request.

    >>> history = [{"role": "user", "content": "x" * 30}, {"role": "assistant", "content": "y" * 10}]
    >>> turn_costs(history)
    [TurnCost(sent=16, received=12, counted=False)]
    """
    costs: list[TurnCost] = []
    before = 0
    for message in messages:
        tokens = -(-len(json.dumps(message, ensure_ascii=False, default=str)) // _CHARACTERS_PER_TOKEN)
        if message.get("role") == "assistant":
            costs.append(_counted(message.get("usage")) or TurnCost(before, tokens, counted=False))
        before += tokens
    return costs


def tokens_spent(messages: Sequence[Mapping[str, Any]]) -> int:
    """All tokens of a history's replies, sent and received."""
    return sum(cost.total for cost in turn_costs(messages))


def price(costs: Sequence[TurnCost], per_million_sent: float, per_million_received: float) -> float:
    """What these replies cost, in the currency of the two prices.

    >>> price([TurnCost(900_000, 100_000, True)], per_million_sent=1.0, per_million_received=4.0)
    1.3
    """
    sent, received = sum(cost.sent for cost in costs), sum(cost.received for cost in costs)
    return (sent * per_million_sent + received * per_million_received) / 1_000_000


def tokens_sent_over(turns: int, first: int, growth: int, kept_turns: int | None = None) -> int:
    """Tokens sent in a run whose first request has `first` tokens and whose history grows by `growth` a turn.

    It is `turns * first + growth * turns * (turns - 1) / 2`: twice the turns, four times the growth. Where only the
    last `kept_turns` are sent, it is a line.

    >>> tokens_sent_over(10, 1000, 200), tokens_sent_over(20, 1000, 200), tokens_sent_over(20, 1000, 200, kept_turns=4)
    (19000, 58000, 34000)
    """
    return sum(first + growth * min(turn, turn if kept_turns is None else kept_turns) for turn in range(turns))


def run_succeeds(step: float, steps: int) -> float:
    """The share of runs in which every step succeeds, where each does so with probability `step`, independently.

    >>> [round(run_succeeds(0.99, steps), 2) for steps in (1, 10, 50)]
    [0.99, 0.9, 0.61]
    """
    return float(step**steps)


def step_needed(run: float, steps: int) -> float:
    """How often each step has to succeed so that this share of runs does.

    >>> round(step_needed(0.95, 10), 4)
    0.9949
    """
    return float(run ** (1 / steps))


def steps_within(step: float, run: float) -> int:
    """How many steps a run may have so that still this share of runs succeeds.

    Raises:
        ValueError: a step that always or never succeeds has no such number.

    >>> steps_within(0.99, run=0.9)
    10
    """
    if not (0 < step < 1 and 0 < run < 1):
        raise ValueError(f"step {step} and run {run} must both lie between 0 and 1.")
    return math.floor(math.log(run) / math.log(step))


def _counted(usage: object) -> TurnCost | None:
    if not isinstance(usage, Mapping):
        return None
    sent, received, total = (usage.get(f"{name}_tokens") for name in ("prompt", "completion", "total"))
    if isinstance(sent, int) and isinstance(received, int):
        return TurnCost(sent, received, counted=True)
    return TurnCost(total, 0, counted=True) if isinstance(total, int) else None
