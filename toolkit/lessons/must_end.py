"""An answer that never ends is told so, and does not take the kernel with it."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from toolkit.lab.virtual_time import Hang
from toolkit.lessons.expect import Wrong
from toolkit.lessons.inspect_answer import where_raised

AGAIN_S = 1.0  # for an answer whose `except BaseException` has eaten the first alarm


class _Alarm(BaseException):
    """Time is up. No `Exception`: an answer that catches those must not go on."""


@contextmanager
def must_end(answer: object, limit_s: float) -> Iterator[None]:
    """Ask an answer, and stop it after `limit_s` real seconds. An answer takes milliseconds: what takes seconds loops.

    The alarm needs a system that has one (not Windows) and the main thread, where a notebook's cells run; elsewhere
    only what hangs in virtual time is noticed.

    Raises:
        Wrong: it would never end.
    """
    try:
        with _alarm(limit_s):
            yield
    except Hang as hang:
        raise Wrong(f"It never ends: {hang}") from None
    except _Alarm as alarm:
        line = where_raised(alarm, answer)
        where = "" if line is None else f" (line {line} of the cell)"
        raise Wrong(f"It ran for {limit_s:g} s and was stopped: a loop that never ends?{where}") from None


@contextmanager
def _alarm(after_s: float) -> Iterator[None]:
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def ring(number: int, frame: FrameType | None) -> None:
        raise _Alarm

    handler = signal.signal(signal.SIGALRM, ring)
    timer = signal.setitimer(signal.ITIMER_REAL, after_s, AGAIN_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, *timer)
        signal.signal(signal.SIGALRM, handler)
