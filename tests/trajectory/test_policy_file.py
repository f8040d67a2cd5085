"""Policies as JSON: five lines make one, and a mistake in one is told where it is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from toolkit.hotel.policies import policy_named, policy_names
from toolkit.resources import data_path
from toolkit.trajectory import Call, Trace
from toolkit.trajectory.checks import values_agree
from toolkit.trajectory.policy import PolicyError
from toolkit.trajectory.policy_file import load_policy, read_policy


def order(price, quoted=5, sku="a"):
    """A shop's run: one product found and quoted, one ordered."""
    return Trace.of(
        [
            Call("search_products", {}, result={"products": [{"sku": "a"}]}),
            Call("check_stock", {"sku": "a"}, result={"left": 3}),
            Call("get_price", {"sku": "a"}, result={"price": quoted}),
            Call("place_order", {"sku": sku, "price": price}, result={"status": "ok"}),
        ]
    )


def failing(policy, trace):
    return [check.name for check in policy.checks if str(check.judge(trace).verdict) != "pass"]


def test_a_policy_of_five_lines_judges_a_shop():
    """The shop's policy in the data folder passes a good order and names what is wrong with others."""
    shop = policy_named("shop")
    assert len(data_path("policies", "shop.json").read_text("utf-8").splitlines()) == 5
    assert failing(shop, order(5)) == []
    assert failing(shop, order(4)) == ["price_as_quoted"]
    assert failing(shop, order(5, sku="b")) == ["sku_from_search", "price_as_quoted"]


def test_every_policy_in_the_data_folder_can_be_read():
    """What stands in the list of names can be asked for."""
    assert [policy_named(name).name for name in policy_names()] == policy_names()


def test_a_policy_may_be_a_file(tmp_path):
    """A path is as good as a name."""
    path = tmp_path / "mine.json"
    path.write_text('{"name": "mine", "checks": [{"check": "no_spin", "times": 3}]}', "utf-8")
    policy = policy_named(str(path))
    assert (policy.name, policy.checks[0].name, policy.checks[0].parameters) == ("mine", "no_spin", {"times": 3})


def test_parameters_that_are_objects_are_made_of_json():
    """An entity and a link are written as objects."""
    link = {"argument": "hotel_id", "sources": {"search": ["hotels[*].id", "best.id"]}}
    given = {"tool": "book", "argument": "room", "source": "weather", "path": "sky", "match": {"date": "day"}}
    data = {"check": "values_agree", **given, "entity": {"field": "city", "names": ["Rome"]}, "link": link}
    check = read_policy({"checks": [data]}).checks[0]
    assert check.function is values_agree
    assert check.parameters["entity"].names == ("Rome",)
    assert check.parameters["link"].sources == link["sources"]


KNOWN = (
    "booked_once, called_before, dates_agree, known_tools, no_spin, steps_in_order, value_from_result, values_agree, "
    "within_budget, writes_confirmed"
)
SHAPE = 'A policy is an object like {"name": "shop", "checks": [{...}]} with at least one check.'


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ([], SHAPE),
        ({"checks": []}, SHAPE),
        ({"checks": [3]}, f"Check 0 of the policy names None as its check. Known checks: {KNOWN}."),
        ({"checks": [{"check": "x"}]}, f"Check 0 of the policy names 'x' as its check. Known checks: {KNOWN}."),
        (
            {"checks": [{"check": "booked_once", "tools": "pay"}]},
            "Check 'booked_once' has a parameter 'tools'. Its parameters: tool.",
        ),
        (
            {"checks": [{"check": "booked_once"}]},
            "Check 'booked_once': missing a required argument: 'tool'. Its parameters: tool.",
        ),
        (
            {"checks": [{"name": "n", "check": "no_spin", "times": "often"}]},
            "Check 'n' cannot use its times: Input should be a valid integer, unable to parse string as an integer.",
        ),
        (
            {"checks": [{"check": "value_from_result", "tool": "a", "argument": "b..c", "sources": {}}]},
            "Check 'value_from_result' cannot use its argument: cannot read the path 'b..c'; "
            "write it like hotels[*].id.",
        ),
        (
            {"checks": [{"check": "no_spin"}, {"check": "no_spin"}]},
            "Two checks are named 'no_spin'. Give each its own name.",
        ),
    ],
)
def test_a_mistake_in_a_policy_is_told(data, message):
    """The text says which check, what is wrong, and what is accepted."""
    with pytest.raises(PolicyError) as caught:
        read_policy(data)
    assert str(caught.value) == message


def test_an_entity_with_an_unknown_field_is_refused():
    """A misspelt key would otherwise be a rule that is not there."""
    data = {"check": "value_from_result", "tool": "a", "argument": "b", "sources": {"s": "c"}}
    with pytest.raises(PolicyError, match="cannot use its entity: Unexpected keyword argument"):
        read_policy({"checks": [{**data, "entity": {"field": "city", "names": ["Rome"], "also": 1}}]})


def test_a_policy_file_that_is_none_is_told(tmp_path):
    """Missing, no JSON, or a name nobody knows."""
    path = tmp_path / "broken.json"
    path.write_text("{", "utf-8")
    with pytest.raises(PolicyError) as caught:
        load_policy(path)
    assert str(caught.value) == f"{path}: a policy is a JSON file; this is none."
    missing = Path(tmp_path, "none.json")
    with pytest.raises(PolicyError) as caught:
        policy_named(str(missing))
    assert str(caught.value) == f"{missing}: cannot read the policy: No such file or directory."
    with pytest.raises(PolicyError) as caught:
        policy_named("spa")
    assert str(caught.value) == (
        "No policy 'spa'. Known: hotel, hotel-outcome, hotel-manners, airline, shop; or give a policy file (.json)."
    )


def test_the_hotel_policy_could_have_been_written_as_json():
    """Its parameters are names, paths and tables, nothing else."""
    from toolkit.hotel import HOTEL_POLICY

    for check in HOTEL_POLICY.checks:
        plain = {key: value for key, value in check.parameters.items() if key not in ("entity", "link")}
        assert json.loads(json.dumps(plain)) is not None
