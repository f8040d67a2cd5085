"""X4: the reader's own code is run like a layer, given as a class, a module or cells."""

from __future__ import annotations

import sys

import pytest
from typer.testing import CliRunner

from toolkit.cli import app
from toolkit.lessons.conformance.code_lines import count_lines, lines_behind, lines_of
from toolkit.lessons.conformance.implementation import NotAnImplementation, implementation
from toolkit.lessons.conformance.report import conformance
from toolkit.lessons.conformance.suite import CASES

SOURCE = '''
"""A dict of tools of my own."""

import json

tools_by_name = {}


def reset():
    tools_by_name.clear()


def declare(func, name):
    tools_by_name[name] = func


def call(raw):
    """Answer one call."""
    function = raw["function"]
    # no errors are told
    return json.dumps(tools_by_name[function["name"]](**json.loads(function["arguments"])))


class Mine:
    def __init__(self):
        self.known = {}

    def declare(self, func, name):
        self.known[name] = func

    def call(self, raw):
        function = raw["function"]
        return json.dumps(self.known[function["name"]](**json.loads(function["arguments"])))
'''
SOME = [case for case in CASES if case.id in ("P26", "P32", "P70", "F7")]


@pytest.fixture
def module(tmp_path, monkeypatch):
    """A module of the reader's own, in the current folder."""
    (tmp_path / "my_tools_of_my_own.py").write_text(SOURCE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield __import__("my_tools_of_my_own")
    del sys.modules["my_tools_of_my_own"]


@pytest.mark.row("X4")
def test_class_module_and_cells_give_the_same_matrix(module):
    """Three ways to hand over the same code, one result."""
    report = conformance(module, of_class=module.Mine, cells=vars(module), layers=False, cases=SOME)
    words = [[str(report[case.id, each.title]) for case in SOME] for each in report.implementations]
    assert [each.title for each in report.implementations] == ["my_tools_of_my_own", "of class", "cells"]
    assert words == [["caught", "missed", "died", "died"]] * 3


@pytest.mark.row("X4")
def test_what_is_not_taken_is_not_given():
    """`declare` gets of a tool what it names, and everything where it takes anything."""
    seen = []

    def declare(func, timeout_s=None):
        seen.append((func.__name__, timeout_s))

    everything = {"declare": lambda **parts: seen.append(sorted(parts)), "call": lambda raw: "HT-002"}
    (slow,) = [case for case in CASES if case.id == "F5"]
    conformance(some={"declare": declare, "call": lambda raw: "x"}, everything=everything, layers=False, cases=[slow])
    assert seen == [("slow", 1.0), ["attempts", "func", "idempotent", "name", "timeout_s"]]


@pytest.mark.row("X4")
def test_a_module_is_reset_before_each_case():
    """State that a module keeps is cleared by its own `reset`; without one, it is left as it is."""
    declared, left = set(), []

    def declare(func):
        left.append(len(declared))
        declared.add(func.__name__)

    cells = {"declare": declare, "call": lambda raw: "HT-002", "reset": declared.clear}
    conformance(cells=cells, layers=False, cases=SOME)
    assert left == [0, 0, 0, 0]
    del cells["reset"]
    left.clear()
    conformance(cells=cells, layers=False, cases=SOME)
    assert max(left) > 0


@pytest.mark.parametrize(
    ("target", "message"),
    [
        (
            {"declare": print},
            "yours has no call. It needs declare and call.",
        ),
        (
            {"declare": lambda fn: None, "call": print},
            "declare of yours needs 'fn', which the suite does not give. It gives by name: attempts, concurrency, "
            "confirm, cpu_bound, description, fallback, func, idempotency_key, idempotent, max_calls, model, name, "
            "parameters, rate_limit, recovery, roles, timeout_s.",
        ),
        (7, "yours is neither a class, a module nor a dict of functions, but 7."),
    ],
)
def test_what_cannot_be_used_is_refused_with_what_is_missing(target, message):
    """Before a case is run, and in words that say what to do."""
    with pytest.raises(NotAnImplementation) as refused:
        implementation(target)
    assert str(refused.value) == message


def test_lines_of_code_leave_out_what_is_none(module):
    """Blank lines, comments and docstrings do not count; a text over several lines does."""
    assert count_lines('"""Doc."""\nx = """a\n\nb"""  # why\n') == 3
    assert lines_of([module.declare, module.call]) == 5
    assert lines_of(module.Mine) == 8
    assert lines_of(len) is None
    assert (
        lines_behind(["toolkit.errors"])
        < lines_behind(["toolkit.registry"])
        < lines_behind(["toolkit.gateway.gateway"])
    )


@pytest.mark.row("X4")
def test_the_command_prints_what_is_missed_and_says_so_by_its_exit_code(module):
    """Without an argument the layers, exit 0; with the reader's code its misses too, exit 1; nonsense, exit 2."""
    run = CliRunner().invoke
    layers, mine, nothing = (
        run(app, ["conformance", *argument]) for argument in ([], [f"{module.__name__}:Mine"], ["no_such"])
    )
    assert layers.exit_code == 0
    assert layers.output.splitlines()[-1] == "Of 97 cases, caught: 1 dict of tools 24, 2 one source 60, 3 gateway 97."
    assert mine.exit_code == 1
    assert "KeyError: 'get_dat'" in mine.output
    assert "Mine misses" in mine.output.splitlines()[-1]
    assert nothing.exit_code == 2
    assert "There is no module 'no_such'." in nothing.output
