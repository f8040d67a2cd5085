"""Broken checks: the runs whose verdicts are known notice nearly all of them."""

from __future__ import annotations

from collections import Counter

import pytest

from toolkit.hotel import HOTEL_POLICY
from toolkit.hotel.mutations.checkers import baskets, controls, known_runs, noticed_by
from toolkit.resources import data_path
from toolkit.trajectory import checks
from toolkit.trajectory.mutate_checks import BrokenCheck, broken_checks, broken_policy
from toolkit.trajectory.policy import evaluate

BROKEN = broken_checks()
README = data_path("mutations", "README.md").read_text("utf-8")


@pytest.fixture(scope="module")
def known():
    return known_runs()


def documented(broken: BrokenCheck) -> bool:
    """True where the README explains why nothing can notice it; by its function."""
    return f"\n| `{broken.module}.{broken.function}` |" in README


def test_there_are_broken_checks_of_every_kind():
    """Conditions dropped, comparisons inverted, visibility ignored, in every module of the four checks."""
    kinds = Counter(broken.kind for broken in BROKEN)
    assert set(kinds) == {
        "drop a condition",
        "skip a branch",
        "invert a comparison",
        "move a bound",
        "ignore visibility",
    }
    assert len(BROKEN) >= 150


@pytest.mark.row("X3")
@pytest.mark.parametrize("part", range(8))
def test_broken_checks_are_noticed(known, part):
    """One in three of them (the command tries all); who is not noticed is explained in the README."""
    for broken in BROKEN[part * 3 :: 24]:
        if noticed_by(broken, known) is None:
            assert documented(broken), str(broken)


@pytest.mark.row("X3")
def test_whatever_ignores_visibility_is_noticed(known):
    """That a result has to be seen before it is used is what other evaluators do not ask."""
    blind = [broken for broken in BROKEN if broken.kind == "ignore visibility"]
    assert len(blind) >= 5
    assert [str(broken) for broken in blind if noticed_by(broken, known) is None] == []


def test_controls_alone_do_not_do():
    """A check that ignores whether the search was seen gives every control its right verdict, and a mutant notices."""
    (blind,) = (
        broken
        for broken in BROKEN
        if (broken.function, broken.kind) == ("judge", "ignore visibility") and "self.done.turn" in broken.before
    )
    assert noticed_by(blind, controls()) is None


def test_unbroken_checks_give_every_known_verdict(known):
    """Else a broken one would be noticed for nothing."""
    for run in known[:200]:
        results = evaluate(run.trace, run.policy).results
        assert {result.name: result.verdict for result in results} == dict(run.verdicts), run.name
    assert {run.name for run in baskets()} <= {run.name for run in known}


def test_breaking_a_check_leaves_the_real_one_alone():
    """The broken policy is another one; the package's own functions are untouched."""
    before = [check.function for check in HOTEL_POLICY.checks]
    broken = broken_policy(HOTEL_POLICY, BROKEN[-1])
    assert [check.function for check in HOTEL_POLICY.checks] == before
    assert before[0] is checks.called_before
    assert broken.checks[0].function is not before[0]


def test_the_readme_has_the_figures_of_the_command():
    """How many were broken stands there; a change of the checks asks for a new run of the command."""
    assert f"{len(BROKEN)} broken checks;" in README
    for kind, count in Counter(broken.kind for broken in BROKEN).items():
        assert f"- {kind}: " in README
        assert f" of {count}\n" in README
