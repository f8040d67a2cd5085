"""X8: every fault on every layer. The table is produced by running them; here it is held, cell by cell."""

from __future__ import annotations

import pytest

from toolkit.lab.failure_course import LAYER_TITLES
from toolkit.lab.failure_ending import ENDINGS, MEANINGS, WELL
from toolkit.lab.failure_table import failure_table, meanings
from toolkit.lab.faults import FAULTS

BOOKING = """
    wrong_type          wrong    refused  refused
    missing_field       refused  refused  refused
    extra_field         refused  refused  refused
    malformed_json      refused  refused  refused
    unknown_tool        refused  refused  refused
    duplicate_delivery  twice    twice    done
    latency             done     done     done
    hang                stuck    stuck    unsure
    exception           refused  refused  unsure
    flaky               refused  refused  unsure
    result_lost         hidden   hidden   unsure
    rate_limit          refused  refused  done
    pool_exhausted      refused  refused  refused
    cancellation        ended    ended    unsure
    secret_in_error     refused  refused  unsure
    runs_twice          twice    twice    twice
    malformed_result    wrong    wrong    unsure
"""
# A search does no harm, so the gateway may try again, and what it cannot mend it says.
SEARCH_ON_LAYER_3 = {
    **dict.fromkeys(FAULTS, "refused"),
    **dict.fromkeys(("duplicate_delivery", "latency", "runs_twice"), "done"),
    **dict.fromkeys(("hang", "flaky", "result_lost", "rate_limit"), "done"),
}


@pytest.fixture(scope="module")
def booking():
    return failure_table()


@pytest.mark.row("K2", "X8")
def test_seventeen_faults_on_three_layers_of_a_booking(booking):
    """At least twelve faults on each layer, and exactly these endings."""
    wanted = {line.split()[0]: line.split()[1:] for line in BOOKING.strip().splitlines()}
    assert {fault: [booking[fault, layer] for layer in LAYER_TITLES] for fault in FAULTS} == wanted
    assert len(FAULTS) >= 12


@pytest.mark.row("X8")
def test_a_search_is_tried_again_where_a_booking_is_not():
    """The same faults, struck once, on a tool that may be repeated."""
    table = failure_table("search_hotels")
    assert {fault: table[fault, LAYER_TITLES[2]] for fault in FAULTS} == SEARCH_ON_LAYER_3


@pytest.mark.row("X8")
def test_the_table_counts_what_ends_well(booking):
    """Done, refused and unsure are good ends; table, summary and figure say the same."""
    said = "book_hotel: of 17 faults end well: 1 dict of tools 10, 2 one source 11, 3 gateway 16."
    assert booking.picture.summary == said
    assert [row[0] for row in booking.picture.rows] == list(FAULTS)
    assert booking.chart.words.endswith("3 gateway: 3 done, 6 refused, 7 unsure, 1 twice")
    assert repr(booking).startswith(said)


def test_every_ending_has_a_meaning():
    """The words a reader predicts with are explained, and three of them are good."""
    assert set(MEANINGS) == set(ENDINGS)
    assert [row[0] for row in meanings().rows if row[2] == "well"] == list(WELL)
