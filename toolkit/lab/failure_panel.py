"""The failure lab as a panel: choose layer and fault, predict, inject, compare. It calls what the tests call."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any

from toolkit.lab.failure_course import LAYER_TITLES, PLACES, TARGETS, Course, run_fault
from toolkit.lab.failure_ending import ENDINGS, MEANINGS, ending_of, judged
from toolkit.lab.failure_table import meanings
from toolkit.lab.faults import FAULTS
from toolkit.lab.figure import MARKERS, Chart, draw
from toolkit.lab.panel import Panel, Picture

if TYPE_CHECKING:
    from matplotlib.axes import Axes

NO_PREDICTION = "(predict first)"
_TAKE_SECONDS = ("latency", "rate_limit")


@dataclass(frozen=True, slots=True)
class Prediction:
    """What was injected, what was predicted, and what came."""

    layer: str
    fault: str
    tool: str
    predicted: str
    happened: str

    @property
    def came_true(self) -> bool:
        return self.predicted == self.happened


class FailurePanel(Panel):
    """`courses` are the runs of the last injection, `history` the predictions so far. `reset_all` is the one reset."""

    def __init__(self) -> None:
        import ipywidgets

        self.courses: list[Course] = []
        self.history: list[Prediction] = []
        super().__init__("Failure lab", self._inject, _controls(), button="Inject")
        self._first = dict(self.values)
        self.reset_all = ipywidgets.Button(description="Reset", tooltip="Reset: no fault, no prediction, no history")
        self.reset_all.on_click(lambda _: self.reset())
        self.score = ipywidgets.HTML()
        place = self.box.children.index(self.run) + 1
        above, below = self.box.children[:place], self.box.children[place:]
        self.box.children = (*above, self.reset_all, self.score, *below)

    def reset(self) -> None:
        """Controls, runs and predictions as they were at the beginning."""
        self.history.clear()
        self.courses = []
        for name, value in self._first.items():
            self.controls[name].value = value
        self.score.value = ""
        self.refresh()

    def _inject(self, prediction: str, **experiment: Any) -> Picture:
        if prediction == NO_PREDICTION:
            words = meanings()
            return Picture("Predict how it will end, then press Inject.", words.columns, words.rows)
        self.courses = run_fault(**arguments_of(experiment))
        picture = show_courses(self.courses, prediction)
        happened = ending_of(first_struck(self.courses))
        self.history.append(
            Prediction(experiment["layer"], experiment["fault"], experiment["tool"], prediction, happened)
        )
        self.score.value = f"<p>{escape(score_of(self.history))}</p>"
        return picture


def arguments_of(experiment: Mapping[str, Any]) -> dict[str, Any]:
    """The controls' values as the arguments of `run_fault`; seconds go to the faults that take them."""
    arguments = dict(experiment)
    seconds = arguments.pop("seconds")
    return {**arguments, "seconds": seconds} if arguments["fault"] in _TAKE_SECONDS else arguments


def score_of(history: Sequence[Prediction]) -> str:
    """How many predictions came true."""
    return f"Predicted right: {sum(each.came_true for each in history)} of {len(history)}."


def show_courses(courses: Sequence[Course], prediction: str | None = None) -> Picture:
    """The first run that was struck: its events, what the model was told, log, store and checks; and a timeline."""
    shown = first_struck(courses)
    ending = ending_of(shown)
    said = f"It ended as {ending!r}: {MEANINGS[ending]}."
    if prediction is not None:
        said = f"You predicted {prediction!r}, which is {'right' if prediction == ending else 'wrong'}. {said}"
    if len(courses) > 1:
        endings = Counter(ending_of(course) for course in courses if course.struck)
        counts = ", ".join(f"{count} {word}" for word, count in endings.items()) or "none"
        said += f" Struck: {endings.total()} of {len(courses)} runs ({counts}). Shown: run {courses.index(shown) + 1}."
    rows: list[list[object]] = [
        [number, f"{event.at_s:.2f}", event.where, event.what] for number, event in enumerate(shown.events, 1)
    ]
    rows += [["", "", "told", told] for told in shown.told or ["nothing"]]
    rows += [["", "", "log line", json.dumps(record)] for record in shown.log] or [["", "", "log line", "none"]]
    rows.append(["", "", "store", "1 booking" if shown.bookings == 1 else f"{shown.bookings} bookings"])
    rows.append(["", "", "control run", judged(shown)])
    return Picture(said, ["", "at s", "where", "what"], rows, timeline(shown))


def first_struck(courses: Sequence[Course]) -> Course:
    """The first run that was struck; the first of all where none was."""
    return next((course for course in courses if course.struck), courses[0])


def timeline(course: Course) -> Chart:
    """The life of a call: a lane each for model, layer, tool and store, a numbered mark for each event."""
    events = course.events
    words = "; ".join(f"{event.at_s:.2f} s {event.where} {event.what}" for event in events)

    def paint(axes: Axes) -> None:
        lanes = [PLACES.index(event.where) for event in events]
        axes.plot([event.at_s for event in events], lanes, color="0.7", lw=1, zorder=1)
        for lane, (where, marker) in enumerate(zip(PLACES, MARKERS, strict=False)):
            at = [event.at_s for event in events if event.where == where]
            axes.scatter(at, [lane] * len(at), marker=marker, s=60, zorder=2)
        numbers: dict[tuple[float, int], list[str]] = {}
        for number, (event, lane) in enumerate(zip(events, lanes, strict=True), 1):
            numbers.setdefault((event.at_s, lane), []).append(str(number))
        for place, found in numbers.items():
            said = ", ".join(found)
            axes.annotate(said, place, (0, 7), textcoords="offset points", ha="center", fontsize=8)
        axes.set_yticks(range(len(PLACES)), PLACES)
        axes.set_ylim(len(PLACES) - 0.5, -0.8)
        axes.set_xlim(0, max(event.at_s for event in events) * 1.08)
        axes.set_xlabel("seconds")

    return draw(paint, f"the life of the call: {words}", width=7.5, height=2.4)


def _controls() -> dict[str, Any]:
    from ipywidgets import Checkbox, Dropdown, FloatSlider, IntSlider

    return {
        "layer": Dropdown(options=LAYER_TITLES),
        "fault": Dropdown(options=list(FAULTS), value="result_lost"),
        "tool": Dropdown(options=TARGETS),
        "probability": FloatSlider(1.0, min=0, max=1, step=0.1),
        "count": IntSlider(1, 1, 10),
        "seed": IntSlider(0, 0, 20),
        "runs": IntSlider(1, 1, 20),
        "seconds": FloatSlider(1.0, min=0.5, max=30, step=0.5, description="seconds"),
        "key": Checkbox(True, description="idempotency key (layer 3)"),
        "prediction": Dropdown(options=[NO_PREDICTION, *ENDINGS]),
    }
