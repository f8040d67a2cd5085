"""Against a golden run: the best pairing, repeats counted, and nothing for nothing."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolkit.hotel.controls import load_control
from toolkit.trajectory import Call, Check, Policy, evaluate
from toolkit.trajectory.reference import align, match_reference


def calls(text):
    """`rain(OSLO) conv` as calls; what stands in brackets is the argument `x`."""
    found = []
    for word in text.split():
        name, _, value = word.rstrip(")").partition("(")
        found.append(Call(name, {"x": value} if value else {}))
    return found


def verdict(made, expected, **how):
    result = match_reference(calls(made), calls(expected), **how)
    return str(result.verdict), result.code


@pytest.mark.row("P79")
def test_a_repeated_call_must_be_made_as_often_as_expected():
    """Two for two pass; one for two is one missing."""
    assert verdict("find(1) find(1)", "find(1) find(1)") == ("pass", "ok")
    result = match_reference(calls("find(1)"), calls("find(1) find(1)"))
    assert (result.code, result.reason) == (
        "call_missing",
        "1 of 2 expected calls made in order; missing: the second 'find' {'x': '1'} expected after 'find'",
    )


@pytest.mark.row("P80")
def test_a_wrong_order_names_the_call_that_is_out_of_place():
    """W, Q, W expected and W, W, Q made: two in order, and the second W is missing behind Q."""
    assert len(align(calls("W W Q"), calls("W Q W")).pairs) == 2
    result = match_reference(calls("W W Q"), calls("W Q W"))
    assert (str(result.verdict), result.reason) == (
        "fail",
        "2 of 3 expected calls made in order; missing: the second 'W' expected after 'Q'; extra: call 1 'W'",
    )
    assert verdict("W W Q", "W Q W", order="any") == ("pass", "ok")


@pytest.mark.row("P82")
def test_one_call_satisfies_one_expected_call():
    """ROME twice is not OSLO and ROME; repeats beyond what is expected are extra; the score stays within 1."""
    assert verdict("rain(ROME) rain(ROME)", "rain(OSLO) rain(ROME)", order="any") == ("fail", "call_missing")
    three = align(calls("rain(ROME) rain(ROME) rain(ROME)"), calls("rain(ROME)"), order="any")
    assert (three.extra, three.score) == ((1, 2), 1 / 3)
    assert verdict("rain(OSLO) conv(3)", "rain(OSLO)") == ("fail", "call_extra")
    assert verdict("rain(OSLO) conv(3)", "rain(OSLO)", extra="allow") == ("pass", "ok")
    assert match_reference(calls("rain(OSLO) conv(3)"), calls("rain(OSLO)"), extra="allow").reason == (
        "1 of 1 expected calls made; extra: call 1 'conv'"
    )


@pytest.mark.parametrize(
    ("made", "order", "passes"),
    [
        ("a b c", "exact", True),
        ("a x b c", "exact", False),
        ("a x b c", "in_order", True),
        ("a b c x", "exact", True),
        ("a c b", "in_order", False),
        ("c x b a", "any", True),
        ("a b", "any", False),
    ],
)
def test_three_orders(made, order, passes):
    """Position by position, in the same order, in any order; other calls are allowed here."""
    assert (verdict(made, "a b c", order=order, extra="allow")[0] == "pass") is passes


def test_three_ways_to_compare_arguments_and_one_of_ones_own():
    """Equal, at least what is expected, names only; a function for one tool."""
    wanted, made = [Call("f", {"a": 1})], [Call("f", {"a": 1.0, "b": 2})]
    found = {how: match_reference(made, wanted, arguments=how).code for how in ("exact", "subset", "ignore")}
    assert found == {"exact": "call_missing", "subset": "ok", "ignore": "ok"}
    assert match_reference([Call("f", {"a": "1"})], wanted).code == "call_missing"
    near = {"f": lambda expected, got: abs(expected["a"] - got["a"]) < 2}
    assert match_reference([Call("f", {"a": 2})], wanted, compare=near, arguments="ignore").code == "ok"
    assert match_reference([Call("f", {"a": 3})], wanted, compare=near, arguments="ignore").code == "call_missing"


def test_the_pairing_is_the_best_not_the_first():
    """The general expectation takes the call that the narrow one cannot."""
    wanted, made = [Call("f", {}), Call("f", {"a": 1})], [Call("f", {"a": 1}), Call("f", {"a": 2})]
    assert align(made, wanted, order="any", arguments="subset").pairs == ((0, 1), (1, 0))


def test_nothing_for_nothing_is_no_perfect_score():
    """Nothing expected, nothing called: not applicable; nothing expected and something called: extra."""
    assert verdict("", "") == ("not_applicable", "nothing_expected")
    assert align([], []).score is None
    assert verdict("a", "") == ("fail", "call_extra")
    assert verdict("a", "", extra="allow") == ("not_applicable", "nothing_expected")
    assert verdict("", "a") == ("fail", "call_missing")


def test_unreadable_arguments_leave_it_open_only_where_they_decide():
    """They may be the expected ones; a missing call stays missing."""
    assert match_reference([Call("f", None)], calls("f(1)")).code == "args_invalid"
    assert match_reference([Call("f", None)], calls("f(1)"), arguments="ignore").code == "ok"
    assert match_reference([Call("f", None)], calls("f(1) g")).code == "call_missing"


@pytest.mark.row("J8")
def test_a_call_that_may_stand_in_what_is_missing_is_not_missing():
    """A cut history leaves a missing call open; too many calls are too many all the same."""
    golden = load_control("ok")
    assert match_reference(golden[4:], golden).code == "head_truncated"
    assert match_reference([*golden[4:], *golden[2:]], golden).code != "head_truncated"


def test_a_golden_run_is_a_check_of_a_policy():
    """The golden run freezes one hotel: another right booking fails it, which the four checks do not."""
    policy = Policy("golden", (Check("as_recorded", match_reference, reference=load_control("ok")),))
    assert str(evaluate(load_control("ok"), policy).verdict) == "pass"
    assert evaluate(load_control("wrong_room"), policy)["as_recorded"].code == "call_missing"


NAMES = st.lists(st.sampled_from("abc"), max_size=5)


@given(NAMES, NAMES)
def test_the_pairings_are_as_large_as_can_be(made, expected):
    """Compared with trying every way; what is paired, missing and extra adds up."""
    found = align(calls(" ".join(made)), calls(" ".join(expected)), order="any")
    padded = made + [""] * max(0, len(expected) - len(made))
    most = max(sum(map(str.__eq__, expected, way)) for way in permutations(padded, len(expected)))
    assert len(found.pairs) == most
    assert len(found.pairs) + len(found.missing) == len(expected)
    assert len(found.pairs) + len(found.extra) == len(made)
    assert len(align(calls(" ".join(made)), calls(" ".join(expected)), order="in_order").pairs) <= most
