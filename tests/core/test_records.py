"""The values that travel: what a model reads of a result, and what each exception carries."""

from __future__ import annotations

import json

import pytest

from toolkit import CallPolicy, Context, RateLimit, Status, ToolError, ToolResult, TransientError
from toolkit.records import CallError

TOLD: dict[str, tuple[ToolResult, str]] = {
    "a value": (ToolResult(Status.SUCCESS, {"city": "西安", "high": 21}), '{"city": "西安", "high": 21}'),
    "a text": (ToolResult(Status.SUCCESS, 'He said "no".'), 'He said "no".'),
    "nothing": (ToolResult(Status.SUCCESS, None), "null"),
    "a degraded value": (
        ToolResult(Status.DEGRADED, {"high": 21}, CallError("bug", "It failed.")),
        '{"high": 21, "degraded": true}',
    ),
    "a degraded list": (ToolResult(Status.DEGRADED, [1]), '{"result": [1], "degraded": true}'),
    "a refusal": (
        ToolResult(Status.VALIDATION_ERROR, error=CallError("invalid_arguments", "No.", next_step="correct it")),
        '{"error": "No.", "status": "validation_error", "next_step": "correct it"}',
    ),
    "a failure that may pass": (
        ToolResult(Status.RATE_LIMITED, error=CallError("rate_limited", "Wait.", True, None, 1.23456)),
        '{"error": "Wait.", "status": "rate_limited", "retryable": true, "retry_after_s": 1.235}',
    ),
    "a confirmation": (
        ToolResult(Status.NEEDS_CONFIRMATION, error=CallError("c", "Ask the user.", confirmation="secret token")),
        '{"error": "Ask the user.", "status": "needs_confirmation"}',
    ),
    "an error nobody described": (
        ToolResult(Status.EXECUTION_ERROR),
        '{"error": "The call failed.", "status": "execution_error"}',
    ),
}


@pytest.mark.row("T3", "T7")
@pytest.mark.parametrize(("result", "content"), TOLD.values(), ids=TOLD)
def test_what_the_model_reads(result, content):
    """JSON for values and errors alike, never a Python repr; a confirmation's token is the caller's."""
    message = result._replace(call_id="c1").to_message()
    assert message == {"role": "tool", "tool_call_id": "c1", "content": content}


def test_a_number_that_is_none_never_becomes_json():
    """NaN would be read by one parser and refused by the next."""
    with pytest.raises(ValueError, match="Out of range float"):
        ToolResult(Status.SUCCESS, float("nan")).to_content()


@pytest.mark.parametrize("status", Status)
def test_a_status_is_its_word(status):
    """It prints as its word, survives JSON, and says whether there is a value."""
    assert str(status) == status.value == json.loads(json.dumps(status))
    assert status.has_value is (status in (Status.SUCCESS, Status.DEGRADED))
    assert ToolResult(status).ok is status.has_value


@pytest.mark.row("T7")
def test_each_error_says_whose_fault_it_is():
    """A refusal carries what the model should read; an outage what the gateway should do."""
    refusal = ToolError("No suite at HT-001. It has: standard.", next_step="choose another room")
    outage = TransientError("mail server down", retry_after_s=3, sent=False)
    assert (str(refusal), refusal.retryable, refusal.next_step) == (refusal.message, False, "choose another room")
    assert (outage.retry_after_s, outage.sent) == (3, False)
    assert TransientError("down").sent is True


@pytest.mark.parametrize(
    "value", [CallPolicy(), Context(), ToolResult(Status.SUCCESS), RateLimit(1, 1), CallError("a", "b")]
)
def test_values_do_not_change(value):
    """Neither by name nor by a new attribute."""
    for name in ("timeout_s", "role", "status", "calls", "kind", "new"):
        with pytest.raises((AttributeError, TypeError)):
            setattr(value, name, 1)


@pytest.mark.parametrize("roles", [{"a"}, ["a", "a"], ("a",), frozenset({"a"})])
def test_roles_may_be_any_collection(roles):
    """They end as a frozen set."""
    assert CallPolicy(roles=roles).roles == frozenset({"a"})
