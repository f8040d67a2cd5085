"""Verdicts as boxes: legible without colour."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from toolkit.lab.verdict_chart import FILLS, chart_of, in_words, svg_of
from toolkit.trajectory import Verdict

ROWS = {"a": ["pass", "fail"], "b": ["pass", "not_judgeable"], "c": ["pass", "fail"]}


def lightness(colour):
    """Relative luminance of `#rrggbb`, by the web's definition, from 0 to 1."""
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one, other):
    light, dark = sorted((lightness(one), lightness(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("verdict", Verdict)
def test_the_word_can_be_read_in_its_box(verdict):
    """Ink on fill has a contrast of at least 4.5, the web's limit for text."""
    assert contrast(*FILLS[verdict]) >= 4.5


def test_pass_and_fail_part_without_colour():
    """Printed in grey, a failing box is far darker than a passing one."""
    assert contrast(FILLS["pass"][0], FILLS["fail"][0]) >= 4.5


def test_words_tell_where_it_does_not_pass():
    """Column by column, grouped by verdict."""
    assert in_words(["one", "two"], ROWS) == "one: pass throughout; two: fail at a, c, and not_judgeable at b"


def test_the_drawing_is_text_and_well_formed():
    """The SVG parses, names itself for a screen reader, and escapes what it is given."""
    drawing = ElementTree.fromstring(svg_of(["a < b"], {"x & y": ["pass"]}))
    title, *_ = (node.text for node in drawing.iter() if node.tag.endswith("title"))
    assert title == "a < b: pass throughout"
    assert [node.text for node in drawing.iter() if node.tag.endswith("text")] == ["a < b", "x & y", "pass"]


def test_the_chart_is_a_picture_with_words():
    """A notebook gets a PNG; a page without pictures gets the words."""
    chart = chart_of(["one", "two"], ROWS)
    assert chart.png.startswith(b"\x89PNG")
    assert chart.words == in_words(["one", "two"], ROWS)
