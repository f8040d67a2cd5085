"""Faults that people reported in public about judging calls, re-created with other names (`row` gives the case)."""

from __future__ import annotations

import pytest

from toolkit.trajectory import Call, Verdict, called_before, evaluate, extract_calls, value_from_result
from toolkit.trajectory.policy_file import read_policy


@pytest.mark.parametrize("steps", [["a"], ["a", "b", "c"]])
def test_results_count_whatever_number_of_calls_a_turn_makes(make, steps):
    """One call or many: each has its own result."""
    messages = make.talk(make.turn(*(make.call(name, {}, {"n": name}) for name in steps)))
    assert [call.result["n"] for call in extract_calls(messages).calls] == steps


@pytest.mark.row("P77")
def test_an_unanswered_call_is_not_taken_for_an_executed_one(make):
    """The answered sibling keeps its own result; the other has none."""
    messages = make.talk(make.turn(make.call("agent", {}, id="p"), make.call("b", {}, "ok", id="q")))
    assert [(call.id, call.result, str(call.outcome)) for call in extract_calls(messages).calls] == [
        ("p", None, "missing"),
        ("q", "ok", "unknown"),
    ]


@pytest.mark.row("P85")
def test_a_required_step_that_never_came_fails(make):
    """A right end state does not replace the hand-off."""
    policy = read_policy(
        {
            "checks": [
                {"name": "handed_off", "check": "steps_in_order", "steps": ["get_order", "transfer_to_human"]},
                {
                    "name": "not_cancelled",
                    "check": "known_tools",
                    "tools": ["get_order", "get_user", "transfer_to_human"],
                },
            ]
        }
    )
    messages = make.talk(make.turn(make.call("get_user", {}, {})), make.turn(make.call("get_order", {}, {})))
    assert [(result.name, str(result.verdict)) for result in evaluate(messages, policy).results] == [
        ("handed_off", "fail"),
        ("not_cancelled", "pass"),
    ]


@pytest.mark.row("P86")
@pytest.mark.parametrize(
    ("names", "verdict", "index"),
    [
        (["create", "validate"], Verdict.FAIL, 0),
        (["validate", "create", "create"], Verdict.PASS, None),
        (["create"], Verdict.FAIL, 0),
        (["validate"], Verdict.NOT_APPLICABLE, None),
    ],
)
def test_order_is_judged_not_membership(names, verdict, index):
    """Both tools were called, and still in the wrong order."""
    result = called_before([Call(name, {}, at=str(place)) for place, name in enumerate(names)], "validate", "create")
    assert result.verdict is verdict
    assert index is None or result.reason == f"call {index} is 'create', but 'validate' has not run yet"


@pytest.mark.row("P87")
def test_an_invented_id_is_found_in_every_call_that_uses_it(make):
    """The tool's own error text repeats the value, and that is no source."""
    asked = make.call("index_docs", {"doc_ids": ["doc_91c0ffee"]}, "nothing found for doc_91c0ffee")
    trace = extract_calls(make.talk(make.turn(asked), make.turn(asked)))
    for call in trace.calls:
        result = value_from_result([call], "index_docs", "doc_ids[*]", {"list_docs": "docs[*].id"})
        assert (str(result.verdict), result.code) == ("fail", "no_source")


PAYMENT = {"tool": "pay", "argument": "payment_id", "sources": {"get_user": "payment_methods.*.id"}, "user_text": True}


def payment_verdict(make, *parts):
    policy = read_policy({"checks": [{"name": "payment", "check": "value_from_result", **PAYMENT}]})
    result = evaluate(make.talk(*parts), policy)["payment"]
    return str(result.verdict), result.code


@pytest.mark.row("P88")
def test_an_id_made_up_from_the_users_digits_has_no_source(make):
    """Neither the digits in the user's sentence nor a result that comes later is a source."""
    pay = make.turn(make.call("pay", {"payment_id": "card_7334"}, "Error: not found"))
    later = make.turn(
        make.call("get_user", {}, {"payment_methods": {"card_9074": {"id": "card_9074", "last": "7334"}}})
    )
    assert payment_verdict(make, make.user("Use my card ending in 7334"), pay, later) == ("fail", "no_source")


@pytest.mark.row("P89")
def test_the_right_digits_under_another_prefix_have_no_source(make):
    """The whole value must be equal."""
    known = make.turn(make.call("get_user", {}, {"payment_methods": {"a": {"id": "gift_5634"}}}))
    assert payment_verdict(make, known, make.turn(make.call("pay", {"payment_id": "card_5634"}, {}))) == (
        "fail",
        "no_source",
    )
    assert payment_verdict(make, known, make.turn(make.call("pay", {"payment_id": "gift_5634"}, {}))) == ("pass", "ok")


@pytest.mark.row("P90")
def test_a_failed_call_stays_in_the_trace(make):
    """Two attempts are two steps, and words do not decide which of them worked."""
    pay = [make.call("pay", {"n": 1}, text) for text in ("Error: declined", "ok")]
    trace = extract_calls(make.talk(*map(make.turn, pay)))
    assert [str(call.outcome) for call in trace.calls] == ["unknown", "unknown"]


@pytest.mark.parametrize(
    ("said", "verdict"),
    [
        ("Pay with gift_5634.", "pass"),
        ("gift_5634, please", "pass"),
        ("用gift_5634付款", "pass"),
        ("gift_56341", "fail"),
        ("my_gift_5634", "fail"),
        ("GIFT_5634", "fail"),
        ("gift-5634", "fail"),
        ("gift_5634-b", "fail"),
    ],
)
def test_the_users_words_are_compared_whole(make, said, verdict):
    """A value counts as said only where it stands as a word of its own."""
    pay = make.turn(make.call("pay", {"payment_id": "gift_5634"}, {}))
    assert payment_verdict(make, make.user(said), pay)[0] == verdict


@pytest.mark.parametrize(
    ("value", "verdict"),
    [("gold card", "pass"), ("old card", "fail"), (5634, "pass"), (True, "fail"), (["gold"], "fail")],
)
def test_phrases_and_numbers_may_be_said_too(make, value, verdict):
    """A phrase stands between word boundaries, a number as its digits; true is nothing one says."""
    pay = make.turn(make.call("pay", {"payment_id": value}, {}))
    assert payment_verdict(make, make.user("The gold card, 5634. True ['gold']."), pay)[0] == verdict


@pytest.mark.parametrize(("argument", "empty"), [("ids[*]", []), ("ids.*", {}), ("ids[*].id", [])])
def test_a_list_of_no_values_leaves_nothing_to_judge(argument, empty):
    """An argument that names many values may name none; one that names a single value must have it."""
    call = [Call("pay", {"ids": empty})]
    result = value_from_result(call, "pay", argument, {"get_user": "id"})
    assert (str(result.verdict), result.code) == ("not_applicable", "no_value")
    assert value_from_result(call, "pay", "id", {"get_user": "id"}).code == "args_missing"


def test_every_value_of_a_list_needs_a_source():
    """One invented among known ones fails."""
    calls = [Call("get_user", {}, result={"id": "a"}), Call("pay", {"ids": ["a", "b"]})]
    assert "ids[*] 'b' stands in no result" in value_from_result(calls, "pay", "ids[*]", {"get_user": "id"}).reason


def test_what_the_user_says_later_is_no_source(make):
    """Only words before the call."""
    pay = make.turn(make.call("pay", {"payment_id": "gift_5634"}, {}))
    assert payment_verdict(make, pay, make.user("gift_5634")) == ("fail", "no_source")
