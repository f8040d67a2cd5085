"""One HTML file of what was judged: every run as a timeline, every verdict linked to its message.

The file asks for nothing outside itself and runs no script; whatever a recording holds is shown as text.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from html import escape
from typing import Any, NamedTuple
from urllib.parse import quote

from toolkit.trajectory.judging import Judged, Unreadable
from toolkit.trajectory.policy import Policy
from toolkit.trajectory.records import CheckResult, Trace, Verdict
from toolkit.trajectory.report import summary

_LONGEST = 2_000  # characters of one value that are shown
_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #1a1a1a; }
table { border-collapse: collapse; width: 100%; }
td { text-align: left; vertical-align: top; padding: .25rem .6rem; }
tr { border-bottom: 1px solid #ddd; } ol { list-style: none; padding: 0 0 0 .8rem; border-left: 3px solid #ccc; }
li { margin: .5rem 0; padding: .3rem .6rem; } li:target { background: #fff3b0; } li.result { margin-left: 1.6rem; }
pre { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; font-size: 13px; } small { color: #555; }
summary { cursor: pointer; font-weight: 600; margin-top: 1rem; }
.pass { color: #14682f; } .fail { color: #a3121a; font-weight: 700; } .not_judgeable { color: #7a5200; }
.not_applicable { color: #555; }
"""
_HEAD = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<h1>{title}</h1>
<p>{summary}</p>
"""


class _Event(NamedTuple):
    """An entry of the timeline."""

    order: tuple[int, int, int]  # turn, kind within the turn, position
    at: str
    kind: str
    heading: str
    text: str


def to_html(outcomes: Sequence[Judged | Unreadable], policy: Policy) -> str:
    """The text of the file."""
    title = escape(f"Recorded runs judged by the policy {policy.name!r}")
    parts = [_HEAD.format(title=title, style=_STYLE, summary=escape(summary(outcomes)))]
    for number, outcome in enumerate(outcomes):
        if isinstance(outcome, Unreadable):
            parts.append(f'<p class="fail">{escape(outcome.reason)}</p>\n')
        else:
            parts.extend(_run(number, outcome))
    return "".join((*parts, "</body>\n</html>\n")).encode("utf-8", "replace").decode("utf-8")


def _run(number: int, judged: Judged) -> Iterator[str]:
    report = judged.report
    is_open = "" if report.verdict is Verdict.PASS else " open"
    yield f"<details{is_open}><summary>{escape(judged.run)}: {_word(report.verdict)}</summary>\n"
    yield f"<p><small>{escape(judged.file)}</small></p>\n<table>\n"
    events = _timeline(report.trace)
    places = {event.at for event in events}
    for result in report.results:
        yield _row(number, result, places)
    yield "</table>\n<ol>\n"
    anchored: set[str] = set()
    for event in events:
        anchor = "" if event.at in anchored else f' id="{_anchor(number, event.at)}"'
        anchored.add(event.at)
        yield (
            f'<li class="{event.kind}"{anchor}>{escape(event.heading)} <small>{escape(event.at)}</small>'
            f"<pre>{escape(_shortened(event.text))}</pre></li>\n"
        )
    yield "</ol></details>\n"


def _row(number: int, result: CheckResult, places: set[str]) -> str:
    links = _link(number, result.at, places, "see") + _link(number, result.witness, places, " witness")
    notes = "".join(f"<br>noted [{escape(note.code)}] {escape(note.detail)}" for note in result.notes)
    return (
        f"<tr><td>{escape(result.name)}</td><td>{_word(result.verdict)}</td>"
        f"<td>[{escape(result.code)}] {escape(result.reason)}{notes}</td><td>{links}</td></tr>\n"
    )


def _link(number: int, at: str | None, places: set[str], word: str) -> str:
    """A link to the entry that stands at the pointer, or to the one it stands in."""
    place = at
    while place and place not in places:
        place = place.rpartition("/")[0]
    return (
        f'<a href="#{_anchor(number, place)}" title="{escape(at or "")}">{word}</a>'
        if place in places and place
        else ""
    )


def _anchor(number: int, at: str) -> str:
    return escape(quote(f"run-{number}{at}", safe="/-_"))


def _word(verdict: Verdict) -> str:
    return f'<span class="{verdict.value}">{escape(verdict.value.replace("_", " "))}</span>'


def _timeline(trace: Trace) -> list[_Event]:
    """What the user said, the calls, their results and what was odd, in the order of the turns."""
    events = [
        _Event((said.turn, 3, position), said.at, "user", "the user said", said.text)
        for position, said in enumerate(trace.said)
    ]
    for call in trace.calls:
        arguments = "arguments that cannot be read" if call.arguments is None else _json(call.arguments)
        events.append(
            _Event((call.turn, 0, call.index), call.at, "call", f"{call.index}: {call.name} is called", arguments)
        )
        if call.result_at is not None:
            heading = f"{call.index}: {call.name} answers ({call.outcome})"
            events.append(_Event((call.turn, 1, call.index), call.result_at, "result", heading, _json(call.result)))
    places = {event.at: event.order for event in events}
    for position, odd in enumerate(trace.anomalies):
        turn, kind, index = places.get(odd.at, (trace.turns, 4, position))
        events.append(_Event((turn, kind, index), odd.at, "odd", f"noted: {odd.code}", odd.detail))
    return sorted(events, key=lambda event: event.order)


def _json(value: Any) -> str:
    if isinstance(value, str):
        return value
    try:
        return json.dumps(value, ensure_ascii=False, indent=2)
    except (RecursionError, ValueError):
        return "a value too deep or too long to show"


def _shortened(text: str) -> str:
    left = len(text) - _LONGEST
    return text if left <= 0 else f"{text[:_LONGEST]} ... and {left} characters more"
