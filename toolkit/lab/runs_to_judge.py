"""Six recordings to judge by eye: the run `ok`, changed by the kit's own mutation operators."""

from __future__ import annotations

from typing import Any, TypeAlias

from toolkit.hotel.controls import load_control
from toolkit.hotel.mutations import OPERATORS
from toolkit.hotel.policy import HOTEL_POLICY
from toolkit.trajectory import Report, evaluate
from toolkit.trajectory.draft import Draft

Message: TypeAlias = dict[str, Any]

_STEPS: dict[str, tuple[tuple[str, int], ...]] = {  # run: operators, and which of its edits
    "A": (("move the plan later", 0),),
    "B": (("be refused another room", 0), ("use ids again", 0), ("rewrite the final answer", 1)),
    "C": (("weather of another day", 0),),
    "D": (("search and booking as siblings", 0),),
    "E": (("lose the weather's result", 0),),
    "F": (("book an id that is found later", 0),),
}


def runs_to_judge() -> dict[str, list[Message]]:
    """The messages of each run by its letter, the same on every call.

    >>> list(runs_to_judge())
    ['A', 'B', 'C', 'D', 'E', 'F']
    """
    return {name: _changed(("drop the marks", 0), *steps) for name, steps in _STEPS.items()}


def reports_of_runs() -> dict[str, Report]:
    """What the hotel's policy says of each run."""
    return {name: evaluate(messages, HOTEL_POLICY) for name, messages in runs_to_judge().items()}


def _changed(*steps: tuple[str, int]) -> list[Message]:
    edits = {operator.name: operator.edits for operator in OPERATORS}
    draft = Draft(load_control("ok"))
    for operator, number in steps:
        edits[operator][number](draft)
    return draft.messages()
