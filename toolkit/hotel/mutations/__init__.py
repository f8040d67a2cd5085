"""What may be changed in a run that books as it should, and what the four checks must say of it then.

The declarations follow from the rules of the checks, not from what the code answers: a step that was never made
fails, a result that was only lost is not judgeable, and what does not matter turns nothing.
"""

from __future__ import annotations

from toolkit.hotel.mutations.bases import base_runs, passing_runs
from toolkit.hotel.mutations.operators import OPERATORS
from toolkit.trajectory.mutate import Mutant, mutants


def hotel_mutants() -> list[Mutant]:
    """All mutants of all base runs, in the order of runs and operators."""
    return list(mutants(base_runs(), OPERATORS))


__all__ = ["OPERATORS", "base_runs", "hotel_mutants", "passing_runs"]
