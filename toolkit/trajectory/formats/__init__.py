"""Reading recordings: from a file to runs, each a list of chat messages with the place every message stands at."""

from toolkit.trajectory.formats.files import read_runs
from toolkit.trajectory.formats.runs import FORMATS, Format, RecordingError, Run, trace_of

__all__ = ["FORMATS", "Format", "RecordingError", "Run", "read_runs", "trace_of"]
