"""What sandboxes that live inside the program let through: each attack is tried, in a process that can be killed.

`exec` with empty builtins and RestrictedPython share the interpreter, and so the time and the memory, of the program
they are to protect. Neither limits them. `pydantic-monty` is a third column, for comparison. Needs the extra `sandbox`.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable
from typing import Literal, NamedTuple

Sandbox = Literal["exec", "RestrictedPython", "pydantic-monty"]
Ending = Literal["ran", "refused", "out of memory", "killed"]
SANDBOXES: tuple[Sandbox, ...] = ("exec", "RestrictedPython", "pydantic-monty")


class Attack(NamedTuple):
    """A snippet, and what it shows where it runs. `result` is what it leaves behind."""

    name: str
    shows: str
    code: str


class Outcome(NamedTuple):
    """How an attack ended, with the value it got or the error that stopped it."""

    attack: str
    sandbox: Sandbox
    ending: Ending
    detail: str


ATTACKS = (
    Attack("arithmetic", "honest work", "result = 2 * 3"),
    Attack("comprehension", "honest work", "result = [n * n for n in (1, 2)]"),
    Attack("indexing", "honest work", "result = (1, 2)[0]"),
    Attack("endless loop", "the program never goes on", "while True:\n    pass"),
    Attack("power", "never goes on, and cannot even be interrupted", "result = 9 ** 9 ** 9"),
    Attack("memory bomb", "all memory of the machine is taken", "result = 'a' * 10 ** 10 != ''"),
    Attack(
        "attribute escape",
        "every class of the program is in reach, and with it the operating system",
        "result = [c for c in ().__class__.__base__.__subclasses__() if c.__name__ == '_wrap_close'][0]"
        ".__init__.__globals__['getcwd']() != ''",
    ),
    Attack(
        "frame escape",
        "the program's own variables are in reach",
        "def walk():\n"
        "    frame = generator.gi_frame.f_back\n"
        "    while frame.f_back:\n"
        "        frame = frame.f_back\n"
        "    yield frame.f_globals['SECRET']\n"
        "generator = walk()\n"
        "result = [each for each in generator][0]",
    ),
    Attack("format string", "attributes are in reach through a text", "result = '{0.__class__.__mro__}'.format(())"),
    Attack("import", "the operating system is in reach", "import os\nresult = os.listdir('/') != []"),
)

_CHILD = """
import sys
try:
    import resource
    resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
except ImportError:
    pass  # Windows: ten billion letters fit nowhere there either
SECRET = "a variable of the program"
sandbox, code = sys.argv[1:]
try:
    names = {"__builtins__": {}}
    if sandbox == "RestrictedPython":
        from RestrictedPython import compile_restricted, safe_builtins
        names["__builtins__"] = safe_builtins
        code = compile_restricted(code, "<snippet>", "exec")
    exec(code, names)
    print("ran", repr(names["result"])[:80], sep="|")
except MemoryError:
    print("out of memory", "MemoryError", sep="|")
except Exception as error:
    print("refused", f"{type(error).__name__}: {error}".splitlines()[0][:80], sep="|")
"""
_MONTY = """
import asyncio, sys
from toolkit.errors import ToolError
from toolkit.sandbox.snippets import SnippetSandbox
async def main():
    async with SnippetSandbox(seconds=0.5) as sandbox:
        print("ran", repr(await sandbox.run(sys.argv[2] + "\\nresult"))[:80], sep="|")
try:
    asyncio.run(main())
except ToolError as error:
    print("refused", error.message[:80], sep="|")
"""


def attempt(attack: Attack, sandbox: Sandbox, seconds: float = 2.0) -> Outcome:
    """Try one attack, in a process that is killed after so many seconds."""
    program = _MONTY if sandbox == "pydantic-monty" else _CHILD
    try:
        done = subprocess.run(
            [sys.executable, "-c", program, sandbox, attack.code], capture_output=True, text=True, timeout=seconds
        )
    except subprocess.TimeoutExpired:
        return Outcome(attack.name, sandbox, "killed", f"after {seconds:g} s")
    ending, _, detail = done.stdout.strip().partition("|")
    known: tuple[Ending, ...] = ("ran", "refused", "out of memory")
    found = next((each for each in known if each == ending), None)
    if found is None:
        raise RuntimeError(f"{attack.name} in {sandbox}: {done.stderr[-300:] or done.stdout}")
    return Outcome(attack.name, sandbox, found, detail)


def try_all(
    attacks: Iterable[Attack] = ATTACKS, sandboxes: Iterable[Sandbox] = SANDBOXES, seconds: float = 2.0
) -> list[Outcome]:
    """Every attack in every sandbox, one after another."""
    chosen = tuple(sandboxes)
    return [attempt(attack, sandbox, seconds) for attack in attacks for sandbox in chosen]
