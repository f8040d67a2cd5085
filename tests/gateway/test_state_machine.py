"""Breaker, idempotency and pool, driven at random against small models of what they promise."""

from __future__ import annotations

import asyncio
import functools

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, initialize, invariant, precondition, rule

from toolkit import Gateway, Registry, Status, ToolError, tool
from toolkit.gateway import BreakerSettings, Settings
from toolkit.gateway.breaker import Breaker
from toolkit.gateway.workers import PoolBusy, Workers
from toolkit.lab.virtual_time import VirtualTime

RULES = BreakerSettings(rate=0.5, window=4, minimum=2, rest_s=10.0)


class BreakerMachine(RuleBasedStateMachine):
    """Attempts begin, end in any order, are cancelled, and time passes.

    The model is the definition: a list of what was reported since the last change, and who holds the one probe.
    """

    permits = Bundle("permits")

    @initialize()
    def begin(self):
        self.now = 0.0
        self.breaker = Breaker(RULES, lambda: self.now)
        self.reported, self.open_until, self.probe, self.changes = [], None, None, 0

    @rule(target=permits)
    def ask(self):
        permit = self.breaker.admit()
        if self.open_until is None:
            assert permit is not None
        elif self.now < self.open_until or self.probe is not None:
            assert permit is None
        else:
            assert permit is not None
            self.probe = permit
        return permit, self.changes

    @rule(held=consumes(permits), failed=st.sampled_from([True, True, False, None]))
    def report(self, held, failed):
        permit, since = held
        if permit is None:
            return
        self.breaker.report(permit, failed)
        if since != self.changes:
            return
        if permit is self.probe:
            self.probe = None
            if failed is not None:
                self._change(opened=failed)
        elif failed is not None:
            self.reported.append(failed)
            last = self.reported[-RULES.window :]
            if len(last) >= RULES.minimum and sum(last) >= RULES.rate * len(last):
                self._change(opened=True)

    @rule(seconds=st.sampled_from([0.5, 3.0, 10.0]))
    def wait(self, seconds):
        self.now += seconds

    def _change(self, opened):
        self.changes += 1
        self.reported, self.probe = [], None
        self.open_until = self.now + RULES.rest_s if opened else None

    @invariant()
    def state_is_what_the_model_says(self):
        resting = "open" if self.now < (self.open_until or 0.0) else "half_open"
        expected = "closed" if self.open_until is None else resting
        assert self.breaker.state == expected
        assert self.breaker.retry_after_s == max(0.0, (self.open_until or 0.0) - self.now)


class OrderMachine(RuleBasedStateMachine):
    """Orders are placed, cancelled and answered; the ledger is what the tool really did.

    Whatever happens: no order is in the ledger twice, a success is in it once, and a key that may be in it is not free.
    """

    calls = Bundle("calls")

    @initialize()
    def begin(self):
        self.clock, self.ledger, self.plans, self.answers = VirtualTime(), [], {}, []
        registry = Registry()

        @tool(registry, idempotency_key="order", timeout_s=5, attempts=2)
        async def book(order: str) -> str:
            """Book."""
            before, error, after = self.plans.get(order, (0, None, 0))
            await asyncio.sleep(before)
            if isinstance(error, ToolError | ConnectionRefusedError):
                raise error.with_traceback(None)
            self.ledger.append(order)
            await asyncio.sleep(after)
            if error is not None:
                raise error.with_traceback(None)
            return order

        self.gateway = Gateway(registry, Settings(breaker=None), clock=self.clock.now, log_sink=None)

    @rule(
        order=st.sampled_from("abc"),
        before=st.sampled_from([0, 2, 9]),
        after=st.sampled_from([0, 2, 9]),
        error=st.sampled_from(
            [None, None, ToolError("No."), ConnectionRefusedError(), ConnectionResetError(), KeyError()]
        ),
        callers=st.integers(1, 4),
        leave_after=st.sampled_from([None, 0, 1, 3]),
    )
    def place(self, order, before, after, error, callers, leave_after):
        self.plans[order] = (before, error, after)
        raw = {"id": "c", "function": {"name": "book", "arguments": {"order": order}}}

        async def turn():
            tasks = [asyncio.create_task(self.gateway.call(raw)) for _ in range(callers)]
            if leave_after is not None:
                await asyncio.sleep(leave_after)
                tasks[0].cancel()
            done = await asyncio.gather(*tasks, return_exceptions=True)
            await asyncio.sleep(20)  # what was given up goes on for a while
            return [each for each in done if not isinstance(each, asyncio.CancelledError)]

        self.answers += [(order, each) for each in self.clock.run(turn())]

    @invariant()
    def no_order_is_booked_twice(self):
        assert len(self.ledger) == len(set(self.ledger))

    @invariant()
    def a_success_is_booked_and_says_which(self):
        for order, answer in self.answers:
            if answer.status is Status.SUCCESS:
                assert answer.value == order
                assert order in self.ledger
            else:
                assert answer.status in (Status.OUTCOME_UNKNOWN, Status.EXECUTION_ERROR)

    @precondition(lambda self: self.ledger)
    @rule(data=st.data())
    def what_may_have_happened_is_never_run_again(self, data):
        order = data.draw(st.sampled_from(self.ledger))
        self.plans[order] = (0, None, 0)
        raw = {"id": "c", "function": {"name": "book", "arguments": {"order": order}}}
        answer = self.clock.run(self.gateway.call(raw))
        assert answer.status in (Status.SUCCESS, Status.OUTCOME_UNKNOWN)
        assert (answer.attempts, answer.replayed) == (0, answer.ok)


