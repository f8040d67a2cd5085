"""Many runs of the simulated agent on one goal. They are simulated, and so is their temperature.

A model's temperature makes it wander. The simulated agent does not wander: each of its faults has a probability,
and `temperature` scales that probability. Two runs that drew the same faults are the same run, so it is made once.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache

from toolkit.hotel.catalogue import Language
from toolkit.hotel.policy import HOTEL_POLICY
from toolkit.hotel.run import run_simulated
from toolkit.hotel.simulated import FAULTS, Fault, draw_faults
from toolkit.trajectory import Report, evaluate
from toolkit.trajectory.draft import Draft, Message

FAULT_PROBABILITY = 0.1  # of each fault, at temperature 1


def judge_many(
    temperature: float,
    seeds: Iterable[int],
    *,
    language: Language = "en",
    lost_results: float = 0.0,
    lost_runs: float = 0.0,
) -> list[Report | None]:
    """Run the simulated agent once for each seed and judge what was recorded; None: nothing was.

    Args:
        temperature: Each fault has the probability 0.1 times this, at most 1.
        lost_results: Probability that the recorder lost one result of a run.
        lost_runs: Probability that the harness broke off and left no recording.

    Raises:
        ValueError: a negative temperature.
    """
    if temperature < 0:
        raise ValueError(f"The temperature is {temperature}; it cannot be negative.")
    faults: dict[Fault, float] = dict.fromkeys(FAULTS, min(1.0, temperature * FAULT_PROBABILITY))
    reports: list[Report | None] = []
    for seed in seeds:
        chance = random.Random(f"{seed}/recording")
        is_gone, is_damaged = chance.random() < lost_runs, chance.random() < lost_results
        messages = _run(draw_faults(seed, faults), language)
        if is_damaged:
            draft = Draft(messages)
            chance.choice(draft.calls()).answer()
            messages = draft.messages()
        reports.append(None if is_gone else evaluate(messages, HOTEL_POLICY))
    return reports


@lru_cache(maxsize=128)
def _run(faults: frozenset[Fault], language: Language) -> list[Message]:
    """The messages of the agent that has exactly these faults."""
    simulation = run_simulated(0, dict.fromkeys(faults, 1.0), language)
    with ThreadPoolExecutor(1) as thread:  # a notebook has a running loop of its own, in its own thread
        messages: list[Message] = thread.submit(asyncio.run, simulation).result()["messages"]
    return messages
