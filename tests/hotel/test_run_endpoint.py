"""`toolkit run --endpoint`, against a real server on loopback."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from tests.agent.chat_server import Answer, chat_server, whole
from toolkit.cli import app


@pytest.fixture(autouse=True)
def _no_connection():
    """These tests connect, to loopback only: the guard in tools/offline refuses the rest."""


def invoke(*arguments):
    return CliRunner().invoke(app, ["run", *(str(argument) for argument in arguments)])


@pytest.fixture
def environment(monkeypatch):
    """The three variables of an endpoint, set or taken away."""

    def put(**variables):
        for name in ("TOOLKIT_MODEL", "OPENAI_BASE_URL", "OPENAI_API_KEY"):
            monkeypatch.delenv(name, raising=False)
        for name, value in variables.items():
            monkeypatch.setenv(name, value)

    return put


@pytest.mark.row("T13", "E11")
def test_a_real_endpoint_can_be_asked(tmp_path, environment):
    """The model is told the goal and the tools, over HTTP; what it did is written and told like any run."""
    out = tmp_path / "run.json"
    with chat_server(Answer(whole({"content": "I would rather not."}))) as (base_url, requests):
        environment(TOOLKIT_MODEL="small", OPENAI_BASE_URL=base_url)
        result = invoke("--endpoint", "--out", out)
    assert result.output.splitlines()[:-1] == [
        "Model small",
        "Stopped: answered after 1 turns",
        "It says: I would rather not.",
        "In the store: no booking",
    ]
    assert len(requests[0]["body"]["tools"]) == 5
    meta = json.loads(out.read_text("utf-8"))["meta"]
    assert (meta["simulated"], meta["model"], meta["run"].startswith("endpoint-en-")) == (False, "small", True)


@pytest.mark.row("E11")
@pytest.mark.parametrize(
    ("variables", "arguments", "told"),
    [
        ({}, (), "set TOOLKIT_MODEL to the model to ask for."),
        ({"TOOLKIT_MODEL": "small"}, (), "OPENAI_API_KEY is not."),
        ({"TOOLKIT_MODEL": "small"}, ("--seed", 3), "faults and seeds are the simulated agent's."),
    ],
)
def test_half_an_endpoint_is_a_usage_error(environment, variables, arguments, told):
    """Exit code 2 and what to set; nothing is asked."""
    environment(**variables)
    result = invoke("--endpoint", *arguments)
    assert result.exit_code == 2
    assert told in " ".join(result.output.replace("│", " ").split())
