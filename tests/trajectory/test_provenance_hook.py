"""The provenance check before execution: the same answer as the check gives of the finished run."""

from __future__ import annotations

import pytest

from toolkit.errors import ToolError
from toolkit.hotel import HOTEL_POLICY
from toolkit.records import Context
from toolkit.trajectory import Policy
from toolkit.trajectory.hook import provenance_hook

hook = provenance_hook(HOTEL_POLICY)


def refusal(messages, hotel_id="HT-002", tool="book_hotel"):
    """What the hook says of this call, or None."""
    try:
        hook(tool, {"hotel_id": hotel_id}, Context(messages=messages))
    except ToolError as error:
        return error.message
    return None


@pytest.mark.row("E1")
def test_an_id_from_a_visible_result_may_be_booked(make):
    """The history ends before the assistant's message, or with it."""
    messages = make.good()
    assert refusal(messages[:8]) is None
    assert refusal(messages[:9]) is None


@pytest.mark.row("E1")
def test_an_invented_id_is_refused_with_the_known_ones(make):
    """The model reads the value, the rule and what it may use."""
    assert refusal(make.good()[:9], "HT-009") == (
        "hotel_id 'HT-009' stands in no result you have seen. Copy one exactly: HT-001, HT-002."
    )


@pytest.mark.row("E1")
def test_without_a_search_the_next_step_is_to_search(make):
    """There is nothing to copy yet."""
    assert refusal(make.good()[:6]) == (
        "hotel_id 'HT-002' stands in no result you have seen. Call search_hotels first and copy it from the result."
    )


def test_an_id_of_another_city_is_refused(make):
    """It was seen, in the wrong city."""
    messages = make.talk(make.turn(make.search("Shanghai", ids=("HT-004",))))
    assert refusal(messages, "HT-004") == (
        "hotel_id 'HT-004' is not of city \"Xi'an\". Call search_hotels first and copy it from the result."
    )


def test_a_sibling_search_is_not_visible(make):
    """Search and booking asked for in one turn: the booking cannot have seen the id."""
    messages = make.talk(make.turn(make.search(), make.book(result=make.missing)))
    assert refusal(messages) is not None
    assert refusal(make.talk(make.turn(make.search()))) is None


def test_a_source_that_cannot_be_read_is_no_source(make):
    """Before a write, doubt refuses."""
    assert refusal(make.talk(make.turn(make.search(result="HT-002 is free")))) is not None


def test_other_tools_are_not_asked_about(make):
    """The policy guards book_hotel alone."""
    assert refusal(make.talk(), tool="search_hotels") is None


def test_an_earlier_invented_id_does_not_block_a_right_one(make):
    """Each call is judged by itself."""
    messages = make.talk(*map(make.turn, [make.search(), make.book("HT-009", result={"error": "no such hotel"})]))
    assert refusal(messages) is None


@pytest.mark.row("E1")
@pytest.mark.parametrize("hotel_id", ["HT-002", "HT-009", "ht-002"])
@pytest.mark.parametrize("before", ["search", "nothing", "siblings"])
def test_hook_and_check_agree(make, hotel_id, before):
    """A call the hook lets through passes the check afterwards, and the other way round."""
    found = {"search": [make.turn(make.search())], "nothing": [], "siblings": []}[before]
    last = [make.search(), make.book(hotel_id)] if before == "siblings" else [make.book(hotel_id)]
    messages = make.talk(*found, make.turn(*last))
    asked = messages[: -len(last)]
    verdict = make.verdict(messages, "argument_provenance")[0]
    assert (refusal(asked, hotel_id) is None) == (verdict == "pass")


def test_a_hook_that_would_guard_nothing_is_refused():
    """A policy without the check makes no hook."""
    with pytest.raises(ValueError, match="policy 'empty' has no value_from_result check"):
        provenance_hook(Policy("empty", ()))
