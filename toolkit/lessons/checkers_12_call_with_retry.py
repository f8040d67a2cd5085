"""What the rubric of 12.call_with_retry asks: a tool that ends as its script says, in virtual time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Generator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple, TypeAlias

from toolkit.errors import ToolError, TransientError
from toolkit.lab.callers import leave_early
from toolkit.lab.virtual_time import Hang, VirtualTime
from toolkit.lessons.expect import Wrong, expect, expect_equal
from toolkit.lessons.rubric import Criterion

CallWithRetry: TypeAlias = Callable[..., Coroutine[Any, Any, Any]]


class Step(NamedTuple):
    """One attempt: it takes so many seconds, and then raises or returns."""

    ends_in: object = "BK-0001"
    seconds: float = 0.0


_TOO_OFTEN = "the tool was called 100 times, and no end in sight"
HANGS, WORKS = Step(seconds=10_000), Step()


def _down(**details: Any) -> Step:
    return Step(TransientError("down", **details))


class _Tool:
    """Goes through its steps, the last one again and again; notes when an attempt began, and how many still run."""

    def __init__(self, clock: VirtualTime, steps: Sequence[Step]) -> None:
        self.clock, self.steps = clock, steps
        self.began: list[float] = []
        self.running = self.most_running = 0

    async def __call__(self) -> object:
        step = self.steps[min(len(self.began), len(self.steps) - 1)]
        self.began.append(self.clock.now())
        if len(self.began) > 102:
            await _Never()  # an answer that catches even _Endless
        if len(self.began) > 100:
            raise _Endless(_TOO_OFTEN)
        self.running += 1
        self.most_running = max(self.running, self.most_running)
        try:
            await asyncio.sleep(step.seconds)
        finally:
            self.running -= 1
        if isinstance(step.ends_in, BaseException):
            raise step.ends_in
        return step.ends_in


@dataclass
class _Run:
    """What the caller got and when, and what the tool saw of it."""

    outcome: object
    ended_s: float
    tool: _Tool

    @property
    def calls(self) -> int:
        return len(self.tool.began)

    @property
    def waits(self) -> list[float]:
        """Seconds between the beginnings of attempts: of attempts that take no time, the waits."""
        return [round(later - earlier, 6) for earlier, later in pairwise(self.tool.began)]


def _run(
    call_with_retry: CallWithRetry,
    *steps: Step,
    share: float = 0.5,
    leaves_s: float = 0,
    oversleep_s: float = 0,
    **set_to: Any,
) -> _Run:
    """Make one call. The random share is fixed; the caller may leave early, and the sleep may be too long."""
    clock = VirtualTime()
    tool = _Tool(clock, steps)

    async def sleep(seconds: float) -> None:
        await asyncio.sleep(seconds + oversleep_s)

    settings = {"deadline_s": 1000.0, "attempt_s": 100.0, "repeatable": True, **set_to}
    work = call_with_retry(tool, now=_Clock(clock).now, sleep=sleep, random=lambda: share, **settings)
    outcome = clock.outcome(leave_early(work, leaves_s) if leaves_s else work)
    if isinstance(outcome, Hang | _Endless):
        said = _TOO_OFTEN if isinstance(outcome, Hang) and len(tool.began) > 100 else outcome
        raise Wrong(f"the caller got no answer, ever: {said}")
    if isinstance(outcome, Exception) and not isinstance(outcome, ToolError | TransientError | TimeoutError | _Odd):
        raise outcome
    return _Run(outcome, clock.now(), tool)


class _Never:
    """Awaited, it never ends, and needs no loop: an answer that catches all is also closed when there is none."""

    def __await__(self) -> Generator[None, None, None]:
        while True:
            yield


class _Clock:
    """What an answer reads: a loop that does nothing but read it would never end, as no time passes."""

    def __init__(self, clock: VirtualTime) -> None:
        self.clock, self.moment, self.reads = clock, -1.0, 0

    def now(self) -> float:
        moment = self.clock.now()
        self.reads = self.reads + 1 if moment == self.moment else 0
        self.moment = moment
        if self.reads == 10_000:
            raise _Endless(f"now() was read 10000 times at {moment:g} s: no time passes where nothing is awaited")
        return moment


class _Endless(BaseException):
    """Not an Exception: an answer that catches those would go on, and no time passes between its attempts."""


class _Odd(Exception):
    """A bug in the tool."""


def _repeats_what_says_so(call_with_retry: CallWithRetry) -> None:
    run = _run(call_with_retry, _down(), _down(), WORKS, attempts=3)
    expect(run.outcome == "BK-0001", f"attempts=3, and the third works: got {run.outcome!r} after {run.calls}")
    expect_equal(run.calls, 3, "a tool that works at the third attempt: attempts")
    errors = [TransientError(f"failure {n}") for n in range(1, 9)]
    run = _run(call_with_retry, *map(Step, errors), attempts=4)
    expect_equal(run.calls, 4, "attempts=4, and the tool stays down: attempts")
    expect(
        run.outcome is errors[3], f"a tool that stays down: the caller should get the last error, not {run.outcome!r}"
    )
    waited = run.ended_s - run.tool.began[-1]
    expect(waited == 0, f"after the last attempt the caller waited {waited:g} s for nothing")


def _leaves_other_errors_alone(call_with_retry: CallWithRetry) -> None:
    for error in (ToolError("No suite."), _Odd("a bug")):
        run = _run(call_with_retry, Step(error), attempts=3)
        expect(run.calls == 1, f"{type(error).__name__} does not say that it may pass, and was tried {run.calls} times")
        expect(
            run.outcome is error, f"{type(error).__name__}: the caller should get that very error, not {run.outcome!r}"
        )


def _gives_up_an_attempt(call_with_retry: CallWithRetry) -> None:
    run = _run(call_with_retry, HANGS, WORKS, attempt_s=2.0, base_s=1.0)
    expect(run.outcome == "BK-0001", f"the first attempt hangs, the second would work: got {run.outcome!r}")
    expect(run.ended_s <= 4, f"attempt_s=2: after an attempt that hangs the caller was answered at {run.ended_s:g} s")
    run = _run(call_with_retry, HANGS, attempt_s=2.0, base_s=1.0, attempts=3)
    expect(
        isinstance(run.outcome, TimeoutError), f"three attempts that hang: expected TimeoutError, got {run.outcome!r}"
    )
    expect(run.tool.most_running == 1, "an attempt that was given up went on beside the next one")


def _backs_off(call_with_retry: CallWithRetry) -> None:
    for share, wanted in ((0.5, [0.5, 1, 2, 2]), (0.25, [0.25, 0.5, 1, 1]), (0.0, [0, 0, 0, 0])):
        run = _run(call_with_retry, _down(), share=share, attempts=6, base_s=1.0, cap_s=4.0)
        case = f"base_s=1, cap_s=4, and random() gives {share}"
        waits = run.waits[:4]
        expect(waits != [1, 2, 4, 4], f"{case}: all callers wait the same {waits}, and come back together")
        expect_equal(waits, wanted, f"{case}: the first waits")


def _comes_back_when_told(call_with_retry: CallWithRetry) -> None:
    for after_s, cap_s in ((2.5, 8.0), (20.0, 8.0)):
        run = _run(call_with_retry, _down(retry_after_s=after_s), WORKS, base_s=0.5, cap_s=cap_s)
        expect(
            run.calls == 2,
            f"told to come back after {after_s:g} s, with all the time in the world: {run.calls} attempts",
        )
        waited = run.waits[0]
        expect(waited >= after_s, f"told to come back after {after_s:g} s, cap_s={cap_s:g}: it came after {waited:g} s")
        expect(waited <= after_s + 1, f"told to come back after {after_s:g} s: it came after {waited:g} s")


def _writes_once(call_with_retry: CallWithRetry) -> None:
    for case, step in (
        ("hangs", HANGS),
        ("fails, and may have been done", _down()),
        ("times out", Step(TimeoutError())),
    ):
        run = _run(call_with_retry, step, WORKS, repeatable=False, attempt_s=2.0)
        expect(run.calls == 1, f"a booking without a key {case}: it was sent {run.calls} times")
        expect(isinstance(run.outcome, TransientError | TimeoutError), f"a booking {case}: got {run.outcome!r}")
    run = _run(call_with_retry, _down(sent=False), WORKS, repeatable=False)
    expect(run.outcome == "BK-0001", f"nothing was sent, so even a booking may be tried again; got {run.outcome!r}")


def _lets_the_caller_go(call_with_retry: CallWithRetry) -> None:
    for case, step in (("an attempt", HANGS), ("a wait", _down())):
        run = _run(call_with_retry, step, leaves_s=1.0, base_s=50.0, cap_s=50.0)
        left = isinstance(run.outcome, asyncio.CancelledError)
        expect(left, f"the caller left during {case}, and got {run.outcome!r} instead of its cancellation")
        expect(run.ended_s == 1.0, f"the caller left during {case} at 1 s, and was kept until {run.ended_s:g} s")
        expect(run.calls == 1, f"the caller left during {case}, and the tool was called again for nobody")


def _ends_at_the_deadline(call_with_retry: CallWithRetry) -> None:
    for attempt_s in (100.0, 2.0):
        run = _run(call_with_retry, HANGS, deadline_s=5.0, attempt_s=attempt_s, attempts=9, share=0.0)
        case = f"deadline_s=5, attempt_s={attempt_s:g}, and every attempt hangs"
        expect(run.ended_s <= 5, f"{case}: the caller heard at {run.ended_s:g} s")
        expect(isinstance(run.outcome, TimeoutError), f"{case}: expected TimeoutError, got {run.outcome!r}")
    run = _run(call_with_retry, WORKS, deadline_s=0.0)
    expect(run.calls == 0, "deadline_s=0: there was no time at all, and an attempt was begun")
    run = _run(call_with_retry, _down(), WORKS, deadline_s=5.0, oversleep_s=10.0)
    late = [began for began in run.tool.began if began >= 5]
    expect(not late, f"the sleep took longer than asked, and an attempt began at {late}, after the deadline of 5 s")


def _begins_no_wait_in_vain(call_with_retry: CallWithRetry) -> None:
    for case, step in (("told to come back after 60 s", _down(retry_after_s=60)), ("the wait would be 60 s", _down())):
        run = _run(call_with_retry, step, deadline_s=5.0, base_s=120.0, cap_s=120.0)
        expect(run.ended_s == 0, f"{case}, and deadline_s=5: the caller was kept until {run.ended_s:g} s for nothing")
        raised = run.outcome is step.ends_in or isinstance(run.outcome, TimeoutError)
        expect(raised, f"{case}: the caller should get the tool's own error or a TimeoutError, not {run.outcome!r}")


RUBRIC = (
    Criterion("what says that it may pass is tried again, so often and no more", 3, "junior", _repeats_what_says_so),
    Criterion("any other error goes to the caller at once, and as it is", 2, "junior", _leaves_other_errors_alone),
    Criterion("an attempt that hangs is given up", 2, "junior", _gives_up_an_attempt),
    Criterion("the waits double up to a cap, with full jitter", 2, "senior", _backs_off),
    Criterion("it does not come back before it was told to", 2, "senior", _comes_back_when_told),
    Criterion("a write without a key is repeated only where nothing was sent", 3, "senior", _writes_once),
    Criterion("a caller who leaves is let go, and nothing is done for nobody", 2, "senior", _lets_the_caller_go),
    Criterion("at the deadline all is over, and behind it nothing begins", 2, "staff", _ends_at_the_deadline),
    Criterion("a wait that ends behind the deadline is not begun", 2, "staff", _begins_no_wait_in_vain),
)
