"""What the rubric of 12.log_line asks: calls and outcomes as they come, and lines read back by the kit's own reader."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from toolkit.errors import ToolError
from toolkit.lessons.expect import Wrong, expect, expect_equal
from toolkit.lessons.rubric import Criterion
from toolkit.observe.lines import line_of

LogLine = Callable[..., Any]
FIELDS = ("call_id", "tool", "status", "input_hash", "duration_ms", "attempts", "error_type")
KEY, OTHER_KEY = b"the key of this process", b"the key of another one"
SECRET = "hunter2"
LONGEST = 1000  # bytes
_STAY = '{"city": "Xi\'an", "guest": {"name": "Li", "phones": [139, 138]}}'
_SAME_STAY = '{ "guest":{"phones":[139,138],"name":"Li"} ,"city":"Xi\'an"}'


def _call(arguments: Any = _STAY, id: Any = "call_7", name: Any = "book_hotel") -> dict[str, Any]:
    return {"id": id, "type": "function", "function": {"name": name, "arguments": arguments}}


def _outcome(error: BaseException | None = None, **changes: Any) -> dict[str, Any]:
    """It took a quarter of a second, and meanwhile the wall clock was set back by an hour."""
    status = "success" if error is None else "execution_error"
    clocks = {"wall_s": (1_790_000_000.0, 1_789_996_400.25), "monotonic_s": (512.5, 512.75)}
    return {"status": status, "attempts": 2, "error": error, **clocks, **changes}


def _read(line: Any, case: str) -> dict[str, Any]:
    """The record of a line, which must be an object of strict JSON."""
    expect(isinstance(line, str), f"{case}: expected a line of text, got {line!r}")
    try:
        record = json.loads(line, parse_constant=_refuse)
    except ValueError as error:
        raise Wrong(f"{case}: no reader takes this for JSON ({error}): {line[:120]!r}") from None
    expect(isinstance(record, dict), f"{case}: expected a JSON object, got {line[:120]!r}")
    return dict(record)


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is no JSON")


def _hash(log_line: LogLine, *call: Any, key: bytes = KEY) -> Any:
    return _read(log_line(_call(*call), _outcome(), key), "an ordinary call").get("input_hash")


def _has_the_fields(log_line: LogLine) -> None:
    record = _read(log_line(_call(), _outcome(), KEY), "an ordinary call")
    missing = [field for field in FIELDS if field not in record]
    expect(not missing, f"an ordinary call: the line lacks {', '.join(missing)}")
    read = line_of({**record, "duration_ms": 0.0}, 0.0)
    said = [read.call_id, read.tool, read.status.value, read.attempts, read.error_type]
    expect_equal(said, ["call_7", "book_hotel", "success", 2, None], "an ordinary call, as the kit's reader reads it")
    expect(isinstance(read.input_hash, str) and read.input_hash, f"an ordinary call: the hash is {read.input_hash!r}")


def _keeps_arguments_out(log_line: LogLine) -> None:
    nested = {
        "password": SECRET,
        "login": {"user": "li", "pin": SECRET},
        "header": [f"Bearer {SECRET}"],
        "note": SECRET,
    }
    line = log_line(_call(json.dumps(nested)), _outcome(), KEY)
    _read(line, "arguments with secrets in them")
    at = line.find(SECRET)
    expect(at < 0, f"a secret that stood in the arguments stands in the line: ...{line[max(0, at - 40) : at + 9]!r}")


def _hashes_what_was_asked(log_line: LogLine) -> None:
    first = _hash(log_line, _STAY)
    expect(first == _hash(log_line, _SAME_STAY), "the same input with its keys in another order has another hash")
    others = [_hash(log_line, _STAY.replace("138", "137")), _hash(log_line, _STAY, "call_7", "cancel_booking")]
    expect(others[0] != first, "another phone number deep in the arguments, and the hash is the same")
    expect(others[1] != first, "another tool with the same arguments, and the hash is the same")
    expect(_hash(log_line, _STAY, "call_8") == first, "the same input in another call has another hash")


def _measures_with_the_right_clock(log_line: LogLine) -> None:
    took = _read(log_line(_call(), _outcome(), KEY), "a call of 250 ms").get("duration_ms")
    expect(not isinstance(took, int | float) or took >= 0, f"the wall clock was set back, and the call took {took} ms")
    expect_equal(took, 250, "a call of 250 ms: its duration_ms")


def _names_the_error_only(log_line: LogLine) -> None:
    error = ConnectionError(f"login failed for admin:{SECRET}@db")
    error.__cause__ = OSError(SECRET)
    for raised in (error, ToolError(f"Card {SECRET} was refused.")):
        line = str(log_line(_call(), _outcome(raised), KEY))
        expect(SECRET not in line, f"the text of a {type(raised).__name__} stands in the line, with a password")
        said = _read(line, "a call that failed").get("error_type")
        name = type(raised).__name__
        expect_equal(str(said).rpartition(".")[2], name, f"a call that failed, {said!r}: its error_type")


def _is_one_line(log_line: LogLine) -> None:
    for odd in ('call_1\n{"tool": "forged"}', 'call_1", "status": "success', "call\u20281", "call\x851", "call\\"):
        for call in (_call(id=odd), _call(name=odd)):
            line = log_line(call, _outcome(), KEY)
            case = f"an id or a name that a model made up, {odd!r}"
            expect(
                len(str(line).splitlines()) == 1,
                f"{case}: some reader takes it for {len(str(line).splitlines())} lines",
            )
            expect_equal(_read(line, case).get("status"), "success", f"{case}: the status")


def _is_bounded(log_line: LogLine) -> None:
    long = "x" * 100_000
    for call in (_call(json.dumps({"note": long})), _call(id=long), _call(name=long), _call(id="\u20ac" * 9_000)):
        line = log_line(call, _outcome(), KEY)
        size = len(str(line).encode("utf-8", "replace"))
        expect(
            size <= LONGEST, f"a call with a long text makes a line of {size} bytes; the collector cuts it at {LONGEST}"
        )
        _read(line, "a call with a long text")


def _never_raises(log_line: LogLine) -> None:
    arguments = [
        f'{{"pin": "{SECRET}',
        "",
        None,
        5,
        "[" * 100_000,
        '{"price": NaN}',
        "\ud800",
        '{"a": "\ud800"}',
        {"city": "Xi'an"},
    ]
    for odd in arguments:
        case = f"arguments {str(odd)[:20]!r}"
        expect_equal(_line_of(log_line, _call(odd), _outcome(), case).get("call_id"), "call_7", f"{case}: the call_id")
    calls: list[Any] = [None, {}, {"id": "call_7"}, {"id": 5, "function": None}, {"id": {}, "function": {"name": []}}]
    for call in calls:
        status = _line_of(log_line, call, _outcome(), f"the call {call!r}").get("status")
        expect_equal(status, "success", f"the call {call!r}: the status")
    for outcome in ({}, {"status": "success"}, None):
        said = _line_of(log_line, _call(), outcome, f"the outcome {outcome!r}").get("call_id")
        expect_equal(said, "call_7", f"the outcome {outcome!r}: the call_id")


def _line_of(log_line: LogLine, call: Any, outcome: Any, case: str) -> dict[str, Any]:
    try:
        line = log_line(call, outcome, KEY)
    except NotImplementedError:
        raise
    except Exception as error:  # noqa: BLE001 - that it raises, whatever, is what is asked here
        raise Wrong(f"{case}: logging raised {type(error).__name__}, and took the call down with it") from None
    expect(SECRET not in str(line), f"{case}: what could not be read stands in the line, with a password in it")
    return _read(line, case)


def _cannot_be_guessed(log_line: LogLine) -> None:
    small = '{"phone": "139"}'
    same = _hash(log_line, small) == _hash(log_line, small, key=OTHER_KEY)
    expect(not same, "the hash does not depend on the key: who can try all phone numbers knows which one it was")


RUBRIC = (
    Criterion("one JSON object with the fields, which the kit's reader reads", 3, "junior", _has_the_fields),
    Criterion("nothing of the arguments stands in the line", 2, "junior", _keeps_arguments_out),
    Criterion("equal inputs have one hash, other inputs another", 2, "senior", _hashes_what_was_asked),
    Criterion("the duration is right when the wall clock is set", 2, "senior", _measures_with_the_right_clock),
    Criterion("an error is named, its text is not told", 2, "senior", _names_the_error_only),
    Criterion("it is one line, whatever a model puts into a name", 2, "senior", _is_one_line),
    Criterion("its size is bounded", 2, "staff", _is_bounded),
    Criterion("a call that cannot be read is logged, too; nothing is raised", 3, "staff", _never_raises),
    Criterion("the input cannot be guessed from its hash", 2, "staff", _cannot_be_guessed),
)
