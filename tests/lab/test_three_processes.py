"""T14: tools that remember something, with real processes."""

from __future__ import annotations

import pytest

from toolkit.lab.three_processes import SharedRooms, comparison, try_processes


@pytest.mark.row("T14")
def test_one_process_three_processes_one_memory():
    """One process is right; three with a memory each are mostly wrong; three with one memory are right again."""
    one, three, shared = comparison(calls=300)
    assert one.share >= 0.999
    assert three.share < 0.6
    assert shared.share >= 0.999
    assert one.answers == three.answers == shared.answers > 150


@pytest.mark.row("T14")
def test_the_same_seed_gives_the_same_answers():
    """Chance is seeded, so that a lesson shows the same figures each time."""
    assert try_processes(2, "local", calls=60, seed=3) == try_processes(2, "local", calls=60, seed=3)


def test_a_shared_memory_is_a_mapping(tmp_path):
    """Two of them on one file are one memory."""
    here, there = (SharedRooms(str(tmp_path / "rooms.db")) for _ in range(2))
    here["101"] = "Ada"
    there["102"] = "Bo"
    assert (there["101"], dict(here), "103" in here) == ("Ada", {"101": "Ada", "102": "Bo"}, False)
    del here["101"]
    assert len(there) == 1
    for each in (here, there):
        each._db.close()
