"""Mutated runs: each operator turns exactly the verdicts it declares, on every run that passes."""

from __future__ import annotations

from collections import Counter

import pytest

from toolkit.hotel import HOTEL_POLICY
from toolkit.hotel.mutations import OPERATORS, base_runs, hotel_mutants
from toolkit.hotel.mutations.recording import RECORDING_OPERATORS
from toolkit.trajectory import Verdict, evaluate
from toolkit.trajectory.mutate import Operator, differing, kill_matrix, mutants

MUTANTS = hotel_mutants()
CHECKS = [check.name for check in HOTEL_POLICY.checks]


def test_every_run_that_is_mutated_passes():
    """A mutant of a run that fails already would show nothing."""
    assert {name: evaluate(run, HOTEL_POLICY).verdict for name, run in base_runs().items()} == dict.fromkeys(
        base_runs(), Verdict.PASS
    )


@pytest.mark.row("X3")
def test_there_are_enough_operators_and_mutants():
    """At least 15 operators and 1,000 mutants, no two of them alike, in both languages."""
    assert len(OPERATORS) >= 15
    assert len(MUTANTS) >= 1_000
    assert len({repr(mutant.messages) for mutant in MUTANTS}) == len(MUTANTS)
    assert {mutant.run.split(",")[0] for mutant in MUTANTS} >= {"ok.en", "ok.zh", "simulated-en-2", "simulated-zh-31"}


@pytest.mark.row("X3")
@pytest.mark.parametrize("operator", OPERATORS, ids=lambda operator: operator.name)
def test_every_mutant_gets_the_verdicts_declared_for_it(operator):
    """The four checks say exactly what the operator declares, on every mutant of it."""
    mine = [mutant for mutant in MUTANTS if mutant.operator == operator.name]
    assert len(mine) >= len(base_runs()) // 3
    assert {mutant.run: differing(mutant, HOTEL_POLICY) for mutant in mine if differing(mutant, HOTEL_POLICY)} == {}


def test_operators_have_names_of_their_own():
    """The matrix has a row for each."""
    assert max(Counter(operator.name for operator in OPERATORS).values()) == 1


@pytest.mark.row("X3", "J8")
def test_a_change_of_the_recording_alone_makes_nothing_fail_but_an_early_end():
    """What was lost was lost by the recorder: the agent is not to blame for it."""
    failing = {operator.name: set(operator.failing) for operator in RECORDING_OPERATORS if operator.failing}
    assert failing == {"cut the tail before the booking": {"no_skipped_step"}}


@pytest.mark.parametrize("check", CHECKS)
def test_every_check_fails_and_is_in_doubt_for_some_operator(check):
    """No check is left out, and none answers with one word only."""
    declared = {operator.turned.get(check, Verdict.PASS) for operator in OPERATORS}
    assert {Verdict.PASS, Verdict.FAIL, Verdict.NOT_JUDGEABLE} <= declared


def test_the_kill_matrix_counts_every_mutant_once_for_each_check():
    """A row for each operator, its verdicts as declared."""
    matrix = kill_matrix(MUTANTS, HOTEL_POLICY)
    assert sum(matrix.made.values()) == len(MUTANTS)
    for operator in OPERATORS:
        for check in CHECKS:
            assert matrix.said[operator.name, check].total() == matrix.made[operator.name]
            assert matrix.verdict(operator.name, check) is operator.turned.get(check, Verdict.PASS)
        assert matrix.killed_by(operator.name) == [check for check in CHECKS if check in operator.turned]


def test_a_wrong_declaration_is_told():
    """Declared to fail, and it passes: both verdicts are named."""
    wrong = Operator("do nothing", {"plan_first": Verdict.FAIL}, [lambda run: None])
    (mutant,) = mutants({"ok": base_runs()["ok.en, as recorded"]}, [wrong])
    assert differing(mutant, HOTEL_POLICY) == {"plan_first": (Verdict.FAIL, Verdict.PASS)}
