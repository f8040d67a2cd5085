"""Words and values in a text, for languages that put spaces between words and for those that do not.

A text is compared in its folded form: one width, one case, one kind of apostrophe. Nothing here knows a synonym:
whether 西安 and Xi'an are one city is for the caller to say.
"""

from __future__ import annotations

import re
import unicodedata

# Chinese and Japanese characters: a run of them has no spaces, so it is read in pairs.
_UNSPACED = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
_SPACED = rf"[^\W_{_UNSPACED}]"  # any other letter, or a digit
_RUNS = re.compile(rf"[{_UNSPACED}]+|{_SPACED}+(?:'{_SPACED}+)*")
_APOSTROPHES = str.maketrans("’‘ʼ`´", "'''''")
_COMMON = (
    "a an and are as at be by can do does for from has have how i in is it me my of on or please tell that the "
    "there this to was what when where which who will with you"
)
_SAY_NOTHING = frozenset(_COMMON.split())


def fold(text: str) -> str:
    """The form in which two spellings of one text are equal.

    >>> fold("Xi’an")
    "xi'an"
    """
    return unicodedata.normalize("NFKC", text).translate(_APOSTROPHES).casefold()


def stands_in(value: str, text: str) -> bool:
    """Whether a value stands in a text, character by character, and is not a piece of a longer word or number.

    >>> stands_in("Xi'an", "A day in Xi’an, please"), stands_in("York", "in Yorkshire"), stands_in("上晦", "上海的天气")
    (True, False, False)
    """
    sought = fold(value).strip()
    if not sought:
        return False
    before = rf"(?<!{_SPACED})" if re.match(_SPACED, sought[0]) else ""
    after = rf"(?!{_SPACED})" if re.match(_SPACED, sought[-1]) else ""
    return re.search(before + re.escape(sought) + after, fold(text)) is not None


def nearest(value: str, text: str) -> str | None:
    """The piece of a text that differs from a value in the fewest characters, or None where nothing is close.

    Close means as long, and at least half of the characters in their places.

    >>> nearest("上晦", "请问上海明天的天气")
    '上海'
    """
    sought, best, fewest = fold(value), None, len(value) // 2 + 1
    for start in range(len(text) - len(value) + 1):
        piece = text[start : start + len(value)]
        folded = fold(piece)
        if len(folded) != len(sought) or piece != piece.strip():
            continue
        wrong = sum(one != other for one, other in zip(folded, sought, strict=True))
        if wrong < fewest and stands_in(piece, text):
            best, fewest = piece, wrong
    return best


def terms(text: str) -> frozenset[str]:
    """What a text is about: its words, without those that say nothing; unspaced writing in pairs of characters.

    >>> sorted(terms("What is the weather in Xi'an?"))
    ['weather', "xi'an"]
    >>> sorted(terms("西安的天气"))
    ['天气', '安的', '的天', '西安']
    """
    found: set[str] = set()
    for run in _RUNS.findall(fold(text)):
        if re.match(rf"[{_UNSPACED}]", run):
            found.update(run[place : place + 2] for place in range(max(1, len(run) - 1)))
        else:
            found.add(run)
    return frozenset(found - _SAY_NOTHING)
