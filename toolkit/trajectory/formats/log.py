"""The kit's audit log: one JSON line per message, `{"run": id, "seq": n, "message": {...}}`, runs mixed or not.

A line may also be the message itself with the run's id in it. A line that a crash cut off is noted and skipped;
whether a message is lost with it is told by `seq`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from toolkit.trajectory.formats.runs import Run, is_message, run_id
from toolkit.trajectory.records import Anomaly


def message_of(line: Any) -> tuple[Any, str] | None:
    """The message a line holds and the pointer to it inside the line; None where it is no line of a log."""
    if not isinstance(line, dict):
        return None
    if is_message(line.get("message")):
        return line["message"], "/message"
    return (line, "") if is_message(line) else None


class LogReader:
    """Gathers the messages of each run from the lines of a log.

    Args:
        name: What a run is called that has no id.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._runs: dict[str, _Gathered] = {}
        self._notes: list[Anomaly] = []

    def add(self, line: Any, number: int) -> bool:
        """Take a parsed line; False where it is no line of a log."""
        found = message_of(line)
        if found is None:
            return False
        message, inner = found
        name = run_id(line) or self._name
        self._runs.setdefault(name, _Gathered()).add(message, f"/{number}{inner}", line.get("seq"))
        return True

    def note(self, code: str, number: int, detail: str) -> None:
        """Remember a line that could not be read."""
        self._notes.append(Anomaly(code, f"/{number}", detail))

    def runs(self) -> Iterator[Run]:
        """The runs, in the order in which they began."""
        for name, run in self._runs.items():
            yield Run(name, run.messages, run.pointers, run.missing_before, tuple(self._notes))


class _Gathered:
    """The messages of one run so far."""

    def __init__(self) -> None:
        self.messages: list[Any] = []
        self.pointers: list[str] = []
        self.missing_before: dict[int, str] = {}
        self._next: int | None = 0

    def add(self, message: Any, at: str, seq: Any) -> None:
        if isinstance(seq, int) and not isinstance(seq, bool):
            if self._next is not None and seq > self._next:
                self.missing_before[len(self.messages)] = (
                    f"the log has no message {_span(self._next, seq - 1)} of the run"
                )
            self._next = seq + 1
        else:
            self._next = None
        self.messages.append(message)
        self.pointers.append(at)


def _span(first: int, last: int) -> str:
    return str(first) if first == last else f"{first} to {last}"
