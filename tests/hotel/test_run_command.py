"""`toolkit run` and the recording it writes."""

from __future__ import annotations

import asyncio
import json

import httpx2
import pytest
from typer.testing import CliRunner

from toolkit.agent import scripted_client
from toolkit.cli import app
from toolkit.hotel import HOTEL_POLICY
from toolkit.hotel.run import run_goal
from toolkit.trajectory import evaluate


def toolkit(*arguments):
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def invoke(*arguments):
    return toolkit("run", *arguments)


@pytest.mark.row("T13")
@pytest.mark.parametrize(
    ("faults", "code"), [((), 0), (("bad_json",), 0), (("skip_weather",), 1), (("invent_id", "loop"), 1)], ids=str
)
def test_check_judges_what_run_wrote(tmp_path, faults, code):
    """One command runs, the other judges: from the recording and from the audit log the same exit code."""
    out, audit = tmp_path / "run.json", tmp_path / "audit.jsonl"
    invoke("--out", out, "--audit", audit, *(part for fault in faults for part in ("--fault", fault)))
    assert [toolkit("check", path).exit_code for path in (out, audit)] == [code, code]


@pytest.mark.row("T13")
def test_it_tells_the_run_in_a_few_lines(tmp_path):
    """Who ran, each call and its outcome, what is said, what the store holds, and how to judge it."""
    out = tmp_path / "run.json"
    result = invoke("--out", out, "--fault", "invent_id", "--fault", "no_plan")
    assert result.output.splitlines() == [
        "Simulated agent, seed 0, faults: invent_id, no_plan",
        "  turn 1  get_weather   success",
        "  turn 2  search_hotels success",
        "  turn 3  book_hotel    error",
        "Stopped: answered after 4 turns",
        "It says: Booked: a suite at Sofitel at the Bell Tower from 2026-10-01 for 2 nights.",
        "In the store: no booking",
        f"Written to {out}. To judge it: toolkit check {out}",
    ]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_recording_can_be_judged_and_says_how_it_came_to_be(tmp_path, language):
    """Messages for the checks; meta names the simulation, its seed, its faults and what is booked."""
    out = tmp_path / "run.json"
    invoke("--out", out, "--seed", 5, "--language", language, "--fault", "wrong_room")
    recording = json.loads(out.read_text("utf-8"))
    assert str(evaluate(recording["messages"], policy=HOTEL_POLICY).verdict) == "fail"
    assert recording["meta"] | {"detail": "", "bookings": []} == {
        "run": f"simulated-{language}-5-wrong_room",
        "model": "simulated",
        "simulated": True,
        "seed": 5,
        "faults": ["wrong_room"],
        "language": language,
        "stop": "answered",
        "detail": "",
        "turns": 6,
        "bookings": [],
    }


def test_the_audit_log_holds_every_message_of_the_recording(tmp_path):
    """The opening messages too, under the run's id."""
    out, audit = tmp_path / "run.json", tmp_path / "audit.jsonl"
    invoke("--out", out, "--audit", audit)
    lines = [json.loads(line) for line in audit.read_text("ascii").splitlines()]
    assert [line["message"] for line in lines] == json.loads(out.read_text("utf-8"))["messages"]
    assert {line["run"] for line in lines} == {"simulated-en-0"}


def test_an_audit_log_takes_a_run_only_once(tmp_path):
    """Two runs under one id would read as one; the second is refused and the file stays."""
    audit = tmp_path / "audit.jsonl"
    invoke("--out", tmp_path / "run.json", "--audit", audit)
    before = audit.read_text("ascii")
    again = invoke("--out", tmp_path / "run.json", "--audit", audit)
    assert again.exit_code == 2
    assert audit.read_text("ascii") == before


def test_a_fault_may_have_a_probability(tmp_path):
    """The seed decides whether this agent has it."""
    outputs = [
        invoke("--out", tmp_path / "run.json", "--fault", "loop=0.5", "--seed", seed).output.splitlines()[0]
        for seed in range(20)
    ]
    assert {line.split("faults: ")[1] for line in outputs} == {"none", "loop"}


@pytest.mark.parametrize(
    "arguments",
    [
        ("--fault", "lazy"),
        ("--fault", "loop=often"),
        ("--fault", "loop=2"),
        ("--language", "fr"),
        ("--out", "/no/such/folder/run.json"),
    ],
    ids=" ".join,
)
def test_what_cannot_be_run_exits_with_2(arguments, tmp_path, monkeypatch):
    """A sentence, no traceback, and nothing written."""
    monkeypatch.chdir(tmp_path)
    result = invoke(*arguments)
    assert result.exit_code == 2
    assert "Traceback" not in result.output
    assert list(tmp_path.iterdir()) == []


def test_a_run_on_a_server_that_is_down_is_a_recording_too():
    """The opening messages and the reason are kept."""
    client = scripted_client([httpx2.ConnectError("refused")])
    recording = asyncio.run(run_goal(client, model="any", run="down"))
    assert [message["role"] for message in recording["messages"]] == ["system", "user"]
    assert (recording["meta"]["stop"], recording["meta"]["turns"]) == ("model_error", 0)
