"""Snippets that a sandbox should run or refuse, each tried in a process that can be killed.

What ran in-process could take the program with it, so nothing here runs in the host. A library that is not installed
is not tried.
"""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Literal, NamedTuple

from toolkit.lab.panel import Picture
from toolkit.resources import data_path

SECRET = "sk-not-for-models"
LIMIT_S, MEMORY_BYTES = 1.0, 1 << 30

Outcome = Literal[
    "right", "wrong", "refused", "stopped by its own limit", "out of memory", "killed after 1 s", "got the secret"
]


class Snippet(NamedTuple):
    """Code that leaves its answer in `result`. `right` is the answer, as text; None where it should be refused."""

    what: str
    code: str
    right: str | None = None


SNIPPETS = (
    Snippet("adds up", "result = sum([1, 2, 3])", "6"),
    Snippet("a comprehension", "result = sum([n * n for n in range(4)])", "14"),
    Snippet("an endless loop", "while True:\n    pass"),
    Snippet("3 GB of text", "result = 'x' * 3_000_000_000"),
    Snippet("9 ** 9 ** 9", "result = 9 ** 9 ** 9"),
    Snippet("opens a file", "result = open('secret.txt').read()"),
    Snippet("imports os", "import os\nresult = os.environ['SECRET']"),
    Snippet("goes up the attributes", "result = sum.__self__.__import__('os').environ.get('SECRET')"),
)


class Sandbox(NamedTuple):
    """How a process runs the text `code`: a program that leaves the answer in `result`. `needs`: a library, or None."""

    program: str
    needs: str | None = None


_HOME_MADE = f"""
import runpy
run = runpy.run_path({str(Path(__file__).parent / "mistakes" / "sandbox.py")!r})["run_sandboxed"]
ready()
result = run(code)
"""
_NO_BUILTINS = """
ready()
names = {"sum": sum, "range": range, "__builtins__": {}}
exec(code, names)
result = names.get("result")
"""
_RESTRICTED = """
from RestrictedPython import compile_restricted, safe_globals
from RestrictedPython.Eval import default_guarded_getiter
from RestrictedPython.Guards import safer_getattr
names = {**safe_globals, "_getiter_": default_guarded_getiter, "_getattr_": safer_getattr, "sum": sum, "range": range}
ready()
exec(compile_restricted(code, "<snippet>", "exec"), names)
result = names.get("result")
"""
_ASTEVAL = """
from asteval import Interpreter
interpreter = Interpreter()
ready()
interpreter(code, raise_errors=True)
result = interpreter.symtable.get("result")
"""
_MONTY = """
import pydantic_monty as monty
limits = monty.ResourceLimits(max_feed_duration_secs=0.3, max_memory=50_000_000)
with monty.Monty() as pool, pool.checkout(limits=limits) as session:
    ready()
    result = session.feed_run(code + "\\nresult")
"""
SANDBOXES: Mapping[str, Sandbox] = {
    "exec without builtins": Sandbox(_NO_BUILTINS),
    "allow-list of syntax": Sandbox(_HOME_MADE),
    "RestrictedPython": Sandbox(_RESTRICTED, "RestrictedPython"),
    "asteval": Sandbox(_ASTEVAL, "asteval"),
    "pydantic-monty": Sandbox(_MONTY, "pydantic_monty"),
}
_FRAME = """
import sys
def ready():
    print("ready", flush=True)
code, memory = sys.argv[1], int(sys.argv[2])
try:
    import resource
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
except ImportError:
    pass  # no such limit on this system
try:
{program}
except MemoryError:
    print("out of memory")
except Exception as error:
    print("limit" if "TimeoutError" in str(error) or "MemoryError" in str(error) else "refused")
else:
    print("value", result)
"""


def is_installed(name: str) -> bool:
    """Whether the library behind this sandbox is there to be tried."""
    needs = SANDBOXES[name].needs
    return needs is None or find_spec(needs) is not None


def try_out(name: str, snippet: Snippet) -> Outcome:
    """Run one snippet in one sandbox, in a process of its own with a second of time and 1 GB of memory."""
    program = _FRAME.format(program="\n".join(f"    {line}" for line in SANDBOXES[name].program.strip().splitlines()))
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "secret.txt").write_text(SECRET)
        process = subprocess.Popen(
            [sys.executable, "-c", program, snippet.code, str(MEMORY_BYTES)],
            cwd=folder,
            env={**os.environ, "SECRET": SECRET},
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n", f"{name} could not be started"
            said = _line_within(process, LIMIT_S)
        finally:
            process.kill()
            process.communicate()
    return "killed after 1 s" if said is None else _outcome(said, snippet)


def _line_within(process: subprocess.Popen[str], seconds: float) -> str | None:
    lines: queue.SimpleQueue[str] = queue.SimpleQueue()
    assert process.stdout is not None
    threading.Thread(target=lambda read=process.stdout.read: lines.put(read()), daemon=True).start()
    try:
        return lines.get(timeout=seconds)
    except queue.Empty:
        return None


def _outcome(said: str, snippet: Snippet) -> Outcome:
    if SECRET in said:
        return "got the secret"
    if said.startswith("value"):
        return "right" if said.removeprefix("value ").strip() == snippet.right else "wrong"
    if said.startswith("limit"):
        return "stopped by its own limit"
    return "out of memory" if said.startswith("out of memory") else "refused"


def try_sandbox(name: str) -> Picture:
    """Every snippet in one sandbox."""
    outcomes = outcomes_of(name)
    through = sum(outcome in ("got the secret", "killed after 1 s", "out of memory") for outcome in outcomes.values())
    summary = f"{name}: {through} of {len(outcomes)} snippets could only be stopped from outside, or got the secret."
    return Picture(summary, ["snippet", "outcome"], list(outcomes.items()))


def outcomes_of(name: str) -> dict[str, Outcome]:
    """What became of each snippet in this sandbox."""
    return {snippet.what: try_out(name, snippet) for snippet in SNIPPETS}


def recorded_outcomes() -> Picture:
    """The table of `data/sandboxes/outcomes.json`: every sandbox that was tried, with its version."""
    tried = json.loads(data_path("sandboxes", "outcomes.json").read_text(encoding="utf-8"))
    names = [f"{each['sandbox']} {each['version']}".strip() for each in tried]
    rows = [[snippet.what, *(each["outcomes"][snippet.what] for each in tried)] for snippet in SNIPPETS]
    return Picture(f"{len(SNIPPETS)} snippets in {len(tried)} sandboxes.", ["snippet", *names], rows)
