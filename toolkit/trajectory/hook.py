"""The provenance check before the call instead of after the run: the same function, asked one call early."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, TypeAlias

from toolkit.errors import ToolError
from toolkit.trajectory.checks.evidence import as_names, shown
from toolkit.trajectory.checks.provenance import judge_value, value_from_result
from toolkit.trajectory.checks.sources import Said, Seen
from toolkit.trajectory.extract import extract_calls
from toolkit.trajectory.pointers import compile_path, values_at
from toolkit.trajectory.policy import Check, Policy
from toolkit.trajectory.records import Call, CheckResult, Outcome, Trace, Verdict

_MOST_SHOWN = 8  # known values repeated to the model


class Conversation(Protocol):
    """What the hook needs of a call's context: the messages so far."""

    @property
    def messages(self) -> Sequence[Mapping[str, Any]]: ...


Hook: TypeAlias = Callable[[str, Mapping[str, Any], Conversation], None]


def provenance_hook(policy: Policy) -> Hook:
    """Make a hook that refuses a call whose values no visible result has shown.

    It asks every `value_from_result` check of the policy that guards the tool, through the function the check
    itself uses. Where a source may be missing the value has no visible source either, and the call is refused.

    Raises:
        ValueError: the policy has no such check.
    """
    guards = [check for check in policy.checks if check.function is value_from_result]
    if not guards:
        raise ValueError(f"policy {policy.name!r} has no value_from_result check, so the hook would guard nothing")

    def hook(tool_name: str, arguments: Mapping[str, Any], context: Conversation) -> None:
        asked = [check for check in guards if tool_name in as_names(check.parameters["tool"])]
        if asked:
            trace = extract_calls(list(context.messages))
            call = _call_to_be(trace, tool_name, arguments)
            for check in asked:
                _require_source(check, trace, call)

    return hook


def _call_to_be(trace: Trace, name: str, arguments: Mapping[str, Any]) -> Call:
    """The call as it will be recorded. The loop may have kept its assistant message already, or not yet."""
    waiting = any(call.name == name and call.outcome is Outcome.MISSING for call in _last_turn(trace))
    turn = trace.turns - 1 if waiting else trace.turns
    return Call(name, dict(arguments), index=len(trace.calls), turn=turn)


def _last_turn(trace: Trace) -> list[Call]:
    return [call for call in trace.calls if call.turn == trace.turns - 1]


def _require_source(check: Check, trace: Trace, call: Call) -> None:
    argument, sources = check.parameters["argument"], check.parameters["sources"]
    seen = Seen(trace, sources, check.parameters.get("entity"))
    said = Said(trace) if check.parameters.get("user_text") else None
    for value in values_at(call.arguments, compile_path(argument)):
        result = judge_value(trace, call, argument, value, seen, said, check.name)
        if result.verdict is not Verdict.PASS:
            raise ToolError(_refusal(result, argument, value, seen, call))


def _refusal(result: CheckResult, argument: str, value: Any, seen: Seen, call: Call) -> str:
    """What the model reads: the value, the rule, the next step, and the values it may use."""
    tools = " or ".join(seen.sources)
    if result.code == "wrong_entity" and seen.entity is not None:
        wrong = f"{argument} {shown(value)} is not of {seen.entity.field} {shown(seen.entity.names[0])}."
    else:
        wrong = f"{argument} {shown(value)} stands in no result you have seen."
    known = [str(each) for each in seen.known(call.turn)]
    listed = ", ".join(known[:_MOST_SHOWN]) + (", ..." if len(known) > _MOST_SHOWN else "")
    choice = f"Copy one exactly: {listed}." if known else f"Call {tools} first and copy it from the result."
    return f"{wrong} {choice}"
