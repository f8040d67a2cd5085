"""The doctor: every requirement found or not, and the exact command that mends it."""

from __future__ import annotations

import json
import os
import re
import socket
import sqlite3
import subprocess
import sys
import threading
import venv
from contextlib import closing
from http.server import BaseHTTPRequestHandler, HTTPServer
from importlib import metadata
from pathlib import Path
from types import SimpleNamespace

import pytest
from typer.testing import CliRunner

from toolkit.cli import app
from toolkit.doctor import jupyter, machine, packages, report
from toolkit.doctor.finding import SIGNS, Finding, install
from toolkit.lessons.progress.file import ProgressFile
from tools.environment import ROOT

PIP = f"{sys.executable} -m pip install"


def hide(monkeypatch, *names):
    """Let the modules look as if they were not installed."""
    whole = packages.find_spec

    def find(name):
        return None if name in names else whole(name)

    monkeypatch.setattr(packages, "find_spec", find)
    monkeypatch.setattr(machine, "find_spec", find)


def versions(monkeypatch, **given):
    """Let these distributions have this version; None for not installed."""

    def version(name):
        if given[name] is None:
            raise metadata.PackageNotFoundError(name)
        return given[name]

    monkeypatch.setattr(packages.metadata, "version", version)


def test_the_declared_requirements_are_read_from_the_checkout_and_from_the_installation(monkeypatch):
    """Both give the same; the file wins, for it may be newer than what was noted."""
    noted = SimpleNamespace(requires=["pydantic>=2.12", 'dask>=1; extra == "dask"'], python=">=3.11")
    monkeypatch.setattr(packages.metadata, "requires", lambda name: noted.requires)
    monkeypatch.setattr(packages.metadata, "metadata", lambda name: {"Requires-Python": noted.python})
    declared = packages.needs()
    assert (declared.python, "platformdirs>=4.3" in declared.requirements) == (">=3.11", True)
    monkeypatch.setattr(packages, "PROJECT_FILE", Path("nowhere.toml"))
    assert packages.needs() == (">=3.11", ["pydantic>=2.12"])


def test_here_every_package_is_found():
    """A line for Python and for each requirement, in order, all with a sign and a version."""
    found = packages.examine_packages()
    names = [re.match(r"[\w-]+", each)[0] for each in packages.needs().requirements]
    assert [finding.name for finding in found] == ["Python", *names]
    assert {finding.state for finding in found} == {"ok"}


def test_a_missing_package_gets_its_pip_command(monkeypatch):
    """The requirement as pip reads it, quoted for the shell, for the interpreter that asks."""
    versions(monkeypatch, pydantic=None)
    assert str(packages.examine_package("pydantic>=2.12")) == (
        f'✗ pydantic: not installed, 2.12 or newer is needed\n    {PIP} "pydantic>=2.12"'
    )


@pytest.mark.parametrize(
    ("version", "state"), [("2.9.9", "missing"), ("2.12", "ok"), ("2.12.0", "ok"), ("3.0rc1", "ok")]
)
def test_an_old_package_is_upgraded(monkeypatch, version, state):
    """Versions are compared by number, not by letter."""
    versions(monkeypatch, pydantic=version)
    found = packages.examine_package("pydantic>=2.12.0")
    assert found.state == state
    assert found.fix == ("" if state == "ok" else f'{PIP} --upgrade "pydantic>=2.12.0"')


def test_a_package_whose_files_are_gone_is_put_back(monkeypatch):
    """What is noted as installed need not be there."""
    versions(monkeypatch, **{"prometheus-client": "0.26.0"})
    hide(monkeypatch, "prometheus_client")
    found = packages.examine_package("prometheus-client>=0.22")
    assert (found.state, found.found) == ("missing", "0.26.0 is noted, but its files are gone")
    assert found.fix == f'{PIP} --force-reinstall --no-deps "prometheus-client>=0.22"'


def test_an_old_python_and_one_without_sqlite_are_told(monkeypatch):
    """With the command that uses another."""
    assert packages.examine_python(">=9.9").fix == "python3.13 start.py install"
    hide(monkeypatch, "_sqlite3")
    found = packages.examine_python(">=3.11")
    assert found.state == "missing"
    assert found.found.endswith("built without SQLite; another Python has it")


