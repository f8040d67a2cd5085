"""What a run costs, in figures that can be worked out by hand."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolkit.agent.cost import (
    TurnCost,
    price,
    run_succeeds,
    step_needed,
    steps_within,
    tokens_sent_over,
    tokens_spent,
    turn_costs,
)

SAID = {"role": "assistant", "content": "Looking."}


def counted(sent, received):
    return {**SAID, "usage": {"prompt_tokens": sent, "completion_tokens": received, "total_tokens": sent + received}}


@pytest.mark.row("J10")
def test_the_servers_count_is_taken_where_there_is_one():
    """One cost per reply; a count that is only a total is taken as sent."""
    history = [
        {"role": "user", "content": "Hi"},
        counted(100, 20),
        counted(150, 30),
        {**SAID, "usage": {"total_tokens": 7}},
    ]
    assert turn_costs(history) == [TurnCost(100, 20, True), TurnCost(150, 30, True), TurnCost(7, 0, True)]
    assert tokens_spent(history) == 307


@pytest.mark.row("J10")
def test_without_a_count_the_characters_are_counted():
    """Everything before a reply was sent with it, so the same words are paid for again with every turn."""
    costs = turn_costs([{"role": "user", "content": "x" * 400}, SAID, {"role": "tool", "content": "y" * 400}, SAID])
    first, second = costs
    assert (first.counted, second.counted) == (False, False)
    assert first.sent == pytest.approx(400 / 4, abs=15)
    assert second.sent == pytest.approx(800 / 4 + first.received, abs=25)


@pytest.mark.row("J10")
@given(st.integers(1, 60), st.integers(0, 5000), st.integers(0, 500))
def test_tokens_sent_grow_with_the_square_of_the_turns(turns, first, growth):
    """The sum is the formula of the docstring, and a run that keeps all its turns is no shorter."""
    assert tokens_sent_over(turns, first, growth) == turns * first + growth * turns * (turns - 1) // 2
    assert tokens_sent_over(turns, first, growth, kept_turns=turns) == tokens_sent_over(turns, first, growth)


@pytest.mark.row("J10")
def test_with_a_few_turns_kept_they_grow_in_a_line():
    """Each further turn costs the same."""
    sent = [tokens_sent_over(turns, 1000, 200, kept_turns=4) for turns in range(5, 30)]
    assert {later - earlier for earlier, later in itertools.pairwise(sent)} == {1800}


@pytest.mark.row("J10")
def test_the_growth_of_a_real_loop_is_the_formulas():
    """A run of the loop whose every turn adds the same: the server counts what the formula says."""
    import asyncio

    from toolkit import Gateway, Registry, tool
    from toolkit.agent import asks_for, client_answering, run_agent

    registry, words = Registry(), iter("abcdefghij")

    @tool(registry, idempotent=True)
    async def look_up(word: str) -> str:
        """Look a word up."""
        return word * 100

    async def main():
        async with Gateway(registry, log_sink=None) as gateway:
            client = client_answering(lambda request: asks_for(("look_up", {"word": next(words)})))
            messages = [{"role": "user", "content": "All words."}]
            return await run_agent(client, gateway, messages, model="any", max_turns=10)

    sent = [cost.sent for cost in turn_costs(asyncio.run(main()).messages)]
    growth = sent[-1] - sent[-2]
    assert sum(sent) == pytest.approx(tokens_sent_over(10, sent[0], growth), rel=0.01)


@pytest.mark.row("J10")
def test_errors_accumulate_over_steps():
    """99 % a step is 90 % of the runs after ten steps and 61 % after fifty."""
    assert [round(run_succeeds(0.99, steps), 3) for steps in (1, 10, 50)] == [0.99, 0.904, 0.605]
    assert steps_within(0.99, run=0.9) == 10
    assert run_succeeds(step_needed(0.95, 20), 20) == pytest.approx(0.95)


@given(st.floats(0.5, 0.9999), st.floats(0.5, 0.9999))
def test_steps_within_is_the_largest_number(step, run):
    """So many steps keep the promise, one more breaks it."""
    steps = steps_within(step, run)
    assert run_succeeds(step, steps) >= run - 1e-9
    assert run_succeeds(step, steps + 1) < run + 1e-9


def test_a_step_that_always_succeeds_has_no_limit():
    """It is told, not returned as infinity."""
    with pytest.raises(ValueError, match=r"step 1\.0 and run 0\.9 must both lie between 0 and 1\."):
        steps_within(1.0, 0.9)


def test_a_price_is_per_million():
    """Sent and received have prices of their own."""
    assert price([TurnCost(2000, 500, True)] * 2, per_million_sent=1.0, per_million_received=4.0) == pytest.approx(
        0.008
    )
