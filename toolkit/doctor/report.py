"""All examinations, a line for each, and the exit code."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from io import TextIOWrapper

from toolkit.doctor import jupyter, machine, packages
from toolkit.doctor.finding import Finding, install

Found = Finding | Sequence[Finding] | None
# Needed ones first. Named, so that one which breaks can be told.
EXAMINATIONS: dict[str, Callable[[], Found]] = {
    "packages": packages.examine_packages,
    "kernel": jupyter.examine_kernel,
    "widgets": jupyter.examine_widgets,
    "notebook tests": jupyter.examine_nbval,
    "font of figures": machine.examine_fonts,
    "progress": machine.examine_progress,
    "port": jupyter.examine_port,
    "endpoint": machine.examine_endpoint,
    "Chinese font": machine.examine_chinese_font,
    "local model": machine.examine_local_model,
    "browser tests": machine.examine_browser,
}
OPTIONAL = ("Chinese font", "local model", "browser tests")


def examine(quick: bool = False) -> list[Finding]:
    """Everything, at the same time; `quick` starts no kernel."""
    asked = dict(EXAMINATIONS)
    if quick:
        asked["kernel"] = partial(jupyter.examine_kernel, quick=True)
    with ThreadPoolExecutor() as pool:  # most of the time is the kernel's, a process of its own
        found = pool.map(lambda named: guarded(*named), asked.items())
    return [finding for findings in found for finding in findings]


def guarded(name: str, examination: Callable[[], Found]) -> list[Finding]:
    """The findings of one examination; what it could not import or do is a finding, too."""
    try:
        found = examination()
    except ImportError as error:
        module = (error.name or "").partition(".")[0]
        ours = module in ("", "toolkit")  # `pip install toolkit` would bring somebody else's
        fix = packages.install_kit() if ours else install(module.replace("_", "-"))
        text = f"cannot be examined: {error}"
    except Exception as error:  # noqa: BLE001 - the other lines are still worth reading
        fix, text = packages.install_kit(), f"cannot be examined: {type(error).__name__}: {error}"
    else:
        return [] if found is None else [found] if isinstance(found, Finding) else list(found)
    return [Finding(name, "absent" if name in OPTIONAL else "missing", text, fix)]


def report(quick: bool = False, as_json: bool = False) -> int:
    """Print what was found; 0 where everything needed is there, else 1."""
    findings = examine(quick)
    missing = [finding.name for finding in findings if finding.state == "missing"]
    if as_json:
        print(json.dumps([finding._asdict() for finding in findings], indent=2))
    else:
        if isinstance(sys.stdout, TextIOWrapper):
            sys.stdout.reconfigure(errors="replace")  # a pipe on Windows may know no ✓
        print(*findings, sep="\n")
        print(f"\nMissing: {', '.join(missing)}." if missing else "\nEverything the lessons need is there.")
    return 1 if missing else 0


def main(arguments: list[str] | None = None) -> int:
    """The command, where the packages of the command line itself are missing."""
    parser = argparse.ArgumentParser(prog="toolkit doctor", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="start no kernel")
    parser.add_argument("--json", action="store_true", help="for programs")
    chosen = parser.parse_args(arguments)
    return report(chosen.quick, chosen.json)