class PoolMachine(RuleBasedStateMachine):
    """Jobs of random length are begun, waited for and given up on a pool of three threads and one replacement.

    The model knows when each job ends. Never more threads than allowed, a refusal only where all are taken, and in
    the end nothing is counted as stuck.
    """

    SIZE, PER_TOOL, REPLACEMENTS = 3, 2, 1

    @initialize()
    def begin(self):
        self.clock = VirtualTime()
        self.workers = Workers(self.SIZE, self.PER_TOOL, self.REPLACEMENTS)
        self.clock.watch(self.workers)

    def teardown(self):
        if hasattr(self, "workers"):
            self.workers.close()

    @rule(
        jobs=st.lists(
            st.tuples(st.sampled_from("ab"), st.sampled_from([1, 3, 8]), st.sampled_from([None, 2])),
            min_size=1,
            max_size=7,
        )
    )
    def run_a_batch(self, jobs):
        ends, given_up = [], []

        async def one(name, seconds, limit):
            work = functools.partial(self.clock.block, seconds)
            started = self.clock.now()
            free = self._may_start(name, ends, given_up, started)
            try:
                ends.append((name, started + seconds))
                index = len(ends) - 1
                await asyncio.wait_for(self.workers.run(name, work), limit)
            except PoolBusy:
                ends[index] = (name, started)
                return "busy", free
            except TimeoutError:
                given_up.append(index)
                return "late", free
            return "done", free

        async def turn():
            outcomes = []
            for job in jobs:
                outcomes.append(asyncio.create_task(one(*job)))
                await asyncio.sleep(0.25)
            outcomes = await asyncio.gather(*outcomes)
            await asyncio.sleep(20)
            return outcomes

        for (_, seconds, limit), (outcome, free) in zip(jobs, self.clock.run(turn()), strict=True):
            assert (outcome != "busy") is free
            if outcome != "busy":
                assert outcome == ("late" if limit is not None and seconds > limit else "done")
        assert (self.workers.busy, self.workers.stuck) == (0, 0)

    def _may_start(self, name, ends, given_up, now):
        running = [index for index, (_, end) in enumerate(ends) if end > now]
        stuck = [index for index in running if index in given_up]
        same = [index for index in running if ends[index][0] == name]
        healthy = len(running) - min(len(stuck), self.REPLACEMENTS)
        return len(same) < self.PER_TOOL and healthy < self.SIZE


BreakerMachine.TestCase.settings = settings(max_examples=100, stateful_step_count=40, deadline=None)
OrderMachine.TestCase.settings = settings(max_examples=50, stateful_step_count=15, deadline=None)
PoolMachine.TestCase.settings = settings(max_examples=25, stateful_step_count=6, deadline=None)
TestBreaker = pytest.mark.row("F18", "F19")(BreakerMachine.TestCase)
TestOrders = pytest.mark.row("F22", "F24", "E6")(OrderMachine.TestCase)
TestPool = pytest.mark.row("F14", "F15")(PoolMachine.TestCase)
