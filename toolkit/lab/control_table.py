"""The five controls on three levels: what the answer says, what came out, what the calls show.

python -m toolkit.lab.control_table docs/images/controls.svg    draws the table for the README
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from toolkit.hotel import HOTEL_POLICY
from toolkit.hotel.catalogue import Language
from toolkit.hotel.controls import CONTROLS, Name, load_control
from toolkit.hotel.goal import ANSWER_WORDS
from toolkit.lab.panel import Picture
from toolkit.lab.run_view import show_run
from toolkit.lab.verdict_chart import chart_of, svg_of
from toolkit.trajectory import CheckResult, Verdict, evaluate
from toolkit.trajectory.checks import booked_once
from toolkit.trajectory.levels import answer_level

ANSWER, OUTCOME = "final answer", "outcome"


def judge_levels(messages: Sequence[Any]) -> dict[str, CheckResult]:
    """Judge one run on each level: its final answer, its outcome, then the four checks.

    >>> {name: str(result.verdict) for name, result in judge_levels(load_control("fabricated_id")).items()}
    ... # doctest: +NORMALIZE_WHITESPACE
    {'final answer': 'pass', 'outcome': 'fail', 'plan_first': 'pass', 'no_skipped_step': 'pass',
     'argument_provenance': 'fail', 'room_matches_weather': 'pass'}
    """
    report = evaluate(messages, policy=HOTEL_POLICY)
    levels = {ANSWER: answer_level(messages, ANSWER_WORDS), OUTCOME: booked_once(report.trace, "book_hotel")}
    return levels | {result.name: result for result in report.results}


def control_table(language: Language = "en") -> Picture:
    """The table: a column per control, a row per level and check."""
    verdicts = _verdicts(language)
    rows = [[name, *found] for name, found in verdicts.items()]
    passed = sum(word == "pass" for word in verdicts[ANSWER])
    whole = [name for place, name in enumerate(CONTROLS) if all(row[place] == "pass" for row in verdicts.values())]
    summary = f"{passed} of {len(CONTROLS)} final answers pass; every check passes for: {', '.join(whole)}."
    return Picture(summary, ["", *CONTROLS], rows, chart_of(CONTROLS, verdicts))


def show_control(control: Name, language: Language) -> Picture:
    """One control: its calls, with the checks that fail at each, and its verdicts as a chart."""
    messages = load_control(control, language)
    report = evaluate(messages, policy=HOTEL_POLICY)
    run = show_run(messages, report)
    verdicts = {name: [str(result.verdict)] for name, result in judge_levels(messages).items()}
    failed = [result.name for result in report.results if result.verdict is Verdict.FAIL]
    said = f"The checks say: {report.verdict}" + (f" at {', '.join(failed)}." if failed else ".")
    return Picture(f"{run.summary} {said}", run.columns, run.rows, chart_of([control], verdicts))


def _verdicts(language: Language) -> dict[str, list[str]]:
    levels = [judge_levels(load_control(name, language)) for name in CONTROLS]
    return {name: [str(level[name].verdict) for level in levels] for name in levels[0]}


def main(arguments: Sequence[str]) -> None:
    """Draw the table into the file given."""
    path = Path(*arguments)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(svg_of(CONTROLS, _verdicts("en")), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
