"""A booking that answers late, read back from the store."""

from __future__ import annotations

import pytest

from toolkit.lab.late_booking import show_late_booking


@pytest.mark.row("F6", "E6")
@pytest.mark.parametrize(
    ("declared_idempotent", "key", "summary"),
    [
        (False, False, "The model heard outcome_unknown, then outcome_unknown. 2 bookings stand in the store."),
        (False, True, "The model heard outcome_unknown, then outcome_unknown. 1 booking stands in the store."),
        (True, False, "The model heard timeout, then timeout. 6 bookings stand in the store."),
    ],
)
def test_what_is_told_and_what_stands(declared_idempotent, key, summary):
    """A true declaration with a key books once; a lie books as often as it is tried."""
    assert show_late_booking(4, 1, 3, declared_idempotent, key).summary == summary


def test_an_answer_in_time_is_a_success():
    """Nothing is repeated, and the table has one row."""
    picture = show_late_booking(0.5, 1, 3, False, False)
    assert picture.summary == "The model heard success. 1 booking stands in the store."
    assert picture.rows == [["call_1", "0.50", 1, "success"]]


def test_the_chart_says_when_attempts_began():
    """One attempt at 0 s, and one a second after the first limit."""
    chart = show_late_booking(4, 1, 3, False, False).chart
    assert chart.words == "attempts at 0.00, 2.00 s, a booking written at the beginning of each"
