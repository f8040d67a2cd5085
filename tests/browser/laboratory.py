"""A throw-away JupyterLab on a copy of the notebooks, and a page of it as a reader sees it."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from start import QUIET
from tools.environment import ROOT

# The notebook as a person sees it, except that nothing is saved behind the test's back.
SETTINGS = {
    "@jupyterlab/apputils-extension:notification": {"fetchNews": "false", "checkForUpdates": False},
    "@jupyterlab/docmanager-extension:plugin": {"autosave": False},
}
FOLDERS = ("CONFIG_DIR", "DATA_DIR", "RUNTIME_DIR", "LAB_SETTINGS_DIR", "LAB_WORKSPACES_DIR")

READY = """() => {
  const shown = window.jupyterapp?.shell.currentWidget;
  const session = shown?.context?.isReady && shown.context.sessionContext;
  const kernel = session && session.isReady && session.session?.kernel;
  return !!kernel && kernel.connectionStatus === 'connected' && kernel.status === 'idle';
}"""
# Not awaited: a command's promise may never settle, and `evaluate` has no time limit.
COMMAND = "name => { window.jupyterapp.commands.execute(name).catch(error => { window.refused = String(error); }); }"
FOCUSED = """() => {
  const shown = document.activeElement;
  const labels = [...(shown.labels ?? [])].map(label => label.textContent.replaceAll('\\u200b', '').trim());
  return labels.find(label => label) ?? shown.textContent;
}"""
SCROLLED = "window.jupyterapp.shell.currentWidget.content.node.querySelector('.jp-WindowedPanel-outer')"
TO_THE_TOP, LENGTH = f"() => {{ {SCROLLED}.scrollTop = 0; }}", f"() => {SCROLLED}.scrollHeight"
SHUT_DOWN = "() => window.jupyterapp.shell.currentWidget.context.sessionContext.shutdown()"
# Code cells that have not ended. A cell that has run has a number and waits for nothing.
UNFINISHED = """() => [...window.jupyterapp.shell.currentWidget.content.model.cells]
  .map((cell, place) => [cell, place])
  .filter(([cell]) => cell.type === 'code' && (!cell.executionCount || cell.executionState === 'running'))
  .map(([cell, place]) => place)"""
CONTROLS = frozenset({"button", "checkbox", "combobox", "image", "radio", "slider", "spinbutton", "textbox"})
LOST_AFTER_S = 5
WIDTH, HEIGHT, TALL, HIGHEST = 1280, 1000, 2400, 12_000
NOTEBOOK = "() => window.jupyterapp.shell.currentWidget.content.model.toJSON()"


@contextmanager
def serve(folder: Path) -> Iterator[str]:
    """Serve a copy of the notebooks from `folder`, with settings of its own; yields the address."""
    shutil.copytree(ROOT / "notebooks", folder / "notebooks", ignore=shutil.ignore_patterns("source", ".*"))
    (folder / "settings").mkdir()
    (folder / "settings" / "overrides.json").write_text(json.dumps(SETTINGS), encoding="utf-8")
    own = {f"JUPYTER{'' if name.startswith('LAB') else '_'}{name}": str(folder / name.lower()) for name in FOLDERS}
    own |= {"IPYTHONDIR": str(folder / "ipython"), "TOOLKIT_PROGRESS": str(folder / "progress.json")}
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    options = [
        *("--no-browser", "--allow-root", "--expose-app-in-browser", "--IdentityProvider.token=", *QUIET),
        *("--ip=127.0.0.1", f"--port={port}", "--ServerApp.port_retries=0", f"--ServerApp.root_dir={folder}"),
        f"--LabApp.app_settings_dir={folder / 'settings'}",
    ]
    log = folder / "server.log"
    with log.open("w", encoding="utf-8") as lines:
        server = subprocess.Popen(
            [sys.executable, "-m", "jupyterlab", *options],
            env=os.environ | own,
            cwd=folder,
            stdout=lines,
            stderr=subprocess.STDOUT,
        )
    try:
        _wait_until_up(f"http://127.0.0.1:{port}", server, log)
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        with suppress(subprocess.TimeoutExpired):
            server.wait(20)
        server.kill()


def _wait_until_up(address: str, server: subprocess.Popen[bytes], log: Path, limit_s: float = 60) -> None:
    end = time.monotonic() + limit_s
    while time.monotonic() < end and server.poll() is None:
        with suppress(OSError), urllib.request.urlopen(f"{address}/api", timeout=2):
            return
        time.sleep(0.1)  # another process is waited for
    raise RuntimeError(f"JupyterLab did not start:\n{log.read_text(encoding='utf-8')[-2000:]}")


class Laboratory:
    """The running JupyterLab and a browser. One notebook is open at a time, for each has a kernel."""

    def __init__(self, address: str, browser: Any) -> None:
        self.address = address
        self.browser = browser
        self._name = ""
        self._shown: LessonPage | None = None

    def open(self, notebook: str) -> LessonPage:
        """The notebook's page with every cell run; the one that is open already, where it is this one."""
        if self._shown is None or self._name != notebook:
            if self._shown is not None:
                self._shown.close()
            self._name, self._shown = notebook, LessonPage(self.browser, self.address, notebook)
            self._shown.run_all()
        return self._shown


