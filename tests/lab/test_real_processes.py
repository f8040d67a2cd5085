"""What can be stopped and what cannot, with real threads and processes."""

from __future__ import annotations

import pytest

from toolkit.lab.real_processes import ends_with_a_stuck_thread, still_counting


@pytest.mark.row("T8")
@pytest.mark.parametrize(("where", "goes_on"), [("thread", True), ("process", False)])
def test_a_thread_goes_on_and_a_process_is_killed(where, goes_on):
    """The same tool, the same cancelled call."""
    assert still_counting(where) is goes_on


@pytest.mark.row("T8", "X12")
@pytest.mark.parametrize(("kind", "ends"), [("executor", False), ("daemon", True)])
def test_the_standard_pool_keeps_a_program_alive(kind, ends):
    """`ThreadPoolExecutor` joins its threads at exit; the gateway's threads are daemons."""
    assert ends_with_a_stuck_thread(kind) is ends
