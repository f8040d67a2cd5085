"""V2: a line that begins with PASS or FAIL decides; exactly one kind of them, or the answer cannot be read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolkit.quality.opinion import Opinion, read_opinion

NONE = "no line begins with PASS or FAIL"
BOTH = "lines begin with PASS and with FAIL"


@pytest.mark.row("V2")
@pytest.mark.parametrize(
    ("answer", "word", "reason"),
    [
        ("PASS", "pass", "no reason given"),
        ("PASS: the city is copied", "pass", "the city is copied"),
        ("FAIL: must not PASS", "fail", "must not PASS"),
        ("FAIL - 'PASS' would be wrong here", "fail", "'PASS' would be wrong here"),
        ("**FAIL**: wrong city", "fail", "wrong city"),
        ("- PASS.", "pass", "no reason given"),
        ("> FAIL\n\nThe city is wrong.", "fail", "The city is wrong"),
        ("Let me think.\nIt may PASS or not.\n\nFAIL：城市写错了。", "fail", "城市写错了"),
        ("PASS，城市正确", "pass", "城市正确"),
        ("FAIL: a\nFAIL: b", "fail", "a"),
        ("\r\nPASS: fine\r\n", "pass", "fine"),
    ],
)
def test_one_kind_of_line_decides(answer, word, reason):
    """Whatever is written around it; the reason is what stands behind the word, or on the next line."""
    assert read_opinion(answer) == Opinion(word, reason)


@pytest.mark.row("V2")
@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (None, "the answer is empty"),
        ("", "the answer is empty"),
        (" \n\t", "the answer is empty"),
        ("This will bypass nothing.", NONE),
        ("The verdict is PASS", NONE),
        ("It does not PASS", NONE),
        ("NOT PASS", NONE),
        ("pass", NONE),
        ("PASSED", NONE),
        ("PASSING the city on", NONE),
        ("PASS? I do not know", NONE),
        ("PASS_1", NONE),
        ("FAILURE is not an option", NONE),
        ("通过", NONE),
        ("PASS: a\nFAIL: b", BOTH),
        ("FAIL: b\nno, wait\nPASS: a", BOTH),
        ("PASS or FAIL?\nI cannot tell.", BOTH),
        ("PASS/FAIL: fine", BOTH),
        ("FAIL | PASS", BOTH),
        ("PASS 或 FAIL", BOTH),
        ("PASS 还是 FAIL？很难说。", BOTH),
        ("**PASS**, **FAIL**?", BOTH),
    ],
)
def test_what_cannot_be_read_is_no_pass(answer, reason):
    """None or both: unreadable, with the reason. A word inside another, or in the middle of a line, decides nothing."""
    assert read_opinion(answer) == Opinion("unreadable", reason)


@pytest.mark.row("V2")
@pytest.mark.parametrize(
    ("answer", "correction"),
    [
        ('FAIL: a\nCORRECTION: {"city": "上海"}', {"city": "上海"}),
        ('FAIL: a\n**CORRECTION**: `{"city": "x"}`', {"city": "x"}),
        ('CORRECTION: {"city": "x"}\nFAIL: a', {"city": "x"}),
        ('FAIL: a\nCORRECTION：\n```json\n{"nights":\n 2}\n```', {"nights": 2}),
        ("FAIL: a\nCORRECTION: ask for the city", None),
        ('FAIL: a\nCORRECTION: {"city": "x"', None),
        ('FAIL: a\nCORRECTION: {"a": 1, "a": 2}', None),
        ('FAIL: a\nCORRECTION: {"a": NaN}', None),
        ('FAIL: a\nCORRECTION: [{"a": 1}]', {"a": 1}),
        ('FAIL: a\nCORRECTION: {"a": 1}\nCORRECTION: {"a": 2}', None),
        ('FAIL: a, the right CORRECTION: {"a": 1}', None),
        ("FAIL: a", None),
    ],
)
def test_a_suggested_correction(answer, correction):
    """One line begins with CORRECTION, and what follows is a plain JSON object; anything else is none."""
    assert read_opinion(answer).correction == correction


def test_a_pass_suggests_nothing():
    """Whatever it says, there is nothing to correct."""
    assert read_opinion('PASS: fine\nCORRECTION: {"city": "x"}') == Opinion("pass", "fine")


def test_a_long_reason_is_cut():
    """It goes into logs and metrics."""
    assert len(read_opinion("FAIL: " + "a" * 10_000).reason) == 500


lines = st.sampled_from(["PASS", "FAIL", "PASS: a", "FAIL: b", "pass", "so PASS", "bypass", "", "CORRECTION: {", "x"])


@pytest.mark.row("V2")
@given(st.lists(lines | st.text(max_size=30), max_size=8))
def test_no_answer_passes_beside_a_fail(answer):
    """For any answer: it passes only where a line begins with PASS and none with FAIL; and nothing is raised."""
    text = "\n".join(answer)
    begins = {word for word in ("PASS", "FAIL") for line in text.split("\n") if line.startswith(word)}
    found = read_opinion(text)
    if found.word == "pass":
        assert "FAIL" not in begins
    if {"PASS", "FAIL"} <= {line.split(":")[0] for line in text.split("\n")}:
        assert found.word == "unreadable"
