"""Which promises have a test: asks pytest for `@pytest.mark.row("F7")`, without running a test.

python -m tools.rows            one line per letter: how many rows have a test, and which have none
python -m tools.rows F7 R16     the tests of these rows
python -m tools.rows --strict   exit 1 where a row has no test
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

import pytest

from tools.environment import ROOT

MARK = "row "
# Letter: the last row's number, and what they are about.
ROWS = {
    "T": (14, "tool use in three layers"),
    "E": (11, "the quality pipeline around a call"),
    "V": (7, "a model that validates calls"),
    "J": (10, "judging a trajectory"),
    "K": (5, "the kit itself"),
    "X": (12, "what no other kit has"),
    "R": (19, "rules of reading a trajectory"),
    "F": (30, "faults a call must survive"),
    "S": (14, "security"),
    "P": (94, "faults reported in public"),  # two digits: P07
}
UNUSED = frozenset(
    {"P06", "P14", "P20", "P35", "P42", "P48", "P62", "P64", "P71", "P74", "P81", "P93"}
)  # cases that were given up


def main(arguments: list[str] | None = None) -> int:
    """Print the table, or the tests of some rows."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("rows", nargs="*", metavar="ROW")
    parser.add_argument("--strict", action="store_true", help="exit 1 where a row has no test")
    chosen = parser.parse_args(arguments)
    proofs = collect(ROOT)
    unknown = sorted((set(proofs) | set(chosen.rows)) - set(all_rows()))
    if unknown:
        print(f"no such row: {', '.join(unknown)}", file=sys.stderr)
        return 2
    if chosen.rows:
        for row in chosen.rows:
            print(row, *(f"  {test}" for test in proofs[row] or ["no test"]), sep="\n")
        return 0
    print(table(proofs))
    return 1 if chosen.strict and any(not proofs[row] for row in all_rows()) else 0


def all_rows() -> list[str]:
    """Every row's id, letter by letter."""
    return [row for letter in ROWS for row in rows_of(letter)]


def rows_of(letter: str) -> list[str]:
    """The ids of one letter, in order.

    >>> rows_of("K")
    ['K1', 'K2', 'K3', 'K4', 'K5']
    """
    width = 2 if letter == "P" else 1
    numbered = [f"{letter}{number:0{width}}" for number in range(1, ROWS[letter][0] + 1)]
    return [row for row in numbered if row not in UNUSED]


def collect(root: Path) -> Mapping[str, list[str]]:
    """Row to the tests marked with it, as `tests/file.py::test_name`, each once however often it is run.

    Raises:
        RuntimeError: pytest could not collect the tests; the text is what it said.
    """
    # This module is the plugin too: see `pytest_collection_finish`.
    command = [sys.executable, "-m", "pytest", "tests", "--collect-only", "-q", "-p", "no:nbval", "-p", "tools.rows"]
    variables = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])}
    done = subprocess.run(command, cwd=root, env=variables, capture_output=True, text=True, timeout=300)
    if done.returncode not in {pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED}:
        raise RuntimeError(done.stdout + done.stderr)
    proofs: defaultdict[str, dict[str, None]] = defaultdict(dict)
    for line in done.stdout.splitlines():
        if line.startswith(MARK):
            row, test = line.removeprefix(MARK).split(" ", 1)
            proofs[row][test] = None
    return defaultdict(list, {row: list(tests) for row, tests in proofs.items()})


def pytest_collection_finish(session: pytest.Session) -> None:
    """Print the marks of what was collected; pytest calls this in the child process of `collect`."""
    for item in session.items:
        for mark in item.iter_markers("row"):
            for row in mark.args:
                print(f"{MARK}{row} {item.nodeid.split('[')[0]}")


def table(proofs: Mapping[str, list[str]]) -> str:
    """One line per letter, then the sum."""
    lines, proven = [], 0
    for letter, (_, about) in ROWS.items():
        rows = rows_of(letter)
        without = [row for row in rows if not proofs[row]]
        proven += len(rows) - len(without)
        rest = f"none: {' '.join(without)}" if without else ""
        lines.append(f"{letter}  {len(rows) - len(without):>2} of {len(rows):>2}  {about:<36}{rest}".rstrip())
    return "\n".join([*lines, f"{proven} of {len(all_rows())} rows have a test"])


if __name__ == "__main__":
    sys.exit(main())
