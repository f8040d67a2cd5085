"""Checks on how a run went: how often, how long, with whose consent, and with which tools."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from toolkit.trajectory.checks.evidence import Names, as_names, calls_of, in_doubt, in_gap, not_called, quoted, shown
from toolkit.trajectory.reading import same_key
from toolkit.trajectory.records import Call, CheckResult, Outcome, Trace, Verdict


def booked_once(calls: Trace | Iterable[Call], tool: Names, *, name: str = "booked_once") -> CheckResult:
    """Check the outcome: exactly one call of `tool` took effect.

    >>> str(booked_once([Call("book_hotel", {}), Call("book_hotel", {})], "book_hotel").code)
    'booked_again'
    """
    trace = Trace.of(calls)
    attempts = calls_of(trace, as_names(tool))
    committed = [call for call in attempts if call.outcome is Outcome.SUCCESS]
    if len(committed) > 1:
        reason = f"{quoted(tool)} took effect {len(committed)} times, the second time in call {committed[1].index}"
        return CheckResult(name, Verdict.FAIL, "booked_again", reason, committed[1].at)
    unsettled = next((call for call in attempts if not call.is_settled), None)
    if unsettled is not None:
        return in_doubt(name, unsettled, f"how often {quoted(tool)} took effect")
    if trace.gaps:
        return in_gap(name, trace.gaps[0][1], f"{quoted(tool)} is seen to take effect {len(committed)} times")
    if not committed:
        at = attempts[-1].at if attempts else trace.at
        return CheckResult(name, Verdict.FAIL, "not_booked", f"{quoted(tool)} never took effect", at)
    reason = f"{quoted(tool)} took effect once, in call {committed[0].index}"
    return CheckResult(name, Verdict.PASS, "ok", reason, committed[0].at, committed[0].content_at)


def writes_confirmed(calls: Trace | Iterable[Call], tool: Names, *, name: str = "writes_confirmed") -> CheckResult:
    """Check that the user spoke between the assistant's last message and every write: asked, then done.

    What the user said is not read. The same call again, after it failed, needs no second word.

    >>> str(writes_confirmed([Call("book_hotel", {})], "book_hotel").code)
    'not_confirmed'
    """
    trace = Trace.of(calls)
    writes = calls_of(trace, as_names(tool))
    if not writes:
        return not_called(name, trace, tool)
    answered = {turn + 1 for turn, _, _ in trace.said if turn >= 0}
    agreed: set[object] = set()
    for call in writes:
        order = (call.name, same_key(call.arguments))
        if call.turn not in answered and order not in agreed:
            gap = trace.gap_before(call)
            if gap is not None:
                return in_gap(name, gap, f"no word of the user stands right before call {call.index}")
            reason = f"call {call.index} is {call.name!r}, and the user was not asked right before"
            return CheckResult(name, Verdict.FAIL, "not_confirmed", reason, call.at)
        if call.outcome is Outcome.ERROR and call.arguments is not None:
            agreed.add(order)
        else:
            agreed.discard(order)
    reason = f"the user spoke right before every call of {quoted(tool)}"
    return CheckResult(name, Verdict.PASS, "ok", reason, writes[-1].at)


def no_spin(calls: Trace | Iterable[Call], *, times: int = 2, name: str = "no_spin") -> CheckResult:
    """Check that no call is made with the same arguments so many times in a row.

    >>> no_spin([Call("get_weather", {"city": "Xi'an"}), Call("get_weather", {"city": "Xi'an"})]).reason
    "call 1 is 'get_weather' with the same arguments 2 times in a row"
    """
    trace = Trace.of(calls)
    if not trace.calls:
        return _no_calls(name, trace)
    doubt, run, previous = None, 0, None
    for call in trace.calls:
        order = (call.name, same_key(call.arguments))
        run = run + 1 if order == previous else 1
        previous = order
        if run < times:
            continue
        if call.arguments is not None:
            reason = f"call {call.index} is {call.name!r} with the same arguments {run} times in a row"
            return CheckResult(name, Verdict.FAIL, "repeated", reason, call.at)
        doubt = doubt or call
    if doubt is not None:
        return in_doubt(name, doubt, "whether it repeats the call before", "args_invalid")
    reason = f"no call is made {times} times in a row with the same arguments"
    return CheckResult(name, Verdict.PASS, "ok", reason, trace.at)


def within_budget(
    calls: Trace | Iterable[Call], *, turns: int | None = None, tokens: int | None = None, name: str = "within_budget"
) -> CheckResult:
    """Check that a run took no more assistant messages, and no more tokens, than it may.

    Tokens are the `usage.total_tokens` that assistant messages carry, added up.

    >>> within_budget([Call("get_weather", {})] * 3, turns=2).reason
    'the run took 3 turns, more than 2'
    """
    trace = Trace.of(calls)
    if turns is not None and trace.turns > turns:
        reason = f"the run took {trace.turns} turns, more than {turns}"
        return CheckResult(name, Verdict.FAIL, "too_many_turns", reason, trace.at)
    if tokens is not None and trace.tokens is not None and trace.tokens > tokens:
        reason = f"the run took {trace.tokens} tokens, more than {tokens}"
        return CheckResult(name, Verdict.FAIL, "too_many_tokens", reason, trace.at)
    if not trace.calls:
        return _no_calls(name, trace)
    if tokens is not None and trace.tokens is None:
        reason = "no message says how many tokens it took"
        return CheckResult(name, Verdict.NOT_JUDGEABLE, "tokens_unknown", reason, trace.at)
    if trace.gaps:
        return in_gap(name, trace.gaps[0][1], "what is left of the run is within its budget")
    spent = f"{trace.turns} turns" + (f" and {trace.tokens} tokens" if trace.tokens is not None else "")
    return CheckResult(name, Verdict.PASS, "ok", f"the run took {spent}", trace.at)


def known_tools(calls: Trace | Iterable[Call], tools: Sequence[str], *, name: str = "known_tools") -> CheckResult:
    """Check that every call names a tool that exists.

    >>> known_tools([Call("book_hotels", {})], ["book_hotel"]).reason
    "call 0 is 'book_hotels', and there is no such tool"
    """
    trace = Trace.of(calls)
    if not trace.calls:
        return _no_calls(name, trace)
    known = as_names(tools)
    stranger = next((call for call in trace.calls if call.name not in known), None)
    if stranger is not None:
        reason = f"call {stranger.index} is {shown(stranger.name)}, and there is no such tool"
        return CheckResult(name, Verdict.FAIL, "unknown_tool", reason, stranger.at)
    return CheckResult(name, Verdict.PASS, "ok", "every call names a tool that exists", trace.at)


def _no_calls(name: str, trace: Trace) -> CheckResult:
    return CheckResult(name, Verdict.NOT_APPLICABLE, "not_called", "no tool was called", trace.at)
