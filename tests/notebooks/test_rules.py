"""Each rule on a notebook that keeps it and on one that breaks it."""

from __future__ import annotations

import pytest
from nbformat import from_dict
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from tools import notebook_rules as rules


def code(source, *, tags=(), outputs=(), count=1):
    return new_code_cell(source, execution_count=count, outputs=list(outputs), metadata={"tags": list(tags)})


def notebook(*cells, kernel="python3"):
    cells = [from_dict({**cell, "id": f"cell-{number}"}) for number, cell in enumerate(cells)]
    return new_notebook(cells=cells, metadata={"kernelspec": {"name": kernel, "display_name": kernel}})


TEXT = new_markdown_cell("Why?")
ERROR = new_output("error", ename="ValueError", evalue="no", traceback=[])
FIFTEEN_PAIRS = [TEXT, code("assert 1")] * 15

BROKEN = {
    "a cell never run": (rules.ran_in_order, [code("1"), code("2", count=None)], "code cell 1 was never run"),
    "run out of order": (rules.ran_in_order, [code("1", count=2), code("2", count=1)], "not run 1..n but [2, 1]"),
    "error without tag": (rules.errors_are_tagged, [code("f()", outputs=[ERROR])], "no tag raises-exception"),
    "tag without error": (rules.errors_are_tagged, [code("f()", tags=["raises-exception"])], "raised nothing"),
    "front end needed": (rules.runs_alike_under_nbval, [code("clear_output()")], "uses 'clear_output('"),
    "exempt by tag": (rules.runs_alike_under_nbval, [code("f()", tags=["nbval-ignore-output"])], "escapes"),
    "exempt by comment": (rules.runs_alike_under_nbval, [code("# NBVAL_SKIP\nf()")], "escapes"),
    "path in a cell": (rules.names_nothing_foreign, [code("open('/work/data.json')")], "machine's path: '/work/'"),
    "path in an output": (
        rules.names_nothing_foreign,
        [code("f()", outputs=[new_output("stream", text="File /root/x.py")])],
        "machine's path: '/root/'",
    ),
    "model in a value": (
        rules.names_nothing_foreign,
        [code("f()", outputs=[new_output("execute_result", {"text/plain": "'gpt-4o'"})])],
        "model's id: 'gpt-4'",
    ),
    "model in prose": (rules.names_nothing_foreign, [new_markdown_cell("Ask Claude.")], "model's id: 'Claude'"),
    "registry": (rules.names_nothing_foreign, [new_markdown_cell("see pypi.org")], "host: 'pypi.org'"),
    "long cells": (rules.cells_are_small, [code("\n".join(["f()"] * 5))], "the median code cell has 5 lines"),
    "too many long": (
        rules.cells_are_small,
        [code("f()")] * 8 + [code("\n".join(["f()"] * 13))] * 2,
        "only 8 of 10 code cells have at most 12 lines",
    ),
    "one very long": (
        rules.cells_are_small,
        [code("f()")] * 10 + [code("\n".join(["f()"] * 31))],
        "the longest code cell has 31 lines",
    ),
    "one very long answer": (
        rules.cells_are_small,
        [code("f()")] * 10 + [code("\n".join(["f()"] * 31), tags=["exercise"])],
        "the longest code cell has 31 lines",
    ),
    "three in a row": (rules.code_is_explained, [code("1"), code("2"), code("3")], "cell 2 is the third"),
    "few checks": (rules.enough_is_checked, [code("f()")] * 3 + [code("assert f()")], "only 1 of 4"),
    "two definitions": (
        rules.one_definition_per_cell,
        [code("def f(): ...\n\nclass G: ...")],
        "defines f, G",
    ),
    "too short": (rules.has_a_lessons_length, [TEXT] * 29, "29 cells, not 30 to 60"),
    "too long": (rules.has_a_lessons_length, [TEXT] * 61, "61 cells, not 30 to 60"),
}
KEPT = {
    "in order": (rules.ran_in_order, [code("1"), TEXT, code("2", count=2)]),
    "expected error": (rules.errors_are_tagged, [code("f()", tags=["raises-exception"], outputs=[ERROR])]),
    "plain code": (rules.runs_alike_under_nbval, [code("f()", tags=["exercise"])]),
    "ordinary words": (rules.names_nothing_foreign, [code("path = folder / 'work' / 'a.json'"), TEXT]),
    "blank lines and comments": (rules.cells_are_small, [code("f()\n\n# why\n\n# so\n\ng()")]),
    "long answers": (
        rules.cells_are_small,
        [code("f()")] * 4 + [code("\n".join(["f()"] * 30), tags=["exercise"])] * 3,
    ),
    "two in a row": (rules.code_is_explained, [code("1"), code("2"), TEXT, code("3")]),
    "four in ten": (rules.enough_is_checked, [code("f()")] * 3 + [code("assert x"), code('check("01.a", a)')]),
    "await at top level": (rules.enough_is_checked, [code("assert await f()")]),
    "a pair in an exercise": (rules.one_definition_per_cell, [code("def f(): ...\ndef g(): ...", tags=["exercise"])]),
    "thirty": (rules.has_a_lessons_length, FIFTEEN_PAIRS),
    "sixty": (rules.has_a_lessons_length, [TEXT] * 60),
}


@pytest.mark.parametrize(("rule", "cells", "complaint"), BROKEN.values(), ids=BROKEN)
def test_a_broken_rule_is_named(rule, cells, complaint):
    """The one complaint says which cell, what is there and what the limit is."""
    found = rule(notebook(*cells))
    assert len(found) == 1
    assert complaint in found[0]


@pytest.mark.parametrize(("rule", "cells"), KEPT.values(), ids=KEPT)
def test_a_kept_rule_is_silent(rule, cells):
    """What stands just inside a limit has no complaint."""
    assert rule(notebook(*cells)) == []


def test_the_kernel_is_the_one_every_reader_has():
    """A kernel named after somebody's environment is refused."""
    assert rules.uses_the_python3_kernel(notebook(kernel="my-venv")) == ["kernel 'my-venv', not 'python3'"]
    assert rules.uses_the_python3_kernel(notebook()) == []


def test_every_rule_is_applied():
    """No rule is written and forgotten."""
    written = {
        value
        for name, value in vars(rules).items()
        if callable(value) and getattr(value, "__module__", "") == rules.__name__ and not name.startswith("_")
    }
    assert written - {rules.complaints} == set(rules.RULES)