def test_where_nothing_is_installed_the_doctor_still_runs(tmp_path):
    """In an empty environment every package has its own line and command, and no line is a traceback."""
    venv.create(tmp_path / "empty", with_pip=False)
    program = next(path for path in (tmp_path / "empty").rglob("python*") if path.stem == "python")
    variables = {**os.environ, "PYTHONPATH": str(ROOT), "TOOLKIT_PROGRESS": ""}
    run = [str(program), "-m", "toolkit"]
    done = subprocess.run(
        [*run, "doctor", "--quick", "--json"], env=variables, capture_output=True, text=True, timeout=60
    )
    assert (done.returncode, done.stderr) == (1, "")
    found = {each["name"]: each for each in json.loads(done.stdout)}
    for requirement in packages.needs().requirements:
        line = found[re.match(r"[\w-]+", requirement)[0]]
        assert (line["state"], line["fix"]) == ("missing", f'{program} -m pip install "{requirement}"')
    assert found["kernel"]["fix"] == f"{program} -m pip install jupyter-client"
    assert found["Chinese font"]["state"] == "absent"
    other = subprocess.run([*run, "check"], env=variables, capture_output=True, text=True, timeout=60)
    assert (other.returncode, other.stderr) == (
        1,
        "toolkit cannot start: No module named 'typer'. What is missing, and how to get it: toolkit doctor\n",
    )


def test_the_kernel_of_this_python_starts():
    """It is started, and imports the kit."""
    assert jupyter.examine_kernel() == ("kernel", "ok", "python3 is this Python, starts and imports toolkit", "")


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("/elsewhere/bin/python", "python3 is another Python, /elsewhere/bin/python"),
        (None, "there is no kernel 'python3'"),
    ],
)
def test_a_kernel_of_another_python_is_told(monkeypatch, command, told):
    """The kernel that notebooks name has to be this one; the command registers it."""
    from jupyter_client.kernelspec import KernelSpecManager, NoSuchKernel

    def spec(self, name):
        if command is None:
            raise NoSuchKernel(name)
        return SimpleNamespace(argv=[command])

    monkeypatch.setattr(KernelSpecManager, "get_kernel_spec", spec)
    fix = f"{sys.executable} -m ipykernel install --sys-prefix"
    assert jupyter.examine_kernel(quick=True) == ("kernel", "missing", told, fix)


def test_a_kernel_that_ends_at_once_is_told(tmp_path, monkeypatch):
    """A registered kernel need not start."""
    folder = tmp_path / "kernels" / "python3"
    folder.mkdir(parents=True)
    argv = [sys.executable, "-c", "raise SystemExit(3)", "{connection_file}"]
    (folder / "kernel.json").write_text(json.dumps({"argv": argv, "display_name": "x", "language": "python"}))
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path))
    found = jupyter.examine_kernel()
    assert found.found.startswith("python3 does not start: RuntimeError: Kernel died")
    assert found.fix == f"{PIP} --force-reinstall --no-deps ipykernel"


def test_widgets_are_found_missed_and_switched_off(tmp_path, monkeypatch):
    """By the folder of the extension and the settings beside it, as JupyterLab reads them."""
    assert jupyter.examine_widgets().state == "ok"
    monkeypatch.setattr("jupyter_core.paths.jupyter_config_path", lambda: [str(tmp_path)])
    (tmp_path / "labconfig").mkdir()
    (tmp_path / "labconfig" / "page_config.json").write_text(
        json.dumps({"disabledExtensions": {jupyter.MANAGER: True}})
    )
    assert jupyter.examine_widgets().fix == f"{sys.executable} -m jupyter labextension enable {jupyter.MANAGER}"
    monkeypatch.setattr("jupyter_core.paths.jupyter_path", lambda part: [str(tmp_path / part)])
    found = jupyter.examine_widgets()
    assert (found.state, found.fix) == ("missing", f"{PIP} --force-reinstall --no-deps jupyterlab_widgets")


