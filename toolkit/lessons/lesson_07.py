"""Lesson 07, judge a run by its calls: its questions and exercises."""

from __future__ import annotations

from toolkit.lessons.checkers_07 import check_booked_once, check_shop_policy
from toolkit.lessons.exercise import Exercise, WrongAnswer
from toolkit.lessons.prediction import Question

QUESTIONS = (
    Question(
        id="07.renumbered",
        text="The good run ok, its ids numbered anew in each turn. What does the quick judge say?",
        options={
            "Pass: the calls are the same": "They are, but the judge looks results up by id, and ids repeat now.",
            "Fail: it finds no hotel id": "Three ids for seven results: the search is lost, and with it each hotel id.",
            "Nothing: it raises KeyError": "Each id is found. What is found belongs to another call.",
        },
        answer="Fail: it finds no hotel id",
    ),
    Question(
        id="07.siblings",
        text="Search and booking in one turn, and the id is right. Did the booking take it from the search?",
        options={
            "Yes: the search stands before it": "It does in the list. But both were written before any result came.",
            "Yes: the id is in its result": "The id is there, and the booking cannot have read it there.",
            "No: it had not seen the result": "Calls of one turn are written together. The id was a lucky guess.",
        },
        answer="No: it had not seen the result",
    ),
)

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


EXERCISES = (
    Exercise(
        id="07.booked_once",
        task="The outcome, as a check: exactly one call of `book_hotel` took effect. Return a verdict: `PASS` for one, "
        "`FAIL` for none or for more than one, `NOT_JUDGEABLE` where an outcome that is `UNKNOWN` or `MISSING` could "
        "change that.",
        minutes=8,
        difficulty="medium",
        hints=(
            "An attempt is no booking: count the outcomes of the calls, not the calls.",
            "Two successes are one too many whatever else is recorded, so ask for them first.",
            "Then, if any outcome is UNKNOWN or MISSING, it may have been a booking as well. What is left is one "
            "success, or none.",
        ),
        stub='''
def booked_once(calls):
    """The verdict on how often a run has booked.

    >>> str(booked_once([Call("book_hotel", {}, outcome=SUCCESS)]))
    'pass'
    """
    raise NotImplementedError
''',
        solution='''
def booked_once(calls):
    """The verdict on how often a run has booked.

    >>> str(booked_once([Call("book_hotel", {}, outcome=SUCCESS)]))
    'pass'
    """
    outcomes = [call.outcome for call in calls if call.name == "book_hotel"]
    if outcomes.count(SUCCESS) > 1:
        return FAIL
    if UNKNOWN in outcomes or MISSING in outcomes:
        return NOT_JUDGEABLE
    return PASS if SUCCESS in outcomes else FAIL
''',
        alternatives=(
            """
def booked_once(calls):
    booked = doubtful = 0
    for call in calls:
        if call.name == "book_hotel":
            booked += call.outcome is SUCCESS
            doubtful += call.outcome not in (SUCCESS, ERROR)
    possible = range(booked, booked + doubtful + 1)
    if 1 not in possible:
        return FAIL
    return PASS if len(possible) == 1 else NOT_JUDGEABLE
""",
            "def booked_once(calls):\n    return trajectory.checks.booked_once(calls, 'book_hotel').verdict",
        ),
        wrong=(
            WrongAnswer(
                "counts attempts",
                "def booked_once(calls):\n"
                "    return PASS if [c.name for c in calls].count('book_hotel') == 1 else FAIL",
                "an attempt is no booking",
            ),
            WrongAnswer(
                "counts successes of every tool",
                "def booked_once(calls):\n"
                "    o = [c.outcome for c in calls]\n"
                "    return FAIL if o.count(SUCCESS) > 1 else NOT_JUDGEABLE if {UNKNOWN, MISSING} & set(o) else "
                "PASS if SUCCESS in o else FAIL",
                "other tools that succeeded are no bookings",
            ),
            WrongAnswer(
                "never in doubt",
                "def booked_once(calls):\n"
                "    o = [c.outcome for c in calls if c.name == 'book_hotel']\n"
                "    return PASS if o.count(SUCCESS) == 1 else FAIL",
                "one booking whose result is missing: expected 'not_judgeable', got 'fail'",
            ),
            WrongAnswer(
                "in doubt although booked twice",
                "def booked_once(calls):\n"
                "    o = [c.outcome for c in calls if c.name == 'book_hotel']\n"
                "    if UNKNOWN in o or MISSING in o:\n"
                "        return NOT_JUDGEABLE\n"
                "    return PASS if o.count(SUCCESS) == 1 else FAIL",
                "booked twice for certain",
            ),
            WrongAnswer(
                "content with any booking",
                "def booked_once(calls):\n"
                "    return PASS if any(c.outcome is SUCCESS for c in calls if c.name == 'book_hotel') else FAIL",
                "booked twice: expected 'fail', got 'pass'",
            ),
            WrongAnswer(
                "returns True and False",
                "def booked_once(calls):\n"
                "    return [c.outcome for c in calls if c.name == 'book_hotel'].count(SUCCESS) == 1",
                "expected 'pass', got 'True'",
            ),
            WrongAnswer(
                "an empty run passes",
                "def booked_once(calls):\n"
                "    o = [c.outcome for c in calls if c.name == 'book_hotel']\n"
                "    return PASS if len(o) < 2 and all(end is SUCCESS for end in o) else FAIL",
                "nothing was booked",
            ),
        ),
        checker=check_booked_once,
        setup="from toolkit import trajectory\n"
        "from toolkit.trajectory import Call, Outcome, Verdict\n"
        "PASS, FAIL, NOT_JUDGEABLE, NOT_APPLICABLE = Verdict\n"
        "SUCCESS, ERROR, UNKNOWN, MISSING = Outcome",
    ),
    Exercise(
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
    ),
)
