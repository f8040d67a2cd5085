"""The quality pipeline around a call: hooks before it, the gateway during it, rules after it.

before   hooks: plausible values, the conversation, the source of ids     refused: `context_error`
during   the gateway: contract, limits, retries, one result for each      status, attempts, duration, arguments
after    rules: completeness, relevance, format                           score 0..1 with its reasons
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any, Self

from toolkit.gateway import Gateway
from toolkit.gateway.background import Background
from toolkit.gateway.policy import Hook
from toolkit.quality.promised import check_fields
from toolkit.quality.reactions import Reaction
from toolkit.quality.scoring import Score, Scorecard
from toolkit.quality.versions import Versions
from toolkit.records import Context, ToolCall, ToolResult
from toolkit.registry import Registry
from toolkit.wire import clean_name, read_call

NOBODY = Context()
NO_RULES = Scorecard()


class Pipeline:
    """Runs the calls of a turn through all three stages, and says what the model is to be shown.

    It has the gateway's `registry` and `call_all`, so the agent loop takes it in the gateway's place.

    Args:
        registry: The tools.
        before: Hooks, asked in turn. `toolkit.trajectory.hook.provenance_hook(policy)` is one to put here.
        after: The rules.
        on_bad_score: Told of each result whose score is not good enough. What they raise is counted, and lost.
        tell_model: Put the reasons of a bad score beside the value, for the model.
        later: Score after the answer was given, in a bounded background task. The model then learns nothing of it.
        versions: How calls that are older than their tool are read.
        gateway: More for the `Gateway`, such as `settings`, `clock`, `log_sink`.

    Raises:
        ToolDefinitionError: a rule for a tool that is not there, or for a field its result never has.
    """

    def __init__(
        self,
        registry: Registry,
        *,
        before: Sequence[Hook] = (),
        after: Scorecard = NO_RULES,
        on_bad_score: Sequence[Reaction] = (),
        tell_model: bool = True,
        later: bool = False,
        versions: Versions | None = None,
        **gateway: Any,
    ) -> None:
        check_fields(after, registry)
        self.registry, self.scorecard = registry, after
        self.failed_reactions = 0
        self._reactions, self._tell_model, self._versions, self._later = on_bad_score, tell_model, versions, later
        self.background = Background(self._evaluate) if later else None
        self.gateway = Gateway(
            registry, hooks=before, scorer=None if later else after, background=self.background, **gateway
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.gateway.close()

    async def call_all(self, raw_calls: Sequence[object] | None, context: Context = NOBODY) -> list[ToolResult]:
        """Run the calls of one turn. Results stand in request order, one for each call, ready for `to_message`.

        Calls that change nothing run together. One that is not declared idempotent runs alone, in its place: what
        stands before it is done, what stands after it waits.
        """
        calls = [read_call(raw, index) for index, raw in enumerate(raw_calls or ())]
        results: list[ToolResult] = []
        for group in self._groups(calls):
            results += await asyncio.gather(*(self.call(call, context) for call in group))
        return results

    async def call(self, raw: object, context: Context = NOBODY) -> ToolResult:
        """Run one call through all three stages. Never raises on what a model sends."""
        call, remark = read_call(raw), None
        if self._versions is not None:
            call, remark = self._versions.read(call)
        result = await self.gateway.call(call, context)
        score = None if self._later else self._bad_score(result)
        told = [remark, f"Check this result before you use it: {score.reason}." if score and self._tell_model else None]
        return result._replace(feedback=" ".join(text for text in told if text) or None)

    def _groups(self, calls: Sequence[ToolCall]) -> list[list[ToolCall]]:
        tools = self.registry.snapshot()
        groups: list[list[ToolCall]] = []
        together = False
        for call in calls:
            tool = tools.get(clean_name(call.name, tools)[0])
            changes_nothing = tool is None or tool.policy.idempotent
            if changes_nothing and together:
                groups[-1].append(call)
            else:
                groups.append([call])
            together = changes_nothing
        return groups

    def _evaluate(self, result: ToolResult) -> None:
        self._bad_score(result)

    def _bad_score(self, result: ToolResult) -> Score | None:
        """The score of a result that is not good enough, after everybody was told of it; else None."""
        if not result.ok or result.replayed or (result.score or 0.0) >= self.scorecard.threshold:
            return None
        score = self.scorecard.judge(result.tool, result.arguments or {}, result.value)
        if score is None or score.passed:
            return None
        for react in self._reactions:
            try:
                react(result, score)
            except Exception:  # noqa: BLE001 - a reaction is the user's own code
                self.failed_reactions += 1
        return score
