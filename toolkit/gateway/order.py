"""THE ORDER OF A CALL, in the one place where it stands.

Why this order. Roles before arguments: a caller who may not use a tool learns nothing of its fields. A replay before
the question to the user: what is done needs no second word. The breaker inside the retry: a dead tool is left alone,
and 20 calls reach it 5 times, not 15. The time limit of an attempt innermost, the total deadline outside the retry.
"""

from __future__ import annotations

from toolkit.gateway.access import authorize
from toolkit.gateway.breaker import break_circuit
from toolkit.gateway.confirmation import confirm
from toolkit.gateway.contract import check_arguments
from toolkit.gateway.deadline import keep_deadline, limit_attempt
from toolkit.gateway.execute import execute
from toolkit.gateway.fallback import fall_back
from toolkit.gateway.hooks import ask_hooks, give_score
from toolkit.gateway.limits import limit_concurrency, limit_rate
from toolkit.gateway.orders import claim_order, replay_order
from toolkit.gateway.policy import Policy, Services, Step
from toolkit.gateway.retry import retry
from toolkit.gateway.trace import Trace
from toolkit.records import Tool

ORDER: tuple[Policy, ...] = (
    # look-up comes before all: the tool decides which of these there are
    authorize,  # denied
    check_arguments,  # validation_error: plain values, then the schema
    ask_hooks,  # context_error
    replay_order,  # a replay ends here; conflict, outcome_unknown
    confirm,  # needs_confirmation
    claim_order,
    limit_rate,  # rate_limited
    limit_concurrency,  # busy
    give_score,
    fall_back,  # degraded
    keep_deadline,
    retry,
    break_circuit,  # circuit_open
    limit_attempt,  # timeout, outcome_unknown
    execute,  # resources, the call, the check of its result: success, execution_error
)


def compile_order(tool: Tool, services: Services) -> Step:
    """One step that runs the tool with every policy it asks for, outermost first."""

    async def nothing_after(_: Trace) -> None:
        raise AssertionError("execute is the last step")

    step: Step = nothing_after
    for policy in reversed(ORDER):
        step = policy(tool, services, step)
    return step
