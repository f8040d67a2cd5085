"""Judges of calls side by side, on 120 labelled calls: a baseline, rules, a small real model as it was recorded.

The model's answers stand in `data/calibration/local_answers.jsonl`, made by `toolkit.lab.local_validation`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from toolkit.lab.call_scores import THRESHOLD, score_case
from toolkit.lab.figure import LINES, MARKERS, draw
from toolkit.lab.panel import Panel, Picture
from toolkit.quality.calibration import Confusion, confusion, says_error, sweep
from toolkit.quality.labelled import LabelledCall, labelled_calls
from toolkit.quality.opinion import Opinion, read_opinion
from toolkit.resources import data_path

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Flag: TypeAlias = Callable[[LabelledCall], bool]
Telling: TypeAlias = Literal["plain", "assured"]
KINDS = ("city", "expression", "relevance", "completeness")
THRESHOLDS = tuple(round(step * 0.05, 2) for step in range(21))
_scored = cache(lambda: {call.id: score_case(call.case) for call in labelled_calls()})


@cache
def recorded_opinions(telling: Telling = "plain") -> Mapping[str, Opinion]:
    """What the small model said of each call; `assured`: with a sentence in the result that praises the call."""
    return {answer["id"]: read_opinion(answer[telling]) for answer in _recording()[1:]}


def recorded_tokens() -> float:
    """Tokens of one opinion of the small model, prompt and answer together, on average."""
    tokens: list[int] = [line["tokens"] for line in _recording()[1:]]
    return sum(tokens) / len(tokens)


def recording_header() -> dict[str, Any]:
    """What was recorded: model, settings, versions, day, and the form of the prompt."""
    return _recording()[0]


def _recording() -> list[dict[str, Any]]:
    with data_path("calibration", "local_answers.jsonl").open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def by_rules(call: LabelledCall, threshold: float = THRESHOLD) -> bool:
    """The rules' score lies below the threshold."""
    return _scored()[call.id] < threshold


def by_model(call: LabelledCall, telling: Telling = "plain") -> bool:
    """The model said FAIL, or nothing that can be read: what is no pass is a flag."""
    return recorded_opinions(telling)[call.id].word != "pass"


JUDGES: Mapping[str, Flag] = {
    "flags every call": lambda call: True,
    "result says error": lambda call: says_error(call.case),
    "rules": by_rules,
    "small model": by_model,
    "rules, then model": lambda call: by_rules(call) or by_model(call),
}


def counts(flag: Flag, calls: Sequence[LabelledCall] | None = None) -> Confusion:
    """The four counts of a judge, on all labelled calls or on some."""
    chosen = labelled_calls() if calls is None else calls
    return confusion([call.label == "bad" for call in chosen], [flag(call) for call in chosen])


def compare_judges(judges: Mapping[str, Flag] = JUDGES, calls: Sequence[LabelledCall] | None = None) -> Picture:
    """One row for each judge: the four counts, and what follows from them."""
    counted = {name: counts(flag, calls) for name, flag in judges.items()}
    rows = [
        [name, *each, *map(_figure, (each.precision, each.recall, each.accuracy, each.kappa))]
        for name, each in counted.items()
    ]
    one = next(iter(counted.values()))
    summary = f"{one.total} calls, {one.found + one.missed} of them bad."
    names = ["found", "missed", "false alarms", "cleared", "precision", "recall", "accuracy", "kappa"]
    return Picture(summary, ["judge", *names], rows)


def recall_by_kind(judges: Mapping[str, Flag] = JUDGES) -> Picture:
    """Of the bad calls of each kind, how many a judge found; and of the traps, whose results look right."""
    bad = [call for call in labelled_calls() if call.label == "bad"]
    groups = {kind: [call for call in bad if call.kind == kind] for kind in KINDS}
    groups["traps"] = [call for call in bad if call.is_trap]
    rows = [
        [name, *(f"{sum(map(flag, calls))} of {len(calls)}" for calls in groups.values())]
        for name, flag in judges.items()
    ]
    return Picture(f"Of {len(bad)} bad calls, found:", ["judge", *groups], rows)


def threshold_panel() -> Panel:
    """The panel: where the rules' threshold lies, on all calls or those of one kind."""
    from ipywidgets import Dropdown, FloatSlider

    controls = {
        "threshold": FloatSlider(THRESHOLD, min=0, max=1, step=0.05),
        "kind": Dropdown(options=["all", *KINDS]),
    }
    return Panel("Where to put the threshold of the rules", show_threshold, controls)


def show_threshold(threshold: float, kind: str) -> Picture:
    """The confusion matrix of the rules at a threshold, and precision and recall over all thresholds.

    >>> print(show_threshold(0.0, "all").summary)
    At 0: 0 of 75 bad calls found, 0 false alarms. Precision none, recall 0.00.
    """
    calls = [call for call in labelled_calls() if kind in ("all", call.kind)]
    bad, scores = [call.label == "bad" for call in calls], [_scored()[call.id] for call in calls]
    swept = sweep(bad, scores, THRESHOLDS)
    here = sweep(bad, scores, [threshold])[threshold]
    figures = f"Precision {_figure(here.precision)}, recall {_figure(here.recall)}."
    summary = (
        f"At {threshold:g}: {here.found} of {here.found + here.missed} bad calls found, "
        f"{here.false_alarms} false alarms. {figures}"
    )
    rows = [["bad", here.found, here.missed], ["good", here.false_alarms, here.cleared]]
    chart = draw(partial(_paint, swept=swept, threshold=threshold), _words(swept), width=6.5, height=3.0)
    return Picture(summary, ["labelled", "flagged", "not flagged"], rows, chart)


def _words(swept: Mapping[float, Confusion]) -> str:
    first, last = swept[THRESHOLDS[1]], swept[THRESHOLDS[-1]]
    return (
        f"from threshold {THRESHOLDS[1]:g} to {THRESHOLDS[-1]:g}, recall goes from {_figure(first.recall)} to "
        f"{_figure(last.recall)}, precision from {_figure(first.precision)} to {_figure(last.precision)}"
    )


def _figure(value: float | None) -> str:
    return "none" if value is None else f"{value:.2f}"


def _paint(axes: Axes, swept: Mapping[float, Confusion], threshold: float) -> None:
    for place, name in enumerate(("precision", "recall")):
        points = [(at, value) for at, each in swept.items() if (value := getattr(each, name)) is not None]
        axes.plot(*zip(*points, strict=True), marker=MARKERS[place], linestyle=LINES[place], markersize=4, label=name)
    axes.axvline(threshold, color="#333333", linestyle=":", label="threshold")
    axes.set_xlabel("threshold: a score below it is a flag")
    axes.set_ylim(-0.05, 1.05)
    axes.set_xlim(-0.02, 1.02)
    axes.legend(frameon=False, loc="center left", bbox_to_anchor=(1, 0.5))
