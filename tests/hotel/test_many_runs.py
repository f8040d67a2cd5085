"""Many runs of the simulated agent: the same runs every time, worse the hotter, and nothing lost in the count."""

from __future__ import annotations

import asyncio

import pytest

from toolkit.hotel import HOTEL_POLICY
from toolkit.hotel.many_runs import FAULT_PROBABILITY, judge_many
from toolkit.hotel.run import run_simulated
from toolkit.hotel.simulated import FAULTS
from toolkit.trajectory import evaluate
from toolkit.trajectory.statistics import tally_checks


@pytest.mark.row("J6")
def test_a_hotter_agent_passes_less_often():
    """Without faults all pass; the faults of a cooler agent are among those of the hotter one."""
    passed = [tally_checks(judge_many(heat, range(40)))["overall"].passed for heat in (0, 0.5, 2, 5)]
    assert passed[0] == 40
    assert passed == sorted(passed, reverse=True)
    assert len(set(passed)) == 4


def test_a_run_is_judged_as_if_it_had_been_made_alone():
    """Made once for each set of faults; the verdicts are those of the agent of that seed."""
    faults = dict.fromkeys(FAULTS, 2 * FAULT_PROBABILITY)
    for seed, report in enumerate(judge_many(2, range(6))):
        alone = evaluate(asyncio.run(run_simulated(seed, faults))["messages"], HOTEL_POLICY)
        assert [(r.name, r.verdict, r.code) for r in report.results] == [
            (r.name, r.verdict, r.code) for r in alone.results
        ]


@pytest.mark.row("J6")
def test_what_the_harness_lost_is_counted_apart():
    """A lost result makes a run not judgeable at worst, a lost run is an error; neither is a fail of the agent."""
    whole = tally_checks(judge_many(0, range(60)))["overall"]
    torn = tally_checks(judge_many(0, range(60), lost_results=0.5, lost_runs=0.2))["overall"]
    assert (whole.passed, whole.failed) == (60, 0)
    assert torn.attempted == 60
    assert torn.failed == 0
    assert torn.not_judgeable > 0
    assert torn.errors > 0


def test_a_negative_temperature_is_refused():
    """There is no such probability."""
    with pytest.raises(ValueError, match="The temperature is -1; it cannot be negative"):
        judge_many(-1, range(1))
