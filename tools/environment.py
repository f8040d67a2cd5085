"""The one environment in which notebooks are built and tested, so that outputs repeat.

Kernels and other child processes inherit it. It is forced, not proposed: a notebook built on one machine
has to give the same bytes on the next.
"""

from __future__ import annotations

import os
from pathlib import Path

from tools.offline.sitecustomize import refuse_beyond_loopback

ROOT = Path(__file__).resolve().parents[1]
OFFLINE = ROOT / "tools" / "offline"

REPEATABLE = {
    "COLUMNS": "100",  # rich, argparse and typer wrap here
    "JUPYTER_COLUMNS": "100",
    "IPYTHONDIR": str(ROOT / "build" / "ipython"),  # no profile or start-up file of the person who runs it
    "LC_ALL": "C.UTF-8",
    "NO_COLOR": "1",
    "PYDANTIC_ERRORS_INCLUDE_URL": "0",  # the link names pydantic's minor version
    "PYDEVD_DISABLE_FILE_VALIDATION": "1",  # a debugger's warning at kernel start
    "PYTHONHASHSEED": "0",  # print({"a", "b"}) and hash("x") repeat
    "PYTHONUTF8": "1",
    "SOURCE_DATE_EPOCH": "0",  # matplotlib: no date inside a figure
    "TOOLKIT_PROGRESS": ":memory:",  # every process its own, and none the reader's file
    "TZ": "UTC",
}

# What would send a lesson to a real endpoint, or colour its output.
REMOVED = (
    "ALL_PROXY",
    "FORCE_COLOR",
    "HTTPS_PROXY",
    "HTTP_PROXY",
    "OPENAI_API_KEY",
    "OPENAI_BASE_URL",
    "PYTHONSTARTUP",
    "TOOLKIT_MODEL",
)


def apply() -> None:
    """Put the environment in force, here and for every child, and refuse the network in both."""
    for name in REMOVED:
        os.environ.pop(name, None)
        os.environ.pop(name.lower(), None)
    os.environ.update(REPEATABLE)
    Path(REPEATABLE["IPYTHONDIR"]).mkdir(parents=True, exist_ok=True)  # or each kernel start warns
    inherited = [part for part in os.environ.get("PYTHONPATH", "").split(os.pathsep) if part]
    # `sitecustomize` is what every Python child imports first, kernels too.
    os.environ["PYTHONPATH"] = os.pathsep.join(dict.fromkeys([str(OFFLINE), *inherited]))
    refuse_beyond_loopback()
