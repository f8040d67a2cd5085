"""A tool made ready to run: what can be found out once is not found out per call."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

from toolkit.gateway.breaker import Breaker
from toolkit.gateway.results import result_check
from toolkit.gateway.retry import RetryBudget
from toolkit.gateway.settings import Settings
from toolkit.records import Tool


class Prepared:
    """One tool in one gateway: its limits, its breaker, its retry budget, its result check."""

    __slots__ = (
        "attempts",
        "breaker",
        "budget",
        "check",
        "context_parameter",
        "filled_in",
        "is_async",
        "promised",
        "resources",
        "timeout_s",
        "tool",
    )

    def __init__(self, tool: Tool, settings: Settings, clock: Callable[[], float]) -> None:
        self.tool = tool
        self.is_async = is_async(tool.func)
        self.timeout_s = settings.timeout_s if tool.policy.timeout_s is None else tool.policy.timeout_s
        self.attempts = tool.policy.attempts or settings.attempts
        self.breaker = Breaker(settings.breaker, clock) if settings.breaker else None
        self.budget = RetryBudget(settings.retry_share)
        signature = tool.signature
        self.context_parameter = signature.context_parameter if signature else None
        self.resources = signature.resources if signature else {}
        self.filled_in = bool(self.resources or self.context_parameter)
        self.promised = signature.returns if signature else inspect.Signature.empty
        self.check = result_check(self.promised) if settings.check_results else None


def is_async(func: Callable[..., Any]) -> bool:
    """Whether calling it gives a coroutine, as far as can be seen without calling it."""
    while isinstance(func, functools.partial):
        func = func.func
    return inspect.iscoroutinefunction(func) or inspect.iscoroutinefunction(getattr(func, "__call__", None))  # noqa: B004
