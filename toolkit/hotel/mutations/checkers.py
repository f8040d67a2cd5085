"""Broken checks against everything whose verdict is known: which of them does no run notice?

    python -m toolkit.hotel.mutations.checkers

prints the figures and the survivors, as they stand in `data/mutations/README.md`; about a quarter of a minute.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from toolkit.hotel.controls import EXPECTED, LANGUAGES, load_control
from toolkit.hotel.mutations.bases import base_runs
from toolkit.hotel.mutations.operators import OPERATORS
from toolkit.hotel.policy import HOTEL_POLICY
from toolkit.trajectory import Call, Check, Policy, Trace, Verdict, extract_calls, value_from_result
from toolkit.trajectory.mutate import mutants
from toolkit.trajectory.mutate_checks import BrokenCheck, broken_checks, broken_policy
from toolkit.trajectory.policy import evaluate

BASKET_POLICY = Policy(
    "basket",
    (Check("found", value_from_result, tool="order", argument="items[*].id", sources={"search": "ids[*]"}),),
)
"""An order of many things: what the hotel's policy never asks, for a booking names one hotel."""


class Known(NamedTuple):
    """A run whose verdict is known: check to verdict; a check that is not named is not compared."""

    name: str
    policy: Policy
    trace: Trace
    verdicts: Mapping[str, Verdict]


def controls() -> list[Known]:
    """The controls in both languages, with the checks that fail."""
    checks = [check.name for check in HOTEL_POLICY.checks]
    return [
        Known(
            f"{name}.{language}",
            HOTEL_POLICY,
            extract_calls(load_control(name, language)),
            {check: Verdict.FAIL if check in expected.fails else Verdict.PASS for check in checks},
        )
        for name, expected in EXPECTED.items()
        for language in LANGUAGES
    ]


def baskets() -> list[Known]:
    """Orders of many things, of one, and of none."""
    search = Call("search", {}, result={"ids": ["a", "b"]})

    def known(name: str, verdict: Verdict, *orders: Sequence[str]) -> Known:
        calls = [search, *(Call("order", {"items": [{"id": id} for id in ids]}) for ids in orders)]
        return Known(f"basket, {name}", BASKET_POLICY, Trace.of(calls), {"found": verdict})

    return [
        known("all found", Verdict.PASS, "ab"),
        known("one not found", Verdict.FAIL, "ac"),
        known("empty", Verdict.NOT_APPLICABLE, ""),
        known("empty, then found", Verdict.PASS, "", "a"),
        known("found, then empty", Verdict.PASS, "b", ""),
    ]


def known_runs() -> list[Known]:
    """Controls and baskets first, then every mutant, shuffled so that most broken checks are noticed soon."""
    checks = [check.name for check in HOTEL_POLICY.checks]
    known = [
        Known(mutant.operator, HOTEL_POLICY, extract_calls(mutant.messages), {c: mutant.expected(c) for c in checks})
        for mutant in mutants(base_runs(), OPERATORS)
    ]
    random.Random(0).shuffle(known)
    return [*controls(), *baskets(), *known]


def noticed_by(broken: BrokenCheck, known: Iterable[Known]) -> str | None:
    """Name of the first run that gets another verdict than it must, or makes the check raise; None: no run does."""
    policies = {policy.name: broken_policy(policy, broken) for policy in (HOTEL_POLICY, BASKET_POLICY)}
    for run in known:
        try:
            results = evaluate(replace(run.trace, indexes={}), policies[run.policy.name]).results
        except Exception:  # noqa: BLE001 - a check that raises is noticed
            return run.name
        if any(result.verdict is not run.verdicts[result.name] for result in results):
            return run.name
    return None


def main() -> None:
    """Break every check in every way, and print who was noticed by what."""
    known = known_runs()
    first = {run.name for run in controls()}
    noticed = {broken: noticed_by(broken, known) for broken in broken_checks()}
    survivors = [broken for broken, name in noticed.items() if name is None]
    by_controls = sum(name in first for name in noticed.values())
    killed = len(noticed) - len(survivors)
    print(f"{len(noticed)} broken checks; the controls notice {by_controls}, all runs {killed}", end=" ")
    print(f"({killed / len(noticed):.1%}). By kind:")
    for kind, count in Counter(broken.kind for broken in noticed).items():
        print(f"- {kind}: {count - sum(broken.kind == kind for broken in survivors)} of {count}")
    print("\nSurvivors:")
    for broken in survivors:
        print(f"- {broken}")


if __name__ == "__main__":
    main()
