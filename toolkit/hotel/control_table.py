"""The control table: what the answer says, what became of it, and what the checks say of the way there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from toolkit.hotel.catalogue import Language
from toolkit.hotel.controls import CONTROLS, EXPECTED, LANGUAGES, Name, load_control
from toolkit.hotel.goal import ANSWER_WORDS
from toolkit.hotel.policy import HOTEL_POLICY
from toolkit.trajectory import CheckResult, Verdict, evaluate
from toolkit.trajectory.checks import booked_once
from toolkit.trajectory.levels import answer_level

if TYPE_CHECKING:
    from rich.console import RenderableType


class ControlRow(NamedTuple):
    """One control, judged at all three levels."""

    control: Name
    language: Language
    answer: CheckResult
    outcome: CheckResult
    checks: tuple[CheckResult, ...]

    @property
    def results(self) -> tuple[CheckResult, ...]:
        return (self.answer, self.outcome, *self.checks)

    @property
    def is_as_expected(self) -> bool:
        """True where every verdict is the one this control must have."""
        expected = EXPECTED[self.control]
        wanted = [expected.answer, expected.outcome]
        wanted += ["fail" if check.name in expected.fails else "pass" for check in self.checks]
        return [result.verdict.value for result in self.results] == wanted


def judge_controls() -> list[ControlRow]:
    """Judge the five controls in both languages."""
    return [_judge(name, language) for language in LANGUAGES for name in CONTROLS]


def _judge(name: Name, language: Language) -> ControlRow:
    answer, outcome, *checks = judge_levels(load_control(name, language))
    return ControlRow(name, language, answer, outcome, tuple(checks))


def judge_levels(messages: Sequence[Any]) -> tuple[CheckResult, ...]:
    """Judge a run at all levels: its final answer, its outcome, then the four checks."""
    report = evaluate(messages, HOTEL_POLICY)
    outcome = booked_once(report.trace, "book_hotel", name="outcome")
    return (answer_level(messages, ANSWER_WORDS), outcome, *report.results)


def render_controls(rows: list[ControlRow]) -> list[RenderableType]:
    """The table of the English controls, and whether both languages gave what they must."""
    from toolkit.trajectory.report import verdict_table

    shown = [row for row in rows if row.language == "en"]
    columns = [result.name for result in shown[0].results]
    table = verdict_table(
        "control", columns, ((row.control, [result.verdict for result in row.results]) for row in shown)
    )
    wrong = [f"{row.control}.{row.language}" for row in rows if not row.is_as_expected]
    if wrong:
        return [table, f"Not as expected: {', '.join(wrong)}."]
    claimed = sum(row.answer.verdict is Verdict.PASS for row in shown)
    clean = sum(all(check.verdict is Verdict.PASS for check in row.checks) for row in shown)
    return [
        table,
        f"All {claimed} answers say that it is booked; {clean} run passes every check.",
        "Each control gives exactly its expected verdicts, in English and in Chinese.",
    ]


def controls_json(rows: list[ControlRow]) -> dict[str, Any]:
    """The same as JSON values."""
    return {
        "version": 1,
        "controls": [
            {
                "control": row.control,
                "language": row.language,
                "as_expected": row.is_as_expected,
                "verdicts": {result.name: result.verdict.value for result in row.results},
            }
            for row in rows
        ],
    }
