"""Exercise 05.redeem: a user's word, for one call and for one time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from toolkit.lessons.exercise import Exercise, WrongAnswer
from toolkit.lessons.expect import expect, expect_equal

Redeem = Callable[..., Any]
TWO = {"hotel_id": "HT-002", "nights": 2}


def check_redeem(redeem: Redeem) -> None:
    """A word fits the very call the user was asked about, once; a call that does not fit uses nothing up."""
    asked = _asked()
    _expect(redeem, asked, "w1", "book_hotel", TWO, True, "the call the user agreed to")
    _expect(redeem, asked, "w1", "book_hotel", TWO, False, "the same call with the same word, a second time")
    asked = _asked()
    fourteen = {**TWO, "nights": 14}
    _expect(redeem, asked, "w1", "book_hotel", fourteen, False, "other arguments: 14 nights, the user agreed to 2")
    _expect(redeem, asked, "w1", "cancel_all", TWO, False, "another tool with the same arguments")
    _expect(redeem, asked, "w9", "book_hotel", TWO, False, "a word nobody gave")
    _expect(redeem, asked, "w1", "book_hotel", TWO, True, "the agreed call, after others that did not fit")
    asked, reordered = _asked(), dict(reversed(TWO.items()))
    _expect(redeem, asked, "w1", "book_hotel", reordered, True, "the agreed arguments, keys in another order")
    asked = _asked()
    _expect(redeem, asked, "w1", "book_hotel", {**TWO, "nights": "2"}, False, "the text '2' is another argument than 2")
    _expect(redeem, asked, "w2", "cancel_all", {}, True, "the second of two open questions")
    expect("w1" in asked, "redeeming one word threw another away, which the user may still use")


def _asked() -> dict[str, tuple[str, dict[str, Any]]]:
    return {"w1": ("book_hotel", dict(TWO)), "w2": ("cancel_all", {})}


def _expect(
    redeem: Redeem, asked: dict[str, Any], word: str, tool: str, arguments: dict[str, Any], wanted: bool, case: str
) -> None:
    expect_equal(redeem(asked, word, tool, dict(arguments)), wanted, case)


REDEEM = Exercise(
    id="05.redeem",
    task=(
        "`asked` maps each word (a token) to the call the user was asked about: tool and arguments. Return True where "
        "the word fits this call exactly, and use it up then. A call that does not fit leaves every word as it was."
    ),
    minutes=6,
    difficulty="medium",
    hints=(
        "Look the word up without removing it: `asked.get(word)`.",
        "Compare the pair as a whole, `(tool, arguments)`. Dicts are equal whatever the order of their keys.",
        "Only where it fits: `del asked[word]`, then True.",
    ),
    stub='''\
def redeem(asked: dict, word: str, tool: str, arguments: dict) -> bool:
    """Use up a user's word, if it fits this call.

    >>> asked = {"w1": ("book_hotel", {"nights": 2})}
    >>> redeem(asked, "w1", "book_hotel", {"nights": 14}), redeem(asked, "w1", "book_hotel", {"nights": 2})
    (False, True)
    """
    raise NotImplementedError''',
    solution='''\
def redeem(asked: dict, word: str, tool: str, arguments: dict) -> bool:
    """Use up a user's word, if it fits this call."""
    if asked.get(word) != (tool, arguments):
        return False
    del asked[word]
    return True''',
    alternatives=(
        """\
def redeem(asked, word, tool, arguments):
    fits = word in asked and asked[word] == (tool, arguments)
    if fits:
        asked.pop(word)
    return fits""",
        """\
import json


def redeem(asked, word, tool, arguments):
    signed = {open_word: json.dumps(call, sort_keys=True) for open_word, call in asked.items()}
    if signed.get(word) == json.dumps([tool, arguments], sort_keys=True):
        del asked[word]
        return True
    return False""",
    ),
    wrong=(
        WrongAnswer(
            "good for ever",
            "def redeem(asked, word, tool, arguments):\n    return asked.get(word) == (tool, arguments)",
            "a second time",
        ),
        WrongAnswer(
            "bound to the tool only",
            "def redeem(asked, word, tool, arguments):\n"
            "    if word not in asked or asked[word][0] != tool:\n"
            "        return False\n"
            "    del asked[word]\n"
            "    return True",
            "other arguments",
        ),
        WrongAnswer(
            "bound to the arguments only",
            "def redeem(asked, word, tool, arguments):\n"
            "    if word not in asked or asked[word][1] != arguments:\n"
            "        return False\n"
            "    del asked[word]\n"
            "    return True",
            "another tool",
        ),
        WrongAnswer(
            "used up by a call that does not fit",
            "def redeem(asked, word, tool, arguments):\n    return asked.pop(word, None) == (tool, arguments)",
            "after others that did not fit",
        ),
        WrongAnswer(
            "compares texts",
            "def redeem(asked, word, tool, arguments):\n"
            "    if str(asked.get(word)) != str((tool, arguments)):\n"
            "        return False\n"
            "    del asked[word]\n"
            "    return True",
            "keys in another order",
        ),
        WrongAnswer(
            "forgets all other questions",
            "def redeem(asked, word, tool, arguments):\n"
            "    if asked.get(word) != (tool, arguments):\n"
            "        return False\n"
            "    asked.clear()\n"
            "    return True",
            "threw another away",
        ),
    ),
    checker=check_redeem,
)
