"""Recordings from files: what is read as which run, and the one sentence for what is no recording."""

from __future__ import annotations

import json
import tracemalloc

import pytest

from toolkit.hotel import HOTEL_POLICY
from toolkit.trajectory import evaluate
from toolkit.trajectory.formats import RecordingError, read_runs, trace_of
from toolkit.trajectory.pointers import resolve


def written(tmp_path, content, name="run.json"):
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
    return path


def lines(*values):
    return b"".join(json.dumps(value).encode() + b"\n" for value in values)


def log_lines(messages, run="r1", start=0):
    return [{"run": run, "seq": start + seq, "message": message} for seq, message in enumerate(messages)]


def verdict(run):
    return str(evaluate(trace_of(run), HOTEL_POLICY).verdict)


@pytest.mark.row("J5")
@pytest.mark.parametrize("key", [None, "messages", "history", "traj"])
def test_a_run_is_a_bare_list_or_an_object_that_holds_one(make, tmp_path, key):
    """Each way gives the same calls, with pointers into the file as it is."""
    messages = make.good()
    document = messages if key is None else {"reward": 1, key: messages}
    (run,) = read_runs(written(tmp_path, document))
    assert (run.name, verdict(run)) == ("run", "pass")
    for call in trace_of(run).calls:
        assert resolve(document, call.at)["function"]["name"] == call.name


def test_a_run_is_named_by_its_id(make, tmp_path):
    """The id stands in the object or under `meta`."""
    for document in ({"run_id": "r7", "messages": make.good()}, {"meta": {"run": "r7"}, "messages": make.good()}):
        assert [run.name for run in read_runs(written(tmp_path, document))] == ["r7"]


def test_a_file_may_hold_a_list_of_runs(make, tmp_path):
    """Objects or bare lists, each a run of its own."""
    document = [{"messages": make.good()}, make.good(book=None)]
    runs = list(read_runs(written(tmp_path, document)))
    assert [(run.name, run.at, verdict(run)) for run in runs] == [
        ("run[0]", "/0/messages", "pass"),
        ("run[1]", "/1", "fail"),
    ]


@pytest.mark.parametrize("name", ["runs.jsonl", "runs.json", "runs.txt"])
def test_a_file_may_hold_a_run_to_a_line(make, tmp_path, name):
    """Told by its content, whatever it is called; pointers address the array of lines."""
    content = lines({"run_id": "a", "messages": make.good()}, make.good(book=None)) + b"\n"
    runs = list(read_runs(written(tmp_path, content, name)))
    assert [(run.at, verdict(run)) for run in runs] == [("/0/messages", "pass"), ("/1", "fail")]


@pytest.mark.row("J5", "X6")
def test_an_audit_log_gives_the_verdicts_of_the_messages(make, tmp_path):
    """One message to a line, with the run's id; pointers address the lines."""
    messages = make.good(book=make.book("HT-009"))
    values = log_lines(messages)
    (run,) = read_runs(written(tmp_path, lines(*values), "log.jsonl"))
    logged, plain = evaluate(trace_of(run), HOTEL_POLICY), evaluate(messages, HOTEL_POLICY)
    assert [(each.name, each.verdict, each.code, each.reason) for each in logged.results] == [
        (each.name, each.verdict, each.code, each.reason) for each in plain.results
    ]
    assert logged["argument_provenance"].at == "/8/message/tool_calls/0"
    assert resolve(values, "/8/message/tool_calls/0")["function"]["name"] == "book_hotel"


@pytest.mark.row("J5")
def test_runs_may_be_mixed_in_one_log(make, tmp_path):
    """Lines are sorted out by run id, in the order in which the runs began."""
    good, bad = log_lines(make.good(), "a"), log_lines(make.good(book=None), "b")
    mixed = [line for pair in zip(good, bad, strict=False) for line in pair] + good[len(bad) :]
    runs = list(read_runs(written(tmp_path, lines(*mixed), "log.jsonl")))
    assert [(run.name, verdict(run)) for run in runs] == [("a", "pass"), ("b", "fail")]


def test_a_line_may_be_the_message_itself(make, tmp_path):
    """The run's id stands beside the role; without one all lines are one run."""
    for extra in ({"run_id": "r1"}, {}):
        content = lines(*({**extra, **message} for message in make.good()))
        (run,) = read_runs(written(tmp_path, content, "log.jsonl"))
        assert (run.name, verdict(run)) == (extra.get("run_id", "log"), "pass")


@pytest.mark.row("R18")
def test_a_log_that_begins_late_has_lost_its_head(make, tmp_path):
    """The sequence numbers show it, even where the messages would not."""
    (run,) = read_runs(written(tmp_path, lines(*log_lines(make.good()[1:], start=1)), "log.jsonl"))
    assert verdict(run) == "not_judgeable"
    assert trace_of(run).anomalies[0].detail == "the log has no message 0 of the run"


def test_a_hole_in_a_log_hides_what_stood_there(make, tmp_path):
    """A step that is not seen may have stood in the hole."""
    values = log_lines(make.good())
    (run,) = read_runs(written(tmp_path, lines(*values[:4], *values[6:]), "log.jsonl"))
    trace = trace_of(run)
    assert [(each.code, each.at, each.detail) for each in trace.anomalies] == [
        ("messages_missing", "/4/message", "the log has no message 4 to 5 of the run")
    ]
    assert str(evaluate(trace, HOTEL_POLICY)["no_skipped_step"].verdict) == "not_judgeable"


