"""What a bad score leads to, beside what the model is told: a line in the log, an alert."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable
from typing import TypeAlias

from toolkit.gateway.policy import Sink
from toolkit.quality.scoring import Score
from toolkit.records import ToolResult

Reaction: TypeAlias = Callable[[ToolResult, Score], None]
"""Is told of every result whose score is not good enough."""


def log_bad_score(sink: Sink) -> Reaction:
    """Make a reaction that writes one record for each bad score: the call it belongs to, and the rules that failed.

    The fields are those of the gateway's log, so that its sinks take it. Reasons stay out: they repeat values.
    """

    def write(result: ToolResult, score: Score) -> None:
        sink(
            {
                "event": "bad_score",
                "call_id": result.call_id,
                "tool": result.tool,
                "phase": "after",
                "status": result.status.value,
                "input_hash": result.input_hash,
                "score": round(score.overall, 3),
                "notes": [finding.rule for finding in score.failed],
            }
        )

    return write


class ScoreAlert:
    """An alert on one tool's scores: raised at a number of bad ones within a window, once, until that has passed.

    Args:
        name: The alert's name.
        tool: The tool it watches; None: each tool by itself.
        bad: How many bad scores raise it.
        window_s: Within how many seconds.
        clock: Monotonic seconds.
        notify: Told the name, the tool and the number when it is raised.
    """

    def __init__(
        self,
        name: str,
        *,
        bad: int,
        window_s: float,
        clock: Callable[[], float],
        notify: Callable[[str, str, int], None],
        tool: str | None = None,
    ) -> None:
        self.name, self._tool, self._bad, self._window_s = name, tool, bad, window_s
        self._clock, self._notify = clock, notify
        self._times: dict[str, deque[float]] = defaultdict(deque)
        self._raised: set[str] = set()

    def __call__(self, result: ToolResult, score: Score) -> None:
        if self._tool not in (None, result.tool):
            return
        times, now = self._times[result.tool], self._clock()
        times.append(now)
        while times[0] <= now - self._window_s:
            times.popleft()
        if len(times) < self._bad:
            self._raised.discard(result.tool)
        elif result.tool not in self._raised:
            self._raised.add(result.tool)
            self._notify(self.name, result.tool, len(times))
