"""`toolkit check`: what it prints, word for word, and how it ends."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from typer.testing import CliRunner

from toolkit.cli import app
from toolkit.hotel.controls import load_control
from toolkit.resources import data_path

CONTROL_TABLE = """\

                                                                      room_
                                             no_skipped_  argument_   matches_
 control        answer  outcome  plan_first  step         provenance  weather
 ─────────────────────────────────────────────────────────────────────────────
 ok             pass    pass     pass        pass         pass        pass
 skip           pass    pass     pass        FAIL         FAIL        FAIL
 fabricated_id  pass    FAIL     pass        pass         FAIL        pass
 wrong_room     pass    pass     pass        pass         pass        FAIL
 no_plan        pass    pass     FAIL        pass         pass        pass

All 5 answers say that it is booked; 1 run passes every check.
Each control gives exactly its expected verdicts, in English and in Chinese.
"""


def run(*arguments, columns=100):
    """Exit code and output, trailing spaces taken off."""
    result = CliRunner().invoke(app, ["check", *map(str, arguments)], env={"COLUMNS": str(columns), "NO_COLOR": "1"})
    return result.exit_code, "\n".join(line.rstrip() for line in result.output.split("\n"))


def control(name):
    return data_path("controls", name)


def saved(tmp_path, value, name="run.json"):
    path = tmp_path / name
    path.write_text(value if isinstance(value, str) else json.dumps(value), "utf-8")
    return path


@pytest.mark.row("J3", "J4")
def test_without_files_it_shows_the_controls():
    """The table fits 80 columns, and the exit code is 0 because every control gives its expected set."""
    assert run(columns=80) == (0, CONTROL_TABLE)


def test_the_controls_as_json():
    """The same verdicts for programs, both languages."""
    code, output = run("--json")
    found = json.loads(output)
    assert (code, found["version"], len(found["controls"])) == (0, 1, 10)
    skip = next(each for each in found["controls"] if (each["control"], each["language"]) == ("skip", "zh"))
    assert skip["as_expected"] is True
    assert [check for check, verdict in skip["verdicts"].items() if verdict == "fail"] == [
        "no_skipped_step",
        "argument_provenance",
        "room_matches_weather",
    ]


def test_a_control_that_is_not_as_expected_is_named(monkeypatch):
    """Where a check is broken the demonstration says so and ends with 1."""
    from toolkit.hotel import control_table
    from toolkit.hotel.controls import Expected

    wrong = {**control_table.EXPECTED, "ok": Expected(frozenset({"plan_first"}))}
    monkeypatch.setattr(control_table, "EXPECTED", wrong)
    code, output = run()
    assert (code, output.splitlines()[-1]) == (1, "Not as expected: ok.en, ok.zh.")


def test_a_run_that_passes():
    """One line of verdicts, the count, exit code 0."""
    assert run(control("ok.en.json")) == (
        0,
        """
                                             room_
                    no_skipped_  argument_   matches_
 run    plan_first  step         provenance  weather
 ────────────────────────────────────────────────────
 ok.en  pass        pass         pass        pass

