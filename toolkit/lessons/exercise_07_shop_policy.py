"""Exercise 07.shop_policy: a policy for another domain, refunds in a shop."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from toolkit.lessons.exercise import Exercise, WrongAnswer
from toolkit.lessons.expect import expect, expect_equal
from toolkit.trajectory import Call, Outcome, Policy, Trace, evaluate
from toolkit.trajectory.records import Utterance

CHECKS = {"looked_first", "order_found", "amount_agrees"}


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
    refused = first._replace(result={"error": "no connection"}, outcome=Outcome.ERROR)
    case = "a refund although get_order had failed"
    expect_equal(failing(found, refused, _refund("A-1", 40)), ["amount_agrees", "looked_first"], case)


_SHOP = """
looked_first = Check("looked_first", trajectory.called_before, first="get_order", then="refund")
orders = {{"find_orders": "{orders}"}}
refund_of = {{"tool": "refund", "argument": "order_id"}}
order_found = Check("order_found", trajectory.value_from_result, **refund_of, sources=orders{more})
total = {{"source": "get_order", "path": "{path}"{match}}}
amount_agrees = Check("amount_agrees", trajectory.values_agree, tool="refund", argument="amount", **total)
shop_policy = Policy("shop", (looked_first, order_found, amount_agrees))
"""
_SAME_ORDER = ', "match": {"order_id": "order_id"}'


def _shop(orders: str = "orders[*].id", path: str = "total", match: str = _SAME_ORDER, more: str = "") -> str:
    return _SHOP.format(orders=orders, path=path, match=match, more=more)


SHOP_POLICY = Exercise(
    id="07.shop_policy",
    task="A policy for a shop whose agent refunds orders. Its tools: `find_orders(email)` returns "
    '`{"orders": [{"id": ...}, ...]}`, `get_order(order_id)` returns `{"order_id": ..., "total": ...}`, and '
    "`refund(order_id, amount)` pays. Use the package's checks, as `airline` above does, not those written in this "
    "notebook: `trajectory.called_before`, `trajectory.value_from_result(tool, argument, sources)` and "
    "`trajectory.values_agree(tool, argument, source, path)`. State three, with these names:\n\n"
    "- `looked_first`: no refund before a `get_order` has succeeded;\n"
    "- `order_found`: the `order_id` of a refund stands in a result of `find_orders`; that the user named it is "
    "not enough;\n"
    "- `amount_agrees`: the `amount` is the `total` of **this** order. `trajectory.values_agree` without "
    "`expected` asks for the same value; its `match` says which field of the source must equal which argument "
    "of the refund.",
    minutes=10,
    difficulty="medium",
    hints=(
        "One `Check(name, function, ...)` each, with `trajectory.called_before`, `trajectory.value_from_result` "
        "and `trajectory.values_agree`. Then `Policy(name, (check, check, check))`.",
        "The ids of all orders found are at `orders[*].id`, and a policy without `user_text=True` does not take "
        "the user's word for one.",
        'The last check needs `source="get_order", path="total", match={"order_id": "order_id"}`; without `match` '
        "the total of any order counts.",
    ),
    stub="shop_policy = ...",
    solution=_shop(),
    alternatives=(
        """
shop_policy = Policy("refunds", (
    Check("amount_agrees", trajectory.values_agree, tool="refund", argument="amount",
          source="get_order", path="total", match={"order_id": "order_id"}),
    Check("order_found", trajectory.value_from_result, tool=("refund",), argument="order_id",
          sources={"find_orders": ["orders[*].id"]}),
    Check("looked_first", trajectory.steps_in_order, steps=("get_order", "refund")),
))
""",
        """
from toolkit.trajectory.policy_file import read_policy

shop_policy = read_policy({"name": "shop", "checks": [
    {"name": "looked_first", "check": "called_before", "first": "get_order", "then": "refund"},
    {"name": "order_found", "check": "value_from_result", "tool": "refund", "argument": "order_id",
     "sources": {"find_orders": "orders[*].id"}},
    {"name": "amount_agrees", "check": "values_agree", "tool": "refund", "argument": "amount",
     "source": "get_order", "path": "total", "match": {"order_id": "order_id"}}]})
""",
    ),
    wrong=(
        WrongAnswer("looks for one id", _shop(orders="orders.id"), "a right refund"),
        WrongAnswer("takes the latest total", _shop(match=""), "its total counts, not the latest"),
        WrongAnswer("takes the user's word", _shop(more=", user_text=True"), "only the user named"),
        WrongAnswer(
            "takes an id that was only repeated",
            _shop().replace('"orders[*].id"}', '"orders[*].id", "get_order": "order_id"}'),
            "repeats its id proves nothing",
        ),
        WrongAnswer("compares with another field", _shop(path="order_id"), "a right refund: expected []"),
        WrongAnswer(
            "looks after the refund",
            _shop().replace('first="get_order", then="refund"', 'first="find_orders", then="refund"'),
            "a refund before the order was looked at",
        ),
        WrongAnswer(
            "leaves a check out",
            _shop().replace("(looked_first, order_found, ", "(order_found, "),
            "should be named",
        ),
        WrongAnswer("no policy yet", _shop() + "shop_policy = list(shop_policy.checks)", "expected a Policy"),
    ),
    checker=check_shop_policy,
    setup="from toolkit import trajectory\nfrom toolkit.trajectory import Check, Policy",
)
