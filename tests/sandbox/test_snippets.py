"""Snippets in a real sandbox: honest work is done, attacks end within two seconds, nothing gets out."""

from __future__ import annotations

import asyncio
import math
import time
from typing import Annotated, Any

import pytest

from toolkit import Gateway, Registry, Status, ToolError, tool
from toolkit.schema import Resource

pytest.importorskip("pydantic_monty")
from toolkit.lab.sandboxes import SNIPPETS
from toolkit.sandbox.snippets import SnippetSandbox


def run(code, inputs=None, **options):
    async def main():
        async with SnippetSandbox(**options) as sandbox:
            return await sandbox.run(code, inputs)

    return asyncio.run(main())


@pytest.mark.row("T10")
@pytest.mark.parametrize(
    ("code", "value"),
    [
        ("2 * 21", 42),
        ("total = 0\nfor night in range(3):\n    total += 400\ntotal", 1200),
        ("[n * n for n in (1, 2, 3)][1:]", [4, 9]),
        ("sorted({'b': 2, 'a': 1})", ["a", "b"]),
        ("import math\nmath.sqrt(16)", 4.0),
        ("price * nights", 800),
        ("", None),
    ],
)
def test_honest_work(code, value):
    """The value of the last expression, as plain data; inputs are there as names."""
    assert run(code, {"price": 400, "nights": 2}) == value


ESCAPES = {
    "endless loop": "while True:\n    pass",
    "memory": "rows = []\nwhile True:\n    rows.append('a' * 1000000)",
    "power": "9 ** 9 ** 9",
    "long text": "'a' * 10 ** 10",
    "recursion": "def f(n):\n    return f(n + 1)\nf(0)",
    "sort": "sorted(range(10 ** 9))",
    "file": "open('/etc/passwd').read()",
    "pathlib": "import pathlib\npathlib.Path('/etc/passwd').read_text()",
    "write": "open('/tmp/escaped', 'w').write('x')",
    "listing": "import os\nos.listdir('/')",
    "environment": "import os\nos.environ['HOME']",
    "system": "import os\nos.system('id')",
    "subprocess": "import subprocess\nsubprocess.run('id')",
    "socket": "import socket\nsocket.socket()",
    "ctypes": "import ctypes",
    "attribute": "().__class__.__base__.__subclasses__()",
    "import": "__import__('os').system('id')",
    "frames": "import sys\nsys._getframe()",
    "exit": "import sys\nsys.exit(3)",
    "print without end": "while True:\n    print('a' * 1000)",
    "object": "class A:\n    pass\nA()",
    "function": "lambda: 1",
    "not a number": "float('nan')",
    "huge integer": "10 ** 30",
    "syntax": "def f(:",
    "no text": "\ud800",
    "too long": "1" + " + 1" * 5000,
}
ESCAPES |= {f"lesson: {each.what}": each.code + "\nresult" for each in SNIPPETS if each.right is None}


@pytest.mark.row("S4", "T10")
@pytest.mark.parametrize("code", ESCAPES.values(), ids=ESCAPES)
def test_no_escape_and_under_two_seconds(code):
    """Each ends with a `ToolError`, quickly, and brings nothing back."""
    started = time.monotonic()
    try:
        outcome = run(code, seconds=0.3)
    except ToolError as refused:
        outcome = refused
    assert time.monotonic() - started < 2
    assert isinstance(outcome, ToolError | str)  # a function comes back as its name, which is harmless
    assert "root:" not in str(outcome)


@pytest.mark.row("S4", "T10")
def test_a_process_that_does_not_limit_itself_is_killed():
    """The second limit, from outside: the process is ended, and the next snippet gets another one."""

    async def main():
        async with SnippetSandbox(seconds=60, processes=1) as sandbox:
            import pydantic_monty

            async with pydantic_monty.AsyncMonty(max_processes=1, request_timeout=0.3) as pool:
                sandbox._pool, entered = pool, sandbox._pool
                with pytest.raises(ToolError) as raised:
                    await sandbox.run("while True:\n    pass")
                after = await sandbox.run("1 + 1")
                sandbox._pool = entered
            return raised.value.message, after

    started = time.monotonic()
    assert asyncio.run(main()) == ("The snippet was stopped because it passed its limits.", 2)
    assert time.monotonic() - started < 5


@pytest.mark.row("T10")
def test_the_loop_goes_on_while_a_snippet_runs():
    """It runs in another process; the event loop ticks."""

    async def main():
        async with SnippetSandbox(seconds=0.3) as sandbox:
            task = asyncio.create_task(sandbox.run("while True:\n    pass"))
            ticks = 0
            while not task.done():
                await asyncio.sleep(0.01)
                ticks += 1
            return ticks, type(task.exception())

    ticks, error = asyncio.run(main())
    assert ticks > 5
    assert error is ToolError


@pytest.mark.row("T10", "T4")
def test_a_sandbox_is_a_resource_of_a_tool():
    """Opened once, shared, closed with the gateway; a failing snippet is the model's to correct."""
    registry = Registry()

    @tool(registry)
    async def run_python(code: str, sandbox: Annotated[Any, Resource(SnippetSandbox)]) -> Any:
        """Run a snippet."""
        return await sandbox.run(code)

    async def main():
        async with Gateway(registry, log_sink=None) as gateway:
            calls = [
                {"id": str(number), "function": {"name": "run_python", "arguments": {"code": code}}}
                for number, code in enumerate(["6 * 7", "1 / 0"])
            ]
            return await gateway.call_all(calls)

    good, bad = asyncio.run(main())
    assert (good.status, good.value) == (Status.SUCCESS, 42)
    assert (bad.error.kind, bad.error.message) == (
        "tool_error",
        "The snippet failed: ZeroDivisionError: division by zero.",
    )


def test_values_are_plain_data():
    """A set is a list outside, and what JSON cannot say is refused."""
    assert run("{1}") == [1]
    with pytest.raises(ToolError) as raised:
        run("float('inf')")
    assert raised.value.message == (
        "The snippet's value is no plain data. End it with a number, a text, a list or a dict."
    )
    assert math.isfinite(run("1.5"))