1 run: 1 passed
""",
    )


@pytest.mark.row("X2")
def test_a_run_that_fails():
    """Every fail with its code, its place in the file and its reason; exit code 1."""
    code, output = run(control("skip.en.json"))
    assert code == 1
    assert output.split("\n\n", 1)[1] == (
        "skip.en\n"
        "  fail no_skipped_step [step_missing] /messages/4/tool_calls/0\n"
        "    call 1 is 'book_hotel', but 'get_weather' has not run yet\n"
        "  fail argument_provenance [no_source] /messages/4/tool_calls/0\n"
        "    call 1: hotel_id 'HT-002' stands in no result it could have seen. "
        "Searched: hotels[*].id of search_hotels (no result).\n"
        "  fail room_matches_weather [source_missing] /messages/4/tool_calls/0\n"
        "    no 'get_weather' for city \"Xi'an\" and date '2026-10-01' that succeeded stands before call 1 "
        "(book_hotel)\n"
        "\n"
        "1 run: 1 failed\n"
    )


@pytest.mark.row("J8")
def test_a_truncated_history_is_not_judgeable(tmp_path):
    """The head is cut visibly: nothing passes, nothing fails; exit code 3."""
    code, output = run(saved(tmp_path, load_control("ok")[4:]))
    assert code == 3
    cut = "the beginning is missing: the history begins with calls that nobody asked for"
    assert "  not judgeable plan_first [head_truncated] /0\n" in output
    assert f"stands in the result of call 1 (search_hotels), but {cut}\n" in output
    assert output.endswith("\n1 run: 1 not judgeable\n")


def test_a_truncated_history_can_still_fail(tmp_path):
    """The wrong room for the weather that is there; exit code 1."""
    assert run(saved(tmp_path, load_control("wrong_room")[4:]))[0] == 1


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("", "the file is empty"),
        ("\0\1\2", "it is a binary file, not JSON"),
        ("Dear diary", "it is not JSON: it begins with 'Dear diary'"),
        ("{}", 'no messages: an object with no keys, where a run has "messages"'),
    ],
)
def test_what_is_no_recording_is_told_in_one_sentence(tmp_path, content, sentence):
    """Exit code 2, the sentence, and no traceback."""
    path = saved(tmp_path, content)
    assert run(path) == (2, f"{path}: {sentence}.\n0 runs: 1 file unreadable\n")


def test_a_missing_file_is_told(tmp_path):
    """Exit code 2."""
    path = tmp_path / "none.json"
    assert run(path) == (2, f"{path}: there is no such file.\n0 runs: 1 file unreadable\n")


def test_the_other_files_are_judged_all_the_same(tmp_path):
    """An unreadable file decides the exit code and hides nothing."""
    code, output = run(control("ok.en.json"), tmp_path / "none.json", control("skip.en.json"))
    assert code == 2
    assert "\n ok.en    pass " in output
    assert "\n skip.en  pass " in output
    assert output.endswith(
        f"{tmp_path / 'none.json'}: there is no such file.\n2 runs: 1 passed, 1 failed, 1 file unreadable\n"
    )


def test_a_fail_counts_more_than_a_run_that_is_not_judgeable(tmp_path):
    """Exit code 1 before 3."""
    assert run(saved(tmp_path, load_control("ok")[4:]), control("skip.en.json"))[0] == 1


def test_a_run_to_which_nothing_applies_ends_with_3(tmp_path):
    """Nothing was judged, so nothing passed; beside a run that passed it does no harm."""
    pays_nothing = saved(tmp_path, [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "hello"}])
    code, output = run("--policy", "airline", pays_nothing)
    assert (code, output.splitlines()[-1]) == (3, "1 run: 1 to which nothing applied")


@pytest.mark.row("J5")
def test_a_folder_is_searched_for_recordings(tmp_path):
    """Every .json and .jsonl file in it, sorted; a folder without one is told."""
    code, output = run(data_path("controls"))
    assert (code, output.splitlines()[-1]) == (1, "12 runs: 2 passed, 10 failed")
    (tmp_path / "notes.txt").write_text("x", "utf-8")
    assert run(tmp_path) == (
        2,
        f"{tmp_path}: the folder holds no .json or .jsonl or .ndjson file.\n0 runs: 1 file unreadable\n",
    )


@pytest.mark.row("J5")
def test_an_audit_log_is_judged_by_run_id():
    """The run that was stopped for confirmation fails three checks."""
    code, output = run("--json", control("run-confirm.zh.jsonl"))
    (found,) = json.loads(output)["runs"]
    assert (code, found["run"]) == (1, "run-confirm.zh")
    assert [result["name"] for result in found["results"] if result["verdict"] == "pass"] == ["argument_provenance"]


@pytest.mark.row("X2")
def test_json_holds_everything_and_a_version(tmp_path):
    """Results with code, reason, pointer and witness; anomalies; what could not be read."""
    code, output = run("--json", control("wrong_room.en.json"), tmp_path / "none.json")
    found = json.loads(output)
    assert (code, found["version"], found["policy"]) == (2, 1, "hotel")
    assert found["summary"] == {"runs": 1, "pass": 0, "fail": 1, "not_judgeable": 0, "not_applicable": 0}
    assert found["unreadable"] == [
        {"file": f"{tmp_path / 'none.json'}", "reason": f"{tmp_path / 'none.json'}: there is no such file."}
    ]
    assert found["runs"][0]["results"][3] == {
        "name": "room_matches_weather",
        "verdict": "fail",
        "code": "mismatch",
        "reason": "call 3 has room_type 'standard', but call 1 (get_weather) says condition 'rain', "
        "which asks for 'suite'",
        "at": "/messages/8/tool_calls/0",
        "witness": "/messages/5/content",
        "notes": [],
    }


def test_what_is_not_the_agents_fault_is_noted(tmp_path):
    """The result confirms another room than was asked for."""
    messages = load_control("ok")
    messages[9]["content"] = messages[9]["content"].replace('"suite"', '"standard"')
    code, output = run(saved(tmp_path, messages))
    assert code == 0
    assert (
        "  noted [environment_mismatch] /9\n    call 3 asked for room_type 'suite', its result says 'standard'\n"
        in output
    )


def test_a_policy_file_is_taken(tmp_path):
    """Judged by one's own policy."""
    policy = saved(tmp_path, {"name": "mine", "checks": [{"check": "no_spin", "times": 3}]}, "policy.json")
    code, output = run("--policy", policy, control("ok.en.json"))
    assert (code, output.splitlines()[-1]) == (0, "1 run: 1 passed")


@pytest.mark.parametrize(
    ("option", "value", "sentence"),
    [
        (
            "--policy",
            "spa",
            "Invalid value for --policy: No policy 'spa'. Known: hotel, hotel-outcome, hotel-manners, airline, shop; "
            "or give a policy file (.json).",
        ),
        ("--format", "xml", "Invalid value for --format: 'xml' is none of auto, chat, responses, anthropic, log."),
    ],
)
def test_a_wrong_option_is_told(option, value, sentence):
    """Usage errors end with 2 and say what is accepted."""
    code, output = run(option, value, control("ok.en.json"))
    assert code == 2
    assert sentence in " ".join(output.split())


def test_a_recording_is_no_markup(tmp_path):
    """Square brackets in a run's values are printed as they are."""
    messages = load_control("fabricated_id")
    call = messages[8]["tool_calls"][0]["function"]
    call["arguments"] = call["arguments"].replace("HT-022", "[bold]HT[/bold]")
    assert "hotel_id '[bold]HT[/bold]' stands in no result" in run(saved(tmp_path, messages))[1]


def test_it_runs_as_a_command_of_its_own():
    """The installed entry point prints the same table."""
    command = [sys.executable, "-m", "toolkit.cli", "check"]
    result = subprocess.run(
        command, capture_output=True, encoding="utf-8", timeout=60, env={"COLUMNS": "80", "PYTHONUTF8": "1"}
    )
    assert result.returncode == 0
    assert "\n".join(line.rstrip() for line in result.stdout.split("\n")) == CONTROL_TABLE
