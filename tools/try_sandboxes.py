"""Try the sandboxes that are installed and write data/sandboxes/outcomes.json; entries of the others stay.

python -m tools.try_sandboxes
"""

from __future__ import annotations

import json
import sys
from importlib.metadata import version

from toolkit.lab.sandboxes import SANDBOXES, is_installed, outcomes_of
from tools.environment import ROOT

PATH = ROOT / "data" / "sandboxes" / "outcomes.json"


def main() -> int:
    """Write the file and say what was tried."""
    known = {each["sandbox"]: each for each in json.loads(PATH.read_text(encoding="utf-8"))} if PATH.exists() else {}
    for name, sandbox in SANDBOXES.items():
        if is_installed(name):
            number = version(sandbox.needs) if sandbox.needs else ""
            known[name] = {"sandbox": name, "version": number, "outcomes": outcomes_of(name)}
            print(f"{name} {number}".strip())
    kept = [known[name] for name in SANDBOXES if name in known]
    PATH.write_text(json.dumps(kept, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
