"""The static checks, one after another, each told by name: the same here, in `make check` and in CI."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

from tools.environment import ROOT

BIN = Path(sys.executable).parent
CHECKS: dict[str, list[str]] = {
    "format": [sys.executable, "-m", "ruff", "format", "--check", "--quiet", "."],
    "lint": [sys.executable, "-m", "ruff", "check", "--quiet", "."],
    "types": [sys.executable, "-m", "mypy", "--no-error-summary"],
    "import direction": [str(BIN / "lint-imports")],
    "notebooks": [sys.executable, "-m", "tools.notebooks", "check"],
}


def main() -> int:
    """Run all of them, print what the failing ones said, and return 1 where one failed."""
    failed = []
    for name, command in CHECKS.items():
        began = time.perf_counter()
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        print(f"{'failed' if done.returncode else 'ok':<7}{name} ({time.perf_counter() - began:.1f} s)", flush=True)
        if done.returncode:
            failed.append(name)
            print(done.stdout + done.stderr, flush=True)
    print(f"failed: {', '.join(failed)}" if failed else "all checks passed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
