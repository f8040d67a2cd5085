"""An answer that never ends is refused, and whatever runs the check goes on."""

from __future__ import annotations

import asyncio
import signal
import threading

import pytest

from toolkit.lab.virtual_time import VirtualTime
from toolkit.lessons.expect import Wrong
from toolkit.lessons.must_end import must_end

needs_an_alarm = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="this system has no alarm")


def loops():
    """An answer that never ends, and would go on from any error."""
    try:
        while True:
            pass
    except Exception:  # noqa: BLE001 - the mistake that is to be noticed
        return "went on"


@needs_an_alarm
def test_a_loop_that_never_ends_is_stopped_and_its_line_told():
    """The alarm is no `Exception`, so that `except Exception` does not eat it."""
    with (
        pytest.raises(
            Wrong, match=r"^It ran for 0\.05 s and was stopped: a loop that never ends\? \(line \d+ of the cell\)$"
        ),
        must_end(loops, 0.05),
    ):
        loops()


@needs_an_alarm
def test_a_loop_in_virtual_time_is_stopped_in_its_thread():
    """No thread goes on computing behind the notebook's back."""
    before = threading.active_count()

    async def answer():
        loops()

    with pytest.raises(Wrong, match="a loop that never ends"), must_end(loops, 0.05):
        VirtualTime().run(answer())
    left = [thread for thread in threading.enumerate() if thread.name == "virtual time"]
    for thread in left:
        thread.join(10)
    assert threading.active_count() == before


def test_what_waits_for_ever_is_told():
    """A hang of virtual time is the answer's mistake, not the check's; whole text."""

    async def waits():
        await asyncio.Event().wait()

    with pytest.raises(Wrong) as raised, must_end(waits, 60):
        VirtualTime().run(waits())
    assert str(raised.value) == "It never ends: at 0 s nothing can run and nothing is due: this waits for ever"


@needs_an_alarm
def test_the_alarm_of_others_is_left_as_it_was():
    """Handler and timer of whoever runs the check are the same afterwards."""
    handler = signal.getsignal(signal.SIGALRM)
    with must_end(loops, 60):
        assert signal.getsignal(signal.SIGALRM) is not handler
    assert signal.getsignal(signal.SIGALRM) is handler
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_beside_the_main_thread_nothing_is_set():
    """Only the main thread may set an alarm; a check in another one works all the same."""
    done = []

    def check():
        with must_end(loops, 60):
            done.append(True)

    thread = threading.Thread(target=check)
    thread.start()
    thread.join(10)
    assert done == [True]
