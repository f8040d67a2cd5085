"""The project's form: what stands at the top, what it needs, how long a module may grow."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib

import pytest

from tools.environment import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
MODULES = sorted((ROOT / "toolkit").rglob("*.py"))


def name_of(requirement):
    """The package's name in a line such as `pydantic>=2.12`."""
    return re.match(r"[A-Za-z0-9_.-]+", requirement)[0].lower().replace("_", "-")


@pytest.mark.row("K4")
def test_the_top_level_holds_the_six_names():
    """A reader finds project file, notebooks, package, data, tests and README at the top."""
    expected = {"pyproject.toml", "notebooks", "toolkit", "data", "tests", "README.md"}
    assert expected <= {path.name for path in ROOT.iterdir()}


@pytest.mark.row("K4")
@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_module_is_read_in_one_sitting(path):
    """No module is over 260 lines, no function over 60 without its docstring."""
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 260
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            documented = len((ast.get_docstring(node, clean=False) or "").splitlines())
            assert node.end_lineno - node.lineno + 1 - documented <= 60, node.name


@pytest.mark.row("K5")
def test_the_kit_is_built_on_what_it_says():
    """Jupyter, widgets, pydantic, openai, matplotlib and nbval are declared, so one install brings them."""
    declared = {name_of(requirement) for requirement in PROJECT["project"]["dependencies"]}
    assert {"jupyterlab", "ipywidgets", "pydantic", "openai", "matplotlib", "nbval"} <= declared


def test_the_constraints_hold_names_and_versions_only():
    """No host, no option and no hash, and every declared package is pinned."""
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pins = [line for line in lines if not line.startswith("#")]
    optional = PROJECT["project"]["optional-dependencies"]
    extras = [*optional["dev"], *optional["browser"]]
    pinned = {name_of(line) for line in pins}
    assert not [line for line in pins if not re.fullmatch(r"[\w.-]+==[\w.!+-]+", line)]
    assert {name_of(each) for each in [*PROJECT["project"]["dependencies"], *extras]} <= pinned


def test_no_registry_host_is_named_in_what_is_committed():
    """A reader's mirror or proxy is the reader's own choice."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("not a git checkout")
    hosts = re.compile("pypi" + r"\.org|pythonhosted" + r"\.org")
    texts = [ROOT / name for name in listed.stdout.split("\0") if name.endswith((".md", ".txt", ".toml", ".cfg"))]
    assert [path.name for path in texts if path.exists() and hosts.search(path.read_text(encoding="utf-8"))] == []


def test_every_public_name_is_loaded_when_it_is_asked_for():
    """`import toolkit` needs no package at all, so the doctor runs without; every public name is listed and there."""
    program = (
        "import sys, toolkit; assert set(toolkit.__all__) <= set(dir(toolkit)); "
        "assert 'pydantic' not in sys.modules; from toolkit import *; "
        "missing = [name for name in toolkit.__all__ if name not in globals()]; "
        "print(missing, toolkit.tool is tool, hasattr(toolkit, 'Gatewya'))"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.stdout == "[] True False\n", done.stderr


def test_importing_the_package_loads_none_of_the_heavy_libraries():
    """openai, matplotlib, widgets and rich are loaded where they are used."""
    program = (
        "import sys, toolkit, toolkit.gateway, toolkit.trajectory, toolkit.hotel; "
        "print(sorted({'openai', 'matplotlib', 'ipywidgets', 'rich', 'numpy'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.stdout == "[]\n", done.stderr
