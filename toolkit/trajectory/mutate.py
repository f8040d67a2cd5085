"""Mutation of recorded runs: change one thing in a run that passes, and the verdicts must turn as declared.

A check that no change can turn checks nothing. An operator says what is changed and which verdicts that must give;
`mutants` applies operators to runs; `differing` compares what a policy says with what was declared.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from toolkit.trajectory.draft import Draft, Message
from toolkit.trajectory.policy import Policy, evaluate
from toolkit.trajectory.records import Verdict

Edit: TypeAlias = Callable[[Draft], None]


@dataclass(frozen=True, slots=True)
class Operator:
    """A change, made at one or more places, and the verdicts that turn; every other check still passes.

    >>> drop = Operator("drop the plan", {"plan_first": Verdict.FAIL}, [lambda run: run.remove(*run.calls("set_plan"))])
    >>> sorted(drop.failing)
    ['plan_first']
    """

    name: str
    turned: Mapping[str, Verdict]
    edits: Sequence[Edit]

    @property
    def failing(self) -> frozenset[str]:
        """The checks that must fail."""
        return frozenset(check for check, verdict in self.turned.items() if verdict is Verdict.FAIL)


class Mutant(NamedTuple):
    """A changed run, where it came from, and the verdicts declared for it."""

    operator: str
    run: str
    turned: Mapping[str, Verdict]
    messages: list[Message]

    def expected(self, check: str) -> Verdict:
        """What a check must say."""
        return self.turned.get(check, Verdict.PASS)


def mutants(runs: Mapping[str, Sequence[Message]], operators: Iterable[Operator]) -> Iterator[Mutant]:
    """Apply every operator to every run, at each of its places. No two mutants have the same messages.

    Args:
        runs: Messages by the name of the run; all must pass.
    """
    made: set[str] = set()
    for name, messages in runs.items():
        for operator in operators:
            for edit in operator.edits:
                draft = Draft(messages)
                edit(draft)
                changed = draft.messages()
                key = json.dumps(changed)
                if key not in made:
                    made.add(key)
                    yield Mutant(operator.name, name, operator.turned, changed)


def differing(mutant: Mutant, policy: Policy) -> dict[str, tuple[Verdict, Verdict]]:
    """The checks that do not say what was declared, each with both verdicts: the declared and the given."""
    results = evaluate(mutant.messages, policy).results
    pairs = {result.name: (mutant.expected(result.name), result.verdict) for result in results}
    return {check: pair for check, pair in pairs.items() if pair[0] is not pair[1]}


@dataclass(frozen=True, slots=True)
class KillMatrix:
    """What each check said of the mutants of each operator, counted.

    Args:
        made: Mutants by operator.
        said: How many of them got a verdict, by (operator, check).
    """

    checks: tuple[str, ...]
    made: Mapping[str, int]
    said: Mapping[tuple[str, str], Counter[Verdict]]

    def verdict(self, operator: str, check: str) -> Verdict | None:
        """The one verdict that all mutants of the operator got; None where they differ."""
        counted = self.said[operator, check]
        return next(iter(counted)) if len(counted) == 1 else None

    def killed_by(self, operator: str) -> list[str]:
        """The checks that noticed: at least one mutant does not pass."""
        return [check for check in self.checks if set(self.said[operator, check]) != {Verdict.PASS}]


def kill_matrix(made: Iterable[Mutant], policy: Policy) -> KillMatrix:
    """Judge all mutants and count the verdicts, operator by check."""
    counts: Counter[str] = Counter()
    said: dict[tuple[str, str], Counter[Verdict]] = {}
    for mutant in made:
        counts[mutant.operator] += 1
        for result in evaluate(mutant.messages, policy).results:
            said.setdefault((mutant.operator, result.name), Counter())[result.verdict] += 1
    return KillMatrix(tuple(check.name for check in policy.checks), counts, said)
