"""Sets everything up and starts. Needs Python 3.11 or newer with pip, and nothing else.

python3 start.py          install, judge the five control runs, open the notebooks (with CI set: stop before that)
python3 start.py test     install, run every test and every notebook
python3 start.py check    install, run the static checks
python3 start.py browser  install, open the notebooks in JupyterLab in a headless Chromium, which must be there
python3 start.py install  install only, with what a developer needs

It works in `.venv` beside this file and touches nothing else. A second start installs nothing.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
PYTHON = BIN / ("python.exe" if os.name == "nt" else "python")

# No question about news, no look for updates or extensions: nothing leaves the machine.
QUIET = (
    "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
    "--LabApp.news_url=None",
    "--LabApp.extension_manager=readonly",
)

# What a word needs; whoever has a later one has the earlier ones too.
EXTRAS = (".", ".[dev]", ".[dev,browser]")
IN_CI = ("--lessons", "00,02,11,12")  # a widget of each kind; all lessons take about three minutes


def main(arguments: list[str]) -> int:
    """Run one of the words of the module's docstring."""
    word = arguments[0] if arguments else "lessons"
    if len(arguments) > 1 or word not in {"lessons", "test", "check", "browser", "install"}:
        print(__doc__)
        return 2
    if sys.version_info < (3, 11):  # noqa: UP036 - whoever has an older one should be told so
        print(f"Python 3.11 or newer is needed; this is {sys.version.split()[0]}. Try: python3.13 start.py {word}")
        return 2
    if not install({"lessons": ".", "browser": ".[dev,browser]"}.get(word, ".[dev]")):
        return 1
    if word == "install":
        return 0
    if word == "test":
        return run(PYTHON, "-m", "pytest", "--nbval", "-n", "auto", "--maxprocesses", "4")
    if word == "browser":
        return run(PYTHON, "-m", "pytest", "-p", "no:nbval", "tests/browser", *(IN_CI if os.environ.get("CI") else ()))
    if word == "check":
        return run(PYTHON, "-m", "tools.check")
    judged = run(PYTHON, "-m", "toolkit.cli", "check")
    return judged or (0 if os.environ.get("CI") else open_notebooks())


def install(what: str) -> bool:
    """Make `.venv` and install, unless the same was installed before; True where it stands ready."""
    files = [ROOT / "pyproject.toml", ROOT / "constraints.txt"]
    wanted = hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()
    stamp = VENV / "installed.txt"
    done = stamp.read_text(encoding="utf-8").split() if stamp.exists() and PYTHON.exists() else []
    if done[:1] == [wanted] and done[1] in EXTRAS[EXTRAS.index(what) :]:
        return True
    if not PYTHON.exists() and run(sys.executable, "-m", "venv", VENV) != 0:
        print("No virtual environment could be made. On Debian and Ubuntu: apt install python3-venv")
        return False
    print("Installing into .venv, a minute or two the first time ...", flush=True)
    pip = (PYTHON, "-m", "pip", "--disable-pip-version-check", "install", "--quiet")
    if run(*pip, "--constraint", "constraints.txt", "--editable", what) != 0:
        print("The installation failed; what pip said stands above.")
        return False
    stamp.write_text(f"{wanted} {what}\n", encoding="utf-8")
    return True


def open_notebooks() -> int:
    """Serve JupyterLab on the first lesson until it is stopped with Control-C."""
    first = min((ROOT / "notebooks").glob("*.ipynb"))
    options = ["--log-level=WARN", *QUIET]
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        options.append("--allow-root")  # JupyterLab refuses root otherwise; in a container there is nobody else
    print("Opening the notebooks; Control-C here ends them.", flush=True)
    try:
        return run(PYTHON, "-m", "jupyterlab", *options, first)
    except KeyboardInterrupt:
        return 0


def run(*command: object) -> int:
    """Run a command in this folder and return its exit code."""
    return subprocess.run([str(part) for part in command], cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
