"""The checks: four small general ones, and six more of the same form. Each reads a trace and nothing else."""

from toolkit.trajectory.checks.agreement import Link, values_agree
from toolkit.trajectory.checks.conduct import (
    booked_once,
    known_tools,
    no_spin,
    within_budget,
    writes_confirmed,
)
from toolkit.trajectory.checks.dates import dates_agree
from toolkit.trajectory.checks.order import called_before, steps_in_order
from toolkit.trajectory.checks.provenance import value_from_result
from toolkit.trajectory.checks.sources import Entity

__all__ = [
    "Entity",
    "Link",
    "booked_once",
    "called_before",
    "dates_agree",
    "known_tools",
    "no_spin",
    "steps_in_order",
    "value_from_result",
    "values_agree",
    "within_budget",
    "writes_confirmed",
]
