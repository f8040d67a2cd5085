"""Eight answers to one question about the weather, scored: where the threshold lies, and what an average hides."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from toolkit.hotel.quality import same
from toolkit.lab.figure import MARKERS, draw
from toolkit.lab.panel import Panel, Picture
from toolkit.quality import Score, Scorecard, complete, echoes, well_formed

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ASKED = {"city": "Xi'an", "date": "2026-10-01"}
_GOOD = {**ASKED, "condition": "rain", "high": 17, "humidity": 80, "wind": "east"}
ANSWERS: dict[str, dict[str, Any]] = {
    "all there": _GOOD,
    "city in Chinese": {**_GOOD, "city": "西安"},
    "no humidity": {**_GOOD, "humidity": None},
    "no high, no humidity": {**_GOOD, "high": None, "humidity": None},
    "the day before": {**_GOOD, "date": "2026-09-30"},
    "Shanghai, same day": {**_GOOD, "city": "Shanghai"},
    "Shanghai, another day": {**_GOOD, "city": "Shanghai", "date": "2026-09-30"},
    "170 degrees": {**_GOOD, "high": 170},
}


def scorecard(threshold: float, relevance_weight: float = 1.0) -> Scorecard:
    """The three rules the answers are scored by."""
    degrees = "degrees Celsius from -60 to 60"
    rules = [
        complete("condition", "high", "humidity", "wind"),
        echoes("city", "date", same=same, weight=relevance_weight),
        well_formed("high", lambda high: high is None or -60 <= high <= 60, expected=degrees),
    ]
    return Scorecard({"get_weather": rules}, threshold)


def score_panel() -> Panel:
    """The panel: the threshold, the weight of relevance, and whether an average decides."""
    from ipywidgets import Checkbox, FloatSlider

    controls = {
        "threshold": FloatSlider(0.6, min=0, max=1, step=0.05),
        "relevance_weight": FloatSlider(1, min=1, max=5, step=1),
        "average_decides": Checkbox(False),
    }
    return Panel("Which answers are good enough?", show_scores, controls)


def show_scores(threshold: float, relevance_weight: float, average_decides: bool) -> Picture:
    """Score the eight answers, and say which pass and why the others do not.

    >>> print(show_scores(0.6, 1.0, average_decides=True).summary)
    8 of 8 answers pass. 5 of them with a failed rule.
    """
    judge = scorecard(threshold, relevance_weight)
    scores = {name: _judged(judge, answer) for name, answer in ANSWERS.items()}
    worth = {
        name: _mean(score, relevance_weight) if average_decides else score.overall for name, score in scores.items()
    }
    passed = [name for name in ANSWERS if worth[name] >= threshold]
    hidden = sum(bool(scores[name].failed) for name in passed)
    rows = [
        [
            name,
            *(f"{finding.points:.2f}" for finding in score.findings),
            f"{worth[name]:.2f}",
            _word(name in passed, score),
        ]
        for name, score in scores.items()
    ]
    summary = f"{len(passed)} of {len(ANSWERS)} answers pass. {hidden or 'None'} of them with a failed rule."
    words = f"threshold {threshold:g}; below it: {', '.join(name for name in ANSWERS if name not in passed) or 'none'}"
    chart = draw(partial(_paint, scores=scores, worth=worth, threshold=threshold), words, width=7.5, height=3.4)
    return Picture(summary, ["answer", "completeness", "relevance", "format", "overall", ""], rows, chart)


def _judged(judge: Scorecard, answer: dict[str, Any]) -> Score:
    score = judge.judge("get_weather", ASKED, answer)
    assert score is not None, "the tool has rules"
    return score


def _mean(score: Score, relevance_weight: float) -> float:
    """What a weighted average makes of it."""
    weights = (1.0, relevance_weight, 1.0)
    return sum(w * finding.points for w, finding in zip(weights, score.findings, strict=True)) / sum(weights)


def _word(passed: bool, score: Score) -> str:
    failed = ", ".join(finding.rule for finding in score.failed)
    return ("passes" if passed else "fails") + (f", although {failed} failed" if passed and failed else "")


def _paint(axes: Axes, scores: dict[str, Score], worth: dict[str, float], threshold: float) -> None:
    places = range(len(scores))
    axes.barh(places, list(worth.values()), color="#d9d9d9", label="overall")
    for number, marker in zip(range(3), MARKERS, strict=False):
        points = [score.findings[number].points for score in scores.values()]
        at = [place + 0.25 * (number - 1) for place in places]
        axes.scatter(points, at, marker=marker, label=next(iter(scores.values())).findings[number].rule, zorder=3)
    axes.axvline(threshold, linestyle="--", color="#333333", label="threshold")
    axes.set_yticks(places, list(scores))
    axes.invert_yaxis()
    axes.set_xlim(-0.04, 1.04)
    axes.set_xlabel("points")
    axes.legend(loc="center left", bbox_to_anchor=(1, 0.5), frameon=False)