class LessonPage:
    """One notebook, open in a browser. `errors` and `outside` fill while it lives."""

    def __init__(self, browser: Any, address: str, notebook: str) -> None:
        self.errors: list[str] = []
        self.outside: list[str] = []
        self.address = address
        self.page = page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
        page.set_default_timeout(20_000)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("request", lambda request: self._watch(request.url))
        page.on("websocket", lambda socket: self._watch(socket.url))
        page.goto(f"{address}/lab/tree/notebooks/{notebook}?reset")
        page.wait_for_function(READY, timeout=60_000)

    def _watch(self, url: str) -> None:
        here = self.address.partition(":")[2]
        if not url.partition(":")[2].startswith(here) and not url.startswith(("data:", f"blob:{self.address}")):
            self.outside.append(url)

    def close(self) -> None:
        """End the kernel and the page."""
        self.page.evaluate(SHUT_DOWN)
        self.page.close()

    def run_all(self, limit_s: float = 120) -> None:
        """Run every cell from nothing and return when all have ended.

        Outputs are cleared first: a stored notebook has numbers before anything ran.
        """
        self.page.evaluate(COMMAND, "notebook:clear-all-cell-outputs")
        self.page.evaluate(COMMAND, "notebook:run-all-cells")
        end, before, since = time.monotonic() + limit_s, [], time.monotonic()
        while unfinished := self.page.evaluate(UNFINISHED):
            now = time.monotonic()
            if now > end:
                refused = self.page.evaluate("window.refused")
                raise TimeoutError(f"cells that did not end within {limit_s:.0f} s: {unfinished}; {refused}")
            if unfinished != before or not self.page.evaluate(READY):
                before, since = unfinished, now
            elif now > since + LOST_AFTER_S:  # the kernel is idle and cells wait: JupyterLab lost the command
                self.page.evaluate(COMMAND, "notebook:run-all-cells")
                since = now
            self.page.wait_for_timeout(100)

    @property
    def cells(self) -> list[dict[str, Any]]:
        """The cells with their outputs, as JupyterLab would save them."""
        return list(self.page.evaluate(NOTEBOOK)["cells"])

    @property
    def outputs(self) -> Any:
        """Where cells show what they gave; menus and side bars are elsewhere."""
        return self.page.locator(".jp-OutputArea-output")

    def box(self, title: str) -> Any:
        """The widgets of the panel or question with this title."""
        found = self.outputs.locator(
            "xpath=self::*/*[contains(@class, 'widget-vbox')] | self::*[contains(@class, 'widget-vbox')]"
        )
        return found.filter(has=self.page.get_by_text(title, exact=True)).first

    def controls(self, box: Any) -> list[tuple[str, str]]:
        """Role and name of every control in the box, as Chromium tells them to a screen reader."""
        box.scroll_into_view_if_needed()
        box.evaluate("element => { window.asked = element; }")
        protocol = self.page.context.new_cdp_session(self.page)
        element = protocol.send("Runtime.evaluate", {"expression": "window.asked"})["result"]["objectId"]
        for _ in range(50):  # what was out of sight enters the tree with one of the next frames
            nodes = protocol.send("Accessibility.queryAXTree", {"objectId": element})["nodes"]
            said = [(node["role"]["value"], node["name"]["value"]) for node in nodes if not node["ignored"]]
            if found := [(role, name) for role, name in said if role in CONTROLS]:
                return found
            self.page.wait_for_timeout(50)
        return []

    def focused(self) -> str:
        """The label of what the keyboard would go to; for a button its text."""
        return str(self.page.evaluate(FOCUSED)).strip()

    def shoot(self, what: Any, path: Path) -> None:
        """Keep a picture of an element; it has to be in sight as a whole."""
        path.parent.mkdir(parents=True, exist_ok=True)
        self.page.set_viewport_size({"width": WIDTH, "height": TALL})
        what.scroll_into_view_if_needed()
        what.screenshot(path=path)
        self.page.set_viewport_size({"width": WIDTH, "height": HEIGHT})

    def shoot_all(self, path: Path) -> None:
        """Keep a picture of the whole notebook, from its title on, as far as a picture can be high."""
        self.page.evaluate(TO_THE_TOP)
        height = min(self.page.evaluate(LENGTH) + 200, HIGHEST)
        self.page.set_viewport_size({"width": WIDTH, "height": height})
        self.page.screenshot(path=path)
        self.page.set_viewport_size({"width": WIDTH, "height": HEIGHT})
