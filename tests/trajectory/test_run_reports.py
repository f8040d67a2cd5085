"""Reports: JUnit for a build, one HTML file for a person, tests for a project, a count for who waits."""

from __future__ import annotations

import io
import json
import re
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest
from rich.console import Console
from typer.testing import CliRunner

from toolkit.cli import app
from toolkit.hotel import HOTEL_POLICY
from toolkit.hotel.controls import load_control
from toolkit.resources import data_path
from toolkit.trajectory.html_report import to_html
from toolkit.trajectory.judging import judge_files
from toolkit.trajectory.junit import to_junit
from toolkit.trajectory.progress import counted

pytest_plugins = ["pytester"]


@pytest.fixture
def outcomes(tmp_path):
    """A run that passes, one that fails, one with a cut head, and no recording."""
    (tmp_path / "ok.json").write_text(json.dumps(load_control("ok")), "utf-8")
    (tmp_path / "skip.json").write_text(json.dumps(load_control("skip")), "utf-8")
    (tmp_path / "torn.json").write_text(json.dumps(load_control("ok")[4:]), "utf-8")
    (tmp_path / "zero.json").write_text("{}", "utf-8")
    return list(judge_files([tmp_path], HOTEL_POLICY))


class Page(HTMLParser):
    """The tags of a page, its anchors and where its links lead."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.ids, self.links, self.sources = set(), [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        self.tags.add(tag)
        self.ids += [found["id"]] if "id" in found else []
        self.links += [found["href"]] if "href" in found else []
        self.sources += [found[key] for key in ("src", "srcset", "data", "action") if key in found]


def test_junit_counts_fails_skips_and_errors(outcomes):
    """A case for every check of every run; what was not judged is skipped with its code, never passed."""
    root = ElementTree.fromstring(to_junit(outcomes, HOTEL_POLICY))
    assert root.attrib == {"name": "hotel", "tests": "13", "failures": "3", "errors": "1", "skipped": "4"}
    (skip,) = [suite for suite in root if suite.get("name").endswith("skip.json")]
    assert [case.find("failure").get("type") for case in skip if case.find("failure") is not None] == [
        "step_missing",
        "no_source",
        "source_missing",
    ]
    (torn,) = [suite for suite in root if suite.get("name").endswith("torn.json")]
    assert all("[head_truncated]" in case.find("skipped").get("message") for case in torn)


def test_junit_holds_what_xml_cannot(make):
    """Control characters and half surrogate pairs of a recording are replaced."""
    judged = list(judge_files([data_path("controls", "fabricated_id.en.json")], HOTEL_POLICY))
    report = make.judge(make.good(book=make.book("\x00<&\ud800")))
    text = to_junit([judged[0]._replace(report=report)], HOTEL_POLICY)
    message = ElementTree.fromstring(text.encode()).find(".//failure").get("message")
    assert "hotel_id '" in message
    assert "<&" in message


def test_every_verdict_is_linked_to_its_message(outcomes):
    """Links lead to anchors of the page; ids stand once; nothing is asked for from outside."""
    text = to_html(outcomes, HOTEL_POLICY)
    page = Page(text)
    assert len(page.ids) == len(set(page.ids))
    assert {link.removeprefix("#") for link in page.links} <= set(page.ids)
    assert "run-1/4/tool_calls/0" in page.ids
    assert page.links.count("#run-1/4/tool_calls/0") == 4
    assert page.sources == []
    assert not page.tags & {"script", "link", "img", "iframe", "object"}
    assert not re.search(r"https?://|url\(|@import", text)
    assert "default-src 'none'" in text


@pytest.mark.row("S8")
def test_whatever_a_recording_holds_is_text(make, outcomes):
    """Markup in a city, a name, the user's words or a run's name stays text."""
    bad = '"><script>alert(1)</script>'
    messages = make.talk(make.user(bad), make.turn(make.call(bad, {bad: bad}, {bad: bad})), make.turn(make.book(bad)))
    page = to_html([outcomes[0]._replace(run=bad, file=bad, report=make.judge(messages))], HOTEL_POLICY)
    assert not Page(page).tags & {"script", "link", "img", "iframe", "object", "form"}
    assert page.count("script") == 2 * page.count("&lt;script&gt;") > 0


def test_the_command_writes_both(tmp_path):
    """Beside what it prints; the exit code stays; without runs it is a usage error."""
    junit, html = tmp_path / "j.xml", tmp_path / "r.html"
    arguments = ["check", str(data_path("controls", "skip.en.json")), "--junit", str(junit), "--html", str(html)]
    assert CliRunner().invoke(app, arguments).exit_code == 1
    assert ElementTree.parse(junit).getroot().get("failures") == "3"
    assert html.read_text("utf-8").startswith("<!doctype html>")
    assert CliRunner().invoke(app, ["check", "--html", str(html)]).exit_code == 2
    assert CliRunner().invoke(app, [*arguments[:2], "--html", str(tmp_path)]).exit_code == 2


def test_recorded_runs_are_tests_in_three_lines(outcomes, tmp_path, pytester):
    """Passed, failed, skipped with its code, and the file that is no recording; each a test of its own."""
    pytester.makepyfile(
        f"""
        from pathlib import Path
        from toolkit.hotel import HOTEL_POLICY
        from toolkit.trajectory.pytest_runs import judge_runs
        test_recorded_runs = judge_runs(Path({str(tmp_path)!r}).glob("*.json"), policy=HOTEL_POLICY)
        """
    )
    result = pytester.runpytest("-rs", "-p", "no:nbval", "-p", "no:cacheprovider")
    result.assert_outcomes(passed=1, failed=2, skipped=1)
    result.stdout.fnmatch_lines(["*argument_provenance [[]no_source[]] /4/tool_calls/0: call 1: hotel_id 'HT-002'*"])
    result.stdout.fnmatch_lines(["*plan_first [[]head_truncated[]] /0*"])


def test_progress_is_shown_on_a_terminal_only():
    """A file or a pipe gets nothing; what is counted is handed on unchanged."""
    shown = []
    for is_terminal in (True, False):
        console = Console(file=io.StringIO(), force_terminal=is_terminal)
        assert list(counted(range(3), console)) == [0, 1, 2]
        shown.append(console.file.getvalue())
    assert "runs judged" in shown[0]
    assert shown[1] == ""
