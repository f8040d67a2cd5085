"""Chinese in figures: glyphs where the machine has a font, a line that names the fix where it has none."""

from __future__ import annotations

import pytest
from matplotlib.font_manager import fontManager

from toolkit.lab import figure
from toolkit.lab.figure import chinese_font, draw

needs_font = pytest.mark.skipif(chinese_font() is None, reason="no Chinese font: apt install fonts-wqy-microhei")


def labelled(label):
    return draw(lambda axes: axes.bar([label], [1]), "one bar")


@pytest.fixture
def no_font(monkeypatch):
    """A machine whose fonts are none of those that draw Chinese."""
    monkeypatch.setattr(figure, "CHINESE_FONTS", ())


@needs_font
def test_two_chinese_labels_are_two_pictures():
    """Each character has its own glyph; the box for a missing one would be the same for both."""
    first, second = labelled("西"), labelled("安")
    assert first.png != second.png
    assert (first.note, second.note) == ("", "")


def test_without_a_font_the_picture_names_the_fix(no_font, recwarn):
    """Boxes, all alike, under a note; no warning, and the words are those of any other machine."""
    first, second = labelled("西"), labelled("安")
    assert first.png == second.png
    assert first.note == "No font here draws the boxes. On Debian: apt install fonts-wqy-microhei, restart the kernel."
    assert repr(first) == "Figure: one bar"
    assert list(recwarn) == []


def test_the_note_stands_in_the_picture(no_font, monkeypatch):
    """A reader of the picture sees the note: with other words it is another picture."""
    noted = labelled("西")
    monkeypatch.setattr(figure, "NO_CHINESE_FONT", "something else")
    assert labelled("西").png != noted.png


def test_an_english_figure_has_the_same_bytes_on_every_machine(monkeypatch):
    """What a notebook stores does not depend on the fonts of who built it."""
    here = labelled("Xi'an")
    monkeypatch.setattr(figure, "CHINESE_FONTS", ())
    assert labelled("Xi'an") == here


@needs_font
def test_a_font_installed_later_is_found(monkeypatch):
    """matplotlib's stored list of fonts may be older than the font."""
    files = {entry.fname for entry in fontManager.ttflist if entry.name in figure.CHINESE_FONTS}
    monkeypatch.setattr(fontManager, "ttflist", [entry for entry in fontManager.ttflist if entry.fname not in files])
    assert chinese_font() in figure.CHINESE_FONTS


def test_without_a_font_there_is_no_name(no_font):
    """`toolkit doctor` asks this."""
    assert chinese_font() is None


def test_other_warnings_pass():
    """Only the missing glyphs are kept from the cell."""
    with pytest.warns(UserWarning, match="axes sizes collapsed to zero"):
        draw(lambda axes: axes.set_ylabel("a label longer than the figure"), "nothing", width=0.2, height=0.2)
