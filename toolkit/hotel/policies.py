"""Policies by name: the hotel's, those in `data/policies`, and files of one's own."""

from __future__ import annotations

from pathlib import Path

from toolkit.hotel.policy import HOTEL_MANNERS, HOTEL_OUTCOME, HOTEL_POLICY
from toolkit.resources import data_path
from toolkit.trajectory.policy import Policy, PolicyError
from toolkit.trajectory.policy_file import load_policy

_IN_CODE = {policy.name: policy for policy in (HOTEL_POLICY, HOTEL_OUTCOME, HOTEL_MANNERS)}


def policy_names() -> list[str]:
    """Names that `policy_named` knows.

    >>> policy_names()
    ['hotel', 'hotel-outcome', 'hotel-manners', 'airline', 'shop']
    """
    return [*_IN_CODE, *sorted(path.stem for path in data_path("policies").glob("*.json"))]


def policy_named(name: str) -> Policy:
    """The policy of this name, or the one in the file of this name.

    Raises:
        PolicyError: there is none, or the file holds none.
    """
    if name in _IN_CODE:
        return _IN_CODE[name]
    if name in policy_names():
        return load_policy(data_path("policies", f"{name}.json"))
    path = Path(name)
    if path.suffix == ".json" or path.is_file():
        return load_policy(path)
    raise PolicyError(f"No policy {name!r}. Known: {', '.join(policy_names())}; or give a policy file (.json).")
