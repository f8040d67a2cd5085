"""Whether runs and policy are about the same tools at all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from toolkit.trajectory.judging import Judged, Unreadable
from toolkit.trajectory.policy import Policy


def another_domain(outcomes: Iterable[Judged | Unreadable], policy: Policy) -> str | None:
    """A sentence where the runs call tools and a policy about certain tools names none of them; else None.

    A verdict of such a policy says nothing about the agent: `book_hotel` was never called by one that refunds orders.
    Not to be asked of a policy that is about any tool, such as one against repeated calls.
    """
    reports = [outcome.report for outcome in outcomes if isinstance(outcome, Judged)]
    called = dict.fromkeys(call.name for report in reports for call in report.trace.calls)
    named = {text for check in policy.checks for text in _texts(check.parameters)}
    if not called or not named.isdisjoint(called):
        return None
    some = ", ".join(list(called)[:3]) + (", ..." if len(called) > 3 else "")
    return (
        f"These runs call {some}, and the policy {policy.name!r} names none of their tools. "
        "For another domain give a policy of your own: --policy FILE; lesson 07 writes one."
    )


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, part in value.items():
            yield from _texts(key)
            yield from _texts(part)
    elif isinstance(value, list | tuple | set | frozenset):
        for part in value:
            yield from _texts(part)
