"""The checks: four small general ones, and six more of the same form. Each reads a trace and nothing else."""

from toolkit.trajectory.checks.agreement import Link, values_agree
from toolkit.trajectory.checks.order import called_before, steps_in_order
from toolkit.trajectory.checks.provenance import Entity, value_from_result

__all__ = ["Entity", "Link", "called_before", "steps_in_order", "value_from_result", "values_agree"]
