"""A model that validates calls: rules first, then an opinion, with a limit on time, attempts and corrections.

It is a second opinion, not a check. A check is right every time on what it judges; lesson 09 counts how often this is
not, and trajectory checks never ask one.
"""

from __future__ import annotations

import asyncio
import inspect
import random
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Any, NamedTuple, Self

from toolkit.errors import ToolkitError, TransientError
from toolkit.gateway.deadline import LimitPassed, Orphans, within
from toolkit.gateway.outcome import not_its_own
from toolkit.quality.call_rules import CallRule, Objection
from toolkit.quality.case import NOT_RUN, Case, prompt_for
from toolkit.quality.chat import Chat, ChatReply, chat_from_environment
from toolkit.quality.opinion import Opinion, Word, read_opinion
from toolkit.quality.validation_metrics import ValidationMetrics
from toolkit.quality.validator_config import ValidatorConfig


class ValidatorError(ToolkitError):
    """The validating model gave no answer. Nothing was validated, which is neither a pass nor a fail."""


class ValidatorTimeout(ValidatorError):
    """The validating model gave no answer in time, in as many attempts as it had."""


class Validation(NamedTuple):
    """What was found about one call.

    `by` is the name of the rule that decided, or `model`. `correction` are other arguments, suggested and not yet
    validated. `arguments` are those that were judged; `corrected` are those that failed before them, oldest first.
    """

    word: Word
    reason: str
    by: str
    arguments: dict[str, Any]
    correction: dict[str, Any] | None = None
    attempts: int = 0
    latency_ms: float = 0.0
    corrected: tuple[dict[str, Any], ...] = ()

    @property
    def passed(self) -> bool:
        return self.word == "pass"


class CallValidator:
    """Validates calls with rules and a chat model. Close it, or use it in `async with`: it closes its chat.

    Args:
        chat: Any chat model.
        config: Numbers and the prompt.
        rules: Asked first, in order; one that objects decides, and the model is not asked.
        clock: Monotonic seconds.
        sleep: Waits between attempts.
        rng: Jitter.

    Raises:
        TypeError: `chat` has no async method `complete`.
    """

    def __init__(
        self,
        chat: Chat,
        config: ValidatorConfig | None = None,
        *,
        rules: Sequence[CallRule] = (),
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        rng: random.Random | None = None,
    ) -> None:
        if not inspect.iscoroutinefunction(getattr(chat, "complete", None)):
            raise TypeError(f"chat is {chat!r}, but must have an async method complete(messages, *, temperature).")
        self.config, self.metrics = config or ValidatorConfig(), ValidationMetrics()
        self._chat, self._rules = chat, tuple(rules)
        self._clock, self._sleep, self._rng = clock, sleep, rng or random.Random()
        self._orphans = Orphans()

    @classmethod
    def from_environment(cls, config: ValidatorConfig | None = None, **more: Any) -> Self:
        """A validator whose model stands behind `OPENAI_BASE_URL`; see `chat_from_environment`."""
        return cls(chat_from_environment(), config, **more)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the chat, where it can be closed, by a method that may be async or not."""
        close = getattr(self._chat, "close", None)
        closed = close() if callable(close) else None
        if inspect.isawaitable(closed):
            await closed

    async def validate(self, case: Case) -> Validation:
        """Ask the rules, and where none objects, the model.

        Raises:
            ValidatorTimeout: no answer in time, in any attempt.
            ValidatorError: the model failed in every attempt, or in a way that another attempt does not mend.
        """
        started, arguments = self._clock(), dict(case.arguments)
        for rule in self._rules:
            if (objection := _object(rule, case)) is not None:
                took_ms = (self._clock() - started) * 1000
                self.metrics.count("fail", objection.reason, "rule", latency_ms=took_ms)
                return Validation("fail", objection.reason, objection.rule, arguments, objection.correction, 0, took_ms)
        try:
            opinion, attempts, tokens = await self._ask(case)
        except ValidatorTimeout:
            self.metrics.timeouts += 1
            raise
        except ValidatorError:
            self.metrics.errors += 1
            raise
        took_ms = (self._clock() - started) * 1000
        self.metrics.count(opinion.word, opinion.reason, "model", latency_ms=took_ms, tokens=tokens)
        return Validation(opinion.word, opinion.reason, "model", arguments, opinion.correction, attempts, took_ms)

    async def correct(self, case: Case, run: Callable[[dict[str, Any]], Awaitable[Any]] | None = None) -> Validation:
        """Validate a call, and as long as it fails with a correction, the corrected call, at most `corrections` times.

        Args:
            case: The call.
            run: Runs the call with other arguments and returns its result; only for a tool that may run again. Without
                it a corrected call is validated as one that has not run yet.
        """
        tried = [dict(case.arguments)]
        found = await self.validate(case)
        while found.correction is not None and len(tried) <= self.config.corrections and found.correction not in tried:
            arguments = found.correction
            result = NOT_RUN if run is None else await run(dict(arguments))
            tried.append(arguments)
            found = await self.validate(case._replace(arguments=arguments, result=result))
        return found._replace(corrected=tuple(tried[:-1]))

    async def validate_all(self, cases: Iterable[Case], *, at_once: int = 4) -> list[Validation | ValidatorError]:
        """Validate many calls, a few at once. Results stand in the order of the cases, errors in their place."""
        gate = asyncio.Semaphore(at_once)

        async def one(case: Case) -> Validation | ValidatorError:
            async with gate:
                try:
                    return await self.validate(case)
                except ValidatorError as error:
                    return error

        return list(await asyncio.gather(*(one(case) for case in cases)))

    async def _ask(self, case: Case) -> tuple[Opinion, int, int]:
        """The model's opinion, the attempts it took, and its tokens."""
        messages = [{"role": "user", "content": prompt_for(case, self.config.template)}]
        most, limit_s = 1 + self.config.retries, self.config.timeout_s
        for attempt in range(1, most + 1):
            failure: Exception
            try:
                reply = await within(limit_s, self._complete(messages), self._orphans)
                return read_opinion(reply.text), attempt, reply.tokens
            except (LimitPassed, TransientError, ConnectionError, TimeoutError) as error:
                failure = error
            except asyncio.CancelledError as error:
                if not_its_own(error):
                    raise
                failure = ConnectionError("the chat cancelled itself")
            except Exception as error:
                raise ValidatorError(f"The validating model failed: {error or type(error).__name__}") from error
            if attempt < most:
                wait_s = getattr(failure, "retry_after_s", None)
                await self._sleep(self.config.backoff.wait_s(attempt, self._rng, wait_s))
        times = f"{most} attempt{'s' if most > 1 else ''}"
        if isinstance(failure, LimitPassed | TimeoutError):
            raise ValidatorTimeout(
                f"The validating model gave no answer within {limit_s:g} s, in {times}."
            ) from failure
        raise ValidatorError(f"The validating model could not be reached, in {times}: {failure}") from failure

    async def _complete(self, messages: list[dict[str, str]]) -> ChatReply:
        return await self._chat.complete(messages, temperature=self.config.temperature)


def _object(rule: CallRule, case: Case) -> Objection | None:
    """Ask a rule. One that crashes has found nothing good."""
    try:
        return rule(case)
    except Exception as error:  # noqa: BLE001 - a rule is the user's own code
        return Objection(getattr(rule, "__qualname__", "rule"), f"the rule crashed with {type(error).__name__}")
