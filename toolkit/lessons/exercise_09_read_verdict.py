"""Exercise 09.read_verdict: one word out of whatever a model wrote."""

from __future__ import annotations

from collections.abc import Callable

from toolkit.lessons.exercise import Exercise, WrongAnswer
from toolkit.lessons.expect import expect, expect_equal


def check_read_verdict(read_verdict: Callable[[str], str]) -> None:
    """A line that begins with one of the two words; one kind only."""
    expect_equal(read_verdict("PASS: the city is copied"), "pass", "a PASS line")
    found = read_verdict("FAIL: this must not PASS")
    expect(found != "pass", "a FAIL that mentions the word PASS was taken for a pass")
    expect_equal(found, "fail", "a FAIL line that mentions PASS")
    expect_equal(read_verdict("Let me see.\nIt may PASS.\nFAIL: wrong city"), "fail", "thoughts, then a FAIL line")
    expect_equal(read_verdict("This will bypass nothing."), "unreadable", "no line begins with PASS or FAIL")
    expect_equal(read_verdict("It does not PASS"), "unreadable", "PASS at the end of a line decides nothing")
    expect_equal(read_verdict("PASSING it on to the user"), "unreadable", "PASSING is another word")
    both = read_verdict("PASS: the city\nFAIL: the day")
    expect(both == "unreadable", f"one line begins with PASS and one with FAIL, so nobody knows: {both!r}")
    expect_equal(read_verdict("FAIL: the day\nFAIL: the city"), "fail", "two lines of one kind")
    expect_equal(read_verdict(""), "unreadable", "an empty answer")


def _by_lines(body: str) -> str:
    return f"def read_verdict(answer):\n    lines = answer.splitlines()\n    {body}"


READ_VERDICT = Exercise(
    id="09.read_verdict",
    task=(
        "Read a validating model's answer: `pass`, `fail` or `unreadable`. A line that **begins** with the word PASS "
        "or FAIL decides. Where there is no such line, or both kinds, the answer is unreadable."
    ),
    minutes=7,
    difficulty="medium",
    hints=(
        "Go line by line, and collect which of the two words a line begins with. A set is enough.",
        "A word ends where no letter or digit follows: `re.match(r'(PASS|FAIL)\\b', line)`.",
        "The set has one element: that word, in lower case. Otherwise: unreadable.",
    ),
    setup="import re",
    stub='''\
def read_verdict(answer):
    """What a validating model said: pass, fail or unreadable.

    >>> read_verdict("I looked twice.\\nFAIL: wrong city")
    'fail'
    """
    raise NotImplementedError''',
    solution='''\
def read_verdict(answer):
    """What a validating model said: pass, fail or unreadable."""
    begun = {match[1] for line in answer.splitlines() if (match := re.match(r"(PASS|FAIL)\\b", line))}
    return begun.pop().lower() if len(begun) == 1 else "unreadable"''',
    alternatives=(
        """\
def read_verdict(answer):
    kinds = set(re.findall(r"^(PASS|FAIL)\\b", answer, re.MULTILINE))
    return {frozenset(["PASS"]): "pass", frozenset(["FAIL"]): "fail"}.get(frozenset(kinds), "unreadable")""",
        """\
def read_verdict(answer):
    passed = failed = False
    for line in answer.split("\\n"):
        first = re.split(r"\\W", line, maxsplit=1)[0]
        passed = passed or first == "PASS"
        failed = failed or first == "FAIL"
    if passed == failed:
        return "unreadable"
    return "pass" if passed else "fail\"""",
    ),
    wrong=(
        WrongAnswer(
            "looks for the word",
            'def read_verdict(answer):\n    return "pass" if "PASS" in answer.upper() else "fail"',
            "a FAIL that mentions the word PASS",
        ),
        WrongAnswer(
            "reads the first line only",
            _by_lines(
                'first = re.match(r"(PASS|FAIL)\\b", answer)\n    return first[1].lower() if first else "unreadable"'
            ),
            "thoughts, then a FAIL line",
        ),
        WrongAnswer(
            "everything else is a fail",
            _by_lines('return "pass" if any(re.match(r"PASS\\b", line) for line in lines) else "fail"'),
            "no line begins with PASS or FAIL",
        ),
        WrongAnswer(
            "finds the word anywhere in a line",
            _by_lines(
                'words = {w for line in lines for w in re.findall(r"\\b(PASS|FAIL)\\b", line)[:1]}\n'
                '    return words.pop().lower() if len(words) == 1 else "unreadable"'
            ),
            "thoughts, then a FAIL line",
        ),
        WrongAnswer(
            "takes a longer word",
            _by_lines(
                'words = {line[:4] for line in lines} & {"PASS", "FAIL"}\n'
                '    return words.pop().lower() if len(words) == 1 else "unreadable"'
            ),
            "PASSING is another word",
        ),
        WrongAnswer(
            "the first one decides",
            _by_lines(
                'words = [m[1] for line in lines if (m := re.match(r"(PASS|FAIL)\\b", line))]\n'
                '    return words[0].lower() if words else "unreadable"'
            ),
            "one line begins with PASS and one with FAIL",
        ),
        WrongAnswer(
            "exactly one line",
            _by_lines(
                'words = [m[1] for line in lines if (m := re.match(r"(PASS|FAIL)\\b", line))]\n'
                '    return words[0].lower() if len(words) == 1 else "unreadable"'
            ),
            "two lines of one kind",
        ),
    ),
    checker=check_read_verdict,
)
