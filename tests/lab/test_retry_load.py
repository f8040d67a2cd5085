"""The load that retries make: figures are tested on the data they draw."""

from __future__ import annotations

import random

import pytest

from toolkit import Gateway, Registry, TransientError, tool
from toolkit.gateway import Backoff, Settings
from toolkit.gateway.retry import RetryBudget
from toolkit.lab.retry_load import attempt_times, draw_attempts, draw_storm, fullest, storm
from toolkit.lab.virtual_time import VirtualTime


def test_without_jitter_all_callers_come_back_together():
    """Two hundred callers, three moments."""
    times = attempt_times(lambda attempt, rng: 2.0 ** (attempt - 1), callers=200, attempts=4)
    assert sorted(set(times)) == [0.0, 1.0, 3.0, 7.0]
    assert fullest(times) == 200


def test_jitter_spreads_the_same_number_of_attempts():
    """As many attempts, in a fifth of the crowd or less."""
    times = attempt_times(Backoff(base_s=1, cap_s=8).wait_s, callers=200, attempts=4)
    assert len(times) == 800
    assert fullest(times) <= 40


def test_a_storm_triples_the_load_and_a_budget_ends_it():
    """Down for 20 of 60 seconds at 10 calls a second: 200 calls of 600 fail, at three attempts each."""
    assert 600 + 2 * 200 - 5 <= len(storm(None)) <= 600 + 2 * 200
    assert len(storm(RetryBudget())) <= 600 + 10 + 0.09 * 600


@pytest.mark.row("T3")
def test_the_gateway_keeps_the_same_budget():
    """A dead tool called 1,000 times through the gateway is reached 1,100 times at most."""
    clock, registry, reached = VirtualTime(), Registry(), []

    @tool(registry, idempotent=True)
    async def search() -> str:
        """Search."""
        reached.append(1)
        raise TransientError("down")

    settings = Settings(breaker=None, attempts=3, deadline_s=None)
    gateway = Gateway(registry, settings, log_sink=None, clock=clock.now, rng=random.Random(1))

    async def all_calls():
        for number in range(1000):
            await gateway.call({"id": str(number), "name": "search", "arguments": "{}"})

    clock.run(all_calls())
    assert 1090 <= len(reached) <= 1100


def test_charts_say_in_words_what_they_show():
    """The words hold the figures a reader would take from the picture."""
    words = draw_attempts(no_jitter=[0.0, 1.0, 1.0, 2.0]).words
    assert words == "retries after a common failure. no jitter: at most 2 in a tenth of a second"
    words = draw_storm({"no budget": [1.2, 1.3, 2.0]}, down=(1, 2)).words
    assert words == "attempts a second at a tool that is down from 1 to 2 s. no budget: at most 2 a second"
