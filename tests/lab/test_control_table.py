"""The control table: five runs on three levels, in a notebook and in the README."""

from __future__ import annotations

import re

import pytest

from toolkit.hotel.controls import CONTROLS, EXPECTED, LANGUAGES, load_control
from toolkit.lab.control_table import IN_CHINESE, control_panel, control_table, main, show_control, verdicts_of
from tools.environment import ROOT

CHECKS = ["plan_first", "no_skipped_step", "argument_provenance", "room_matches_weather"]


def expected_rows():
    """The table as the controls are declared, not as it is computed."""
    rows = [["answer", *(EXPECTED[name].answer for name in CONTROLS)]]
    rows.append(["outcome", *(EXPECTED[name].outcome for name in CONTROLS)])
    return rows + [
        [check, *("fail" if check in EXPECTED[name].fails else "pass" for name in CONTROLS)] for check in CHECKS
    ]


@pytest.mark.row("J3", "J4")
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_table_is_what_the_controls_are_made_for(language):
    """Every answer passes, one outcome fails, and each bad run fails exactly its own checks."""
    table = control_table(language)
    assert table.rows == expected_rows()
    assert list(table.columns) == ["", *CONTROLS]
    assert table.summary == "5 of 5 final answers pass; every check passes for: ok."


@pytest.mark.row("J4")
@pytest.mark.parametrize("control", CONTROLS)
def test_another_answer_moves_the_answer_level_only(control):
    """Rewriting the last message turns that level to fail; outcome and checks stay as they were."""
    messages = load_control(control)
    before = verdicts_of(messages)
    after = verdicts_of([*messages[:-1], {"role": "assistant", "content": "Sorry, nothing is booked."}])
    assert after == {**before, "answer": "fail"}


def test_the_chart_says_in_words_where_a_run_fails():
    """The figure's words name each control's failures."""
    assert control_table().chart.words == (
        "ok: pass throughout; skip: fail at no_skipped_step, argument_provenance, room_matches_weather; "
        "fabricated_id: fail at outcome, argument_provenance; wrong_room: fail at room_matches_weather; "
        "no_plan: fail at plan_first"
    )


def test_a_chinese_run_has_a_chinese_head_and_the_same_words():
    """The picture is another one; what is stored of it as text is in English on every machine."""
    english, chinese = (show_control("skip", language).chart for language in ("en", "zh"))
    assert english.png != chinese.png
    assert english.words == chinese.words
    assert list(IN_CHINESE) == list(CONTROLS)


@pytest.mark.row("K2")
def test_the_panel_follows_the_chosen_control_and_language():
    """Another control or language shows its own calls and verdicts."""
    panel = control_panel()
    panel["control"].value = "ok"
    assert panel.picture.summary.endswith(" The run ok: pass throughout.")
    panel["control"].value, panel["language"].value = "wrong_room", "zh"
    assert panel.picture.summary.startswith("7 calls in 5 of 6 turns. Its last words: 已预订")
    assert panel.picture.summary.endswith(" The run wrong_room: fail at room_matches_weather.")
    assert panel.picture.rows[3][-1] == "room_matches_weather"
    assert panel.picture.chart.words == "wrong_room: fail at room_matches_weather"
    panel["control"].value = "fabricated_id"
    assert panel.picture.summary.endswith(f" {panel.picture.chart.words}.")
    assert "fail at outcome, argument_provenance" in panel.picture.summary


def test_the_picture_in_the_readme_is_up_to_date(tmp_path):
    """The committed drawing is what the command draws now: one word for each verdict, in table order."""
    main([str(tmp_path / "new" / "controls.svg")])
    drawn = (tmp_path / "new" / "controls.svg").read_text("utf-8")
    assert (ROOT / "docs" / "images" / "controls.svg").read_text("utf-8") == drawn
    words = re.findall(r">([^<]+)</text>", drawn)
    assert words == [*CONTROLS, *(word for row in expected_rows() for word in row)]
