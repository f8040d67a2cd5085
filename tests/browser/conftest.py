"""The notebooks in a real JupyterLab, in a headless Chromium. Not part of the plain test run: `make browser`.

Tests that use `lesson` run once for each notebook, or for those of `@pytest.mark.lesson("00", ...)`; all tests of a
notebook share one opened page, in which every cell has run.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser.laboratory import Laboratory, LessonPage, serve
from tools.environment import ROOT

NOTEBOOKS = {path.name[:2]: path.name for path in sorted((ROOT / "notebooks").glob("*.ipynb"))}
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (  # as root without a sandbox; and nothing that would call home
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Which lessons, and where pictures of them go."""
    group = parser.getgroup("browser")
    group.addoption("--lessons", default=",".join(NOTEBOOKS), help="numbers, such as 00,11; all without it")
    group.addoption("--shots", default=os.environ.get("SHOTS"), help="a folder for screenshots; also SHOTS")


def pytest_configure(config: pytest.Config) -> None:
    """Announce the mark of this folder."""
    config.addinivalue_line("markers", "lesson(*numbers): the lessons whose page the test needs; all without it")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """One test for each lesson."""
    if "lesson" in metafunc.fixturenames:
        mark = metafunc.definition.get_closest_marker("lesson")
        metafunc.parametrize("number", mark.args if mark else NOTEBOOKS)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """The lessons that were asked for, and all tests of a lesson together."""
    wanted = config.getoption("--lessons").split(",")
    numbers = {item: item.callspec.params.get("number", "") for item in items if isinstance(item, pytest.Function)}
    left = [item for item in items if numbers[item] not in wanted]
    config.hook.pytest_deselected(items=left)
    items[:] = sorted((item for item in items if item not in left), key=numbers.__getitem__)


@pytest.fixture(scope="session")
def laboratory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Laboratory]:
    """JupyterLab and Chromium, both for the whole session."""
    playwright = pytest.importorskip(
        "playwright.sync_api", reason="playwright is missing: start.py browser installs it"
    )
    program = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, BROWSERS)), None)
    if program is None:
        pytest.skip("no Chromium here; on Debian: apt install chromium. CHROMIUM may name one")
    with serve(tmp_path_factory.mktemp("laboratory")) as address, playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=program, args=FLAGS)
        yield Laboratory(address, browser)
        browser.close()


@pytest.fixture
def lesson(laboratory: Laboratory, number: str) -> Iterator[LessonPage]:
    """The lesson's page after all its cells ran. What goes wrong on it during a test fails the test."""
    page = laboratory.open(NOTEBOOKS[number])
    yield page
    assert page.errors == []
    assert page.outside == []


@pytest.fixture
def shoot(lesson: LessonPage, number: str, request: pytest.FixtureRequest) -> Any:
    """`shoot(locator, "name")` keeps a picture of it, `shoot(None, "name")` of the whole notebook; see --shots."""
    folder = request.config.getoption("--shots")

    def keep(what: Any, name: str) -> None:
        path = Path(folder or ".") / f"{number}_{name}.png"
        if folder and what is None:
            lesson.shoot_all(path)
        elif folder:
            lesson.shoot(what, path)

    return keep
