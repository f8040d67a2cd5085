"""Alerts: a named rule over the log, with a threshold and a window."""

from __future__ import annotations

import pytest

from toolkit.observe.alerts import (
    ALERTS,
    Alert,
    Incident,
    Watch,
    failure_share,
    incidents,
    mean_score,
    p95_ms,
    refusal_share,
)

FAILS = Alert(name="calls fail", of=failure_share, threshold=0.5, window_s=60, at_least=4)


def ended(line, *calls):
    """Lines from pairs of a second and a letter: `.` an answer, `x` a failure, `r` a refusal."""
    status = {".": "success", "x": "timeout", "r": "denied"}
    return [line(float(second), status[letter]) for second, letter in calls]


@pytest.mark.row("T11")
def test_a_rule_holds_from_its_threshold_on(line):
    """Two failures of four reach 50 %, one does not."""
    lines = ended(line, (1, "."), (2, "."), (3, "x"), (4, "x"))
    assert FAILS.read(lines, now_s=4.0) == (0.5, 4, True)
    assert FAILS.read(lines[:3] + ended(line, (4, ".")), now_s=4.0) == (0.25, 4, False)


@pytest.mark.row("T11")
def test_only_the_window_counts(line):
    """What ended a window ago, or lies in the future, is not in it."""
    lines = ended(line, (0, "x"), (1, "x"), (61, "."), (62, "."), (63, "."), (64, "."), (99, "x"))
    assert FAILS.read(lines, now_s=64.0) == (0.0, 4, False)
    assert FAILS.read(lines, now_s=60.0) == (1.0, 1, None)


@pytest.mark.row("T11")
def test_too_few_calls_decide_nothing(line):
    """One failure out of one call is no 100 %."""
    assert FAILS.read(ended(line, (1, "x")), now_s=1.0) == (1.0, 1, None)
    assert FAILS.read([], now_s=1.0) == (None, 0, None)


@pytest.mark.row("T11", "F30")
def test_a_drill_wakes_nobody(line):
    """Injected faults are not in the window."""
    drill = [line(float(n), "timeout", injected="hang") for n in range(10)]
    assert incidents([FAILS], drill) == []


@pytest.mark.row("T11")
def test_a_rule_may_be_about_one_tool(line):
    """The failures of another tool are not its business."""
    rule = Alert(name="search fails", of=failure_share, threshold=0.5, window_s=60, at_least=1, tool="search_hotels")
    assert rule.read([line(1.0, "timeout", tool="get_weather")], now_s=1.0).holds is None
    assert rule.read([line(1.0, "timeout")], now_s=1.0).holds is True


@pytest.mark.row("T11")
def test_an_incident_begins_once_and_ends_once(line):
    """However many calls fail in between; its worst value is kept."""
    told = []
    watch = Watch([FAILS], told.append)
    for each in ended(line, *[(n, ".") for n in range(4)], *[(n, "x") for n in range(4, 12)]):
        watch.add(each)
    assert told == [Incident("calls fail", 7.0, None, 0.5)]
    for each in ended(line, *[(n, ".") for n in range(70, 80)]):
        watch.add(each)
    assert told[1:] == [Incident("calls fail", 7.0, 73.0, 8 / 12)]
    assert watch.open == []


@pytest.mark.row("T11")
def test_silence_ends_nothing(line):
    """A tool that failed and is not called any more is not known to be well."""
    told = []
    watch = Watch([FAILS], told.append)
    for each in ended(line, *[(n, "x") for n in range(4)]):
        watch.add(each)
    watch.look(10_000.0)
    assert [incident.alert for incident in watch.open] == ["calls fail"]
    assert len(told) == 1


@pytest.mark.row("T11", "E5")
def test_a_watch_is_a_sink_of_the_gateway(line):
    """Records go in as they are written; the alert is told at the moment the rule begins to hold."""
    from toolkit import Gateway, Registry, tool
    from toolkit.lab.virtual_time import VirtualTime

    told, registry, clock = [], Registry(), VirtualTime()

    @tool(registry)
    async def broken() -> str:
        """Break."""
        raise KeyError("x")

    watch = Watch([FAILS], told.append, wall_clock=lambda: 100.0)
    gateway = Gateway(registry, log_sink=watch, clock=clock.now)
    for _ in range(5):
        clock.run(gateway.call({"id": "c", "function": {"name": "broken", "arguments": "{}"}}))
    assert told == [Incident("calls fail", 100.0, None, 1.0)]
    assert gateway.lost_log_lines == 0


@pytest.mark.row("T11")
def test_below_is_for_what_should_be_high(line):
    """A mean score under its threshold, and the lowest value as the worst."""
    rule = Alert(name="low", of=mean_score, threshold=0.8, window_s=60, when="below", at_least=1)
    lines = [line(1.0, score=0.9), line(2.0, score=0.5), line(3.0, score=0.1)]
    assert incidents([rule], lines) == [Incident("low", 2.0, None, 0.5)]


def test_a_rule_that_never_decides_is_refused():
    """A window of no time, or a sample of nothing, is a mistake where it is written."""
    with pytest.raises(ValueError, match=r"Alert 'x': window_s must be above 0 and at_least must be 1 or more\."):
        Alert(name="x", of=p95_ms, threshold=1, window_s=0)


@pytest.mark.row("T11")
def test_the_measures_of_the_usual_alerts(line):
    """What each is made of, and of how many calls."""
    lines = [line(duration_ms=100.0, score=0.5), line(status="denied"), line(status="timeout"), line(duration_ms=300.0)]
    assert failure_share(lines) == (1 / 3, 3)
    assert refusal_share(lines) == (0.25, 4)
    assert p95_ms(lines) == (300.0, 2)
    assert mean_score(lines) == (0.5, 1)
    assert len({alert.name for alert in ALERTS}) == len(ALERTS)
