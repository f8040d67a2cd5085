"""Notebooks from their one source.

python -m tools.notebooks build [NN ...]       run the sources, write notebooks/ and notebooks/solutions/
python -m tools.notebooks normalise [NN ...]   bring files that an editor saved back into the normal form
python -m tools.notebooks check [NN ...]       exit 1 where a notebook is not what its source says; no kernel
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import nbformat

from tools import environment
from tools.notebook_form import normalise, to_text
from tools.notebook_rules import complaints
from tools.notebook_source import SourceError, read_source, shape

NOTEBOOKS = environment.ROOT / "notebooks"
SOLUTIONS = NOTEBOOKS / "solutions"
SOURCES = NOTEBOOKS / "source"
CELL_TIMEOUT_S = 60
DRILLS = "12"


def main(arguments: list[str] | None = None) -> int:
    """Run one command and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("command", choices=["build", "normalise", "check"])
    parser.add_argument("lessons", nargs="*", metavar="NN", help="numbers or names; all when none is given")
    chosen = parser.parse_args(arguments)
    environment.apply()
    scripts = list(find_sources(chosen.lessons))
    if chosen.lessons and not scripts:
        parser.error(f"no source in {SOURCES.relative_to(environment.ROOT)} for {' '.join(chosen.lessons)}")
    if chosen.command == "build":
        SOLUTIONS.mkdir(exist_ok=True)
        return asyncio.run(build(scripts))
    if chosen.command == "normalise":
        for path in (path for script in scripts for path, _ in targets(script) if path.exists()):
            write(path, nbformat.read(path, as_version=4))
        return 0
    found = [] if chosen.lessons else orphans()
    found += [f"{name}: {text}" for script in scripts for name, text in problems(script)]
    print("\n".join(found) or f"{len(scripts)} lessons are what their sources say")
    return 1 if found else 0


def find_sources(wanted: list[str]) -> Iterator[Path]:
    """The scripts of the lessons wanted, in order; all of them when none is named."""
    for script in sorted(SOURCES.glob("[0-9][0-9]_*.py")):
        if not wanted or script.stem in wanted or script.stem[:2] in wanted:
            yield script


def targets(script: Path) -> list[tuple[Path, bool]]:
    """The notebooks a script makes, each with whether it is the solved one."""
    return [(NOTEBOOKS / f"{script.stem}.ipynb", False), (SOLUTIONS / f"{script.stem}.ipynb", True)]


async def build(scripts: list[Path]) -> int:
    """Execute both notebooks of every script, as many at once as there are cores; 1 where a cell failed.

    The drills come last: they link to cells of the other notebooks, by the ids that stand there.
    """
    slots = asyncio.Semaphore(os.cpu_count() or 1)
    drills = [script for script in scripts if script.name.startswith(DRILLS)]
    good = True
    for scripts_at_once in ([script for script in scripts if script not in drills], drills):
        jobs = [_build_one(script, *target, slots) for script in scripts_at_once for target in targets(script)]
        good = all(await asyncio.gather(*jobs)) and good
    return 0 if good else 1


async def _build_one(script: Path, path: Path, solved: bool, slots: asyncio.Semaphore) -> bool:
    shown = path.relative_to(environment.ROOT)
    async with slots:
        began = time.perf_counter()
        try:
            notebook = read_source(script, solved=solved)
            await _execute(notebook, path.parent)
        except (SourceError, NotRun) as error:
            print(f"{shown}: not written\n{error}", file=sys.stderr)
            return False
        write(path, notebook)
        print(f"{shown}: {time.perf_counter() - began:.1f} s")
        return True


class NotRun(Exception):
    """A cell raised, took too long or ended its kernel; the text shows the cell."""


async def _execute(notebook: nbformat.NotebookNode, folder: Path) -> None:
    from nbclient import NotebookClient  # over a second to import, and `check` needs none of it
    from nbclient.exceptions import CellControlSignal, DeadKernelError

    client = NotebookClient(
        notebook,
        timeout=CELL_TIMEOUT_S,
        kernel_name="python3",
        resources={"metadata": {"path": str(folder)}},
        store_widget_state=False,
        record_timing=False,
        coalesce_streams=True,
        extra_arguments=["--log-level=40"],  # no warning about TCP without encryption
    )
    try:
        await client.async_execute()
    except (CellControlSignal, DeadKernelError) as error:
        raise NotRun(str(error)) from error


def write(path: Path, notebook: nbformat.NotebookNode) -> None:
    """Store a notebook in its normal form."""
    path.write_text(to_text(normalise(notebook)), encoding="utf-8")


def problems(script: Path) -> list[tuple[str, str]]:
    """What is wrong with the two notebooks of a script, as (file, complaint). Starts no kernel."""
    found = []
    for path, solved in targets(script):
        shown = str(path.relative_to(environment.ROOT))
        if not path.exists():
            found.append((shown, "missing; run: python -m tools.notebooks build"))
            continue
        text = path.read_text(encoding="utf-8")
        notebook = nbformat.reads(text, as_version=4)
        try:
            if shape(read_source(script, solved=solved)) != shape(notebook):
                found.append((shown, "differs from its source; run: python -m tools.notebooks build"))
        except SourceError as error:
            found.append((shown, str(error)))
        found += [(shown, complaint) for complaint in complaints(notebook)]
        if to_text(normalise(notebook)) != text:
            found.append((shown, "not in normal form; run: python -m tools.notebooks normalise"))
        found += [(shown, complaint) for complaint in misjudged(notebook, solved=solved)]
    return found


def misjudged(notebook: nbformat.NotebookNode, *, solved: bool) -> list[str]:
    """The checks that did not say right of a solution, or not attempted of a stub."""
    wanted = "✓ right" if solved else "○ not attempted"
    found = []
    for stub, check in pairwise(notebook.cells):
        if "exercise" in stub.metadata.get("tags", []):
            said = [output.get("data", {}).get("text/plain", "") for output in check.get("outputs", [])]
            if not any(text.startswith(wanted) for text in said):
                found.append(f"{check.source} should say {wanted}")
    return found


def orphans() -> list[str]:
    """Notebooks that no source makes."""
    made = {path for script in find_sources([]) for path, _ in targets(script)}
    stored = [*NOTEBOOKS.glob("*.ipynb"), *SOLUTIONS.glob("*.ipynb")]
    return [f"{path.relative_to(environment.ROOT)}: no source makes it" for path in stored if path not in made]


if __name__ == "__main__":
    sys.exit(main())
