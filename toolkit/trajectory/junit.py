"""What was judged as a JUnit file, for the page where a build shows its tests.

A file is a suite and every check of every run a case: a fail is a failure, what is not judgeable or does not apply is
skipped with its code, and a file that could not be read is an error. Nothing that was not judged counts as passed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import groupby
from xml.etree import ElementTree

from toolkit.trajectory.judging import Judged, Unreadable
from toolkit.trajectory.policy import Policy
from toolkit.trajectory.records import CheckResult, Verdict

_NOT_IN_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def to_junit(outcomes: Iterable[Judged | Unreadable], policy: Policy) -> str:
    """The text of a JUnit file.

    >>> from toolkit.trajectory import Policy
    >>> print(to_junit([Unreadable("a.json", "a.json: the file is empty.")], Policy("hotel", ())).splitlines()[1])
    <testsuites name="hotel" tests="1" failures="0" errors="1" skipped="0">
    """
    root = _element("testsuites", name=policy.name)
    for file, group in groupby(outcomes, key=lambda outcome: outcome.file):
        suite = ElementTree.SubElement(root, "testsuite", {"name": _clean(file)})
        for outcome in group:
            suite.extend([_unreadable(outcome)] if isinstance(outcome, Unreadable) else _cases(outcome))
        _count(suite)
    _count(root)
    ElementTree.indent(root)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{ElementTree.tostring(root, encoding="unicode")}\n'


def _cases(judged: Judged) -> list[ElementTree.Element]:
    return [_case(judged.run, result) for result in judged.report.results]


def _case(run: str, result: CheckResult) -> ElementTree.Element:
    case = _element("testcase", classname=run, name=result.name)
    if result.verdict is Verdict.FAIL:
        failure = _element("failure", type=result.code, message=result.reason)
        failure.text = _clean(f"{result.reason}\nat {result.at or 'the whole run'}")
        case.append(failure)
    elif result.verdict is not Verdict.PASS:
        case.append(_element("skipped", message=f"{result.verdict} [{result.code}] {result.reason}"))
    return case


def _unreadable(outcome: Unreadable) -> ElementTree.Element:
    case = _element("testcase", classname=outcome.file, name="read")
    case.append(_element("error", type="unreadable", message=outcome.reason))
    return case


def _count(element: ElementTree.Element) -> None:
    counted = {"tests": "testcase", "failures": "failure", "errors": "error", "skipped": "skipped"}
    for attribute, tag in counted.items():
        element.set(attribute, str(sum(1 for _ in element.iter(tag))))


def _element(tag: str, **attributes: str) -> ElementTree.Element:
    return ElementTree.Element(tag, {key: _clean(value) for key, value in attributes.items()})


def _clean(text: str) -> str:
    """The text with what XML cannot hold, such as control characters, replaced."""
    return _NOT_IN_XML.sub("\ufffd", text)
