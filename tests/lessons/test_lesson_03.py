"""What lesson 03 builds is what the package holds: the notebook's own definitions, on the same cases."""

from __future__ import annotations

import asyncio
import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolkit import Gateway, Registry, tool
from toolkit.gateway import Backoff, MemoryStore
from toolkit.gateway.deadline import LimitPassed, Orphans, within
from toolkit.gateway.outcome import failure_of
from toolkit.gateway.retry import RetryBudget
from toolkit.lab.callers import leave_early
from toolkit.lab.virtual_time import VirtualTime
from toolkit.lessons.exercise_03_may_repeat import MAY_REPEAT, cases
from toolkit.lessons.exercise_03_waits import WAITS
from toolkit.records import CallPolicy, Tool
from tools.environment import ROOT
from tools.notebook_definitions import load_definitions

LESSON = load_definitions(ROOT / "notebooks" / "source" / "03_deadlines_retries_idempotency.py")


async def _quick():
    await asyncio.sleep(0.05)
    return "rain"


async def _slow():
    await asyncio.sleep(10)


async def _broken():
    raise LookupError("no such city")


async def _cancels_itself():
    raise asyncio.CancelledError


async def _stubborn():
    try:
        await asyncio.sleep(10)
    except asyncio.CancelledError:
        await asyncio.sleep(5)
    return "late"


@pytest.mark.row("F5", "F16")
@pytest.mark.parametrize("work", [_quick, _slow, _broken, _cancels_itself, _stubborn])
@pytest.mark.parametrize("caller_leaves", [False, True])
def test_within_is_the_packages(work, caller_leaves):
    """Same value or exception, at the same moment, with as many orphans, whether the caller stays or leaves."""

    def ended(limit):
        clock, orphans, seen = VirtualTime(), Orphans(), []

        async def caller():
            try:
                return await limit(0.1, work(), orphans)
            finally:
                seen.append((clock.now(), len(orphans)))

        outcome = clock.outcome(leave_early(caller(), after_s=0.02) if caller_leaves else caller())
        return type(outcome), str(outcome), seen

    assert ended(LESSON.within) == ended(within)


def test_within_leaves_a_stubborn_task_to_itself():
    """The comparison above would hold for two functions that both wait; this one does not."""
    clock = VirtualTime()
    assert isinstance(clock.outcome(LESSON.within(0.1, _stubborn(), Orphans())), LimitPassed)
    assert clock.now() == 0.1


@given(
    base_s=st.floats(0.01, 10),
    cap_s=st.floats(0.01, 60),
    attempt=st.integers(1, 20),
    seed=st.integers(0, 9),
    retry_after_s=st.none() | st.floats(0, 100),
)
def test_backoff_is_the_packages(base_s, cap_s, attempt, seed, retry_after_s):
    """The same waits from the same randomness."""
    ours = LESSON.Backoff(base_s, cap_s).wait_s(attempt, random.Random(seed), retry_after_s)
    assert ours == Backoff(base_s, cap_s).wait_s(attempt, random.Random(seed), retry_after_s)


@given(st.lists(st.booleans(), max_size=200))
def test_retry_budget_is_the_packages(steps):
    """The same retries are granted in any order of calls and retries."""
    ours, theirs = LESSON.RetryBudget(), RetryBudget()
    for earns in steps:
        if earns:
            ours.earn()
            theirs.earn()
        else:
            assert ours.spend() == theirs.spend()


ORDERS = {
    "again": [("k", 1, "stay"), ("k", 1, "stay")],
    "other arguments": [("k", 1, "stay"), ("k", 2, "stay")],
    "left early": [("k", 1, "leave"), ("k", 1, "stay")],
    "left early, other arguments": [("k", 1, "leave"), ("k", 2, "stay")],
    "two keys": [("k", 1, "stay"), ("l", 1, "stay")],
}


@pytest.mark.row("F23", "F24", "E6")
@pytest.mark.parametrize("orders", ORDERS.values(), ids=ORDERS)
def test_once_is_what_the_gateway_does(orders):
    """Run, replayed, refused as a conflict, or unknown; and the tool is reached as often."""
    assert _by_hand(orders) == _by_gateway(orders)


def _by_hand(orders):
    clock, store, reached = VirtualTime(), MemoryStore(), []

    async def work():
        reached.append(1)
        return await asyncio.sleep(1, "BK-0001")

    ended = []
    for key, arguments, manner in orders:
        call = LESSON.once(store, key, json.dumps(arguments), work)
        outcome = clock.outcome(leave_early(call) if manner == "leave" else call)
        names = {ValueError: "conflict", LookupError: "outcome_unknown", asyncio.CancelledError: "cancelled"}
        ended.append(names.get(type(outcome), outcome))
    return ended, len(reached)


def _by_gateway(orders):
    clock, registry, reached = VirtualTime(), Registry(), []

    @tool(registry, idempotency_key="key")
    async def order(key: str, arguments: int) -> str:
        """Order."""
        reached.append(1)
        return await asyncio.sleep(1, "BK-0001")

    gateway = Gateway(registry, clock=clock.now, log_sink=None)
    ended = []
    for key, arguments, manner in orders:
        call = gateway.call({"id": "c", "name": "order", "arguments": {"key": key, "arguments": arguments}})
        outcome = clock.outcome(leave_early(call) if manner == "leave" else call)
        cancelled = isinstance(outcome, asyncio.CancelledError)
        ended.append("cancelled" if cancelled else outcome.value or outcome.status.value)
    return ended, len(reached)


@pytest.mark.row("T7", "F8", "F25")
def test_the_exercise_repeats_what_the_gateway_repeats():
    """The rule of 03.may_repeat is the one the package follows for every exception of the exercise."""
    may_repeat = MAY_REPEAT.answer(MAY_REPEAT.solution)
    for error, idempotent, wanted, case in cases():
        policy = CallPolicy(idempotent=idempotent)
        failure = failure_of(error, Tool(name="t", description="d", parameters={}, func=print, policy=policy))
        assert (failure.repeatable and (idempotent or not failure.sent)) is wanted, case
        assert may_repeat(error, idempotent) is wanted, case


@given(st.integers(1, 8), st.floats(0.01, 5), st.floats(0.01, 20))
def test_the_exercises_waits_bound_the_packages(attempts, base_s, cap_s):
    """No wait of the package is longer than 03.waits says, and none is drawn after the last attempt."""
    waits = WAITS.answer(WAITS.solution)(attempts, base_s, cap_s)
    backoff, rng = Backoff(base_s, cap_s), random.Random(1)
    assert len(waits) == attempts - 1
    assert all(backoff.wait_s(number, rng) <= wait for number, wait in enumerate(waits, 1))
