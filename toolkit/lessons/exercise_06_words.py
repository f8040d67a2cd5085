"""Exercise 06.words: the words of a text, in writing with spaces and without."""

from __future__ import annotations

from collections.abc import Callable, Collection

from toolkit.lessons.exercise import Exercise, WrongAnswer
from toolkit.lessons.expect import expect


def check_words(words: Callable[[str], Collection[str]]) -> None:
    """Latin words whole and in lower case, Chinese in pairs, nothing across a mark."""
    _words(words, "rain in Shanghai", {"rain", "in", "shanghai"}, "words between spaces, in lower case")
    _words(words, "Rain, at last.", {"rain", "at", "last"}, "a comma and a full stop are no part of a word")
    sentence = set(words("西安天气"))
    expect("西安天气" not in sentence, "the whole Chinese sentence is one word, so no other sentence can hold it")
    expect("西" not in sentence, "single characters stand in far too many texts: take them in pairs")
    _words(words, "西安天气", {"西安", "安天", "天气"}, "a run of Chinese characters, pair by pair")
    _words(words, "下雨。上海", {"下雨", "上海"}, "no pair across a full stop")
    _words(words, "雨", {"雨"}, "a run of a single character has no pair, so it is a word itself")
    _words(words, "西安Hotel很好", {"西安", "hotel", "很好"}, "Latin and Chinese side by side")
    _words(words, "17 度", {"17", "度"}, "a number is a word too")
    _words(words, "", set(), "an empty text")


def _words(words: Callable[[str], Collection[str]], text: str, wanted: set[str], case: str) -> None:
    got = set(words(text))
    expect(got == wanted, f"{case}: words({text!r}) should be {sorted(wanted)}, it is {sorted(got)}")


_RUNS = r're.findall("[\u4e00-\u9fff]+|[a-z0-9]+", text.lower())'
_PAIRS = "run[i : i + 2] for i in range(max(1, len(run) - 1))"


def _answer(chinese: str, runs: str = _RUNS) -> str:
    return f"""\
def words(text):
    found = set()
    for run in {runs}:
        found.update([{chinese}] if run > "z" else [run])
    return found"""


WORDS = Exercise(
    id="06.words",
    task=(
        "Return the set of words of a text. Latin letters and digits: each run is a word, in lower case. Chinese "
        "characters have no spaces between them, so of a run take every pair of neighbours; a run of one character is "
        "a word itself. Nothing pairs across a space or a mark."
    ),
    minutes=8,
    difficulty="medium",
    hints=(
        "`re.findall` with two alternatives gives the runs: one of Chinese characters, one of letters and digits.",
        r'The runs are `re.findall("[\u4e00-\u9fff]+|[a-z0-9]+", text.lower())`.',
        "The pairs of a run are `run[i : i + 2] for i in range(len(run) - 1)`; a run of one character has none.",
    ),
    setup="import re",
    stub='''\
def words(text):
    """The words of a text; Chinese in pairs.

    >>> sorted(words("西安下雨"))
    ['下雨', '安下', '西安']
    """
    raise NotImplementedError''',
    solution=f'''\
def words(text):
    """The words of a text; Chinese in pairs."""
    found = set()
    for run in {_RUNS}:
        if "\\u4e00" <= run[0] <= "\\u9fff":
            found.update({_PAIRS})
        else:
            found.add(run)
    return found''',
    alternatives=(
        """\
def words(text):
    latin = re.findall(r"[A-Za-z0-9]+", text)
    found = {word.casefold() for word in latin}
    for run in re.findall(r"[一-鿿]+", text):
        found |= {one + other for one, other in zip(run, run[1:])} or {run}
    return found""",
        """\
def words(text):
    found, run = set(), ""
    for character in text.lower() + " ":
        chinese = "\\u4e00" <= character <= "\\u9fff"
        if run and not (character.isalnum() and chinese == ("\\u4e00" <= run[0] <= "\\u9fff")):
            in_pairs = "\\u4e00" <= run[0] and len(run) > 1
            found.update([run[i : i + 2] for i in range(len(run) - 1)] if in_pairs else [run])
            run = ""
        run += character if character.isalnum() else ""
    return found""",
    ),
    wrong=(
        WrongAnswer("splits at spaces", "def words(text):\n    return set(text.lower().split())", "no part of a word"),
        WrongAnswer(
            "keeps capitals", _answer(f"{_PAIRS}", _RUNS.replace("a-z", "A-Za-z").replace(".lower()", "")), "lower case"
        ),
        WrongAnswer("a run is a word", _answer("run"), "the whole Chinese sentence is one word"),
        WrongAnswer("takes single characters", _answer("*run"), "take them in pairs"),
        WrongAnswer("every second pair", _answer("run[i : i + 2] for i in range(0, len(run), 2)"), "pair by pair"),
        WrongAnswer(
            "loses a single character", _answer("run[i : i + 2] for i in range(len(run) - 1)"), "a single character"
        ),
        WrongAnswer(
            "pairs across marks",
            """\
def words(text):
    chinese = "".join(re.findall("[\\u4e00-\\u9fff]", text))
    pairs = {chinese[i : i + 2] for i in range(max(1, len(chinese) - 1))} - {""}
    return pairs | set(re.findall("[a-z0-9]+", text.lower()))""",
            "across a full stop",
        ),
    ),
    checker=check_words,
)
