"""An audit log: one JSON line per message, written while the run goes on, so a run that dies is not lost.

A line is `{"run": id, "seq": n, "message": {...}}`, in ASCII. `seq` counts from 0 within a run.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self


class AuditLog:
    """Appends the messages of one run to a file, which may hold other runs too.

    Opened again with the id of a run that was stopped, it counts on from that run's last line. `seq` is the
    number of the next line, 0 for a run that is not in the file yet.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "audit.jsonl")
    ...     with AuditLog(path, "run-1") as log:
    ...         log.append({"role": "user", "content": "西安"})
    ...     print(path.read_text(), end="")
    {"run": "run-1", "seq": 0, "message": {"role": "user", "content": "\\u897f\\u5b89"}}
    """

    def __init__(self, path: Path, run: str) -> None:
        self.run = run
        self.seq = 0
        line = b"\n"
        if path.exists():
            with path.open("rb") as lines:
                for line in lines:
                    self.seq += _run_of(line) == run
        self._file = path.open("a", encoding="ascii", newline="\n")
        if not line.endswith(b"\n"):  # a crash cut the last line off
            self._file.write("\n")

    def append(self, message: Mapping[str, Any]) -> None:
        """Write one message and hand it to the operating system at once."""
        line = {"run": self.run, "seq": self.seq, "message": message}
        self._file.write(json.dumps(line) + "\n")
        self._file.flush()
        self.seq += 1

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _run_of(line: bytes) -> object:
    try:
        record = json.loads(line)
    except ValueError:
        return None
    return record.get("run") if isinstance(record, dict) else None
