"""The kill matrix as a figure, a table and words."""

from __future__ import annotations

import pytest

from toolkit.hotel import HOTEL_POLICY
from toolkit.hotel.controls import load_control
from toolkit.hotel.mutations import OPERATORS
from toolkit.lab.kill_chart import kill_chart, kill_table
from toolkit.trajectory.mutate import kill_matrix, mutants

CHOSEN = [operator for operator in OPERATORS if operator.name in ("drop the plan", "flip the weather", "use ids again")]


@pytest.fixture(scope="module")
def matrix():
    return kill_matrix(mutants({"ok": load_control("ok")}, CHOSEN), HOTEL_POLICY)


@pytest.mark.row("X3")
def test_words_count_operators_and_what_turns(matrix):
    """What the figure shows can be read without it."""
    assert kill_chart(matrix).words == (
        "4 mutants of 3 operators: plan_first turns at 1, no_skipped_step turns at 0, argument_provenance turns at 0, "
        "room_matches_weather turns at 1; 1 turn nothing"
    )
    assert kill_chart(matrix).png.startswith(b"\x89PNG")


def test_the_table_has_a_row_for_each_operator_asked_for(matrix):
    """Its mutants, and the verdict of each check."""
    assert kill_table(matrix, ["flip the weather"]).rows == [["flip the weather", 1, "pass", "pass", "pass", "fail"]]
