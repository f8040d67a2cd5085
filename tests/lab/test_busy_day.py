"""The day lesson 10 reads about: the same everywhere, and as its description says."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from toolkit.lab.busy_day import DOWN_S, DRILL_S, OPENS_S, SLOW_S, TOOLS, busy_day
from toolkit.observe.lines import read_log


@pytest.fixture(scope="module")
def lines():
    return read_log(busy_day().log.splitlines()).lines


def minutes(lines):
    return {int(line.ended_s - OPENS_S) // 60 for line in lines}


def test_the_same_guests_give_the_same_day():
    """Two runs write the same log, keyed hashes aside; another seed writes another."""

    def told(seed):
        return re.sub(r'"input_hash": "\w+"', "", busy_day.__wrapped__(guests=60, seed=seed).log)

    assert told(1) == told(1)
    assert told(1) != told(2)


def test_what_went_wrong_went_wrong_when_the_text_says_so(lines):
    """The search fails in its outage, injected faults stand in the drill, slow weather in the slow part."""
    failed = [line for line in lines if line.tool == "search_hotels" and line.outcome == "failed"]
    injected = [line for line in lines if line.injected]
    slow = [line for line in lines if line.tool == "get_weather" and line.duration_ms > 4000]
    assert minutes(failed) <= set(range(DOWN_S[0] // 60, DOWN_S[1] // 60 + 2))
    assert minutes(injected) <= set(range(DRILL_S[0] // 60, DRILL_S[1] // 60 + 1))
    assert minutes(slow) <= set(range(SLOW_S[0] // 60, SLOW_S[1] // 60 + 1))
    assert min(len(failed), len(injected), len(slow)) > 10


@pytest.mark.row("T11")
def test_every_call_is_in_the_log_and_in_the_metrics(lines):
    """Both were written from the same records: no line more, no count less."""
    counted = Counter()
    for family in busy_day().metrics.registry.collect():
        if family.name == "toolkit_tool_calls":
            for sample in family.samples:
                if sample.name.endswith("_total") and sample.value:
                    counted[sample.labels["tool"], sample.labels["status"]] = int(sample.value)
    assert counted == Counter((line.tool, line.status.value) for line in lines if line.injected is None)
    assert {tool for tool, _ in counted} == {*TOOLS, "(unknown)"}
