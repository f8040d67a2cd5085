"""The values that travel through the kit. All are immutable, none does any work.

`ToolCall`, `CallError` and `ToolResult` are made once per call, so they are `NamedTuple`s, which cost
about a third of a frozen dataclass to build. `Tool` and `CallPolicy` are made once per declaration.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from toolkit.errors import ToolDefinitionError

if TYPE_CHECKING:
    from toolkit.schema import Signature


class Status(StrEnum):
    """How a call ended. One call ends in exactly one of these."""

    SUCCESS = "success"
    DEGRADED = "degraded"  # an answer, but from a fallback or an old copy
    UNKNOWN_TOOL = "unknown_tool"
    DENIED = "denied"
    VALIDATION_ERROR = "validation_error"
    CONTEXT_ERROR = "context_error"
    NEEDS_CONFIRMATION = "needs_confirmation"
    CONFLICT = "conflict"  # this idempotency key was used with other arguments
    RATE_LIMITED = "rate_limited"
    BUSY = "busy"
    CIRCUIT_OPEN = "circuit_open"
    TIMEOUT = "timeout"  # safe to repeat: the tool is idempotent or never ran
    OUTCOME_UNKNOWN = "outcome_unknown"  # it may or may not have taken effect
    EXECUTION_ERROR = "execution_error"

    @property
    def has_value(self) -> bool:
        """True where the call produced something the model can use."""
        return self is Status.SUCCESS or self is Status.DEGRADED


class ToolCall(NamedTuple):
    """A call as a model sent it, before anything was checked.

    `arguments` is what arrived: a JSON text, an object, or None. `id` is never empty. `notes` lists what
    had to be mended to read the call. `error` is set when the call could not be read at all.
    """

    id: str
    name: str
    arguments: object
    notes: tuple[str, ...] = ()
    error: str | None = None


class CallError(NamedTuple):
    """Why a call has no value.

    `kind` is a stable word for programs, `message` is written for the model and holds no exception text
    of unknown origin. `retry_after_s` is in seconds. `confirmation` is a token for the caller, not for
    the model: put it into `Context.confirmed` once the user has agreed.
    """

    kind: str
    message: str
    retryable: bool = False
    next_step: str | None = None
    retry_after_s: float | None = None
    confirmation: str | None = None


class ToolResult(NamedTuple):
    """The one shape of an answer, for success and failure alike.

    `error` is None exactly when `status.has_value` and no fallback was needed; a degraded result keeps the
    error it covers up. `duration_ms` comes from a monotonic clock. `arguments` are the ones the tool was
    called with, or None when it never was. `input_hash` is keyed: it can be compared within one gateway,
    not reversed. `score` is 0..1, or None when nothing scored the call. `feedback` is what the model is told
    beside the value, such as why it scored low.
    """

    status: Status
    value: Any = None
    error: CallError | None = None
    attempts: int = 0
    duration_ms: float = 0.0
    call_id: str = ""
    tool: str = ""
    arguments: dict[str, Any] | None = None
    input_hash: str | None = None
    replayed: bool = False
    score: float | None = None
    notes: tuple[str, ...] = ()
    feedback: str | None = None

    @property
    def ok(self) -> bool:
        return self.status.has_value

    def to_content(self) -> str:
        """The text the model reads: the value as JSON, or `{"error": ...}` with the next step."""
        more: dict[str, Any] = {"feedback": self.feedback} if self.feedback else {}
        if self.status is Status.SUCCESS and not more:
            return self.value if isinstance(self.value, str) else _json(self.value)
        if self.ok:
            if self.status is Status.DEGRADED:
                more["degraded"] = True
            return _json({**(self.value if isinstance(self.value, dict) else {"result": self.value}), **more})
        error = self.error or CallError("unknown", "The call failed.")
        told: dict[str, Any] = {"error": error.message, "status": self.status.value}
        if error.retryable:
            told["retryable"] = True
        if error.next_step:
            told["next_step"] = error.next_step
        if error.retry_after_s is not None:
            told["retry_after_s"] = round(error.retry_after_s, 3)
        return _json({**told, **more})

    def to_message(self) -> dict[str, Any]:
        """The tool message that answers this call in a chat history."""
        return {"role": "tool", "tool_call_id": self.call_id, "content": self.to_content()}


_json = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """The caller's side of a call: who asks, in which conversation, and what the user agreed to.

    `messages` is the chat history so far; hooks read it, tools may. `confirmed` holds the tokens of
    `CallError.confirmation` that the user has agreed to; each is good for one call.
    """

    role: str | None = None
    session: str = "default"
    messages: Sequence[Mapping[str, Any]] = ()
    confirmed: frozenset[str] | set[str] = frozenset()


class RateLimit(NamedTuple):
    """At most `calls` in any `per_s` seconds, counted per tool, role and session."""

    calls: int
    per_s: float


Recovery = Literal["retry", "fallback", "correct_input", "give_up"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CallPolicy:
    """How a tool wants to be run. Everything is off, or the gateway's default, unless declared.

    Args:
        idempotent: Running it twice leaves the world as running it once does. Only then is a call
            repeated after it may have run.
        timeout_s: Limit for one attempt, in seconds. None: the gateway's default.
        attempts: Attempts in all, the first included. None: the gateway's default.
        idempotency_key: What makes two calls the same order: a parameter's name, a function of the
            arguments, or True for the arguments themselves, within one session.
        roles: Who may call it. Once one tool of a registry names roles, a tool without is for nobody.
        confirm: Ask the user before it runs.
        rate_limit: How often, per role and session.
        concurrency: How many at once in this gateway.
        max_calls: How many in one session, ever.
        fallback: Called with the same arguments when the tool itself has failed; marks the result.
        recovery: What a given exception type means; the most specific entry wins.
        cpu_bound: Run it in a process that can be killed, not in a thread that cannot.
    """

    idempotent: bool = False
    timeout_s: float | None = None
    attempts: int | None = None
    idempotency_key: str | bool | Callable[[dict[str, Any]], str | None] | None = None
    roles: frozenset[str] | None = None
    confirm: bool = False
    rate_limit: RateLimit | None = None
    concurrency: int | None = None
    max_calls: int | None = None
    fallback: Callable[..., Any] | None = None
    recovery: Mapping[type[Exception], Recovery] = field(default_factory=dict)
    cpu_bound: bool = False

    def __post_init__(self) -> None:
        """Refuse what cannot be meant, where the tool is declared."""
        if isinstance(self.roles, set | list | tuple):
            object.__setattr__(self, "roles", frozenset(self.roles))
        rules = {
            "timeout_s": (self.timeout_s is None or self.timeout_s > 0, "must be above 0 seconds"),
            "attempts": (self.attempts is None or self.attempts >= 1, "counts the first one too, so it is at least 1"),
            "roles": (self.roles is None or isinstance(self.roles, frozenset), 'must be a set, such as {"guest"}'),
            "concurrency": (self.concurrency is None or self.concurrency >= 1, "must be at least 1"),
            "max_calls": (self.max_calls is None or self.max_calls >= 1, "must be at least 1"),
            "rate_limit": (
                self.rate_limit is None or (self.rate_limit[0] >= 1 and self.rate_limit[1] > 0),
                "must allow at least 1 call per a time above 0 seconds",
            ),
        }
        for name, (holds, rule) in rules.items():
            if not holds:
                raise ToolDefinitionError(f"{name} is {getattr(self, name)!r}, but {rule}.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """A tool: a name, a description, a JSON Schema and a function.

    These four are all layer 1 knows. `signature` is layer 2's: the argument model the schema came from.
    `policy` is layer 3's. `descriptions` holds the description in other languages, by language code.
    `restricted` names parameters that only some roles may see and send.
    """

    name: str
    description: str
    parameters: dict[str, Any]
    func: Callable[..., Any]
    signature: Signature | None = None
    policy: CallPolicy = CallPolicy()
    descriptions: Mapping[str, str] = field(default_factory=dict)
    restricted: Mapping[str, frozenset[str]] = field(default_factory=dict)
    version: str = "1"
