"""Policies as files: JSON that names checks and fills in their parameters.

{"name": "shop", "checks": [
  {"name": "price_quoted", "check": "values_agree", "tool": "place_order", "argument": "price",
   "source": "get_price", "path": "price", "match": {"sku": "sku"}}]}
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, get_type_hints

from pydantic import TypeAdapter, ValidationError

from toolkit.trajectory import checks
from toolkit.trajectory.policy import Check, CheckFunction, Policy, PolicyError

GENERAL_CHECKS: dict[str, CheckFunction] = {
    name: getattr(checks, name) for name in checks.__all__ if inspect.isfunction(getattr(checks, name))
}


def load_policy(path: Path) -> Policy:
    """Read a policy from a file.

    Raises:
        PolicyError: the file is missing, no JSON, or no policy.
    """
    try:
        data = json.loads(path.read_text("utf-8"))
    except OSError as error:
        raise PolicyError(f"{path}: cannot read the policy: {error.strerror}.") from None
    except ValueError:
        raise PolicyError(f"{path}: a policy is a JSON file; this is none.") from None
    return read_policy(data)


def read_policy(data: Any) -> Policy:
    """Make a policy of its JSON form.

    >>> once = {"name": "paid_once", "check": "booked_once", "tool": "pay"}
    >>> read_policy({"name": "shop", "checks": [once]}).checks[0].parameters
    {'tool': 'pay'}

    Raises:
        PolicyError: it is no policy; the text says what is wrong where.
    """
    if not isinstance(data, dict) or not isinstance(data.get("checks"), list) or not data["checks"]:
        raise PolicyError('A policy is an object like {"name": "shop", "checks": [{...}]} with at least one check.')
    found = tuple(_read_check(position, each) for position, each in enumerate(data["checks"]))
    names = [check.name for check in found]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise PolicyError(f"Two checks are named {twice!r}. Give each its own name.")
    return Policy(str(data.get("name", "policy")), found)


def _read_check(position: int, data: Any) -> Check:
    kind = data.get("check") if isinstance(data, dict) else None
    if not isinstance(kind, str) or kind not in GENERAL_CHECKS:
        known = ", ".join(GENERAL_CHECKS)
        raise PolicyError(f"Check {position} of the policy names {kind!r} as its check. Known checks: {known}.")
    name = str(data.get("name", kind))
    given = {key: value for key, value in data.items() if key not in ("name", "check")}
    return Check(name, GENERAL_CHECKS[kind], **_read_parameters(name, GENERAL_CHECKS[kind], given))


def _read_parameters(name: str, function: CheckFunction, given: Mapping[str, Any]) -> dict[str, Any]:
    hints = get_type_hints(function, include_extras=True)
    accepted = [key for key in inspect.signature(function).parameters if key not in ("calls", "name")]
    stranger = next((key for key in given if key not in accepted), None)
    if stranger is not None:
        raise PolicyError(f"Check {name!r} has a parameter {stranger!r}. Its parameters: {', '.join(accepted)}.")
    try:
        inspect.signature(function).bind((), **given)
    except TypeError as error:
        raise PolicyError(f"Check {name!r}: {error}. Its parameters: {', '.join(accepted)}.") from None
    values = {}
    for key, value in given.items():
        try:
            values[key] = TypeAdapter(hints[key]).validate_python(value)
        except ValidationError as error:
            problem = error.errors()[0]["msg"].removeprefix("Value error, ")
            raise PolicyError(f"Check {name!r} cannot use its {key}: {problem}.") from None
    return values
