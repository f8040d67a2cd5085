"""After a call: rules score what came back, 0 to 1, each with its reason; a scorecard puts them together.

Two things an average does not do here. It hides no failed rule: where one failed, the whole is worth no more than the
worst of the failed ones. And it makes nothing out of nothing: a tool without rules has no score.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

from toolkit.errors import ToolDefinitionError

Judge: TypeAlias = Callable[[Mapping[str, Any], Any], tuple[float, str]]
"""Gets the arguments and the value; returns points, 0 to 1, and the reason for them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One question about a result.

    Args:
        name: What it is about, such as `completeness`.
        judge: Gives points and a reason.
        weight: Its share in the average, above 0.
        floor: Fewer points than this fail, whatever the average says. None: the scorecard's threshold.
        fields: The fields of the value it reads, so that `check_fields` can tell when a tool never returns them.
        each: The list in the value whose elements have these fields; None: the value itself.

    Raises:
        ToolDefinitionError: a weight or a floor that cannot be meant.
    """

    name: str
    judge: Judge
    weight: float = 1.0
    floor: float | None = None
    fields: tuple[str, ...] = ()
    each: str | None = None

    def __post_init__(self) -> None:
        if not 0 < self.weight < math.inf:
            raise ToolDefinitionError(f"Rule {self.name!r}: weight is {self.weight}, but must be above 0 and finite.")
        if self.floor is not None and not 0 <= self.floor <= 1:
            raise ToolDefinitionError(f"Rule {self.name!r}: floor is {self.floor}, but must lie between 0 and 1.")


class Finding(NamedTuple):
    """What one rule found. `points` lie within 0..1."""

    rule: str
    points: float
    reason: str
    passed: bool

    def __str__(self) -> str:
        return f"{self.rule} {self.points:.2f}: {self.reason}"


class Score(NamedTuple):
    """What all rules of a tool found. `overall` lies within 0..1 and is below the threshold unless `passed`."""

    overall: float
    passed: bool
    findings: tuple[Finding, ...]

    @property
    def failed(self) -> tuple[Finding, ...]:
        return tuple(finding for finding in self.findings if not finding.passed)

    @property
    def reason(self) -> str:
        """The failed rules with their reasons; where none failed, all of them."""
        return "; ".join(map(str, self.failed or self.findings))


@dataclass(frozen=True, slots=True)
class Scorecard:
    """The rules of each tool, and the threshold from which a score is good enough.

    Pass it to `Gateway(scorer=...)`: called like that, it gives the overall score and the reason, or None for a tool
    without rules.

    >>> def short(arguments, value):
    ...     return 1.0 if len(value) < 10 else 0.2, f"{len(value)} characters"
    >>> scorecard = Scorecard({"echo": [Rule(name="length", judge=short)]}, threshold=0.6)
    >>> scorecard("echo", {}, "Hello, hello!")
    (0.2, 'length 0.20: 13 characters')
    >>> scorecard("another tool", {}, "Hello, hello!") is None
    True

    Raises:
        ToolDefinitionError: the threshold is no score, a floor lies above it, or two rules of a tool share a name.
    """

    rules: Mapping[str, Sequence[Rule]] = field(default_factory=dict)
    threshold: float = 0.6

    def __post_init__(self) -> None:
        if not 0 <= self.threshold <= 1:
            raise ToolDefinitionError(f"threshold is {self.threshold}, but must lie between 0 and 1.")
        for tool, rules in self.rules.items():
            names = [rule.name for rule in rules]
            for rule in rules:
                if names.count(rule.name) > 1:
                    raise ToolDefinitionError(f"Tool {tool!r} has two rules named {rule.name!r}. Rename one.")
                if rule.floor is not None and rule.floor > self.threshold:
                    raise ToolDefinitionError(
                        f"Tool {tool!r}, rule {rule.name!r}: its floor {rule.floor} lies above the threshold "
                        f"{self.threshold}, so a failed rule could pass. Raise the threshold."
                    )

    def __call__(self, tool: str, arguments: Mapping[str, Any], value: Any) -> tuple[float, str] | None:
        score = self.judge(tool, arguments, value)
        return None if score is None else (score.overall, score.reason)

    def judge(self, tool: str, arguments: Mapping[str, Any], value: Any) -> Score | None:
        """Ask every rule of the tool. A rule that crashes scores 0 and says so; the others count as they are."""
        rules = self.rules.get(tool)
        if not rules:
            return None
        findings = tuple(self._ask(rule, arguments, value) for rule in rules)
        weights = [rule.weight for rule in rules]
        mean = sum(w * finding.points for w, finding in zip(weights, findings, strict=True)) / sum(weights)
        overall = min([mean, *(finding.points for finding in findings if not finding.passed)])
        return Score(overall, overall >= self.threshold, findings)

    def _ask(self, rule: Rule, arguments: Mapping[str, Any], value: Any) -> Finding:
        try:
            points, reason = rule.judge(deepcopy(dict(arguments)), deepcopy(value))
            points = float(points)
        except (Exception, SystemExit) as error:  # noqa: BLE001 - a rule is the user's own code
            points, reason = 0.0, f"the rule crashed with {type(error).__name__}"
        if not math.isfinite(points):
            points, reason = 0.0, f"{reason} (the rule returned {points})"
        points = min(1.0, max(0.0, points))
        return Finding(rule.name, points, reason, points >= (self.threshold if rule.floor is None else rule.floor))
