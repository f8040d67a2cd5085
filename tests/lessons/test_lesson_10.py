"""What lesson 10 builds is what the package holds: the notebook's own definitions, on the same cases."""

from __future__ import annotations

import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolkit.gateway import log
from toolkit.gateway.idempotency import canonical
from toolkit.lessons.exercise_10_holds import HOLDS
from toolkit.lessons.exercise_10_mtbf import MTBF
from toolkit.lessons.exercise_10_worst_argument import WORST_ARGUMENT
from toolkit.observe import json_logger, structlog_sink
from toolkit.observe import percentiles as package
from toolkit.observe.alerts import Alert, failure_share
from toolkit.observe.lines import Line, read_log
from toolkit.observe.questions import wrong_arguments
from toolkit.observe.reliability import reliability
from toolkit.records import Status
from tools.environment import ROOT
from tools.notebook_definitions import load_definitions

LESSON = load_definitions(ROOT / "notebooks" / "source" / "10_ask_the_log.py")
STATUS = {"answered": Status.SUCCESS, "failed": Status.TIMEOUT, "refused": Status.DENIED}
CALLS = st.lists(st.tuples(st.integers(0, 300), st.sampled_from(list(STATUS)))).map(sorted)


def lines_of(calls):
    return [Line(float(moment), "t", STATUS[outcome], 0.0) for moment, outcome in calls]


@pytest.mark.row("S6", "S8", "T11")
@given(st.dictionaries(st.sampled_from([*log.FIELDS, "password", "note"]), st.none() | st.text() | st.integers()))
def test_one_line_holds_what_the_gateways_line_and_the_sinks_line_hold(record):
    """The same fields with the same values, in one ASCII line; the sink adds time and level."""
    record = {**record, "event": "tool_call"}
    line, file = LESSON.one_line(record), io.StringIO()
    structlog_sink(json_logger(file))(record)
    written = {name: value for name, value in json.loads(file.getvalue()).items() if name not in ("timestamp", "level")}
    assert line.isascii()
    assert len(line.splitlines()) <= 1
    assert json.loads(line) == json.loads(log.line(record))
    assert json.loads(line) == written


@pytest.mark.row("S7")
@given(st.binary(min_size=1, max_size=64), st.text(), st.dictionaries(st.text(), st.integers() | st.text()))
def test_input_hash_is_the_packages(key, tool, arguments):
    """The same hash for the same key, tool and arguments."""
    try:
        text = canonical(arguments)
        f"{tool}{text}".encode()
    except UnicodeEncodeError:
        return  # half a surrogate pair has no UTF-8, here and there
    assert LESSON.input_hash(key, tool, arguments) == log.input_hash(key, tool, text)


@pytest.mark.row("E9")
@given(st.lists(st.floats(0, 1e6), min_size=1), st.sampled_from([0.07, 0.5, 0.9, 0.95, 0.99]))
def test_percentile_is_the_packages(values, share):
    """The same value out of the same values."""
    assert LESSON.percentile(values, share) == package.percentile(values, share).value


@pytest.mark.row("E9")
@given(st.floats(0.01, 0.999))
def test_sample_needed_is_the_packages(share):
    """The same number, up to the digits of 1.96."""
    assert LESSON.sample_needed(share) == pytest.approx(package.sample_needed(share), abs=1, rel=1e-4)


@pytest.mark.row("E9")
@given(CALLS)
def test_the_exercises_mtbf_is_the_packages(calls):
    """The same number for any course of answers, failures and refusals; None where the package has none."""
    ours = MTBF.answer(MTBF.solution)(calls, 0, 300)
    assert ours == pytest.approx(reliability(lines_of(calls), 0.0, 300.0).mtbf_s)


@pytest.mark.row("T11")
@given(CALLS, st.integers(0, 300), st.sampled_from([0.1, 0.5, 1.0]), st.integers(1, 100), st.integers(1, 10))
def test_the_exercises_rule_holds_when_the_packages_does(calls, now_s, threshold, window_s, at_least):
    """The same verdict at any moment of any course."""
    ours = HOLDS.answer(HOLDS.solution)(calls, now_s, threshold, window_s, at_least)
    alert = Alert(name="calls fail", of=failure_share, threshold=threshold, window_s=window_s, at_least=at_least)
    assert ours == alert.read(lines_of(calls), float(now_s)).holds


@pytest.mark.row("T11")
def test_the_exercise_finds_what_the_package_finds():
    """On the log of the lesson's own day."""
    from toolkit.lab.busy_day import busy_day

    text = busy_day().log.splitlines()
    ours = WORST_ARGUMENT.answer(WORST_ARGUMENT.solution)([json.loads(line) for line in text])
    assert ours == wrong_arguments(read_log(text)).most_common(1)[0][0] == ("search_hotels", "check_in")
