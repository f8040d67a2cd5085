"""Time that jumps: the same result on every run, whatever the machine does."""

from __future__ import annotations

import asyncio
import functools
import itertools

import pytest

from toolkit.gateway.workers import Workers
from toolkit.lab.virtual_time import Hang, VirtualTime


def test_waits_cost_nothing_and_last_exactly():
    """Two waits at once take as long as the longer one."""
    clock = VirtualTime()

    async def main():
        await asyncio.gather(asyncio.sleep(60), asyncio.sleep(3600))
        return clock.now()

    assert clock.run(main()) == 3600.0


def test_busy_waiting_is_noticed():
    """What asks again and again lets no timer come due; it ends in a `Hang` instead of a notebook that stands still."""

    async def main():
        answer = asyncio.ensure_future(asyncio.sleep(1))
        while not answer.done():  # noqa: ASYNC110 - the mistake that is to be noticed
            await asyncio.sleep(0)

    with pytest.raises(Hang, match="at 0 s something runs again and again and never waits, so no time passes"):
        VirtualTime().run(main())


def test_time_goes_on_from_run_to_run():
    """A clock is one time line, so that a breaker opened in one cell is still open in the next."""
    clock = VirtualTime()
    clock.run(asyncio.sleep(2))
    clock.run(asyncio.sleep(0.5))
    assert clock.now() == 2.5


def test_asyncio_timeouts_fire_at_their_limit():
    """The loop's own timers run on the virtual clock."""
    clock = VirtualTime()
    with pytest.raises(TimeoutError):
        clock.run(asyncio.wait_for(asyncio.sleep(10), 0.1))
    assert clock.now() == 0.1


def test_waiting_for_what_never_comes_is_a_hang():
    """No timer is due and nothing runs: the simulation says so instead of waiting."""
    clock = VirtualTime()
    with pytest.raises(Hang, match="at 5 s nothing can run and nothing is due: this waits for ever"):
        clock.run(_wait_then_hang())


async def _wait_then_hang():
    await asyncio.sleep(5)
    await asyncio.Event().wait()


def test_what_never_ends_is_ended():
    """A loop that waits again and again is stopped at `end_s`."""

    async def for_ever():
        for _ in itertools.count():
            await asyncio.sleep(1)

    with pytest.raises(Hang, match="not done after 100 s"):
        VirtualTime(end_s=100).run(for_ever())


def test_blocking_the_loop_stops_everything():
    """A sync sleep on the loop delays a timer that was due earlier."""
    clock = VirtualTime()
    woke = []

    async def quick():
        await asyncio.sleep(0.1)
        woke.append(clock.now())

    async def slow():
        clock.block(5)

    async def main():
        await asyncio.gather(quick(), slow())

    clock.run(main())
    assert woke == [5.0]


def test_a_thread_sleeps_beside_the_loop():
    """A sync sleep in a thread delays only that thread."""
    clock = VirtualTime()
    seen = []

    def slow():
        clock.block(5)
        seen.append(("thread", clock.now()))

    async def main():
        work = asyncio.create_task(asyncio.to_thread(slow))
        await asyncio.sleep(0.1)
        seen.append(("loop", clock.now()))
        await work

    clock.run(main())
    assert seen == [("loop", 0.1), ("thread", 5.0)]


@pytest.mark.parametrize("round_", range(20))
def test_the_default_pool_queues(round_):
    """A hundred sleeps of 0.1 s through six threads take seventeen rounds, each time."""
    clock = VirtualTime(threads=6)

    async def main():
        await asyncio.gather(*(asyncio.to_thread(clock.block, 0.1) for _ in range(100)))

    clock.run(main())
    assert clock.now() == 1.7


@pytest.mark.parametrize("round_", range(20))
def test_a_watched_pool_and_a_limit_at_the_same_moment(round_):
    """An answer due at the moment of the limit comes before it."""
    clock = VirtualTime()
    workers = Workers(4, 4, 0)
    clock.watch(workers)

    async def main():
        return await asyncio.wait_for(workers.run("slow", functools.partial(_answer, clock, 1.0)), 1.0)

    assert clock.run(main()) == "answer"
    assert clock.now() == 1.0
    workers.close()


def _answer(clock, seconds):
    clock.block(seconds)
    return "answer"


def test_threads_that_sleep_for_ever_end_with_the_simulation():
    """A stuck thread is seen as a hang, and no thread is left behind."""
    clock = VirtualTime()
    workers = Workers(4, 4, 0)
    clock.watch(workers)
    with pytest.raises(Hang):
        clock.run(workers.run("stuck", clock.block))
    assert workers.busy == 0
    workers.close()


def test_what_is_left_behind_is_cancelled_and_takes_no_time():
    """A task that outlives the main one ends with the run, even one that swallows its cancellation."""
    clock = VirtualTime()
    log = []

    async def stubborn():
        while True:
            try:
                await asyncio.sleep(1)
            except asyncio.CancelledError:
                log.append("cancelled")

    async def main():
        asyncio.get_running_loop().create_task(stubborn())
        await asyncio.sleep(0.5)

    clock.run(main())
    assert (clock.now(), log) == (0.5, ["cancelled"])


def test_an_exception_reaches_the_caller():
    """What the coroutine raises, `run` raises."""

    async def broken():
        raise LookupError("no hotel")

    with pytest.raises(LookupError, match="no hotel"):
        VirtualTime().run(broken())


def test_what_belongs_to_another_loop_is_refused():
    """A `gather` made outside of a coroutine would run nowhere; the refusal says what is wanted."""
    made = asyncio.new_event_loop()
    future = made.create_future()
    with pytest.raises(TypeError, match="run takes a coroutine, made by calling an async function, not a"):
        VirtualTime().run(future)
    made.close()


def test_an_outcome_is_a_value_or_an_exception():
    """A lesson that shows how something fails needs no try."""
    assert VirtualTime().outcome(asyncio.sleep(1, "rain")) == "rain"
    assert isinstance(VirtualTime().outcome(_wait_then_hang()), Hang)
