"""Three doors, one log."""

from __future__ import annotations

import pytest

from toolkit.lab import adapters
from toolkit.lab.adapters import three_doors


@pytest.mark.row("E11", "J7", "T12")
def test_calls_from_three_callers_stand_in_one_log():
    """The loop, an MCP client and a LangChain tool: each a session, each call a line."""
    pytest.importorskip("mcp")
    pytest.importorskip("langchain_core")
    picture = three_doors()
    assert picture.summary == "4 calls through 3 doors, one log."
    assert picture.rows == [
        ["loop", "calculate", "success", "-"],
        ["loop", "web_search", "success", "-"],
        ["mcp", "calculate", "execution_error", "tool_error"],
        ["langchain", "web_search", "success", "-"],
    ]


@pytest.mark.row("X1")
def test_a_door_that_is_not_installed_is_told(monkeypatch):
    """A reader without the extras sees what to install, and the rest works."""
    found = adapters.find_spec
    monkeypatch.setattr(adapters, "find_spec", lambda name: None if name in ("mcp", "langchain_core") else found(name))
    picture = three_doors()
    assert picture.summary == "2 calls through 1 doors, one log."
    assert picture.rows[2:] == [
        ["mcp", "-", "not installed", "pip install '.[mcp]'"],
        ["langchain", "-", "not installed", "pip install '.[langchain]'"],
    ]
