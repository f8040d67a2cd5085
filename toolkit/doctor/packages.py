"""Python and the packages, against the lower bounds that the project declares."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from toolkit.doctor.finding import Finding, install

DISTRIBUTION = "toolkit-lessons"
PROJECT_FILE = Path(__file__).resolve().parents[2] / "pyproject.toml"
_REQUIREMENT = re.compile(r"([\w.-]+)(?:\[[\w,-]+\])?\s*>=\s*([\d.]+)")


def install_kit(extra: str = "") -> str:
    """The command that installs this kit, from the checkout where it is one."""
    wanted = f"[{extra}]" if extra else ""
    if PROJECT_FILE.exists():
        return install("--editable", f"{PROJECT_FILE.parent}{wanted}")
    return install(f"{DISTRIBUTION}{wanted}")


class Needs(NamedTuple):
    """The lower bound of Python, and the requirements, each as pip reads it."""

    python: str
    requirements: Sequence[str]


def needs() -> Needs:
    """What the project declares: its file in a checkout, else what was noted when it was installed.

    Raises:
        PackageNotFoundError: it is neither a checkout nor installed.
    """
    if PROJECT_FILE.exists():
        import tomllib

        project = tomllib.loads(PROJECT_FILE.read_text(encoding="utf-8"))["project"]
        return Needs(project["requires-python"], project["dependencies"])
    noted = metadata.metadata(DISTRIBUTION)
    declared = metadata.requires(DISTRIBUTION) or []
    return Needs(noted["Requires-Python"], [each for each in declared if "extra ==" not in each])


def examine_packages() -> list[Finding]:
    """A line for Python, and one for every needed package."""
    try:
        needed = needs()
    except metadata.PackageNotFoundError:
        return [Finding(DISTRIBUTION, "missing", "not installed", install_kit())]
    return [examine_python(needed.python), *(examine_package(each) for each in needed.requirements)]


def examine_python(bound: str) -> Finding:
    """The interpreter's version, and that it was built with SQLite, in which the progress is kept."""
    found, least = sys.version.split()[0], bound.removeprefix(">=")
    if release(found) < release(least):
        return Finding("Python", "missing", f"{found}, {least} or newer is needed", "python3.13 start.py install")
    if find_spec("_sqlite3") is None:
        fix = "python3.13 start.py install"
        return Finding("Python", "missing", f"{found}, built without SQLite; another Python has it", fix)
    return Finding("Python", "ok", f"{found} ({sys.executable})")


def examine_package(requirement: str) -> Finding:
    """One needed package: installed, new enough, and its module there."""
    match = _REQUIREMENT.match(requirement)
    if match is None:
        raise ValueError(f"no lower bound in the requirement {requirement!r}")
    name, least = match.groups()
    try:
        found = metadata.version(name)
    except metadata.PackageNotFoundError:
        return Finding(name, "missing", f"not installed, {least} or newer is needed", install(requirement))
    if release(found) < release(least):
        fix = install("--upgrade", requirement)
        return Finding(name, "missing", f"{found}, {least} or newer is needed", fix)
    if find_spec(name.replace("-", "_")) is None:
        return Finding(name, "missing", f"{found} is noted, but its files are gone", install(requirement, again=True))
    return Finding(name, "ok", found)


def release(version: str) -> tuple[int, ...]:
    """The numbers a version begins with, without zeros at the end.

    >>> release("2.12.0rc1"), release("2.12") < release("2.9.9")
    ((2, 12), False)
    """
    match = re.match(r"\d+(?:\.\d+)*", version)
    numbers = [int(part) for part in match[0].split(".")] if match else []
    while numbers and numbers[-1] == 0:
        numbers.pop()
    return tuple(numbers)
