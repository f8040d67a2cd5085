"""A policy that speaks of other tools than the runs is told as that."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from toolkit.cli import app
from toolkit.hotel import HOTEL_POLICY
from toolkit.hotel.controls import load_control
from toolkit.trajectory import evaluate
from toolkit.trajectory.domain import another_domain
from toolkit.trajectory.judging import Judged, Unreadable

RUN = """[{"role": "user", "content": "Refund order 1."},
{"role": "assistant", "tool_calls": [{"id": "a", "function": {"name": "refund", "arguments": "{}"}}]},
{"role": "tool", "tool_call_id": "a", "content": "{}"}, {"role": "assistant", "content": "Done."}]"""
NOTE = (
    "These runs call refund, and the policy 'hotel' names none of their tools. "
    "For another domain give a policy of your own: --policy FILE; lesson 07 writes one.\n"
)


def test_a_run_of_another_domain_is_told_so(tmp_path: Path):
    """The verdict stands as it is, and the note goes to stderr, whole."""
    file = tmp_path / "run.json"
    file.write_text(RUN, encoding="utf-8")
    done = CliRunner().invoke(app, ["check", str(file)])
    assert (done.exit_code, done.stderr) == (1, NOTE)


@pytest.mark.parametrize("control", ["ok", "skip", "no_plan"])
def test_a_hotel_run_gets_no_note(control):
    """Also not where it left out most of the steps."""
    report = evaluate(load_control(control), policy=HOTEL_POLICY)
    assert another_domain([Judged("run.json", "run", report)], HOTEL_POLICY) is None


def test_runs_without_a_call_and_files_that_cannot_be_read_get_no_note():
    """There is nothing to compare."""
    report = evaluate([{"role": "user", "content": "Hello"}], policy=HOTEL_POLICY)
    assert another_domain([Judged("run.json", "run", report), Unreadable("x.json", "no JSON")], HOTEL_POLICY) is None
