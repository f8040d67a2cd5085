"""Exercise 05.stays_inside: a file's name from a model, and the one folder it may be in."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from toolkit.lessons.exercise import Exercise, WrongAnswer
from toolkit.lessons.expect import expect, expect_equal

Inside = Callable[[Path, str], bool]


def check_stays_inside(stays_inside: Inside) -> None:
    """Only an existing regular file below the root; no way up, no absolute path, no neighbour, no link out."""
    with tempfile.TemporaryDirectory() as folder:
        base = Path(folder).resolve()
        for name, wanted, case in cases(base):
            got = stays_inside(base / "reports", name)
            if name == "link.txt" and not (base / "reports" / name).is_symlink():
                continue  # a system that lets nobody make links
            expect(isinstance(got, bool), f"{case}: expected True or False, got {type(got).__name__}")
            expect_equal(got, wanted, case)


def cases(base: Path) -> list[tuple[str, bool, str]]:
    """Lay the files out below `base` and give names with what is to be said of them. The root is `reports`."""
    root = base / "reports"
    for path in (root / "2026" / "june.txt", base / "reports-private" / "pay.txt", base / "secret.txt"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("text", encoding="utf-8")
    with suppress(OSError):
        os.symlink(base / "secret.txt", root / "link.txt")
    return [
        ("2026/june.txt", True, "a report"),
        ("2026/../2026/june.txt", True, "a detour that ends inside"),
        ("../secret.txt", False, "a name that climbs out with .."),
        ("2026/../../secret.txt", False, "a name that climbs out on a detour"),
        (str(base / "secret.txt"), False, "an absolute path, which `/` joins by throwing the root away"),
        ("../reports-private/pay.txt", False, "a neighbour whose name begins like the root's"),
        ("link.txt", False, "a link inside that leads outside"),
        ("2026", False, "a folder is no report"),
        ("july.txt", False, "a file that is not there"),
    ]


def _inside(body: str) -> str:
    return f"def stays_inside(root, name):\n{body}"


STAYS_INSIDE = Exercise(
    id="05.stays_inside",
    task=(
        "A model names a report. Return True only where `name`, taken below `root`, is an existing file that really "
        "lies below `root`, after every `..` and every link is followed."
    ),
    minutes=8,
    difficulty="medium",
    hints=(
        "Compare where the path *ends*, not how it is written: `Path.resolve()` follows `..` and links.",
        "`str.startswith` takes `/reports-private` for a part of `/reports`. `Path.is_relative_to` compares parts.",
        "Resolve both: the root may be reached through a link itself. Then `path.is_file()`.",
    ),
    setup="from pathlib import Path",
    stub='''\
def stays_inside(root: Path, name: str) -> bool:
    """Whether this name is a file below the root, wherever its path may wander.

    >>> stays_inside(Path("reports"), "../secret.txt")
    False
    """
    raise NotImplementedError''',
    solution='''\
def stays_inside(root: Path, name: str) -> bool:
    """Whether this name is a file below the root, wherever its path may wander."""
    path = (root / name).resolve()
    return path.is_relative_to(root.resolve()) and path.is_file()''',
    alternatives=(
        _inside(
            "    path = (root / name).resolve()\n    return root.resolve() in path.parents and path.exists() "
            "and not path.is_dir()"
        ),
        _inside(
            "    reports = [path for path in root.rglob('*') if path.is_file() and not path.is_symlink()]\n"
            "    return (root / name).resolve() in [path.resolve() for path in reports]"
        ),
    ),
    wrong=(
        WrongAnswer(
            "compares how it is written",
            _inside("    path = Path(f'{root}/{name}')\n    return str(path).startswith(str(root)) and path.is_file()"),
            "climbs out with ..",
        ),
        WrongAnswer(
            "compares the beginning of the text",
            _inside(
                "    path = (root / name).resolve()\n    return str(path).startswith(str(root)) and path.is_file()"
            ),
            "a neighbour",
        ),
        WrongAnswer(
            "refuses only ..",
            _inside("    return '..' not in name.split('/') and (root / name).is_file()"),
            "a detour that ends inside",
        ),
        WrongAnswer(
            "does not follow links",
            _inside(
                "    import os\n"
                "    path = Path(os.path.normpath(root / name))\n"
                "    return path.is_relative_to(root) and path.is_file()"
            ),
            "a link inside",
        ),
        WrongAnswer(
            "takes folders too",
            _inside(
                "    path = (root / name).resolve()\n    return path.is_relative_to(root.resolve()) and path.exists()"
            ),
            "a folder",
        ),
        WrongAnswer(
            "does not look whether it is there",
            _inside("    path = (root / name).resolve()\n    return path.is_relative_to(root) and not path.is_dir()"),
            "not there",
        ),
        WrongAnswer(
            "takes whatever exists",
            _inside("    return (root / name.removeprefix('../')).is_file()"),
            "climbs out on a detour",
        ),
    ),
    checker=check_stays_inside,
)
