"""Lesson 02's panel as a pure function."""

from __future__ import annotations

import pytest

from toolkit.lab.contract_panel import show_contract


def table(*values):
    picture = show_contract(*values)
    return picture, {row[0]: row[1] for row in picture.rows}


@pytest.mark.row("K2")
def test_the_declaration_shows_in_schema_validation_and_figure():
    """One range, three places that follow it."""
    picture, rows = table(2, 5, False, False, '{"nights": 6}')
    assert '"maximum": 5, "minimum": 2' in rows["schema of nights"]
    assert rows["refused"] == "Invalid arguments for book_nights. nights: expected less than or equal to 5, received 6."
    assert picture.summary == "Refused."
    assert picture.chart.words == "nights that pass, of -1 to 18: 2 to 5"


@pytest.mark.row("K2")
def test_what_was_mended_is_said():
    """A number sent as text is converted, and noted."""
    picture, rows = table(1, 14, False, False, '{"nights": "2"}')
    assert (rows["called with"], rows["mended"]) == ('{"nights": 2}', "converted:nights")
    assert picture.summary == "The function is called."


@pytest.mark.row("K2")
def test_strict_makes_an_optional_required_and_nullable():
    """In the strict form the default stands for null, which the model has to send."""
    _, rows = table(1, 14, True, True, '{"nights": null}')
    assert (rows["required"], rows["called with"]) == ('["nights"]', '{"nights": 2}')
    assert '"type": ["integer", "null"]' in rows["schema of nights"]


def test_a_default_that_breaks_the_rule_is_refused_at_its_declaration():
    """There is no tool then, so nothing can be sent."""
    picture, rows = table(3, 14, True, False, "{}")
    assert picture.summary.startswith(
        "Refused at its declaration: Tool 'book_nights', parameter 'nights': the default 2 breaks"
    )
    assert rows == {}


@pytest.mark.parametrize("arguments", ["", "nonsense", "[]", "NaN", '{"nights": NaN}', '{"nights": "\ud800"}'])
def test_whatever_is_typed_is_shown(arguments):
    """No text that a reader types makes the panel raise."""
    assert show_contract(1, 14, False, False, arguments).summary == "Refused."


def test_a_range_that_nothing_fits_is_shown_as_none():
    """More than the most: every value is refused, and the figure says so."""
    assert show_contract(5, 3, False, False, "{}").chart.words.endswith("none")
