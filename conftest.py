"""Shared by the tests and by the notebooks that nbval runs."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import Any

import pytest

from tools import environment

environment.apply()  # kernels inherit this process's environment

NBVAL = {
    "nbval_current_env": True,  # the kernel of the Python that runs pytest, whatever the notebook names
    "nbval_sanitize_with": str(environment.ROOT / "notebooks" / "sanitize.cfg"),
    "nbval_cell_timeout": 60.0,
    "nbval_kernel_startup_timeout": 60.0,
}
# ipywidgets and asyncio log what a callback or a task raised, and go on. A panel does so on purpose.
SILENT_FAILURES = {"traitlets": "Exception in callback", "asyncio": "", "toolkit.lab.panel": ""}


def pytest_configure(config: pytest.Config) -> None:
    """Set nbval's options here, not in pyproject: so `-p no:nbval` works and saves its 1.6 s of start-up."""
    config.addinivalue_line("markers", "callback_errors_ok: the test provokes an error in a callback")
    if config.pluginmanager.hasplugin("nbval"):
        for name, value in NBVAL.items():
            setattr(config.option, name, value)


@pytest.fixture(autouse=True)
def fail_on_callback_errors(caplog: pytest.LogCaptureFixture, request: pytest.FixtureRequest) -> Iterator[None]:
    """Fail the test in which a widget's callback or a background task raised."""
    yield
    if request.node.get_closest_marker("callback_errors_ok"):
        return
    raised = [
        record.getMessage()
        for record in caplog.get_records("call")
        if record.levelno >= logging.WARNING
        and record.name in SILENT_FAILURES
        and record.getMessage().startswith(SILENT_FAILURES[record.name])
    ]
    assert not raised, "a callback raised: " + "\n".join(raised)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_finish(session: pytest.Session) -> None:
    """Put back the cells that stand before a picked one, for the cells of a notebook share one kernel.

    Without this `-k`, `--lf`, `--ff`, a node id and random order end in NameErrors.
    """
    cells = [item for item in session.items if hasattr(item, "cell_num")]
    last: dict[Any, int] = {}
    for cell in cells:
        last[cell.parent] = max(last.get(cell.parent, 0), cell.cell_num)
    if not last:
        return
    items: list[Any] = [item for item in session.items if not hasattr(item, "cell_num")]
    for notebook, number in last.items():
        items += [cell for cell in notebook.collect() if cell.cell_num <= number]
    session.items[:] = items
    session.testscollected = len(items)
