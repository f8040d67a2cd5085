"""A few of the hundred thousand fuzzed lists, on every run of the tests."""

from __future__ import annotations

import importlib.util
import random
from collections import Counter
from pathlib import Path

import pytest

SPEC = importlib.util.spec_from_file_location("fuzz_trajectory", Path(__file__).with_name("fuzz_trajectory.py"))
fuzz = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(fuzz)


@pytest.mark.row("X3")
def test_fuzzed_lists_raise_nothing_and_are_not_all_alike():
    """Passes, fails and doubts, and most anomalies: the lists get past the first line of the reader."""
    chance, seen = random.Random(1), Counter()
    for _ in range(600):
        seen.update(set(fuzz.try_one(fuzz.fuzzed(chance))))
    assert {"pass", "fail", "not_judgeable"} <= set(seen)
    assert len(seen) >= 15
