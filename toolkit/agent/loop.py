"""The agent loop: the model decides, the gateway runs, the results go back, until there is an answer."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

from toolkit.agent.guards import Confirm, RepeatGuard, ask_user, not_run, over_budget, waits
from toolkit.agent.history import assistant_message, sendable, shortened, with_own_ids
from toolkit.agent.replies import ModelError, Reply
from toolkit.agent.replies import ask as ask_whole
from toolkit.gateway import Gateway
from toolkit.quality.pipeline import Pipeline
from toolkit.records import Context, ToolCall, ToolResult
from toolkit.wire import calls_from

if TYPE_CHECKING:
    from openai import AsyncOpenAI

NOBODY = Context()
Message: TypeAlias = dict[str, Any]
Stop: TypeAlias = Literal["answered", "cut_off", "max_turns", "token_budget", "repeated_call", "model_error"]


class Run(NamedTuple):
    """How a run ended; the whole of it stands in `messages`.

    `stop` is `cut_off` for an answer that hit its length limit. `detail` is the final text, or the reason why
    there is none. `turns` counts the model's replies. `unconfirmed` are the results of the last turn of calls
    that wait for the user's word; their `error.confirmation` belongs into the context of the run that goes on.
    """

    messages: list[Message]
    stop: Stop
    turns: int
    detail: str
    unconfirmed: tuple[ToolResult, ...] = ()


async def run_agent(
    client: AsyncOpenAI,
    gateway: Gateway | Pipeline,
    messages: list[Message],
    *,
    model: str,
    context: Context = NOBODY,
    language: str = "en",
    max_turns: int = 20,
    token_budget: int | None = None,
    keep_turns: int | None = None,
    confirm: Confirm | None = None,
    ask: Callable[..., Awaitable[Reply]] = ask_whole,
    on_message: Callable[[Message], None] = lambda message: None,
    **options: Any,
) -> Run:
    """Let a model work on a conversation until it answers, repeats itself or runs out of turns or tokens.

    Does not raise on what a model or its server sends, and loses nothing: each turn and each result is appended
    to `messages` as it happens. A run that was stopped goes on when it is called again with them.

    Args:
        client: Any openai client: scripted, simulated or real.
        gateway: Runs the calls, on the tools of its registry; a pipeline scores what comes back, too.
        messages: The history so far, the system's and the user's messages. It grows in place.
        model: The model's name, as the client's server knows it.
        context: Who asks. The gateway's hooks see the growing history in it.
        language: Of the tools' descriptions.
        max_turns: Most replies of the model.
        token_budget: Most tokens of all replies in `messages`, sent and received.
        keep_turns: Send only so many of the latest turns, with a mark for the rest. `messages` stays whole.
        confirm: Asks the user before a write. None: the model is told to ask, and the run goes on from there.
        ask: How a reply is asked for: whole, or `ask_streaming`.
        on_message: Told of each new message, such as `AuditLog.append`.
        options: More for the request, such as `temperature`.
    """

    unconfirmed: list[ToolResult] = []

    def keep(message: Message) -> None:
        messages.append(message)
        on_message(message)

    def ended(stop: Stop, turns: int, detail: str) -> Run:
        return Run(messages, stop, turns, detail, tuple(unconfirmed))

    context = replace(context, messages=messages)
    if tools := gateway.registry.openai_tools(role=context.role, language=language):
        options["tools"] = tools
    guard = RepeatGuard()
    for turn in range(1, max_turns + 1):
        if token_budget is not None and (why := over_budget(messages, token_budget)):
            return ended("token_budget", turn - 1, why)
        sent = messages if keep_turns is None else shortened(messages, keep_turns)
        try:
            reply = await ask(client, model=model, messages=sendable(sent), **options)
        except ModelError as error:
            return ended("model_error", turn - 1, str(error))
        calls = with_own_ids(calls_from(reply.choice))
        keep(assistant_message(reply, calls))
        if not calls:
            return ended("cut_off" if reply.cut_off else "answered", turn, reply.text or "")
        if repeated := guard.repeated(calls):
            for result in not_run(calls, repeated):
                keep(result.to_message())
            return ended("repeated_call", turn, f"The model called {repeated.name} twice in a row, arguments and all.")
        results = await _run_calls(gateway, calls, context, confirm, keep)
        guard.settle(calls, results)
        unconfirmed[:] = [result for result in results if waits(result)]
    return ended("max_turns", max_turns, f"There is no answer after {max_turns} turns.")


async def _run_calls(
    gateway: Gateway | Pipeline,
    calls: Sequence[ToolCall],
    context: Context,
    confirm: Confirm | None,
    keep: Callable[[Message], None],
) -> list[ToolResult]:
    """Run the calls of a turn and keep every result, also where the user goes away while being asked."""
    results = await gateway.call_all(calls, context)
    try:
        if confirm is not None:
            await ask_user(gateway, calls, results, context, confirm)
    finally:
        for result in results:
            keep(result.to_message())
    return results
