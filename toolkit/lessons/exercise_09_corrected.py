"""Exercise 09.corrected: suggested corrections, validated again, and an end to it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from toolkit.lessons.exercise import Exercise, WrongAnswer
from toolkit.lessons.expect import expect, expect_equal

Validate: TypeAlias = Callable[[Any], tuple[str, Any]]
_ENOUGH = 20


def check_corrected(corrected: Callable[[Validate, Any, int], tuple[str, Any]]) -> None:
    """Follows corrections, at most so many, never in a circle, and never past a pass."""
    expect_equal(_tried(corrected, "a", {"a": ("pass", None)}), (("pass", "a"), ["a"]), "a call that passes at once")
    told = {"上晦": ("fail", "上海"), "上海": ("pass", None)}
    (word, arguments), asked = _tried(corrected, "上晦", told)
    expect("上海" in asked, "the corrected call was not validated again; a suggestion may be wrong as well")
    expect_equal((word, arguments), ("pass", "上海"), "one correction, which passes")
    expect_equal(_tried(corrected, "a", {"a": ("fail", None)}), (("fail", "a"), ["a"]), "a fail without a suggestion")
    chain = {str(number): ("fail", str(number + 1)) for number in range(_ENOUGH + 1)}
    ended, asked = _tried(corrected, "0", chain)
    expect(len(asked) > 2, f"two corrections are allowed, but only these were validated: {asked}")
    expect_equal((ended, asked), (("fail", "2"), ["0", "1", "2"]), "each correction fails again, with most=2")
    circle = {"a": ("fail", "b"), "b": ("fail", "a")}
    ended, asked = _tried(corrected, "a", circle, most=9)
    expect(len(asked) == 2, f"a leads to b and b to a: validated {len(asked)} times, in a circle")
    expect_equal(ended, ("fail", "b"), "a circle ends with the last call that was validated")
    passing = {"a": ("pass", "b"), "b": ("fail", None)}
    expect_equal(_tried(corrected, "a", passing)[0], ("pass", "a"), "a pass with a suggestion beside it is a pass")


def _tried(
    corrected: Callable[..., tuple[str, Any]], start: str, told: dict[str, tuple[str, Any]], most: int = 2
) -> tuple[tuple[str, Any], Sequence[str]]:
    asked: list[str] = []

    def validate(arguments: str) -> tuple[str, Any]:
        asked.append(arguments)
        expect(len(asked) < _ENOUGH, f"with most={most} it validated {len(asked)} times and would not stop")
        return told[arguments]

    word, arguments = corrected(validate, start, most)
    return (word, arguments), asked


CORRECTED = Exercise(
    id="09.corrected",
    task=(
        "`validate(arguments)` gives a word and a suggested correction, or None. As long as it fails with a "
        "suggestion, validate the suggestion, at most `most` times, and never the same arguments twice. Return the "
        "last word and the arguments it is about."
    ),
    minutes=9,
    difficulty="hard",
    hints=(
        "Keep the arguments that were tried in a list; its length is your count.",
        'The loop goes on while the word is "fail", there is a suggestion, it was not tried, and some are left.',
        "`while word == 'fail' and suggestion is not None and suggestion not in tried and len(tried) <= most:`",
    ),
    stub='''\
def corrected(validate, arguments, most):
    """The last word, and the arguments it is about, after at most `most` corrections.

    >>> corrected(lambda city: ("pass", None) if city == "Xi'an" else ("fail", "Xi'an"), "Xian", most=1)
    ('pass', "Xi'an")
    """
    raise NotImplementedError''',
    solution='''\
def corrected(validate, arguments, most):
    """The last word, and the arguments it is about, after at most `most` corrections."""
    tried = [arguments]
    word, suggestion = validate(arguments)
    while word == "fail" and suggestion is not None and suggestion not in tried and len(tried) <= most:
        arguments = suggestion
        tried.append(arguments)
        word, suggestion = validate(arguments)
    return word, arguments''',
    alternatives=(
        """\
def corrected(validate, arguments, most):
    seen = []
    for _ in range(most + 1):
        seen.append(arguments)
        word, suggestion = validate(arguments)
        if word != "fail" or suggestion is None or suggestion in seen or len(seen) > most:
            break
        arguments = suggestion
    return word, arguments""",
        """\
def corrected(validate, arguments, most, tried=()):
    word, suggestion = validate(arguments)
    tried = (*tried, arguments)
    if word != "fail" or suggestion is None or suggestion in tried or most == 0:
        return word, arguments
    return corrected(validate, suggestion, most - 1, tried)""",
    ),
    wrong=(
        WrongAnswer(
            "believes the suggestion",
            """\
def corrected(validate, arguments, most):
    word, suggestion = validate(arguments)
    return ("pass", suggestion) if word == "fail" and suggestion is not None else (word, arguments)""",
            "was not validated again",
        ),
        WrongAnswer(
            "one correction only",
            """\
def corrected(validate, arguments, most):
    word, suggestion = validate(arguments)
    if word == "fail" and suggestion is not None:
        return validate(suggestion)[0], suggestion
    return word, arguments""",
            "only these were validated",
        ),
        WrongAnswer(
            "without an end",
            """\
def corrected(validate, arguments, most):
    word, suggestion = validate(arguments)
    while word == "fail" and suggestion is not None:
        arguments = suggestion
        word, suggestion = validate(arguments)
    return word, arguments""",
            "would not stop",
        ),
        WrongAnswer(
            "counts one too many",
            """\
def corrected(validate, arguments, most):
    tried = []
    word, suggestion = validate(arguments)
    while word == "fail" and suggestion is not None and suggestion not in tried and len(tried) <= most:
        tried.append(arguments)
        arguments = suggestion
        word, suggestion = validate(arguments)
    return word, arguments""",
            "with most=2",
        ),
        WrongAnswer(
            "goes in circles",
            """\
def corrected(validate, arguments, most):
    word, suggestion = validate(arguments)
    for _ in range(most):
        if word != "fail" or suggestion is None:
            break
        arguments = suggestion
        word, suggestion = validate(arguments)
    return word, arguments""",
            "in a circle",
        ),
        WrongAnswer(
            "corrects what has passed",
            """\
def corrected(validate, arguments, most):
    tried = [arguments]
    word, suggestion = validate(arguments)
    while suggestion is not None and suggestion not in tried and len(tried) <= most:
        arguments = suggestion
        tried.append(arguments)
        word, suggestion = validate(arguments)
    return word, arguments""",
            "a suggestion beside it",
        ),
        WrongAnswer(
            "names the suggestion, not the call",
            """\
def corrected(validate, arguments, most):
    tried = [arguments]
    word, suggestion = validate(arguments)
    while word == "fail" and suggestion is not None and suggestion not in tried and len(tried) <= most:
        tried.append(suggestion)
        word, suggestion = validate(suggestion)
    return word, suggestion if suggestion is not None else tried[-1]""",
            "with most=2",
        ),
    ),
    checker=check_corrected,
)
