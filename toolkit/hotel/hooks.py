"""A trajectory check asked before a call runs instead of after the run: the same function, the same words."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from toolkit.errors import ToolError
from toolkit.hotel.policy import HOTEL_POLICY
from toolkit.records import Context
from toolkit.trajectory import Check, Verdict, extract_calls


def refuse_failing(check: Check, next_step: str) -> Callable[[str, dict[str, Any], Context], None]:
    """A gateway hook that refuses a call which would make `check` fail there.

    It sees `Context.messages`, the history so far. Only a fail refuses: what cannot be judged, for instance
    because the history was compacted, is left to the check after the run.
    """

    def hook(tool: str, arguments: dict[str, Any], context: Context) -> None:
        history = list(context.messages)
        if history and history[-1].get("tool_calls"):
            history.pop()  # the turn that is running: none of its calls has seen another's result
        text = json.dumps(arguments, ensure_ascii=False, default=str)
        call = {"id": "about-to-run", "function": {"name": tool, "arguments": text}}
        trace = extract_calls([*history, {"role": "assistant", "tool_calls": [call]}])
        result = check.judge(trace)
        if result.verdict is Verdict.FAIL and result.at == trace.calls[-1].at:
            reason = result.reason.removeprefix(f"call {trace.calls[-1].index}: ")
            raise ToolError(f"{tool} was not run: {reason}", next_step=next_step)

    return hook


_PROVENANCE = next(check for check in HOTEL_POLICY.checks if check.name == "argument_provenance")

hotel_id_was_found = refuse_failing(
    _PROVENANCE, "call search_hotels for the user's city and copy an id from its result"
)
"""Stops a booking whose hotel id stands in no search result, before anything is booked."""
