"""An alert is a named rule over the log: a measure, a threshold, and the window of time it is taken over.

`Watch` is a sink: it sees each call as it ends and tells when a rule begins and ceases to hold. `incidents` does the
same over a log that is there already, so a threshold can be tried on yesterday before it wakes somebody tomorrow.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, TypeAlias

from toolkit.observe.lines import Line, line_of
from toolkit.observe.percentiles import percentile
from toolkit.observe.questions import latencies_ms

Sample: TypeAlias = tuple[float | None, int]
"""A value, and how many calls it was made of; None where these calls say nothing about it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Alert:
    """A rule.

    Args:
        name: What is said when it holds.
        of: From the lines of the window to a value and its sample; `failure_share` and the like.
        threshold: The value from which on it holds; with `when="below"` the value up to which it holds.
        window_s: Only calls that ended within the last so many seconds count.
        at_least: Fewer calls than that decide nothing: one failure out of one call is no 100 %.
        tool: Only calls of this tool. None: of all.
    """

    name: str
    of: Callable[[Sequence[Line]], Sample]
    threshold: float
    window_s: float
    when: Literal["above", "below"] = "above"
    at_least: int = 20
    tool: str | None = None

    def __post_init__(self) -> None:
        """Refuse a rule that can never hold."""
        if self.window_s <= 0 or self.at_least < 1:
            raise ValueError(f"Alert {self.name!r}: window_s must be above 0 and at_least must be 1 or more.")

    def read(self, lines: Iterable[Line], now_s: float) -> Reading:
        """The value at this moment, and whether the rule holds."""
        since_s = now_s - self.window_s
        return self.judge([line for line in lines if self.is_about(line) and since_s < line.ended_s <= now_s])

    def is_about(self, line: Line) -> bool:
        """Whether this line counts at all: it is the right tool's, and real."""
        return line.injected is None and self.tool in (None, line.tool)

    def judge(self, window: Sequence[Line]) -> Reading:
        """The same, of lines that are known to lie in the window."""
        value, sample = self.of(window)
        if value is None or sample < self.at_least:
            return Reading(value, sample, None)
        return Reading(value, sample, value >= self.threshold if self.when == "above" else value <= self.threshold)


class Reading(NamedTuple):
    """A rule at one moment. `holds` is None where too few calls are there to decide."""

    value: float | None
    sample: int
    holds: bool | None


class Incident(NamedTuple):
    """From when to when a rule held, in seconds since 1970, and the value that was farthest from good.

    `ended_s` is None while it lasts.
    """

    alert: str
    began_s: float
    ended_s: float | None
    worst: float


class Watch:
    """Watches calls as they end: use it as a gateway's `log_sink`, alone or through `log.tee`.

    Args:
        alerts: The rules. Each is looked at with every call, so their windows should hold thousands, not millions.
        tell: Gets an incident when it begins and again when it has ended.
        wall_clock: Seconds since 1970.
    """

    def __init__(
        self,
        alerts: Sequence[Alert],
        tell: Callable[[Incident], None],
        *,
        wall_clock: Callable[[], float] = time.time,
    ) -> None:
        self._alerts, self._tell, self._clock = tuple(alerts), tell, wall_clock
        self._windows: list[deque[Line]] = [deque() for _ in self._alerts]
        self._open: dict[str, Incident] = {}

    def __call__(self, record: dict[str, Any]) -> None:
        """Take in one record of the gateway."""
        self.add(line_of(record, self._clock()))

    def add(self, line: Line) -> None:
        """Take in one line, and look at every rule at the moment the call ended."""
        for alert, window in zip(self._alerts, self._windows, strict=True):
            if alert.is_about(line):
                window.append(line)
        self.look(line.ended_s)

    def look(self, now_s: float) -> None:
        """Look at every rule at this moment. Where too few calls decide nothing, what holds goes on holding."""
        for alert, window in zip(self._alerts, self._windows, strict=True):
            while window and window[0].ended_s <= now_s - alert.window_s:
                window.popleft()
            value, _, holds = alert.judge(window)
            known = self._open.get(alert.name)
            if value is None or holds is None:
                continue
            if holds and known is None:
                self._open[alert.name] = Incident(alert.name, now_s, None, value)
                self._tell(self._open[alert.name])
            elif holds and known is not None:
                worse = max if alert.when == "above" else min
                self._open[alert.name] = known._replace(worst=worse(known.worst, value))
            elif known is not None:
                self._tell(self._open.pop(alert.name)._replace(ended_s=now_s))

    @property
    def open(self) -> list[Incident]:
        """The incidents that last."""
        return list(self._open.values())


def incidents(alerts: Sequence[Alert], lines: Iterable[Line]) -> list[Incident]:
    """What these rules would have told of a log, in the order in which it began."""
    ended: list[Incident] = []

    def keep(incident: Incident) -> None:
        if incident.ended_s is not None:
            ended.append(incident)

    watch = Watch(alerts, keep)
    for line in sorted(lines, key=lambda line: line.ended_s):
        watch.add(line)
    return sorted([*ended, *watch.open], key=lambda incident: incident.began_s)


def failure_share(lines: Sequence[Line]) -> Sample:
    """Failed calls over failed and answered ones."""
    outcomes = [line.outcome for line in lines]
    told = outcomes.count("failed") + outcomes.count("answered")
    return (outcomes.count("failed") / told if told else None), told


def refusal_share(lines: Sequence[Line]) -> Sample:
    """Refused calls over all: how often a model asks for what is not to be run."""
    refused = sum(line.outcome == "refused" for line in lines)
    return (refused / len(lines) if lines else None), len(lines)


def p95_ms(lines: Sequence[Line]) -> Sample:
    """The 95th percentile of the answers' latency, in milliseconds."""
    found = percentile(latencies_ms(lines), 0.95)
    return found.value, found.sample


def mean_score(lines: Sequence[Line]) -> Sample:
    """The mean of the scores given."""
    scores = [line.score for line in lines if line.score is not None]
    return (sum(scores) / len(scores) if scores else None), len(scores)


ALERTS = (
    Alert(name="calls fail", of=failure_share, threshold=0.05, window_s=300),
    Alert(name="answers are slow", of=p95_ms, threshold=2000, window_s=300, at_least=73),
    Alert(name="models ask for the wrong thing", of=refusal_share, threshold=0.2, window_s=900),
    Alert(name="answers score low", of=mean_score, threshold=0.8, window_s=900, when="below"),
)
"""A set to begin with. The thresholds are those of an agent with a person in front of it."""
