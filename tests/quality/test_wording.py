"""Words and values in a text, spaced or not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolkit.quality.wording import fold, nearest, stands_in, terms

texts = st.text("西安上海晦的 aXi'’nＡ1_-.", max_size=12)


@pytest.mark.parametrize(
    ("value", "text", "there"),
    [
        ("西安", "西安的天气", True),
        ("安", "西安的天气", True),  # one character of a name cannot be told from a name
        ("Xi'an", "去Xi'an玩", True),
        ("Ｘｉ'an", "Xi’an", True),
        ("an", "Xi'an", True),  # an apostrophe ends a word
        ("York", "Yorkshire", False),
        ("York", "New York", True),
        ("2", "12 nights", False),
        ("10", "10月1日", True),
        ("", "anything", False),
        ("  ", "anything", False),
        ("a.b", "axb", False),
    ],
)
def test_a_value_stands_in_a_text_or_not(value, text, there):
    """Character by character, whatever case and width, and never as a piece of a longer word or number."""
    assert stands_in(value, text) is there


@pytest.mark.parametrize(
    ("value", "text", "found"),
    [
        ("上晦", "请问上海明天的天气", "上海"),
        ("Shanghei", "rain in Shanghai?", "Shanghai"),
        ("Mars", "rain in Shanghai?", None),
        ("西安", "上海", None),
        ("Shanghai", "", None),
        ("", "Shanghai", None),
    ],
)
def test_the_nearest_piece(value, text, found):
    """Close is: as long, and at least half of it right."""
    assert nearest(value, text) == found


@given(texts, texts)
def test_what_is_nearest_stands_in_the_text(value, text):
    """A suggestion can always be copied from what the user wrote."""
    found = nearest(value, text)
    assert found is None or (found in text and stands_in(found, text))


@pytest.mark.row("E3")
def test_a_chinese_sentence_is_more_than_one_word():
    """Splitting at spaces would make it one keyword, found nowhere."""
    sentence = "西安十月一日的天气怎么样"
    assert sentence.split() == [sentence]
    assert {"西安", "天气", "十月"} <= terms(sentence)
    assert terms(sentence) & terms("天气：西安，小雨") == {"西安", "天气"}


@given(texts)
def test_folding_twice_is_folding_once(text):
    """And the folded form is in the terms of neither more nor fewer words."""
    assert fold(fold(text)) == fold(text)
    assert terms(fold(text)) == terms(text)
