"""Whose fault it is: the type of an exception says it, its words say value, rule and next step.

- `ToolDefinitionError`: the author of a tool. Raised where the tool is declared, never while it runs.
- `ToolError`: the model, or a business rule. Its text is written for the model and reaches it verbatim.
- Anything else that leaves a tool is a bug: logged whole, while the model gets one plain sentence.
"""


class ToolkitError(Exception):
    """Base class of every error this package raises on purpose."""


class ToolDefinitionError(ToolkitError):
    """A tool cannot be declared like this. The text names the tool, the rule and the remedy."""


class ToolError(ToolkitError):
    """A refusal the model should read, such as `No suite at HT-001. It has: standard, deluxe.`

    Raise it inside a tool. Check everything first, then write, so that a refused call changes nothing.

    Args:
        message: One or two sentences for the model: the value, the rule, the next step.
        retryable: True when the same call may succeed later without a change.
        next_step: What the agent should do, as a short phrase; optional.
    """

    def __init__(self, message: str, *, retryable: bool = False, next_step: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.retryable = retryable
        self.next_step = next_step


class TransientError(ToolkitError):
    """Something outside the tool failed for now: a server is down, a queue is full, a limit was hit.

    The gateway may repeat the call. Built-in `ConnectionError` and `TimeoutError` mean the same.

    Args:
        message: For the log of a person; it never reaches the model.
        retry_after_s: Seconds to wait before the next attempt, where the other side said so.
        sent: False when it is certain that nothing was sent, so that even a write may be repeated.
    """

    def __init__(self, message: str, *, retry_after_s: float | None = None, sent: bool = True) -> None:
        super().__init__(message)
        self.retry_after_s = retry_after_s
        self.sent = sent
