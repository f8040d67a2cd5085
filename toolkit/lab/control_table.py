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
from toolkit.hotel.control_table import judge_levels
from toolkit.hotel.controls import CONTROLS, LANGUAGES, Name, load_control
from toolkit.lab.panel import Panel, Picture
from toolkit.lab.run_view import show_run
from toolkit.lab.verdict_chart import chart_of, in_words, svg_of
from toolkit.trajectory import evaluate

# What is wrong with each control, over its boxes when the Chinese run is shown.
IN_CHINESE: dict[Name, str] = {
    "ok": "无误",
    "skip": "没查天气",
    "fabricated_id": "编造酒店编号",
    "wrong_room": "订错房型",
    "no_plan": "没有计划",
}


def verdicts_of(messages: Sequence[Any]) -> dict[str, str]:
    """The verdicts on one run at every level: its answer, its outcome, the four checks.

    >>> [name for name, verdict in verdicts_of(load_control("fabricated_id")).items() if verdict == "fail"]
    ['outcome', 'argument_provenance']
    """
    return {result.name: str(result.verdict) for result in judge_levels(messages)}


def control_table(language: Language = "en") -> Picture:
    """The table: a column per control, a row per level and check."""
    verdicts = _verdicts(language)
    rows = [[name, *found] for name, found in verdicts.items()]
    passed = sum(word == "pass" for word in verdicts["answer"])
    whole = [name for place, name in enumerate(CONTROLS) if all(row[place] == "pass" for row in verdicts.values())]
    summary = f"{passed} of {len(CONTROLS)} final answers pass; every check passes for: {', '.join(whole)}."
    return Picture(summary, ["", *CONTROLS], rows, chart_of(CONTROLS, verdicts))


def control_panel() -> Panel:
    """The panel: a control and a language, to see its calls and its verdicts."""
    from ipywidgets import Dropdown

    controls = {"control": Dropdown(options=CONTROLS, value="skip"), "language": Dropdown(options=LANGUAGES)}
    return Panel("One control, call by call", show_control, controls)


def show_control(control: Name, language: Language) -> Picture:
    """One control: its calls, with the checks that fail at each, and its verdicts as a chart."""
    messages = load_control(control, language)
    report = evaluate(messages, policy=HOTEL_POLICY)
    run = show_run(messages, report)
    verdicts = {name: [verdict] for name, verdict in verdicts_of(messages).items()}
    said = f"The run {in_words([control], verdicts)}."
    heads = [f"{control}\n{IN_CHINESE[control]}"] if language == "zh" else None
    return Picture(f"{run.summary} {said}", run.columns, run.rows, chart_of([control], verdicts, heads=heads))


def _verdicts(language: Language) -> dict[str, list[str]]:
    found = [verdicts_of(load_control(name, language)) for name in CONTROLS]
    return {level: [verdicts[level] for verdicts in found] for level in found[0]}


def main(arguments: Sequence[str]) -> None:
    """Draw the table into the file given."""
    path = Path(*arguments)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(svg_of(CONTROLS, _verdicts("en")), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
