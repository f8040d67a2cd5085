"""Judging an agent by the calls it made: extract them, check them, never read the final answer."""

from toolkit.trajectory.checks import Entity, Link, called_before, steps_in_order, value_from_result, values_agree
from toolkit.trajectory.extract import extract_calls
from toolkit.trajectory.policy import Check, Policy, evaluate
from toolkit.trajectory.records import Anomaly, Call, CheckResult, Outcome, Report, Trace, Verdict

__all__ = [
    "Anomaly",
    "Call",
    "Check",
    "CheckResult",
    "Entity",
    "Link",
    "Outcome",
    "Policy",
    "Report",
    "Trace",
    "Verdict",
    "called_before",
    "evaluate",
    "extract_calls",
    "steps_in_order",
    "value_from_result",
    "values_agree",
]