def test_a_line_cut_off_by_a_crash_is_skipped_and_noted(make, tmp_path):
    """The last line may be half a line; so may one after which the log was resumed."""
    values = log_lines(make.good())
    whole = lines(*values)
    for content in (whole + b'{"run": "r1", "se', lines(*values[:5]) + b'{"run": "r1", "se\n' + lines(*values[5:])):
        (run,) = read_runs(written(tmp_path, content, "log.jsonl"))
        assert (verdict(run), [each.code for each in run.notes]) == ("pass", ["line_unreadable"])


def test_a_broken_line_among_runs_is_told(make, tmp_path):
    """The runs before it are still given."""
    path = written(
        tmp_path, lines({"messages": make.good()}) + b"{oops\n" + lines({"messages": make.good()}), "r.jsonl"
    )
    runs = read_runs(path)
    assert verdict(next(runs)) == "pass"
    with pytest.raises(RecordingError) as caught:
        next(runs)
    assert str(caught.value) == (
        f"{path}: line 2 is not JSON: Expecting property name enclosed in double quotes at line 1 column 2."
    )


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "the file is empty"),
        (b" \n\t ", "the file holds nothing but white space"),
        (b"\x89PNG\r\n\x1a\n\0\0\0", "it is a binary file, not JSON"),
        (b"[\0\0\0", "it is a binary file, not JSON"),
        (b"\xff\xfe[\0", "it is a binary file, not JSON"),
        (b"Dear reader,\nhello", "it is not JSON: it begins with 'Dear reader,'"),
        (b"{'role': 'user'}", "it is not JSON: Expecting property name enclosed in double quotes at line 1 column 2"),
        (b'{"messages": [', "it is not JSON: Expecting value at line 1 column 15"),
        (b"[" * 100_000, "it is not JSON: a number too long or a nesting too deep"),
        (b"{}", 'no messages: an object with no keys, where a run has "messages"'),
        (b'{"data": 1, "model": "x"}', "no messages: an object with 'data', 'model', where a run has \"messages\""),
        (b'{"messages": []}', "no messages: an object with 'messages', where a run has \"messages\""),
        (b'{"messages": [1]}', "no messages: an object with 'messages', where a run has \"messages\""),
        (b"[]", "no messages: the list is empty"),
        (b"[1, 2]", "no messages: a list that begins with a number, where a run has objects with a role"),
        (b'[{"role": "admin"}]', "no messages: a list that begins with an object, where a run has objects with a role"),
        (b'{"level": "info"}\n{"level": "warn"}\n', "line 1 is no run"),
        (b'{"role": "user", "content": "x"}\n{"level": "info"}\n', "line 2 is no message"),
    ],
)
def test_what_is_no_recording_is_told_in_one_sentence(tmp_path, content, sentence):
    """The sentence names the file and says what was found instead."""
    path = written(tmp_path, content)
    with pytest.raises(RecordingError) as caught:
        list(read_runs(path))
    assert str(caught.value) == f"{path}: {sentence}."


def test_a_missing_file_and_a_folder_are_told(tmp_path):
    """Neither is a traceback."""
    with pytest.raises(RecordingError) as caught:
        list(read_runs(tmp_path / "none.json"))
    assert str(caught.value) == f"{tmp_path / 'none.json'}: there is no such file."
    with pytest.raises(RecordingError) as caught:
        list(read_runs(tmp_path))
    assert str(caught.value) == f"{tmp_path}: Is a directory."


@pytest.mark.parametrize(
    ("unit", "sentence"),
    [
        (b"[" + b"0," * 100, "no messages: nothing in the file has a role"),
        (b'{"level":"info","text":"x"}\n', "no messages: nothing in the file has a role"),
        (b"lorem ipsum dolor\n", "it is not JSON: it begins with 'lorem ipsum dolor'"),
        (b"\0" * 64, "it is a binary file, not JSON"),
        (b'{"role":"admin","text":"x"}\n', "line 1 is no run"),
    ],
)
def test_fifty_megabytes_of_something_else_cost_next_to_nothing(tmp_path, unit, sentence):
    """It is refused without being parsed: less than two megabytes of memory for fifty of file."""
    path = tmp_path / "large.json"
    with path.open("wb") as file:
        for _ in range(50):
            file.write(unit * (1_000_000 // len(unit)))
    tracemalloc.start()
    with pytest.raises(RecordingError) as caught:
        list(read_runs(path))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    path.unlink()
    assert str(caught.value) == f"{path}: {sentence}."
    assert peak < 2_000_000


def test_runs_to_a_line_are_read_one_at_a_time(make, tmp_path):
    """Memory stays that of one run, however many there are."""
    path = written(tmp_path, lines({"messages": make.good()}) * 2_000, "many.jsonl")
    tracemalloc.start()
    count = sum(1 for _ in read_runs(path))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert (count, peak < 1_000_000) == (2_000, True)


def test_a_byte_order_mark_is_read_over(make, tmp_path):
    """Some editors write one."""
    (run,) = read_runs(written(tmp_path, b"\xef\xbb\xbf" + json.dumps(make.good()).encode()))
    assert verdict(run) == "pass"


@pytest.mark.parametrize(("format", "sentence"), [("chat", "line 1 is no run"), ("log", None)])
def test_a_format_may_be_forced(make, tmp_path, format, sentence):
    """A log read as chat is no recording; read as a log it is one."""
    path = written(tmp_path, lines(*log_lines(make.good())), "log.jsonl")
    if sentence is None:
        assert [verdict(run) for run in read_runs(path, format)] == ["pass"]
        return
    with pytest.raises(RecordingError, match=sentence):
        list(read_runs(path, format))
