"""Showing what was judged: a table for people, JSON for programs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from toolkit.trajectory.judging import Judged, Unreadable
from toolkit.trajectory.policy import Policy
from toolkit.trajectory.records import CheckResult, Verdict

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.text import Text

JSON_VERSION = 1
_WIDEST_HEADING = 11
_STYLES = {
    Verdict.PASS: "green",
    Verdict.FAIL: "bold red",
    Verdict.NOT_JUDGEABLE: "yellow",
    Verdict.NOT_APPLICABLE: "dim",
}
_WORDS = {Verdict.NOT_JUDGEABLE: "not judgeable", Verdict.NOT_APPLICABLE: "-"}


def to_json(outcomes: Iterable[Judged | Unreadable], policy: Policy) -> dict[str, Any]:
    """Everything that was found, as JSON values; `version` changes when a field does."""
    outcomes = list(outcomes)
    judged = [each for each in outcomes if isinstance(each, Judged)]
    counts = Counter(each.report.verdict for each in judged)
    return {
        "version": JSON_VERSION,
        "policy": policy.name,
        "summary": {"runs": len(judged), **{verdict.value: counts[verdict] for verdict in Verdict}},
        "runs": [_run_json(each) for each in judged],
        "unreadable": [each._asdict() for each in outcomes if isinstance(each, Unreadable)],
    }


def _run_json(judged: Judged) -> dict[str, Any]:
    report = judged.report
    return {
        "file": judged.file,
        "run": judged.run,
        "verdict": report.verdict.value,
        "turns": report.trace.turns,
        "calls": len(report.trace.calls),
        "results": [_result_json(result) for result in report.results],
        "anomalies": [anomaly._asdict() for anomaly in report.trace.anomalies],
    }


def _result_json(result: CheckResult) -> dict[str, Any]:
    return {
        **result._asdict(),
        "verdict": result.verdict.value,
        "notes": [note._asdict() for note in result.notes],
    }


def verdict_cell(verdict: Verdict) -> Text:
    """A verdict as it stands in a table: a fail is loud, what does not apply is quiet."""
    from rich.text import Text

    word = _WORDS.get(verdict, verdict.value)
    return Text(word.upper() if verdict is Verdict.FAIL else word, style=_STYLES[verdict])


def verdict_table(first_column: str, columns: Sequence[str], rows: Iterable[tuple[str, Sequence[Verdict]]]) -> Any:
    """A table with a verdict in every cell, as a rich renderable."""
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False)
    table.add_column(first_column, overflow="fold")
    for column in columns:
        table.add_column(_broken(column))
    for name, verdicts in rows:
        table.add_row(name, *map(verdict_cell, verdicts))
    return table


def _broken(name: str) -> str:
    """A check's name over several short lines, so that a table of all checks fits a terminal.

    >>> _broken("argument_provenance").split("\\n")
    ['argument_', 'provenance']
    """
    lines = [""]
    for part in name.replace("_", "_ ").replace("-", "- ").split():
        if lines[-1] and len(lines[-1] + part) > _WIDEST_HEADING:
            lines.append("")
        lines[-1] += part
    return "\n".join(lines)


def render(outcomes: Sequence[Judged | Unreadable], policy: Policy) -> list[RenderableType]:
    """What a person reads: the table, every verdict that is no pass with its reason, and the count."""
    judged = [each for each in outcomes if isinstance(each, Judged)]
    parts: list[RenderableType] = []
    if judged:
        checks = [check.name for check in policy.checks]
        rows = ((each.run, [result.verdict for result in each.report.results]) for each in judged)
        parts.append(verdict_table("run", checks, rows))
    parts.extend(text for each in judged if (text := _findings(each)))
    parts.extend(_styled((each.reason, "bold red")) for each in outcomes if isinstance(each, Unreadable))
    parts.append(_styled((summary(outcomes), "bold")))
    return parts


def _findings(judged: Judged) -> Text:
    """What there is to say about one run; empty where everything passed."""
    pieces: list[tuple[str, str]] = []
    for result in judged.report.results:
        if result.verdict in (Verdict.FAIL, Verdict.NOT_JUDGEABLE):
            word = _WORDS.get(result.verdict, result.verdict.value)
            pieces.append((f"  {word} ", _STYLES[result.verdict]))
            pieces.append((f"{result.name} [{result.code}] {result.at}\n    {result.reason}\n", ""))
        pieces.extend((f"  noted [{note.code}] {note.at}\n    {note.detail}\n", "cyan") for note in result.notes)
    return _styled((f"{judged.run}\n", "bold"), *pieces) if pieces else _styled()


def _styled(*pieces: tuple[str, str]) -> Text:
    """Text in pieces, each with its style; nothing in it is markup, whatever a recording holds."""
    from rich.text import Text

    return Text.assemble(*pieces)


def summary(outcomes: Sequence[Judged | Unreadable]) -> str:
    """How many runs ended how, in one line.

    >>> summary([Unreadable("a.json", "a.json: the file is empty.")])
    '0 runs: 1 file unreadable'
    """
    counts = Counter(each.report.verdict for each in outcomes if isinstance(each, Judged))
    unreadable = sum(isinstance(each, Unreadable) for each in outcomes)
    words = {
        Verdict.PASS: "passed",
        Verdict.FAIL: "failed",
        Verdict.NOT_JUDGEABLE: "not judgeable",
        Verdict.NOT_APPLICABLE: "to which nothing applied",
    }
    said = [f"{counts[verdict]} {word}" for verdict, word in words.items() if counts[verdict]]
    if unreadable:
        said.append(f"{_counted(unreadable, 'file')} unreadable")
    return f"{_counted(counts.total(), 'run')}: {', '.join(said)}"


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
