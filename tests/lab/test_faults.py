"""F30: faults put in on purpose can be replayed, counted, seen in the log, and cleared at once."""

from __future__ import annotations

import json
import random

import pytest

from toolkit import Gateway, Registry, Status, tool
from toolkit.gateway import Settings
from toolkit.lab.faults import FAULTS, Faults
from toolkit.lab.virtual_time import VirtualTime

CALL = {"id": "c", "function": {"name": "book_room", "arguments": '{"hotel_id": "HT-001", "nights": 2}'}}


class Lab:
    """A gateway with faults on virtual time; `booked` is what was done, `records` what was logged."""

    def __init__(self, seed=0, **policy):
        self.clock, self.faults, self.records, self.booked = VirtualTime(), Faults(seed), [], []
        registry = Registry()
        booked = self.booked

        @tool(registry, timeout_s=5, **policy)
        async def book_room(hotel_id: str, nights: int) -> str:
            """Book a room."""
            booked.append(hotel_id)
            return "booked"

        self.gateway = Gateway(
            registry,
            Settings(deadline_s=20),
            injector=self.faults,
            log_sink=self.records.append,
            clock=self.clock.now,
            rng=random.Random(7),
        )

    def call(self, raw=CALL):
        return self.clock.run(self.gateway.call_all(self.faults.deliver(raw)))


EXPECTED = {
    "wrong_type": ("validation_error", 0),
    "missing_field": ("validation_error", 0),
    "extra_field": ("validation_error", 0),
    "malformed_json": ("validation_error", 0),
    "unknown_tool": ("unknown_tool", 0),
    "duplicate_delivery": ("success", 2),
    "latency": ("success", 1),
    "hang": ("outcome_unknown", 0),
    "exception": ("execution_error", 0),
    "flaky": ("execution_error", 0),
    "result_lost": ("execution_error", 1),
    "rate_limit": ("success", 1),
    "pool_exhausted": ("busy", 0),
    "cancellation": ("execution_error", 0),
    "secret_in_error": ("execution_error", 0),
    "runs_twice": ("success", 2),
    "malformed_result": ("execution_error", 1),
}


@pytest.mark.row("F30", "X8")
@pytest.mark.parametrize("name", FAULTS)
def test_each_fault_does_what_it_says(name):
    """Status and side effects of a booking that is not idempotent, one fault once; the log line is marked."""
    lab = Lab()
    lab.faults.switch_on(name, count=1)
    results = lab.call()
    assert (results[0].status.value, len(lab.booked)) == EXPECTED[name]
    assert [record["injected"] for record in lab.records] == [name] * len(results)
    assert lab.faults.injected == {name: 1}
    assert "sk-not-a-real-key" not in f"{results} {lab.records}"


def test_every_fault_has_an_expectation():
    """A fault added to the list is tried here as well."""
    assert set(EXPECTED) == set(FAULTS)


@pytest.mark.row("F30")
def test_one_reset_clears_all():
    """Everything on, one reset: the next call succeeds, unmarked, and the counts are gone."""
    lab = Lab()
    for name in FAULTS:
        lab.faults.switch_on(name)
    lab.call()
    assert lab.records[-1]["injected"]
    lab.faults.reset()
    (result,) = lab.call()
    assert (result.status, lab.faults.injected) == (Status.SUCCESS, {})
    assert "injected" not in lab.records[-1]


@pytest.mark.row("F30", "X8")
def test_a_seed_replays_exactly():
    """The same seed strikes the same calls, before and after a reset; another seed strikes others."""

    def run(lab):
        lab.faults.switch_on("exception", probability=0.3)
        return [lab.call()[0].status for _ in range(40)]

    first, same, other = Lab(seed=1), Lab(seed=1), Lab(seed=2)
    struck = run(first)
    assert struck == run(same) != run(other)
    assert 5 <= struck.count(Status.EXECUTION_ERROR) <= 20
    first.faults.reset()
    assert run(first) == struck


def test_a_count_runs_out():
    """Two failures, then success: what a retry is for."""
    lab = Lab(idempotent=True)
    lab.faults.switch_on("flaky", count=2)
    (result,) = lab.call()
    assert (result.status, result.attempts, lab.faults.injected["flaky"]) == (Status.SUCCESS, 3, 2)
    assert lab.records[0]["injected"] == "flaky"


def test_a_fault_for_one_tool_leaves_the_others_alone():
    """Only calls of the named tool are struck."""
    lab = Lab()
    lab.faults.switch_on("exception", tool="get_weather")
    lab.faults.switch_on("unknown_tool", tool="get_weather")
    assert lab.call()[0].ok


def test_a_duplicate_of_one_order_is_one_booking():
    """The same call twice under an idempotency key: one effect, the second answer a replay."""
    lab = Lab(idempotency_key=True)
    lab.faults.switch_on("duplicate_delivery", count=1)
    results = lab.call()
    assert ([result.replayed for result in results], len(lab.booked)) == ([False, True], 1)


def test_a_spoiled_call_keeps_the_rest_of_its_arguments():
    """Only the named field is changed."""
    faults = Faults()
    faults.switch_on("wrong_type", field="nights")
    (call,) = faults.deliver(CALL)
    assert json.loads(call.arguments) == {"hotel_id": "HT-001", "nights": {"unexpected": 2}}


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("earthquake", {}, f"There is no fault 'earthquake'. Faults: {', '.join(FAULTS)}."),
        ("hang", {"probability": 2}, "probability is 2, but must be between 0 and 1."),
    ],
)
def test_what_cannot_be_switched_on_is_refused(name, options, message):
    """With the names there are, or the rule that was broken."""
    with pytest.raises(ValueError) as raised:
        Faults().switch_on(name, **options)
    assert str(raised.value) == message
