"""The sixty simulated runs: what is committed is what the command makes."""

from __future__ import annotations

import pytest

from toolkit.hotel.recorded import recorded_runs
from toolkit.hotel.simulated_runs import write
from toolkit.resources import data_path


@pytest.mark.row("J5")
def test_the_committed_runs_are_made_by_the_command(tmp_path):
    """Byte for byte, in both languages."""
    write(tmp_path)
    for language in ("en", "zh"):
        committed = data_path("runs", "simulated", f"{language}.jsonl").read_bytes()
        assert (tmp_path / f"{language}.jsonl").read_bytes() == committed


def test_there_are_sixty_and_each_has_a_name_of_its_own():
    """Thirty in English, thirty in Chinese."""
    names = [run.name for run in recorded_runs("simulated")]
    assert len(set(names)) == len(names) == 60
    assert sum(name.startswith("simulated-zh-") for name in names) == 30
