"""What lesson 07's checkers ask of an answer: bookings by outcome, and refunds by policy."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from toolkit.lessons.expect import expect, expect_equal
from toolkit.trajectory import Call, Outcome, Policy, Trace, evaluate
from toolkit.trajectory.records import Utterance

SUCCESS, ERROR, UNKNOWN, MISSING = Outcome
CHECKS = {"looked_first", "order_found", "amount_agrees"}


def check_booked_once(booked_once: Callable[[list[Call]], Any]) -> None:
    """Runs by the outcomes of their bookings, each with the one right verdict."""

    def verdict(*outcomes: Outcome, others: int = 0) -> str:
        calls = [Call("search_hotels", {}, place, place) for place in range(others)]
        calls += [
            Call("book_hotel", {}, others + place, others + place, outcome=end) for place, end in enumerate(outcomes)
        ]
        return str(booked_once(calls))

    expect_equal(verdict(SUCCESS), "pass", "one booking that succeeded")
    expect_equal(verdict(), "fail", "no call at all: nothing was booked")
    expect_equal(verdict(ERROR), "fail", "one booking that was refused: an attempt is no booking")
    expect_equal(verdict(ERROR, SUCCESS), "pass", "refused once, then booked: a retry is legal")
    expect_equal(verdict(SUCCESS, SUCCESS), "fail", "booked twice")
    expect_equal(verdict(SUCCESS, others=2), "pass", "other tools that succeeded are no bookings")
    expect_equal(verdict(MISSING), "not_judgeable", "one booking whose result is missing")
    expect_equal(verdict(UNKNOWN, SUCCESS), "not_judgeable", "a booking of unknown outcome, then one that succeeded")
    expect_equal(verdict(SUCCESS, MISSING, SUCCESS), "fail", "booked twice for certain, whatever the third did")


def _found(*ids: str) -> Call:
    return Call("find_orders", {"email": "a@example.com"}, result={"orders": [{"id": id} for id in ids]})


def _order(id: str, total: int) -> Call:
    return Call("get_order", {"order_id": id}, result={"order_id": id, "total": total})


def _refund(id: str, amount: int) -> Call:
    return Call("refund", {"order_id": id, "amount": amount}, result={"status": "ok"})


def check_shop_policy(policy: Any) -> None:
    """Refunds that are right, and each of the ways in which one is not."""
    expect(isinstance(policy, Policy), f"expected a Policy, got a value of type {type(policy).__name__}")
    names = {check.name for check in policy.checks}
    expect(names == CHECKS, f"the checks should be named {sorted(CHECKS)}, they are named {sorted(names)}")

    def failing(*calls: Call, said: str = "") -> list[str]:
        trace = replace(Trace.of(calls), said=(Utterance(-1, "/0", said),))
        return sorted(result.name for result in evaluate(trace, policy).results if result.verdict != "pass")

    found, first, second = _found("A-1", "A-2"), _order("A-1", 40), _order("A-2", 15)
    expect_equal(failing(found, first, _refund("A-1", 40)), [], "a right refund")
    expect_equal(failing(found, first, _refund("A-1", 15)), ["amount_agrees"], "15 refunded, the order's total is 40")
    case = "two orders were looked at, the refund is for the first: its total counts, not the latest"
    expect_equal(failing(found, first, second, _refund("A-1", 40)), [], case)
    case = "the refund is for the first order, with the total of the second"
    expect_equal(failing(found, first, second, _refund("A-1", 15)), ["amount_agrees"], case)
    case = "an order that no find_orders has returned; that get_order repeats its id proves nothing"
    expect_equal(failing(found, _order("A-9", 40), _refund("A-9", 40)), ["order_found"], case)
    case = "an order that only the user named"
    expect_equal(failing(found, _order("A-9", 40), _refund("A-9", 40), said="Refund A-9."), ["order_found"], case)
    refunded = failing(found, _refund("A-1", 40), first)
    expect_equal(refunded, ["amount_agrees", "looked_first"], "a refund before the order was looked at")
    refused = first._replace(result={"error": "no connection"}, outcome=ERROR)
    case = "a refund although get_order had failed"
    expect_equal(failing(found, refused, _refund("A-1", 40)), ["amount_agrees", "looked_first"], case)