def test_a_port_in_use_names_a_free_one():
    """JupyterLab takes another by itself, so nothing is missing; the command says which."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        found = jupyter.examine_port(port)
        assert (found.state, found.found) == ("absent", f"{port} is taken")
        other = int(re.fullmatch(rf"{re.escape(sys.executable)} -m jupyter lab --port (\d+)", found.fix)[1])
        socket.create_server(("127.0.0.1", other)).close()
    assert jupyter.examine_port(port).state == "ok"


def test_nbval_is_loaded_as_pytest_does(monkeypatch):
    """Found by its entry point; missing, it is put back."""
    assert jupyter.examine_nbval().state == "ok"
    monkeypatch.setattr(jupyter.metadata, "entry_points", lambda group: [])
    assert jupyter.examine_nbval().fix == f"{PIP} --force-reinstall --no-deps nbval"


def test_fonts(tmp_path, monkeypatch):
    """The Latin one is needed, the Chinese one is not."""
    assert machine.examine_fonts().state == "ok"
    monkeypatch.setattr("matplotlib.get_data_path", lambda: str(tmp_path))
    assert machine.examine_fonts().fix == f"{PIP} --force-reinstall --no-deps matplotlib"
    for font, state in ((None, "absent"), ("Some Font", "ok")):
        monkeypatch.setattr("toolkit.lab.figure.chinese_font", lambda font=font: font)
        assert machine.examine_chinese_font().state == state


@pytest.mark.row("X9")
def test_the_progress_file_is_tried_and_not_made(tmp_path, monkeypatch):
    """A folder to be made, a file in the folder's place, nothing to be kept."""
    path = tmp_path / "new" / "progress.sqlite"
    monkeypatch.setenv("TOOLKIT_PROGRESS", str(path))
    assert machine.examine_progress() == ("progress", "ok", str(path), "")
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "new").write_text("a file")
    found = machine.examine_progress()
    assert (found.state, found.fix.endswith("progress.sqlite")) == ("missing", True)
    monkeypatch.setenv("TOOLKIT_PROGRESS", ":memory:")
    assert machine.examine_progress().state == "ok"


@pytest.mark.row("X9")
@pytest.mark.parametrize(
    ("statement", "told"),
    [
        ("PRAGMA user_version = 99", "it was written by a newer toolkit-lessons; update this one"),
        ("BEGIN IMMEDIATE", "database is locked"),
    ],
)
def test_a_progress_file_that_can_be_read_but_not_written_is_told(tmp_path, monkeypatch, statement, told):
    """A newer version's, in the words the lessons give; one that another program holds."""
    path = tmp_path / "progress.sqlite"
    ProgressFile(path).append("card", "Q01", "junior")
    monkeypatch.setenv("TOOLKIT_PROGRESS", str(path))
    monkeypatch.setattr(machine, "_LOCKED_S", 0.0)
    with closing(sqlite3.connect(path)) as other:
        other.execute(statement)
        assert machine.examine_progress().found == f"{path}: {told}"


class Models(BaseHTTPRequestHandler):
    """A server with a list of models for whoever has the key."""

    def do_GET(self):
        self.send_response({"Bearer good": 200, "Bearer none": 404}.get(self.headers["Authorization"], 401))
        self.end_headers()

    def log_message(self, *words):
        """Say nothing."""


@pytest.fixture
def server():
    """The address of a server that speaks the protocol."""
    with HTTPServer(("127.0.0.1", 0), Models) as running:
        thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield f"http://127.0.0.1:{running.server_port}/v1"
        running.shutdown()
        thread.join()


@pytest.mark.parametrize(
    ("key", "state", "told"),
    [
        ("good", "ok", "answers; the model is small"),
        ("none", "ok", "answers; the model is small"),
        ("bad-secret", "missing", "does not take the key of OPENAI_API_KEY"),
    ],
)
def test_an_endpoint_is_asked_and_its_key_never_shown(server, key, state, told):
    """A server without a list of models answers, too; a password in the address is not shown either."""
    address = server.replace("://", "://user:pass-secret@") if key == "bad-secret" else server
    found = machine.examine_endpoint({"TOOLKIT_MODEL": "small", "OPENAI_API_KEY": key, "OPENAI_BASE_URL": address})
    assert (found.state, found.found) == (state, f"{server} {told}")
    assert "secret" not in str(found)


