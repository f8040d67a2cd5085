"""Questions asked before a call runs, and the score given after it. Neither may crash a call."""

from __future__ import annotations

import inspect
import math
from collections.abc import Sequence
from copy import deepcopy
from typing import Any

from toolkit.errors import ToolError
from toolkit.gateway.outcome import describe, not_its_own, stop
from toolkit.gateway.policy import Hook, Scorer, Services, Step
from toolkit.gateway.trace import Trace
from toolkit.records import Status, Tool


def ask_hooks(tool: Tool, services: Services, then: Step) -> Step:
    """Ask each hook in turn. It sees a copy of the arguments and the conversation; a `ToolError` refuses the call."""
    hooks = services.hooks
    if not hooks:
        return then

    async def run(trace: Trace) -> Any:
        await _ask(hooks, tool, trace)
        return await then(trace)

    return run


def give_score(tool: Tool, services: Services, then: Step) -> Step:
    """Score what the tool returned."""
    scorer = services.scorer
    if scorer is None:
        return then

    async def run(trace: Trace) -> Any:
        value = await then(trace)
        score(scorer, value, trace)
        return value

    return run


async def _ask(hooks: Sequence[Hook], tool: Tool, trace: Trace) -> None:
    for hook in hooks:
        try:
            answer = hook(tool.name, deepcopy(trace.arguments or {}), trace.context)
            if inspect.isawaitable(answer):
                await answer
        except ToolError as error:
            raise stop(Status.CONTEXT_ERROR, "refused", error.message, next_step=error.next_step) from None
        except BaseException as error:  # a hook is the user's own code
            if not_its_own(error):
                raise
            trace.cause = describe(error)
            message = f"{tool.name} was not run, because a check before it failed. Tell the user."
            raise stop(Status.CONTEXT_ERROR, "hook_crashed", message) from None


def score(scorer: Scorer, value: Any, trace: Trace) -> None:
    """Score a value into the trace, always within 0..1; a rule that crashes scores 0 and says so.

    A scorer that answers None has nothing to say of this tool: no score, not a good one.
    """
    try:
        answer = scorer(trace.tool, deepcopy(trace.arguments or {}), deepcopy(value))
        if answer is None:
            return
        points, reason = answer
        points = float(points)
        if not math.isfinite(points):
            points, reason = 0.0, f"{reason} (the rule returned {points})"
    except (Exception, SystemExit) as error:  # noqa: BLE001 - a rule is the user's own code
        points, reason = 0.0, f"the rule crashed with {type(error).__name__}"
    trace.score = min(1.0, max(0.0, points))
    trace.notes = (*trace.notes, f"score:{reason}")
