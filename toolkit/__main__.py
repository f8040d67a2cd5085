"""Where the command line starts. Where a package is missing that it needs, it says how to find out which."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line; without its packages, the doctor, who needs none."""
    try:
        from toolkit.cli import main as run
    except ImportError as error:
        raise SystemExit(_without(error, sys.argv[1:])) from None
    run()


def _without(error: ImportError, arguments: list[str]) -> int:
    from toolkit.doctor.report import main as doctor

    if arguments[:1] == ["doctor"]:
        return doctor(arguments[1:])
    print(f"toolkit cannot start: {error}. What is missing, and how to get it: toolkit doctor", file=sys.stderr)
    return 1


if __name__ == "__main__":
    main()
