"""Jupyter: a kernel of this interpreter that starts, widgets, a free port, and nbval."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
from importlib import metadata
from pathlib import Path

from toolkit.doctor.finding import Finding, install, python
from toolkit.doctor.packages import install_kit

KERNEL = "python3"
PORT = 8888  # where JupyterLab listens if it is told nothing
MANAGER = "@jupyter-widgets/jupyterlab-manager"
_STARTS_WITHIN_S = 30


def examine_kernel(quick: bool = False) -> Finding:
    """Whether the kernel that the notebooks name is this interpreter, and runs a line of the kit."""
    from jupyter_client.kernelspec import KernelSpecManager, NoSuchKernel

    fix = python("-m", "ipykernel", "install", "--sys-prefix")
    try:
        command = KernelSpecManager().get_kernel_spec(KERNEL).argv[0]
    except NoSuchKernel:
        return Finding("kernel", "missing", f"there is no kernel {KERNEL!r}", fix)
    if not _is_this_python(command):
        return Finding("kernel", "missing", f"{KERNEL} is another Python, {command}", fix)
    if quick:
        return Finding("kernel", "ok", f"{KERNEL} is this Python (not started)")
    return _started() or Finding("kernel", "ok", f"{KERNEL} is this Python, starts and imports toolkit")


def _is_this_python(command: str) -> bool:
    """As jupyter_client reads it: a bare name stands for the interpreter that asks. Links are not followed."""
    if re.fullmatch(r"python(\d(\.\d+)?)?(\.exe)?", command):
        return True
    return os.path.normcase(Path(command).absolute().parent) == os.path.normcase(Path(sys.executable).absolute().parent)


def _started() -> Finding | None:
    """What went wrong when a kernel was started and asked to import the kit; None where nothing did."""
    from jupyter_client.manager import start_new_kernel

    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    fix = install("ipykernel", again=True)
    try:
        manager, client = start_new_kernel(startup_timeout=_STARTS_WITHIN_S, kernel_name=KERNEL, **quiet)
    except Exception as error:  # noqa: BLE001 - whatever it is, it is the answer
        return Finding("kernel", "missing", f"{KERNEL} does not start: {type(error).__name__}: {error}", fix)
    try:
        code, hook = "from toolkit import Gateway, Registry, tool", lambda message: None
        content = client.execute_interactive(code, timeout=_STARTS_WITHIN_S, output_hook=hook)["content"]
    except TimeoutError:
        return Finding("kernel", "missing", f"{KERNEL} gave no answer within {_STARTS_WITHIN_S} seconds", fix)
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)
    if content["status"] == "ok":
        return None
    said = f"{KERNEL} does not import toolkit: {content['ename']}: {content['evalue']}"
    return Finding("kernel", "missing", said, install_kit())


def examine_widgets() -> Finding:
    """Whether JupyterLab finds the extension that draws widgets, and it is not switched off."""
    from jupyter_core.paths import jupyter_config_path, jupyter_path

    folders = [Path(folder, *MANAGER.split("/")) for folder in jupyter_path("labextensions")]
    found = next((folder for folder in folders if (folder / "package.json").exists()), None)
    if found is None:
        fix = install("jupyterlab_widgets", again=True)
        return Finding("widgets", "missing", f"JupyterLab's extension {MANAGER} is not there", fix)
    for folder in jupyter_config_path():
        settings = Path(folder, "labconfig", "page_config.json")
        if settings.exists() and MANAGER in _switched_off(settings):
            fix = python("-m", "jupyter", "labextension", "enable", MANAGER)
            return Finding("widgets", "missing", f"{MANAGER} is switched off in {settings}", fix)
    version = json.loads((found / "package.json").read_text(encoding="utf-8"))["version"]
    return Finding("widgets", "ok", f"{MANAGER} {version}")


def _switched_off(settings: Path) -> list[str]:
    disabled = json.loads(settings.read_text(encoding="utf-8")).get("disabledExtensions", {})
    return [name for name in disabled if not isinstance(disabled, dict) or disabled[name]]


def examine_port(port: int = PORT) -> Finding:
    """Whether JupyterLab's own port is free; if not it takes another by itself, and the fix names one."""
    if _is_free(port):
        return Finding("port", "ok", f"{port} is free for JupyterLab")
    other = next((each for each in range(port + 1, port + 100) if _is_free(each)), 0)  # 0: any, to JupyterLab
    fix = python("-m", "jupyter", "lab", "--port", str(other))
    return Finding("port", "absent", f"{port} is taken", fix)


def _is_free(port: int) -> bool:
    with socket.socket() as server:
        if os.name != "nt":  # there it would take a port that is in use
            server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            server.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def examine_nbval() -> Finding:
    """Whether pytest finds nbval and can load it, to run the notebooks as tests."""
    found = [entry for entry in metadata.entry_points(group="pytest11") if entry.name == "nbval"]
    if not found:
        return Finding("notebook tests", "missing", "pytest does not find nbval", install("nbval", again=True))
    found[0].load()
    return Finding("notebook tests", "ok", "pytest loads nbval")