def test_an_endpoint_is_only_told_where_one_is_meant():
    """Without TOOLKIT_MODEL there is no line; half a setting and a silent server are told."""
    assert machine.examine_endpoint({"OPENAI_API_KEY": "k"}) is None
    assert machine.examine_endpoint({"TOOLKIT_MODEL": "small"}).found == (
        "TOOLKIT_MODEL is set, but OPENAI_API_KEY is not. Set it, or set OPENAI_BASE_URL to a server of your own."
    )
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    silent = machine.examine_endpoint({"TOOLKIT_MODEL": "small", "OPENAI_BASE_URL": f"http://127.0.0.1:{port}/v1"})
    assert silent.state == "missing"
    assert silent.found.startswith(f"http://127.0.0.1:{port}/v1 does not answer (")


def test_what_is_optional_names_its_command(monkeypatch):
    """The local model's extra, Chromium, playwright; whoever has no checkout has no tests of it."""
    hide(monkeypatch, "xllamacpp", "playwright")
    model = machine.examine_local_model()
    assert (model.state, model.fix) == ("absent", f'{PIP} --editable "{ROOT}[local-llm]"')
    monkeypatch.setattr(machine.shutil, "which", lambda name: None)
    assert machine.examine_browser({}).fix == "apt install chromium"
    assert machine.examine_browser({"CHROMIUM": "/opt/chromium"}).fix == "python3 start.py browser"
    monkeypatch.setattr(machine, "PROJECT_FILE", Path("nowhere.toml"))
    assert machine.examine_browser({}) is None


def findings(monkeypatch, **given):
    """Let these be all examinations."""
    monkeypatch.setattr(report, "EXAMINATIONS", {name: lambda found=found: found for name, found in given.items()})


def run(*arguments):
    """`toolkit doctor`."""
    return CliRunner().invoke(app, ["doctor", *arguments])


GOOD, GONE = Finding("one", "ok", "1.0"), Finding("two", "absent", "not there", install("two>=2"))


def test_all_there_is_exit_code_0(monkeypatch):
    """What is absent and optional changes nothing; whole text."""
    findings(monkeypatch, one=GOOD, two=[GONE], none=None)
    done = run()
    assert (done.exit_code, done.output) == (
        0,
        f'✓ one: 1.0\n– two: not there\n    {PIP} "two>=2"\n\nEverything the lessons need is there.\n',
    )


def test_an_encoding_without_the_signs_gets_question_marks(monkeypatch):
    """As where Windows writes into a file; the lines are whole."""
    findings(monkeypatch, one=GOOD)
    done = CliRunner(charset="cp1252").invoke(app, ["doctor"])
    assert (done.exit_code, done.output) == (0, "? one: 1.0\n\nEverything the lessons need is there.\n")


def test_something_missing_is_exit_code_1(monkeypatch):
    """The last line names it; JSON has the same lines for programs."""
    findings(monkeypatch, one=GOOD, three=GONE._replace(state="missing"))
    done, as_json = run(), run("--json")
    assert (done.exit_code, as_json.exit_code) == (1, 1)
    assert done.output.endswith("\nMissing: two.\n")
    assert json.loads(as_json.output)[1] == {"name": "two", "state": "missing", "found": "not there", "fix": GONE.fix}


def test_an_examination_that_breaks_does_not_end_the_others(monkeypatch):
    """A missing import names the package, but never a foreign `toolkit`; an optional one stays optional."""

    def lacks():
        raise ModuleNotFoundError("No module named 'jupyter_core'", name="jupyter_core.paths")

    def lacks_ours():
        raise ImportError("cannot import name 'draw'", name="toolkit.lab.figure")

    def breaks():
        raise RuntimeError("odd")

    monkeypatch.setattr(
        report, "EXAMINATIONS", {"widgets": lacks, "font": lacks_ours, "Chinese font": breaks, "one": lambda: GOOD}
    )
    assert report.examine() == [
        Finding("widgets", "missing", "cannot be examined: No module named 'jupyter_core'", f"{PIP} jupyter-core"),
        Finding("font", "missing", "cannot be examined: cannot import name 'draw'", packages.install_kit()),
        Finding("Chinese font", "absent", "cannot be examined: RuntimeError: odd", packages.install_kit()),
        GOOD,
    ]


def test_every_line_that_is_not_well_has_a_command():
    """On this computer, whatever it has; and every sign is a word, too."""
    found = report.examine(quick=True)
    assert [each for each in found if each.state != "ok" and not each.fix] == []
    assert set(SIGNS) == {"ok", "missing", "absent"}
    assert next(each for each in found if each.name == "kernel").found.endswith("(not started)")
