"""From a file to its runs. What is no recording is told from its first bytes wherever they suffice.

A JSON file is read whole; a file of lines is read line by line, so a run to a line takes no more memory than one
run. The pointers of a file of lines address the array of its lines.
"""

from __future__ import annotations

import codecs
import json
import mmap
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from toolkit.trajectory.formats.log import LogReader
from toolkit.trajectory.formats.runs import Format, RecordingError, Run, run_in, runs_in

_CHUNK = 1 << 16  # bytes looked at first
_LARGE = 1 << 22  # bytes from which a file is searched for a role before anything is parsed
_WHITESPACE = b" \t\r\n"
_LINE_SUFFIXES = (".jsonl", ".ndjson")
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


@contextmanager
def _opened(path: Path) -> Iterator[BinaryIO]:
    """The file; whatever is wrong with it or in it is told in a sentence with its name."""
    try:
        with path.open("rb") as file:
            yield file
    except RecordingError as error:
        raise RecordingError(f"{path}: {error}.") from None
    except OSError as error:
        said = "there is no such file" if isinstance(error, FileNotFoundError) else error.strerror or str(error)
        raise RecordingError(f"{path}: {said}.") from None


def read_runs(path: Path, format: Format = "auto") -> Iterator[Run]:
    """The runs a file holds: one run, a bare list, a list of runs, a run to a line, or an audit log.

    Raises:
        RecordingError: the file cannot be read, or holds no run; raised at the first sign of it.
    """
    with _opened(path) as file:
        yield from _read(file, path, format)


def has_runs_to_a_line(path: Path, format: Format = "auto") -> bool:
    """True where the first line is a run by itself, so that the file can be read in pieces."""
    with path.open("rb") as file:
        first = file.readline()
    return format != "log" and _is_json(first) and run_in(_parse(first, ""), "", "", format) is not None


def read_piece(path: Path, start: int, end: int, line: int, format: Format = "auto") -> Iterator[Run]:
    """The runs in the lines between two places of a file that has a run to a line.

    Args:
        start: Bytes before the first line.
        end: Bytes up to the end of the last line.
        line: Number of the first line.

    Raises:
        RecordingError: the file cannot be read, or a line is no run.
    """
    with _opened(path) as file:
        file.seek(start)
        yield from _from_lines(file.read(end - start).splitlines(keepends=True), path.stem, format, line)


def _read(file: BinaryIO, path: Path, format: Format) -> Iterator[Run]:
    start = _check_beginning(file)
    _check_for_roles(file)
    file.seek(start)
    first = file.readline()
    more = file.readline(_CHUNK)
    file.seek(start)
    if format == "log" or ((more or path.suffix in _LINE_SUFFIXES) and _is_json(first)):
        yield from _from_lines(file, path.stem, format)
        return
    document = _parse(file.read(), "it is not JSON")
    log = LogReader(path.stem)
    yield from log.runs() if format == "auto" and log.add(document, 0) else runs_in(document, path.stem, format=format)


def _check_beginning(file: BinaryIO) -> int:
    """Where the text begins, if this may be JSON in UTF-8."""
    head = file.read(_CHUNK)
    if not head:
        raise RecordingError("the file is empty")
    start = len(_BYTE_ORDER_MARK) if head.startswith(_BYTE_ORDER_MARK) else 0
    text = head[start:].lstrip(_WHITESPACE)
    while not text:
        text = file.read(_CHUNK)
        if not text:
            raise RecordingError("the file holds nothing but white space")
        text = text.lstrip(_WHITESPACE)
    try:
        begins = codecs.getincrementaldecoder("utf-8")().decode(text)  # a character cut off at the end is no error
    except UnicodeDecodeError:
        raise RecordingError("it is a binary file, not JSON") from None
    if "\0" in begins:
        raise RecordingError("it is a binary file, not JSON")
    if begins[0] not in "{[":
        raise RecordingError(f"it is not JSON: it begins with {begins.splitlines()[0][:20]!r}")
    return start


def _check_for_roles(file: BinaryIO) -> None:
    """A large file without a single role is no recording: said without parsing it."""
    size = file.seek(0, 2)
    if size < _LARGE:
        return
    with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        if content.find(b'"role"') < 0:
            raise RecordingError("no messages: nothing in the file has a role")


def _from_lines(lines: Iterable[bytes], name: str, format: Format, start: int = 0) -> Iterator[Run]:
    """Runs to a line as they come; an audit log when all of it is read, for its runs may be mixed."""
    log = LogReader(name)
    is_log = format == "log"
    for number, raw in enumerate(lines, start):
        if not raw.strip(_WHITESPACE):
            continue
        try:
            line = _parse(raw, f"line {number + 1} is not JSON")
        except RecordingError as error:
            if not is_log and raw.endswith(b"\n"):  # a last line without its end was cut off by a crash
                raise
            log.note("line_unreadable", number, str(error))
            continue
        run = None if is_log else run_in(line, f"{name}[{number}]", f"/{number}", format)
        if run is not None:
            yield run
        elif format not in ("auto", "log") or not log.add(line, number):
            raise RecordingError(f"line {number + 1} is no {'message' if is_log else 'run'}")
        else:
            is_log = True
    yield from log.runs()


def _is_json(raw: bytes) -> bool:
    try:
        _parse(raw, "")
    except RecordingError:
        return False
    return True


def _parse(raw: bytes, otherwise: str) -> Any:
    try:
        return json.loads(raw.removeprefix(_BYTE_ORDER_MARK))
    except json.JSONDecodeError as error:
        where = f"line {error.lineno} column {error.colno}"
        raise RecordingError(f"{otherwise}: {error.msg} at {where}") from None
    except UnicodeDecodeError:
        raise RecordingError(f"{otherwise}: it is not UTF-8 text") from None
    except (ValueError, RecursionError):
        raise RecordingError(f"{otherwise}: a number too long or a nesting too deep") from None
